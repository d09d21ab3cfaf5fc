//! The player: learns the window's habits from its first moves and clears board after board (S6, S7).

use std::time::Duration;

use budget::Budget;
use engine::{Choice, Picture, Plan, Player, Point, Pointing, Step, Time, TimedAction, Verdict};
use samegame::answer::Proof;
use samegame::board::{Board, CellGroup};
use samegame::clear::auto;
use samegame::points::{self, Effort};
use samegame::rules::{Orientation, Rules};
use samegame::scoring::Scoring;
use serde::Serialize;
use vision::patch::{Patch, distance};

use super::round::{Round, RoundEnd};
use super::see::{Reading, Sight, Unclear, see};

/// What is wanted of the player.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// What to strive for.
    pub goal: Goal,
    /// Nodes a solver may spend on one board.
    pub nodes: u64,
    /// Random seed of the solver.
    pub seed: u64,
    /// Time between the two clicks of a move.
    pub between_clicks: Duration,
    /// How long the hands rest after a move.
    pub rest: Duration,
}

/// What to strive for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An empty board.
    Clear,
    /// The highest score.
    Points,
}

impl Default for Wishes {
    fn default() -> Self {
        let (between_clicks, rest) = (Duration::from_millis(120), Duration::from_millis(60));
        Self { goal: Goal::Clear, nodes: 3_000_000, seed: 1, between_clicks, rest }
    }
}

/// What one look shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observation {
    /// The board, as text in normal form; marked tiles as they were before.
    #[serde(serialize_with = "as_text")]
    board: Board,
    /// Whether the last look showed the same.
    still: bool,
    /// Whether the group that was clicked is marked and waits for a second click.
    marked: bool,
}

/// A group to be removed.
#[derive(Clone, Debug, Serialize)]
pub struct Removal {
    /// Its number, in normal-form order.
    number: usize,
    /// Clicks for it.
    clicks: u8,
    /// Moves left of the plan, this one included.
    moves_left: usize,
    #[serde(skip)]
    group: CellGroup,
    #[serde(skip, default)]
    board: Option<Board>,
}

/// What will be seen if a removal works.
#[derive(Clone, Debug, Serialize)]
pub struct Expectation {
    #[serde(serialize_with = "as_text")]
    before: Board,
    #[serde(skip)]
    after: Vec<Board>,
}

/// The moves for a board, and how many of them are made.
#[derive(Clone, Debug)]
struct Course {
    plan: samegame::plan::Plan,
    done: usize,
    proof: Proof,
}

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
    last_seen: Option<Board>,
    /// How the strange cells of the last look looked.
    last_strange: Vec<Patch>,
    /// The move that was tried last, and how often without effect.
    tried: Option<(Board, CellGroup, u32)>,
    /// Whether the round's end was announced; the next board begins a new one.
    over: bool,
    rounds: Vec<Round>,
    /// When the last look was taken, and when the round began.
    now: Time,
    began: Time,
}

/// Tries without effect after which a move counts as impossible: lost clicks come one by one.
const MOST_TRIES: u32 = 4;
/// Patches nearer than this show the same, in grey levels.
const SAME_LOOK: f32 = 3.0;

impl SamegamePlayer {
    /// A player that has seen nothing yet.
    pub fn new(wishes: Wishes) -> Self {
        Self {
            wishes,
            sight: None,
            remembered: None,
            rules: Rules::default(),
            clicks: 1,
            clicks_known: false,
            course: None,
            last_seen: None,
            last_strange: Vec::new(),
            tried: None,
            over: true,
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
            Reading::Strange { cells, looks } => {
                let tried =
                    self.tried.as_ref().filter(|(_, group, _)| cells.iter().all(|c| group.cells.contains(c)));
                let (Some((board, ..)), true) = (tried, !cells.is_empty()) else {
                    let (column, row) = cells.first().copied().unwrap_or_default();
                    return Err(Unclear::UnknownTile { column: column + 1, row: row + 1 });
                };
                // A mark stays as it is; a group that vanishes changes from look to look.
                let before = &self.last_strange;
                let marked = before.len() == looks.len()
                    && before.iter().zip(&looks).all(|(before, now)| distance(before, now) < SAME_LOOK);
                let board = board.clone();
                self.last_strange = looks;
                Ok(Observation { board, still: marked, marked })
            }
        }
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
        let found = see(picture)?;
        if self.remembered.as_ref().is_some_and(|before| !may_follow(before, &found)) {
            let (across, down) = (found.lattice.x.pitch, found.lattice.y.pitch);
            return Err(Unclear::NoBoard { across, down });
        }
        let board = found.board.clone();
        Ok((found, board))
    }

    /// A board at rest, and whether the last look showed it too.
    fn seen(&mut self, board: Board) -> Observation {
        let still = self.last_seen.as_ref() == Some(&board);
        self.last_seen = Some(board.clone());
        Observation { board, still, marked: false }
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
            let expected = after(before, group).contains(&seen.board);
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
                self.course = self.solve(board);
                *self.course.as_ref()?.plan.moves().first()?
            }
        };
        let course = self.course.as_ref()?;
        let left = course.plan.moves().len() - course.done;
        let group = board.groups(self.rules.min_group()).into_iter().nth(number - 1)?;
        Some((number, group, left))
    }

    fn solve(&self, board: &Board) -> Option<Course> {
        let (budget, effort) =
            (Budget::nodes(self.wishes.nodes), Effort { threads: 1, seed: self.wishes.seed });
        let answer = match self.wishes.goal {
            Goal::Clear => auto::solve(board, &self.rules, effort, &budget, &|_| ()),
            Goal::Points => points::solve(board, &self.rules, &Scoring::default(), effort, &budget, &|_| ()),
        };
        let plan = samegame::plan::Plan::new(board, &answer.moves, &self.rules).ok()?;
        Some(Course { plan, done: 0, proof: answer.proof })
    }

    fn end_round(&mut self, board: &Board) {
        self.over = true;
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
    type Decision = Removal;
    type Action = Pointing;
    type Expectation = Expectation;

    fn see(&mut self, screen: &Picture, captured: Time) -> Result<Observation, Unclear> {
        self.now = captured;
        self.observe(screen)
    }

    fn verify(&self, expectation: &Expectation, seen: &Observation) -> Verdict {
        if seen.marked {
            Verdict::Diverged { why: "the group is marked and waits for another click".to_owned() }
        } else if !seen.still || seen.board == expectation.before {
            Verdict::Pending
        } else if expectation.after.contains(&seen.board) {
            Verdict::Confirmed
        } else {
            Verdict::Diverged { why: format!("the board became {}", seen.board) }
        }
    }

    fn decide(&mut self, seen: &Observation, _budget: &Budget) -> Choice<Removal> {
        if !seen.still {
            return Choice::Wait;
        }
        self.learn(seen);
        let has_moves = !seen.board.groups(self.rules.min_group()).is_empty();
        if self.over {
            if !has_moves {
                return Choice::Wait;
            }
            self.over = false;
            self.began = self.now;
            self.rounds.push(Round::default());
        }
        if !has_moves {
            self.end_round(&seen.board);
            return Choice::GameOver;
        }
        if let Some((number, group, moves_left)) = self.next_group(&seen.board) {
            let clicks = if seen.marked { 1 } else { self.clicks };
            if self.tried.as_ref().is_none_or(|(before, ..)| *before != seen.board) {
                self.tried = Some((seen.board.clone(), group.clone(), 0));
            }
            Choice::Act(Removal { number, clicks, moves_left, group, board: Some(seen.board.clone()) })
        } else {
            self.end_round(&seen.board);
            Choice::GameOver
        }
    }

    fn plan(&mut self, removal: &Removal) -> Plan<Pointing, Expectation> {
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
        let expectation = Expectation { before: before.clone(), after: after(before, &removal.group) };
        Plan { steps: vec![Step { actions, rest: self.wishes.rest, expectation }] }
    }

    fn resynchronise(&mut self) {
        self.remembered = self.sight.take().or_else(|| self.remembered.take());
        self.last_seen = None;
        self.last_strange.clear();
        self.tried = None;
        self.course = None;
    }
}

/// Whether a sight can follow another in the same window: the same board elsewhere, or a new one that
/// is nearly full.
fn may_follow(before: &Sight, found: &Sight) -> bool {
    let cells = |sight: &Sight| sight.lattice.x.count * sight.lattice.y.count;
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
    let (a, b) = (&before.lattice, &found.lattice);
    let same_pitch = near(a.x.pitch, b.x.pitch) && near(a.y.pitch, b.y.pitch);
    // On a busy ground a board's extent is not always seen the same.
    (same_pitch && cells(found) * 10 >= cells(before) * 7) || found.board.cells() * 3 > cells(found) * 2
}

/// The board without a group, wherever columns go.
fn after(board: &Board, group: &CellGroup) -> Vec<Board> {
    let orientations = [Orientation::Left, Orientation::Right, Orientation::Mixed];
    orientations.map(|orientation| board.without(group, orientation)).to_vec()
}

fn as_text<S: serde::Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(board)
}
