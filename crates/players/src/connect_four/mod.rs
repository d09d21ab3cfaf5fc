//! Connect Four on a real board through one colour sensor and one arm: waits for its turn, looks for the new disc, thinks,
//! drops, checks, leaves (L1–L5).
//!
//! ```text
//!             pressed               new disc                  disc dropped        disc seen
//! Waiting ────────────► Scanning ────────────► Confirming ──► Dropping ─────────► Leaving ──► Waiting
//!    ▲                     │ none, three times      │ not there, three times
//!    └───── pressed ─── Asking ◄────────────────────┘
//! ```
//!
//! `looking` is the way up to Confirming, `dropping` the rest of the turn.

mod action;
mod belief;
mod dropping;
mod finished;
mod looking;
mod phase;
pub mod scan;
mod thought;
mod votes;
mod wishes;

use std::time::Duration;

use ::connect_four::{Column, Machine, Outcome};
use budget::Budget;
use engine::{Candidate, Choice, Focus, Picture, Plan, Player, Step, Time, TimedAction, Verdict};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

pub use action::{GameEnd, Help, LegoAction};
pub use belief::Belief;
pub use finished::{LegoGame, LegoTurn};
use phase::{After, Phase};
use scan::Sight;
pub use thought::{LegoDecision, LegoExpectation, LegoObservation, NoScan};
pub use wishes::{Beginner, DiscColor, Wishes};

/// A movement that takes longer is a fault.
const AT_MOST: Duration = Duration::from_secs(40);
/// From here on a turn is hurried: one look at a cell is enough. It must end within 90 s.
const HURRY_AFTER: Duration = Duration::from_secs(55);
/// A call that nobody has answered is repeated this often.
const CALL_EVERY: Duration = Duration::from_secs(30);

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
    /// The arm felt that the last push was blocked.
    was_blocked: bool,
    /// What the last disc was chosen from, until somebody asks.
    weighed: Vec<Candidate>,
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
            was_blocked: false,
            weighed: Vec::new(),
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

    /// Asks a person before it goes on; the words are said with the call.
    fn ask(&mut self, help: Help, then: Phase) {
        self.troubles.push(help.to_string());
        self.phase = Phase::Asking { help, called: None, was_released: false, then: Box::new(then) };
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
        self.was_blocked = scan::was_blocked(screen);
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
            Phase::Asking { called: Some(_), was_released, then, .. } => match (pressed, *was_released) {
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
        self.verdict_on_drop(column, *votes)
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
            Phase::Asking { called: Some(at), .. } if self.now.since(*at) < CALL_EVERY => Choice::Wait,
            Phase::Asking { called, help, .. } => {
                *called = Some(self.now);
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

    fn candidates(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.weighed)
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
