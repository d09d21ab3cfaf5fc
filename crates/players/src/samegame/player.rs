//! The player: learns the window's habits from its first moves and clears board after board (S6, S7).

use std::time::Duration;

use budget::Budget;
use engine::{
    Candidate, Choice, Key, Picture, Plan, Player, Point, Pointing, Step, Time, TimedAction, Verdict,
};
use samegame::answer::Proof;
use samegame::board::{Board, CellGroup};
use samegame::rules::{Orientation, Rules};
use samegame::scoring::Scoring;
use vision::patch::{Patch, distance};

use super::belief::Belief;
use super::change::{Change, ORIENTATIONS, Supply, after, change};
use super::course::Course;
use super::intent::{Bounds, Expectation, Intent, Observation, Removal};
use super::round::{Round, RoundEnd};
use super::see::{Reading, Sight, Unclear, see_given};
use super::weigh::weigh;
use super::wishes::{Known, NextRound, Wishes};

/// Plays SameGame in a window that it knows nothing about.
#[derive(Clone, Debug)]
pub struct SamegamePlayer {
    wishes: Wishes,
    /// Where the board is and how its tiles look, while that holds.
    sight: Option<Sight>,
    /// The last sight, after the player was told to start afresh: most likely it holds again.
    remembered: Option<Sight>,
    rules: Rules,
    /// Clicks for one move, as far as is known.
    clicks: u8,
    /// Whether a move has worked with this number of clicks.
    clicks_known: bool,
    course: Option<Course>,
    /// The board of this round that stands, also while it cannot be seen.
    belief: Belief,
    last_seen: Option<Board>,
    /// How the strange cells of the last look looked.
    last_strange: Vec<Patch>,
    /// The move that was tried last, and how often without effect.
    tried: Option<(Board, CellGroup, u32)>,
    /// The same from before the player was told to start afresh: if the board is still the same, the tries count.
    tried_before: Option<(Board, CellGroup, u32)>,
    /// Whether the round's end was announced; the next board begins a new one.
    over: bool,
    /// When that was, and how often the next round was asked for since.
    asked: (Time, usize),
    /// What comes after tiles that went, once that is known.
    supply: Option<Supply>,
    /// Where columns go, once that is known.
    orientation: Option<Orientation>,
    /// Whether a new board has taken the place of one that could still be played.
    replaced: bool,
    /// When the last click was planned, and the longest time until its effect had come to rest.
    clicked: Time,
    settles_after: Duration,
    rounds: Vec<Round>,
    /// When the last look was taken, and when the round began.
    now: Time,
    began: Time,
}

/// Tries without effect after which a move counts as impossible: lost clicks come one by one.
const MOST_TRIES: u32 = 4;
/// How long the next round is waited for before it is asked for, the first time and each further time.
const ASK_AFTER: Duration = Duration::from_millis(2_500);
/// Keys that begin a new round in most games.
const ASKING: [Key; 5] = [Key::N, Key::F2, Key::ControlN, Key::Return, Key::Space];
/// Patches nearer than this show the same, in grey levels.
const SAME_LOOK: f32 = 3.0;

impl SamegamePlayer {
    /// A player that has seen nothing yet.
    pub fn new(wishes: Wishes) -> Self {
        let Known { clicks, min_group, supply, .. } = wishes.known;
        let rules = min_group.and_then(|least| Rules::with_min_group(least).ok()).unwrap_or_default();
        Self {
            wishes,
            sight: None,
            remembered: None,
            rules,
            clicks: clicks.unwrap_or(1),
            clicks_known: clicks.is_some(),
            course: None,
            belief: Belief::default(),
            last_seen: None,
            last_strange: Vec::new(),
            tried: None,
            tried_before: None,
            over: true,
            asked: (Time::START, 0),
            supply,
            orientation: None,
            replaced: false,
            clicked: Time::START,
            settles_after: Duration::ZERO,
            rounds: Vec::new(),
            now: Time::START,
            began: Time::START,
        }
    }

    /// The rounds so far; the last may be under way.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Clicks for one move, once a move has worked.
    pub fn clicks_learned(&self) -> Option<u8> {
        self.clicks_known.then_some(self.clicks)
    }

    /// The smallest group that can be removed, as far as is known.
    pub fn min_group(&self) -> usize {
        self.rules.min_group()
    }

    /// Where columns go, once a move has shown it.
    pub fn orientation(&self) -> Option<Orientation> {
        self.orientation
    }

    /// What comes after tiles that went, once a move has shown it.
    pub fn supply(&self) -> Option<Supply> {
        self.supply
    }

    /// The longest time from a click until the board had come to rest.
    pub fn settles_after(&self) -> Duration {
        self.settles_after
    }

    fn observe(&mut self, picture: &Picture) -> Result<Observation, Unclear> {
        let Some(sight) = &self.sight else {
            let (sight, board) = self.find(picture)?;
            self.sight = Some(sight);
            self.remembered = None;
            self.last_strange.clear();
            return Ok(self.seen(board));
        };
        match sight.reread(picture)? {
            Reading::Board(board) => {
                self.last_strange.clear();
                Ok(self.seen(board))
            }
            Reading::Strange { cells, looks, others } => {
                // A mark, a mark's end and what was under tiles stay as they are; what vanishes changes.
                let before = &self.last_strange;
                let still = before.len() == looks.len()
                    && before.iter().zip(&looks).all(|(before, now)| distance(before, now) < SAME_LOOK);
                let seen = self
                    .understand(&cells, &looks, &others, still)
                    .or_else(|| if still { self.lit_up(&cells, &looks, &others) } else { None });
                self.last_strange = looks;
                seen.ok_or_else(|| {
                    let (column, row) = cells.first().copied().unwrap_or_default();
                    Unclear::UnknownTile { column: column + 1, row: row + 1 }
                })
            }
        }
    }

    /// What cells that look like nothing known are: marked tiles, or room where tiles were.
    fn understand(
        &mut self,
        cells: &[(usize, usize)],
        looks: &[Patch],
        others: &[Vec<u8>],
        still: bool,
    ) -> Option<Observation> {
        let (before, group, _) = self.tried.as_ref()?;
        let sight = self.sight.as_mut()?;
        let one_click = self.clicks_known && self.clicks == 1;
        let is_mark = cells.iter().all(|cell| group.cells.contains(cell))
            && !one_click
            && sight.may_be_marked(group.colour, looks);
        if is_mark {
            let board = before.clone();
            return Some(Observation { board, still, marked: still, bounds: self.bounds() });
        }
        let is_strange = |cell: (usize, usize)| cells.contains(&cell);
        let fits = |board: &Board| {
            board.columns().iter().zip(others).enumerate().all(|(column, (wanted, seen))| {
                wanted.iter().zip(seen).enumerate().all(|(row, (wanted, seen))| {
                    if is_strange((column, row)) { *wanted == 0 } else { wanted == seen }
                })
            })
        };
        let board = after(before, group).into_iter().find(fits)?;
        if still {
            sight.learn_empty(cells, looks);
            return Some(self.seen(board));
        }
        Some(Observation { board, still: false, marked: false, bounds: self.bounds() })
    }

    /// The board with groups that are lit up: under a pointer that is gone, or where the keyboard's focus is.
    /// A game lights up whole groups.
    fn lit_up(
        &mut self,
        cells: &[(usize, usize)],
        looks: &[Patch],
        others: &[Vec<u8>],
    ) -> Option<Observation> {
        let is_clicked = |cell: &(usize, usize)| {
            self.tried.as_ref().is_some_and(|(_, group, _)| group.cells.contains(cell))
        };
        let believed = self.belief.board().into_iter().flat_map(|board| {
            let moved = self.tried.iter().flat_map(|(before, group, _)| after(before, group));
            std::iter::once(board.clone()).chain(moved).collect::<Vec<_>>()
        });
        // What the groups are is known from before: a light may make one colour look like another. But where a group was
        // clicked, it may as well be gone.
        if !cells.iter().all(is_clicked)
            && let Some(board) = believed.into_iter().find(|board| are_groups(board, cells, others))
        {
            return Some(self.seen(board));
        }
        let sight = self.sight.as_ref()?;
        let mut columns = others.to_vec();
        for (&(column, row), look) in cells.iter().zip(looks) {
            *columns.get_mut(column)?.get_mut(row)? = sight.nearest_colour(look)?;
        }
        let board = Board::from_columns(columns).ok()?;
        are_groups(&board, cells, others).then(|| self.seen(board))
    }

    /// Where the board is and what it shows. A board that was known before is looked for in its old
    /// place first: late in a round few tiles are left to find it by, and what covers it may look like
    /// another board.
    fn find(&self, picture: &Picture) -> Result<(Sight, Board), Unclear> {
        if let Some(before) = &self.remembered
            && let Ok(Reading::Board(board)) = before.reread(picture)
        {
            return Ok((before.clone(), board));
        }
        let found = see_given(picture, &self.wishes.known.given)?;
        if self.remembered.as_ref().is_some_and(|before| !found.may_follow(before)) {
            let (across, down) = (found.lattice.x.pitch, found.lattice.y.pitch);
            return Err(Unclear::NoBoard { across, down });
        }
        // In mid-round no tiles of a new kind come: what lies on the known cells lies over them.
        if let Some(before) = self.remembered.as_ref().filter(|_| !self.over)
            && let Some((column, row)) = before.first_new_kind(&found)
        {
            return Err(Unclear::UnknownTile { column: column + 1, row: row + 1 });
        }
        let board = found.board.clone();
        Ok((found, board))
    }

    /// A board at rest, and whether the last look showed it too.
    fn seen(&mut self, board: Board) -> Observation {
        let still = self.last_seen.as_ref() == Some(&board);
        self.last_seen = Some(board.clone());
        Observation { board, still, marked: false, bounds: self.bounds() }
    }

    fn bounds(&self) -> Bounds {
        self.sight.as_ref().map_or_else(Bounds::default, |sight| {
            let (x, y) = (&sight.lattice.x, &sight.lattice.y);
            Bounds { left: x.origin, top: y.origin, width: x.end() - x.origin, height: y.end() - y.origin }
        })
    }

    /// Notes what became of the last move.
    fn learn(&mut self, seen: &Observation) {
        let Some((before, group, tries)) = &mut self.tried else { return };
        if seen.marked {
            // It waits for a second click.
            self.clicks = 2;
        } else if seen.board == *before {
            *tries += 1;
            if let Some(round) = self.rounds.last_mut() {
                round.lost_clicks += 1;
            }
            if !self.clicks_known && *tries >= 2 {
                self.clicks = if self.clicks == 1 { 2 } else { 1 };
            }
            if *tries >= MOST_TRIES {
                let size = group.cells.len();
                if let Ok(rules) = Rules::with_min_group(size + 1) {
                    self.rules = rules;
                }
                self.tried = None;
                self.course = None;
            }
        } else {
            // Two clicks where one would do remove a second group.
            let change = change(before, group, &seen.board);
            let expected = matches!(change, Change::Removed(_));
            if let Change::Removed(supply) = change {
                // A full board says nothing, nor does one that is refilled in one game and not in another.
                self.supply = Some(self.supply.filter(|known| *known != Supply::Nothing).unwrap_or(supply));
                self.settles_after = self.settles_after.max(self.now.since(self.clicked));
                let mut fitting =
                    ORIENTATIONS.into_iter().filter(|&o| before.without(group, o) == seen.board);
                if let (Some(only), None) = (fitting.next(), fitting.next()) {
                    self.orientation = Some(only);
                }
            }
            // In a game with new tiles, a full board that does not follow from the last one begins a round.
            let supplied = self.supply.is_some_and(|supply| supply != Supply::Nothing);
            self.replaced = supplied && !expected && seen.board.columns().iter().all(|c| !c.contains(&0));
            self.clicks_known |= expected;
            if !expected && !self.clicks_known {
                self.clicks = 1;
            }
            let size = group.cells.len() as u32;
            if let Some(round) = self.rounds.last_mut() {
                round.moves += 1;
                round.score += Scoring::default().group.of(size);
            }
            if let Some(course) = &mut self.course {
                course.done += 1;
            }
            self.tried = None;
        }
    }

    /// The next group of the plan, planned again if the board is another one.
    fn next_group(&mut self, board: &Board) -> Option<(usize, CellGroup, usize)> {
        use samegame::plan::Next;
        let next =
            self.course.as_ref().map_or(Next::PlanAgain, |course| course.plan.next(course.done, board));
        let number = match next {
            Next::Move(number) => number,
            Next::Done | Next::PlanAgain => {
                let supplied = self.supply.is_some_and(|supply| supply != Supply::Nothing);
                self.course = Course::find(board, self.rules, &self.wishes, supplied);
                *self.course.as_ref()?.plan.moves().first()?
            }
        };
        let course = self.course.as_ref()?;
        let left = course.plan.moves().len() - course.done;
        let group = board.groups(self.rules.min_group()).into_iter().nth(number - 1)?;
        Some((number, group, left))
    }

    /// What to do to get the next round, if it is time for it.
    fn ask_for_round(&mut self) -> Choice<Intent> {
        let (since, times) = self.asked;
        let first = self.rounds.is_empty();
        let ask = match self.wishes.next_round {
            _ if first => None,
            NextRound::Wait => None,
            NextRound::By(pointing) => Some(pointing),
            NextRound::Find => Some(Pointing::Type(ASKING[times % ASKING.len()])),
        };
        let wait = if let NextRound::By(_) = self.wishes.next_round { ASK_AFTER / 3 } else { ASK_AFTER };
        match ask {
            Some(ask) if self.now.since(since) >= wait => {
                self.asked = (self.now, times + 1);
                Choice::Act(Intent::NextRound { ask })
            }
            _ => Choice::Wait,
        }
    }

    fn end_round(&mut self, board: &Board) {
        self.over = true;
        self.belief.forget();
        self.asked = (self.now, 0);
        let proof = self.course.take().map(|course| course.proof);
        let Some(round) = self.rounds.last_mut() else { return };
        round.remaining = board.cells();
        round.round_s = self.now.since(self.began).as_secs_f64();
        round.cleared = round.remaining == 0;
        round.ending = match (round.cleared, proof) {
            (true, _) => RoundEnd::Cleared,
            (false, Some(Proof::Impossible)) => RoundEnd::Unsolvable,
            (false, _) => RoundEnd::Stuck,
        };
        if round.cleared {
            round.score += Scoring::default().clear_bonus;
        }
    }
}

impl Player for SamegamePlayer {
    type Observation = Observation;
    type Unclear = Unclear;
    type Decision = Intent;
    type Action = Pointing;
    type Expectation = Expectation;

    fn see(&mut self, screen: &Picture, captured: Time) -> Result<Observation, Unclear> {
        self.now = captured;
        let seen = self.observe(screen);
        // When a round is over, a box may lie over the board: that is no trouble.
        match (&seen, &self.last_seen, self.over && !self.rounds.is_empty()) {
            (Err(_), Some(board), true) => {
                let board = board.clone();
                Ok(Observation { board, still: true, marked: false, bounds: self.bounds() })
            }
            _ => seen,
        }
    }

    fn verify(&self, expectation: &Expectation, seen: &Observation) -> Verdict {
        let Some(group) = &expectation.group else { return Verdict::Confirmed };
        let change = change(&expectation.before, group, &seen.board);
        if seen.marked {
            Verdict::Diverged { why: "the group is marked and waits for another click".to_owned() }
        } else if !seen.still || change == Change::None {
            Verdict::Pending
        } else if let Change::Removed(_) = change {
            Verdict::Confirmed
        } else {
            Verdict::Diverged { why: format!("the board became {}", seen.board) }
        }
    }

    fn decide(&mut self, seen: &Observation, _budget: &Budget) -> Choice<Intent> {
        if !seen.still {
            return Choice::Wait;
        }
        if !self.belief.accept(&seen.board, self.now) {
            return Choice::Wait;
        }
        if let Some(tried) = self.tried_before.take().filter(|(before, ..)| *before == seen.board) {
            self.tried.get_or_insert(tried);
        }
        self.learn(seen);
        let has_moves = !seen.board.groups(self.rules.min_group()).is_empty();
        if self.over {
            if !has_moves {
                return self.ask_for_round();
            }
            self.over = false;
            self.began = self.now;
            self.rounds.push(Round::default());
        }
        if !has_moves || std::mem::take(&mut self.replaced) {
            self.end_round(&seen.board);
            return Choice::GameOver;
        }
        if let Some((number, group, moves_left)) = self.next_group(&seen.board) {
            let clicks = if seen.marked { 1 } else { self.clicks };
            if self.tried.as_ref().is_none_or(|(before, ..)| *before != seen.board) {
                self.tried = Some((seen.board.clone(), group.clone(), 0));
            }
            self.clicked = self.now;
            let board = Some(seen.board.clone());
            Choice::Act(Intent::Remove(Removal { number, clicks, moves_left, group, board }))
        } else {
            self.end_round(&seen.board);
            Choice::GameOver
        }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let (Some((board, chosen, _)), Some(course)) = (&self.tried, &self.course) else { return Vec::new() };
        weigh(board, chosen, course.remaining, self.rules, self.wishes.seed)
    }

    fn plan(&mut self, intent: &Intent) -> Plan<Pointing, Expectation> {
        let removal = match intent {
            Intent::Remove(removal) => removal,
            Intent::NextRound { ask } => {
                let actions = vec![TimedAction::held(Duration::ZERO, Duration::ZERO, *ask)];
                let Some(before) = self.last_seen.clone() else { return Plan { steps: Vec::new() } };
                let expectation = Expectation { before, group: None };
                return Plan { steps: vec![Step { actions, rest: self.wishes.rest, expectation }] };
            }
        };
        let (Some(sight), Some(before)) = (&self.sight, &removal.board) else {
            return Plan { steps: Vec::new() };
        };
        let rows = sight.lattice.y.count;
        let middle = |&(column, row): &(usize, usize)| {
            Point::new(sight.lattice.x.middle(column), sight.lattice.y.middle(rows - 1 - row))
        };
        // The lowest tile of a group is the least likely to be covered by a score that pops up.
        let Some(place) = removal.group.cells.iter().min_by_key(|(_, row)| *row).map(middle) else {
            return Plan { steps: Vec::new() };
        };
        let mut actions: Vec<_> = (0..u32::from(removal.clicks))
            .map(|n| {
                TimedAction::held(self.wishes.between_clicks * n, Duration::ZERO, Pointing::Click(place))
            })
            .collect();
        // Off the board, where the pointer lights up nothing.
        let aside = Point::new(
            sight.lattice.x.middle(0),
            (sight.lattice.y.origin - sight.lattice.y.pitch * 0.7).max(1.0),
        );
        let after_clicks = self.wishes.between_clicks * u32::from(removal.clicks);
        actions.push(TimedAction::held(after_clicks, Duration::ZERO, Pointing::Rest(aside)));
        if let Some(round) = self.rounds.last_mut() {
            round.clicks += u32::from(removal.clicks);
        }
        let expectation = Expectation { before: before.clone(), group: Some(removal.group.clone()) };
        Plan { steps: vec![Step { actions, rest: self.wishes.rest, expectation }] }
    }

    fn resynchronise(&mut self) {
        self.remembered = self.sight.take().or_else(|| self.remembered.take());
        self.last_seen = None;
        self.last_strange.clear();
        self.tried_before = self.tried.take().or_else(|| self.tried_before.take());
        self.course = None;
    }
}

/// Whether these cells are whole groups of a board, and all others show what it has there.
fn are_groups(board: &Board, cells: &[(usize, usize)], others: &[Vec<u8>]) -> bool {
    let is_one = |cell: &(usize, usize)| cells.contains(cell);
    let whole = |group: &CellGroup| group.cells.iter().all(is_one) || !group.cells.iter().any(is_one);
    let shows = board.columns().iter().zip(others).enumerate().all(|(column, (wanted, seen))| {
        let rows = wanted.iter().zip(seen).enumerate();
        rows.into_iter().all(
            |(row, (wanted, seen))| {
                if is_one(&(column, row)) { *wanted != 0 } else { wanted == seen }
            },
        )
    });
    shows && board.groups(1).iter().all(whole)
}
