//! Connect Four on a real board through one colour sensor and one arm: waits for its turn, looks for the new disc, thinks,
//! drops, checks, leaves (L1–L5).
//!
//! ```text
//!             pressed               new disc                  disc dropped        disc seen
//! Waiting ────────────► Scanning ────────────► Confirming ──► Dropping ─────────► Leaving ──► Waiting
//!    ▲                     │ none, three times      │ not there, three times
//!    └───── pressed ─── Asking ◄────────────────────┘
//! ```

mod action;
mod belief;
mod finished;
mod phase;
pub mod scan;
mod thought;
mod votes;
mod wishes;

use std::time::Duration;

use ::connect_four::{Column, Machine, Outcome};
use budget::Budget;
use engine::{Choice, Focus, Picture, Plan, Player, Step, Time, TimedAction, Verdict};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

pub use action::{GameEnd, Help, LegoAction};
pub use belief::Belief;
pub use finished::{LegoGame, LegoTurn};
use phase::{After, Phase};
use scan::Sight;
pub use thought::{LegoDecision, LegoExpectation, LegoObservation, NoScan};
use votes::Votes;
pub use wishes::{Beginner, DiscColor, Wishes};

/// A movement that takes longer is a fault.
const AT_MOST: Duration = Duration::from_secs(40);
/// From here on a turn is hurried: one look at a cell is enough. It must end within 90 s.
const HURRY_AFTER: Duration = Duration::from_secs(55);
/// Looks that must agree on a new disc of the other's.
const SURE_OF_THEIRS: u8 = 3;
/// Looks that must agree on a disc of our own.
const SURE_OF_MINE: u8 = 2;
/// Looks that must agree that a disc is missing: a second one would be against the rules.
const SURE_OF_NONE: u8 = 3;
/// Times around the board before a person is asked.
const PASSES: u32 = 3;
/// Pushes before a person is asked.
const PUSHES: u32 = 3;
/// Looks at a disc of earlier that must disagree before a person is asked.
const SURE_OF_CHANGE: u8 = 3;

/// Plays on a real board.
#[derive(Debug)]
pub struct ConnectFourPlayer {
    wishes: Wishes,
    machine: Machine,
    rng: Xoshiro256PlusPlus,
    belief: Belief,
    phase: Phase,
    /// When this turn was pressed for.
    pressed_at: Time,
    now: Time,
    looks: u32,
    /// Looks at one disc of earlier that disagreed with what is believed, in a row.
    changed: u8,
    turns: Vec<LegoTurn>,
    troubles: Vec<String>,
    games: Vec<LegoGame>,
}

impl ConnectFourPlayer {
    /// A player in front of an empty board.
    pub fn new(wishes: Wishes) -> Self {
        Self {
            wishes,
            machine: Machine::new(::connect_four::MachineSettings::default()),
            rng: Xoshiro256PlusPlus::seed_from_u64(wishes.seed),
            belief: Belief::default(),
            phase: Phase::Waiting { was_released: true },
            pressed_at: Time::START,
            now: Time::START,
            looks: 0,
            changed: 0,
            turns: Vec::new(),
            troubles: Vec::new(),
            games: Vec::new(),
        }
    }

    /// What it holds true about the board.
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// What it is doing, in words.
    pub fn doing(&self) -> &'static str {
        self.phase.name()
    }

    /// The column that it stands in front of, from the near side; nothing at its stop.
    pub fn column(&self) -> Option<usize> {
        self.phase.column()
    }

    /// The games that have ended.
    pub fn games(&self) -> &[LegoGame] {
        &self.games
    }

    fn mine(&self) -> Sight {
        self.wishes.color.sight()
    }

    fn theirs(&self) -> Sight {
        self.wishes.color.other().sight()
    }

    fn is_hurried(&self) -> bool {
        self.now.since(self.pressed_at) > HURRY_AFTER
    }

    fn trouble(&mut self, what: String) {
        tracing::warn!(at = %self.now, "{what}");
        self.troubles.push(what);
    }

    fn ask(&mut self, help: Help, then: Phase) {
        self.trouble(help.to_string());
        self.phase = Phase::Asking { help, was_called: false, was_released: false, then: Box::new(then) };
    }

    /// Begins to look for the new disc, unless there can be none.
    fn begin_turn(&mut self) {
        self.pressed_at = self.now;
        self.looks = 0;
        let begins = self.belief.discs() == 0 && self.wishes.beginner == Beginner::Robot;
        self.phase = if begins {
            self.belief.begin(true);
            Phase::Thinking
        } else {
            self.scan_from(0, 1)
        };
    }

    /// Looks on from a column, the next one that is not full; or ends the pass.
    fn scan_from(&self, column: usize, pass: u32) -> Phase {
        match (column..::connect_four::COLUMNS).find(|&column| !self.belief.is_full(column)) {
            Some(column) => Phase::Scanning { column, pass },
            None => Phase::Scanned { pass },
        }
    }

    /// Nothing new was found anywhere.
    fn end_pass(&mut self, pass: u32) {
        let may_begin = self.belief.discs() == 0 && self.wishes.beginner == Beginner::Look;
        self.phase = if may_begin && pass >= 2 {
            self.belief.begin(true);
            Phase::Thinking
        } else if may_begin {
            self.scan_from(0, pass + 1)
        } else if pass < PASSES {
            self.trouble("no new disc: looking again".to_owned());
            Phase::Lost { then: Box::new(self.scan_from(0, pass + 1)) }
        } else {
            return self.ask(Help::NoNewDisc, self.scan_from(0, 1));
        };
    }

    fn found(&mut self, column: usize) {
        if self.belief.discs() == 0 {
            self.belief.begin(false);
        }
        self.changed = 0;
        self.belief.play(column);
        self.phase = if self.belief.is_over() { Phase::Leaving } else { Phase::Thinking };
    }

    /// Takes in a look at the cell that a phase asked for.
    fn take_in(&mut self, column: usize, row: usize, sight: Sight) {
        self.looks += 1;
        match self.phase.clone() {
            Phase::Scanning { column: wanted, pass } if wanted == column => {
                if sight == Sight::Empty {
                    self.phase = self.scan_from(column + 1, pass);
                } else {
                    let votes = Votes::of(sight);
                    self.phase = Phase::Confirming { column, pass, votes, is_away: true };
                    self.count_scan_votes(column, pass, votes);
                }
            }
            Phase::Confirming { column: wanted, pass, mut votes, is_away } if wanted == column => {
                if is_away {
                    self.phase = Phase::Confirming { column, pass, votes, is_away: false };
                    return self.check_old_disc(column, row, sight);
                }
                votes.add(sight);
                self.phase = Phase::Confirming { column, pass, votes, is_away: true };
                self.count_scan_votes(column, pass, votes);
            }
            Phase::Dropping { column: wanted, push, mut votes, is_away } if wanted == column => {
                if is_away {
                    self.phase = Phase::Dropping { column, push, votes, is_away: false };
                    return self.check_old_disc(column, row, sight);
                }
                votes.add(sight);
                self.phase = Phase::Dropping { column, push, votes, is_away: true };
            }
            _ => {}
        }
    }

    /// Whether the looks at a first free cell have settled what is there.
    fn count_scan_votes(&mut self, column: usize, pass: u32, votes: Votes) {
        let needed = if self.is_hurried() { 1 } else { SURE_OF_THEIRS };
        if votes.count(self.theirs()) >= needed {
            self.found(column);
        } else if votes.count(Sight::Empty) >= 2 {
            self.trouble(format!("misread a colour in column {}", column + 1));
            self.phase = self.scan_from(column + 1, pass);
        } else if votes.count(self.mine()) >= SURE_OF_THEIRS {
            self.ask(Help::WrongDisc { column }, self.scan_from(0, 1));
        } else if votes.count(Sight::Strange) >= 2 {
            self.trouble(format!("strange colour in column {}: the wheels may have slipped", column + 1));
            let pass = pass + 1;
            if pass > PASSES {
                self.ask(Help::WrongDisc { column }, self.scan_from(0, 1));
            } else {
                self.phase = Phase::Lost { then: Box::new(self.scan_from(column, pass)) };
            }
        }
    }

    /// A look aside is a look at a disc of earlier, if there is one below.
    fn check_old_disc(&mut self, column: usize, row: usize, sight: Sight) {
        let Some(is_mine) = self.belief.is_mine(column, row) else { return };
        let expected = if is_mine { self.mine() } else { self.theirs() };
        self.changed = if sight == expected { 0 } else { self.changed + 1 };
        if self.changed >= SURE_OF_CHANGE {
            self.changed = 0;
            let then = match &self.phase {
                Phase::Dropping { .. } => self.phase.clone().looked_again(),
                _ => self.scan_from(0, 1),
            };
            self.ask(Help::BoardChanged { column }, then);
        }
    }

    /// The row where the disc under discussion is, and the one beside it to look at in between.
    fn rows(&self, column: usize) -> (usize, usize) {
        let row = self.belief.height(column);
        (row, if row > 0 { row - 1 } else { 1 })
    }

    fn think(&mut self, budget: &Budget) -> Choice<LegoDecision> {
        let position = self.belief.position();
        let chosen = self.machine.choose(&position, self.wishes.level, &mut self.rng, budget);
        let (column, why) = match chosen {
            Ok(decision) => (decision.column, decision.reason.en),
            // No budget at all: any legal column is better than none.
            Err(_) => match position.legal().next() {
                Some(column) => (column, String::new()),
                None => return Choice::Wait,
            },
        };
        self.drop_into(column.index(), 1, why)
    }

    fn drop_into(&mut self, column: usize, push: u32, why: String) -> Choice<LegoDecision> {
        self.phase = Phase::Dropping { column, push, votes: Votes::default(), is_away: false };
        Choice::Act(LegoDecision::Drop { column, push, why })
    }

    /// What the looks at our own disc say so far.
    fn judge_drop(&mut self, column: usize, push: u32, votes: Votes) -> Choice<LegoDecision> {
        let needed = if self.is_hurried() { 1 } else { SURE_OF_MINE };
        if votes.count(self.mine()) >= needed {
            self.belief.play(column);
            self.changed = 0;
            self.phase = Phase::Leaving;
            return self.leave();
        }
        if votes.count(self.theirs()) >= SURE_OF_NONE {
            let then = self.phase.clone().looked_again();
            self.ask(Help::WrongDisc { column }, then);
            return Choice::Wait;
        }
        if votes.count(Sight::Strange) >= SURE_OF_NONE {
            self.trouble(format!("strange colour in column {}: the wheels may have slipped", column + 1));
            self.phase = Phase::Lost { then: Box::new(self.phase.clone().looked_again()) };
            return Choice::Wait;
        }
        if votes.count(Sight::Empty) < SURE_OF_NONE {
            return Choice::Wait;
        }
        if push < PUSHES {
            self.trouble(format!("the disc is not in column {}: pushing again", column + 1));
            return self.drop_into(column, push + 1, "the disc did not arrive".to_owned());
        }
        let then = Phase::Dropping { column, push: 0, votes: Votes::default(), is_away: false };
        self.ask(Help::DiscMissing { column }, then);
        Choice::Wait
    }

    fn leave(&mut self) -> Choice<LegoDecision> {
        let end = self.belief.end();
        let milliseconds = self.now.since(self.pressed_at).as_millis() as u64;
        let discs = self.belief.discs().saturating_sub(1);
        self.turns.push(LegoTurn { discs, milliseconds, looks: self.looks });
        self.phase = Phase::Left { after: end.map_or(After::Wait, After::Over) };
        Choice::Act(LegoDecision::Leave { end })
    }

    fn close_game(&mut self, end: GameEnd) {
        let belief = std::mem::take(&mut self.belief);
        self.games.push(LegoGame {
            moves: belief.moves(),
            first: belief.robot_began(),
            end,
            turns: std::mem::take(&mut self.turns),
            troubles: std::mem::take(&mut self.troubles),
        });
        self.phase = Phase::Waiting { was_released: false };
    }
}

impl Player for ConnectFourPlayer {
    type Observation = LegoObservation;
    type Unclear = NoScan;
    type Decision = LegoDecision;
    type Action = LegoAction;
    type Expectation = LegoExpectation;

    /// One cell at a time: what is seen decides where to look next.
    fn focus(&self) -> Focus {
        let cell = |column: usize, row: usize| Focus::Cells(vec![scan::pixel_of(column, row)]);
        match &self.phase {
            Phase::Scanning { column, .. } => cell(*column, self.belief.height(*column)),
            Phase::Confirming { column, is_away, .. } | Phase::Dropping { column, is_away, .. } => {
                let (row, aside) = self.rows(*column);
                cell(*column, if *is_away { aside } else { row })
            }
            Phase::Waiting { .. }
            | Phase::Asking { .. }
            | Phase::Scanned { .. }
            | Phase::Lost { .. }
            | Phase::Thinking
            | Phase::Leaving
            | Phase::Left { .. } => scan::sensor_focus(),
        }
    }

    fn see(&mut self, screen: &Picture, captured: Time) -> Result<LegoObservation, NoScan> {
        if (screen.width, screen.height) != (scan::WIDTH, scan::HEIGHT) {
            return Err(NoScan::Size { width: screen.width, height: screen.height });
        }
        self.now = captured;
        if let Focus::Cells(cells) = self.focus()
            && let Some(&pixel) = cells.first()
            && let Some((column, row)) = scan::cell_at(pixel)
        {
            let light = scan::get(screen, pixel).ok_or(NoScan::NotThere)?;
            let sight = self.wishes.calibration.sight(light);
            self.take_in(column, row, sight);
            return Ok(LegoObservation::Cell { column, row, sight });
        }
        let pressed = scan::is_pressed(screen).ok_or(NoScan::NotThere)?;
        match &mut self.phase {
            Phase::Waiting { was_released } => match (pressed, *was_released) {
                (true, true) => self.begin_turn(),
                (true, false) => {}
                (false, _) => *was_released = true,
            },
            Phase::Asking { was_called: true, was_released, then, .. } => match (pressed, *was_released) {
                (true, true) => self.phase = std::mem::take(then),
                (true, false) => {}
                (false, _) => *was_released = true,
            },
            _ => {}
        }
        Ok(LegoObservation::Sensor { pressed })
    }

    fn verify(&self, expectation: &LegoExpectation, _observation: &LegoObservation) -> Verdict {
        let LegoExpectation::Disc { column, .. } = *expectation else { return Verdict::Confirmed };
        let Phase::Dropping { votes, .. } = &self.phase else { return Verdict::Confirmed };
        if votes.count(self.mine()) >= if self.is_hurried() { 1 } else { SURE_OF_MINE } {
            Verdict::Confirmed
        } else if votes.count(Sight::Empty) >= SURE_OF_NONE {
            Verdict::Diverged { why: format!("no disc arrived in column {}", column + 1) }
        } else if votes.count(self.theirs()).max(votes.count(Sight::Strange)) >= SURE_OF_NONE {
            Verdict::Diverged { why: format!("something else is in column {}", column + 1) }
        } else {
            Verdict::Pending
        }
    }

    fn decide(&mut self, _observation: &LegoObservation, budget: &Budget) -> Choice<LegoDecision> {
        if let Phase::Scanned { pass } = self.phase {
            self.end_pass(pass);
        }
        match &mut self.phase {
            Phase::Waiting { .. }
            | Phase::Scanning { .. }
            | Phase::Scanned { .. }
            | Phase::Confirming { .. } => Choice::Wait,
            Phase::Lost { then } => {
                self.phase = std::mem::take(then);
                Choice::Act(LegoDecision::FindStop)
            }
            Phase::Asking { was_called: true, .. } => Choice::Wait,
            Phase::Asking { was_called, help, .. } => {
                *was_called = true;
                Choice::Act(LegoDecision::Call(*help))
            }
            Phase::Thinking => self.think(budget),
            Phase::Dropping { votes, .. } if votes.is_none() => Choice::Wait,
            &mut Phase::Dropping { column, push, votes, .. } => self.judge_drop(column, push, votes),
            Phase::Leaving => self.leave(),
            &mut Phase::Left { after: After::Wait } => {
                self.phase = Phase::Waiting { was_released: false };
                Choice::Wait
            }
            &mut Phase::Left { after: After::Over(end) } => {
                self.close_game(end);
                Choice::GameOver
            }
        }
    }

    fn plan(&mut self, decision: &LegoDecision) -> Plan<LegoAction, LegoExpectation> {
        let step = |action: LegoAction, expectation| Step {
            actions: vec![TimedAction::until_done(AT_MOST, action)],
            rest: Duration::ZERO,
            expectation,
        };
        let whatever = LegoExpectation::Whatever;
        let steps = match decision {
            LegoDecision::Drop { column, .. } => {
                let row = self.belief.height(*column);
                vec![step(
                    LegoAction::Drop { column: *column },
                    LegoExpectation::Disc { column: *column, row },
                )]
            }
            LegoDecision::FindStop => vec![step(LegoAction::Leave, whatever)],
            // It stays where it is: whoever frees the slide lets the disc fall into the right column.
            LegoDecision::Call(help @ Help::DiscMissing { .. }) => {
                vec![step(LegoAction::Call(*help), whatever)]
            }
            LegoDecision::Call(help) => {
                vec![step(LegoAction::Leave, whatever), step(LegoAction::Call(*help), whatever)]
            }
            LegoDecision::Leave { end } => {
                let lights = self.belief.lights();
                let mut steps =
                    vec![step(LegoAction::Show { lights }, whatever), step(LegoAction::Leave, whatever)];
                steps.extend(end.map(|end| step(LegoAction::Announce(end), whatever)));
                steps
            }
        };
        Plan { steps }
    }

    /// After a fault nothing is known of the robot's place, and much of the board: the discs do not move by themselves.
    fn resynchronise(&mut self) {
        let phase = std::mem::take(&mut self.phase);
        self.phase = match phase {
            Phase::Scanning { .. } | Phase::Scanned { .. } | Phase::Confirming { .. } => self.scan_from(0, 1),
            Phase::Dropping { .. } => phase.looked_again(),
            phase => phase,
        };
    }
}

/// Columns count from the near side here and from the left in the rules; the rules do not mind.
fn column(index: usize) -> Option<Column> {
    Column::from_index(index)
}

/// How an outcome is for the robot.
fn end_of(outcome: &Outcome, robot_began: bool) -> Option<GameEnd> {
    match outcome {
        Outcome::Open => None,
        Outcome::Draw => Some(GameEnd::Draw),
        Outcome::Won { winner, .. } => {
            let robot_won = (*winner == ::connect_four::Player::First) == robot_began;
            Some(if robot_won { GameEnd::Win } else { GameEnd::Loss })
        }
    }
}
