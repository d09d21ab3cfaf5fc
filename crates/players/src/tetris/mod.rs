//! Tetris on a Game Boy, played by its screen: walks the menus, places pieces,
//! enters its name, starts again (G15, G17).

mod belief;
mod console_clock;
mod log;
mod menu;
mod mind;
mod model;
mod operator;
mod pilot;
#[cfg(test)]
mod rehearsal;
mod risk;
pub mod see;
mod steps;
mod track;

use budget::Budget;
use std::time::Duration;

use engine::{BodyPace, Candidate, Choice, Picture, Plan, Player, Step, Time, TimedAction, Verdict};
use gameboy::Button;
use gameboy::display::periods;
use plugins::tbp::{Bot, BotError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::Serialize;
use tetris::evaluate::Situation;
use tetris::field::Field;
use tetris::gameboy::{MAX_SCORE, speed};
use tetris::reach::Timing;
use tetris::search::{Chance, Keys, Movement, Scored, Search};

pub use console_clock::ConsoleClock;
pub use log::GameLog;
use log::GameLogs;
pub use menu::MenuMove;
use mind::Judge;
pub use mind::{Mind, MindError, Programs};
use operator::Errand;
pub use operator::{TetrisOrder, initials};
pub use pilot::Order;
use pilot::{Fingers, Pilot, Sight, Steered};
use see::{Eyes, Figures, Observation, Playing, Unclear, View};
pub use steps::{Moved, PRESS_FRAMES as PRESS_FRAMES_TO_CHECK};
pub use track::{Flight, Placed};
use track::{Look, Seen, Track};

/// What is wanted of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    /// Start level, 0 to 9.
    pub level: u8,
    /// Whether to play in heart mode, ten levels faster.
    pub heart: bool,
    /// Height of the rubble of a B-type game, 0 to 5; nothing for the endless A-type.
    pub rubble: Option<u8>,
    /// Up to six letters for the table of best scores.
    pub initials: String,
    /// When to stop trying.
    pub until: Until,
    /// Alone, or against the other end of the cable.
    pub company: Company,
    /// Frames from one press to the next.
    pub press_frames: u32,
    /// How long a press is ordered from hands that press late.
    pub hold: Duration,
    /// Display periods to leave the title alone; they decide which pieces come.
    pub idle: u64,
    /// Most frames to wait, at random, before the first press for a piece.
    pub dawdle: u32,
    /// Whether every press is looked at before the next one.
    pub checks_presses: bool,
}

/// When a player stops trying and lets the pieces fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At 999,999 points.
    MaxOut,
    /// After this many pieces.
    Pieces(u32),
    /// Never.
    Death,
}

/// Who the opponent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    /// None.
    Alone,
    /// The other end of the cable; this player starts the rounds.
    Calls,
    /// The other end of the cable, which starts the rounds.
    Listens,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TetrisDecision {
    /// Bring the piece to its place.
    Place(Flight),
    /// Press something for the piece in the air, or for the one to come.
    Steer(Order),
    /// Let pieces fall where they will.
    LetGo,
    /// Go on with a game that was stopped.
    GoOn,
    /// Something in a menu.
    Menu(MenuMove),
}

/// A board, the piece for it, and the place that was chosen.
type Weighed = (tetris::Board, tetris::Piece, tetris::Placement);
/// How many places are told to people who watch.
const TOLD: usize = 8;

/// What will be seen if a plan works.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The piece in its new column or position.
    Moved(Moved),
    /// The piece locked in its place and the next one there.
    Placed(Placed),
    /// Whatever the next look shows.
    Anything,
}

/// The player.
#[derive(Debug)]
pub struct TetrisPlayer {
    wishes: Wishes,
    eyes: Eyes,
    search: Search<Judge, Keys>,
    /// The program that names places, if one does.
    program: Option<Bot>,
    track: Track,
    /// Steers pieces where bodies see late.
    pilot: Pilot,
    /// What the last place for a piece was chosen for, until somebody asks.
    weighed: Option<Weighed>,
    /// The figures of the look before, where a look may misread them.
    figures: Option<Figures>,
    /// The menu of the look before.
    menu: Option<View>,
    /// Whether the level of a B-type game was chosen, so that its height comes next.
    level_chosen: bool,
    /// Whether the game was stopped because nothing was to be seen.
    stopped: bool,
    /// When it was told last to go on with a game that was stopped.
    went_on: Option<Time>,
    /// Whether a person has stopped it.
    resting: bool,
    /// What it was asked to do meanwhile.
    errand: Option<Errand>,
    logs: GameLogs,
    /// Whether the end of this game was already announced.
    announced: bool,
    last_blind_press: u64,
    /// The display period in which a word or a figure was read last.
    last_read: u64,
    random: Xoshiro256PlusPlus,
    clock: ConsoleClock,
    /// When the screen it decides on was captured.
    captured: Time,
}

impl TetrisPlayer {
    /// A player with these wishes that sees every pixel as it is.
    pub fn new(wishes: Wishes) -> TetrisPlayer {
        TetrisPlayer::with(wishes, Eyes::exact(), Mind::ours())
    }

    /// A player that sees with these eyes.
    pub fn with_eyes(wishes: Wishes, eyes: Eyes) -> TetrisPlayer {
        TetrisPlayer::with(wishes, eyes, Mind::ours())
    }

    /// A player that sees with these eyes and lets this mind choose the places.
    pub fn with(wishes: Wishes, eyes: Eyes, mind: Mind) -> TetrisPlayer {
        let mind = if wishes.company == Company::Listens { mind.mirrored() } else { mind };
        let keys = Keys::new(timing(&wishes, 1));
        let search = Search::new(mind.judge, keys, Field::GAME_BOY, mind.depth, Chance::GameBoy);
        let random = Xoshiro256PlusPlus::seed_from_u64(wishes.idle);
        let fingers = Fingers { period: wishes.press_frames, hold: wishes.hold };
        TetrisPlayer {
            wishes,
            eyes,
            search,
            program: mind.program,
            weighed: None,
            track: Track::default(),
            pilot: Pilot::new(fingers),
            figures: None,
            menu: None,
            level_chosen: false,
            stopped: false,
            went_on: None,
            resting: false,
            errand: None,
            logs: GameLogs::default(),
            announced: false,
            last_blind_press: 0,
            last_read: 0,
            random,
            clock: ConsoleClock::new(BodyPace::default()),
            captured: Time::START,
        }
    }

    /// The games played so far, the one under way included.
    pub fn games(&self) -> &[GameLog] {
        self.logs.all()
    }

    fn decide_in_game(&mut self, period: u64, playing: &Playing, budget: &Budget) -> Choice<TetrisDecision> {
        self.announced = false;
        if self.clock.is_late() {
            return self.steer(period, playing, budget);
        }
        self.logs.playing(period, &playing.figures);
        let look = Look { period, captured: self.captured };
        let Some(seen) = self.track.find(look, playing, self.wishes.heart, &mut self.clock) else {
            return Choice::Wait;
        };
        self.logs.piece(seen.piece, seen.surprise);
        if self.gives_up(&playing.figures) {
            return Choice::Act(self.let_go());
        }
        match self.flight(&seen, playing, budget) {
            Ok(Some(flight)) => Choice::Act(TetrisDecision::Place(flight)),
            Ok(None) => Choice::Act(self.let_go()),
            Err(why) => Choice::GiveUp(why.to_string()),
        }
    }

    fn gives_up(&self, figures: &Figures) -> bool {
        match self.wishes.until {
            Until::MaxOut => figures.score == Some(MAX_SCORE),
            Until::Pieces(limit) => self.logs.pieces() > limit,
            Until::Death => false,
        }
    }

    /// The same for a body that sees late.
    fn steer(&mut self, period: u64, playing: &Playing, budget: &Budget) -> Choice<TetrisDecision> {
        // Figures count when two looks agree.
        let before = self.figures.replace(playing.figures);
        let figures = before.unwrap_or(playing.figures).agreed(&playing.figures);
        let sight = Sight { captured: self.captured, playing, heart: self.wishes.heart };
        let (missed, surprises) = (self.pilot.missed(), self.pilot.surprises);
        let piece = self.pilot.look(&sight, &mut self.clock);
        // What looks like a game while the last one ends is none until a piece falls in it.
        if self.logs.is_under_way() || piece.is_some() {
            self.logs.playing(period, &figures);
        }
        self.logs.missed(self.pilot.missed().saturating_sub(missed));
        self.logs.diverged(self.pilot.surprises - surprises);
        if let Some(piece) = piece {
            self.logs.piece(piece, false);
        }
        if self.gives_up(&figures) {
            return Choice::Act(self.let_go());
        }
        let steered = self.pilot.steer(&sight, &self.clock, &mut self.search, budget);
        self.weighed = self.pilot.weighed.take().or(self.weighed);
        match steered {
            Steered::Wait => Choice::Wait,
            Steered::Press(order) => Choice::Act(TetrisDecision::Steer(order)),
        }
    }

    /// Starts a game again that was stopped. The first looks afterwards still show it stopped; a second press would
    /// stop it again.
    fn go_on(&mut self) -> Choice<TetrisDecision> {
        let answer = self.clock.unseen() + periods(MENU_REST);
        if self.went_on.is_some_and(|since| self.captured < since + answer) {
            return Choice::Wait;
        }
        self.went_on = Some(self.captured);
        Choice::Act(TetrisDecision::GoOn)
    }

    fn let_go(&mut self) -> TetrisDecision {
        self.track.forget();
        self.pilot.forget();
        self.logs.let_go();
        TetrisDecision::LetGo
    }

    fn flight(
        &mut self,
        seen: &Seen,
        playing: &Playing,
        budget: &Budget,
    ) -> Result<Option<Flight>, BotError> {
        let Some(preview) = playing.preview else { return Ok(None) };
        let wait = self.random.random_range(0..=self.wishes.dawdle);
        let timing = timing(&self.wishes, seen.lead + wait);
        let speed = if playing.versus { seen.level } else { speed(seen.level, self.wishes.heart) };
        self.search.movement = Keys::new(timing);
        self.search.movement.set_speed(speed);
        let mut placements = Vec::new();
        let chosen = if let Some(program) = &mut self.program {
            self.search.movement.placements(&seen.board, seen.piece, &mut placements);
            if placements.is_empty() {
                return Ok(None);
            }
            program.decide(&seen.board, seen.piece, preview, &placements)?
        } else {
            let maxed_out = playing.figures.score == Some(MAX_SCORE);
            let (board, active) = (&seen.board, seen.piece);
            let situation = Situation { board, active, preview, speed, timing, maxed_out };
            self.search.prepare(&situation);
            let Some(decision) = self.search.decide(board, active, preview, budget) else { return Ok(None) };
            self.weighed = Some((seen.board, seen.piece, decision.placement));
            // The search looked at other boards since; find the keys on this one.
            self.search.movement.placements(board, active, &mut placements);
            decision.placement
        };
        let Some(keys) = self.search.movement.plan(chosen) else { return Ok(None) };
        let hold = self.wishes.press_frames.div_ceil(2);
        Ok(Some(self.track.fly(seen, playing, preview, self.wishes.heart, &keys, hold)))
    }
}

fn timing(wishes: &Wishes, reaction: u32) -> Timing {
    Timing { period: wishes.press_frames, reaction, parallel: true }
}

impl Player for TetrisPlayer {
    type Observation = Observation;
    type Unclear = Unclear;
    type Decision = TetrisDecision;
    type Action = Button;
    type Expectation = Expectation;

    fn meet(&mut self, body: &BodyPace) {
        self.clock = ConsoleClock::new(*body);
    }

    fn see(&mut self, screen: &Picture, captured: Time) -> Result<Observation, Unclear> {
        self.captured = captured;
        let seen = self.eyes.see(screen, self.clock.period_shown(captured));
        if seen.is_err() {
            self.logs.unclear();
        }
        seen
    }

    fn verify(&self, expectation: &Expectation, observation: &Observation) -> Verdict {
        match (expectation, &observation.view) {
            (Expectation::Anything, _) => Verdict::Confirmed,
            (Expectation::Placed(placed), View::Playing(playing)) => {
                placed.verdict(observation.period, playing)
            }
            (Expectation::Moved(moved), View::Playing(playing)) => moved.verdict(observation.period, playing),
            (Expectation::Placed(_) | Expectation::Moved(_), View::Paused | View::Empty) => Verdict::Pending,
            // The game ended, or was ended, before the next piece came: nothing to repeat.
            (Expectation::Placed(_) | Expectation::Moved(_), _) => Verdict::Confirmed,
        }
    }

    fn decide(&mut self, observation: &Observation, budget: &Budget) -> Choice<TetrisDecision> {
        if let Some(why) = self.cannot_read(observation) {
            return Choice::GiveUp(why);
        }
        match &observation.view {
            view if self.resting => self.rest(observation.period, view),
            View::Playing(playing) => {
                self.menu = None;
                self.stopped = false;
                self.decide_in_game(observation.period, playing, budget)
            }
            // Through a camera one look may be wrong; two in a row are not.
            view if self.clock.is_late() && self.menu != Some(view.choice()) => {
                self.menu = Some(view.choice());
                Choice::Wait
            }
            View::Paused => {
                self.pilot.stood_still();
                self.go_on()
            }
            view => {
                self.stopped = false;
                self.track.forget();
                self.pilot.forget();
                self.decide_in_menu(observation.period, view)
            }
        }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let Some((board, piece, chosen)) = self.weighed.take() else { return Vec::new() };
        let mut outcomes = self.search.outcomes(&board, piece);
        outcomes.sort_by(|a, b| b.value.total_cmp(&a.value));
        // Further thought, and what a missed press would cost, may prefer another one than the first glance.
        outcomes.sort_by_key(|outcome| outcome.placement != chosen);
        outcomes.truncate(TOLD);
        let told = |outcome: &Scored| {
            let shape = piece.shape(outcome.placement.orientation());
            // People count columns from one.
            let left = outcome.placement.x() + shape.left as i32 + 1;
            let name = match shape.width as i32 {
                1 => left.to_string(),
                width => format!("{left}–{}", left + width - 1),
            };
            Candidate { name, value: f64::from(outcome.value) }
        };
        outcomes.iter().map(told).collect()
    }

    fn plan(&mut self, decision: &TetrisDecision) -> Plan<Button, Expectation> {
        let step = match decision {
            TetrisDecision::Place(flight) if self.wishes.checks_presses && flight.start.wait.is_zero() => {
                let steps = flight.steps();
                self.logs.presses(steps.iter().map(|step| step.actions.len() as u32).sum());
                return Plan { steps };
            }
            TetrisDecision::Place(flight) => {
                let actions = flight.actions();
                self.logs.presses(actions.len() as u32);
                Step {
                    actions,
                    rest: Duration::ZERO,
                    expectation: Expectation::Placed(flight.placed.clone()),
                }
            }
            TetrisDecision::Steer(order) => {
                self.logs.presses(order.buttons.len() as u32);
                let actions = order.actions(self.clock.hand_keeps_time());
                Step { actions, rest: Duration::ZERO, expectation: Expectation::Anything }
            }
            TetrisDecision::LetGo => {
                self.logs.presses(1);
                Step {
                    actions: vec![press(Button::Down, 40)],
                    rest: periods(3) + self.clock.unseen(),
                    expectation: Expectation::Anything,
                }
            }
            // Without a rest: the piece falls as soon as the game goes on.
            TetrisDecision::GoOn => {
                self.logs.presses(1);
                Step {
                    actions: vec![press(Button::Start, MENU_PRESS)],
                    rest: Duration::ZERO,
                    expectation: Expectation::Anything,
                }
            }
            TetrisDecision::Menu(movement) => {
                self.logs.presses(movement.buttons.len() as u32);
                Step {
                    actions: movement.buttons.iter().map(|button| press(*button, MENU_PRESS)).collect(),
                    rest: periods(MENU_REST) + self.clock.unseen(),
                    expectation: Expectation::Anything,
                }
            }
        };
        Plan { steps: vec![step] }
    }

    /// A game can be stopped: nothing falls while nothing is seen.
    fn lost_sight(&mut self) -> Option<Plan<Button, Expectation>> {
        let is_worth_it = self.pilot.is_following() && self.wishes.company != Company::Listens;
        if self.stopped || !is_worth_it {
            return None;
        }
        self.stopped = true;
        self.pilot.stood_still();
        let start = MenuMove { buttons: vec![Button::Start], why: "nothing is to be seen" };
        Some(self.plan(&TetrisDecision::Menu(start)))
    }

    fn hear(&mut self, words: &serde_json::Value) -> Result<Option<Plan<Button, Expectation>>, String> {
        self.obey(words)
    }

    fn resynchronise(&mut self) {
        self.track.forget();
        // What stood when the game was stopped still stands.
        if !self.stopped {
            self.pilot.forget();
        }
    }
}

/// Frames a button is held in a menu.
const MENU_PRESS: u32 = 3;
/// Frames a menu gets to answer.
const MENU_REST: u32 = 6;

fn press(button: Button, frames: u32) -> TimedAction<Button> {
    TimedAction::held(Duration::ZERO, periods(frames), button)
}
