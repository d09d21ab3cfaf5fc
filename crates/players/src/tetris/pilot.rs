//! Steering a piece through a body that sees late and presses late: look by look, one press at a time.
//!
//! Every look is compared with the [`Belief`]; the next press is chosen from where the piece will be when
//! it works, so that a press that missed is made up for while the piece is in the air. When a piece falls
//! so fast that every row counts, its first press is ordered before it can be seen: the rules say when it
//! appears.

use std::time::Duration;

use budget::Budget;
use engine::{Time, TimedAction};
use gameboy::Button;
use gameboy::display::periods;
use schemars::JsonSchema;
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::evaluate::Situation;
use tetris::gameboy::{Active, Buttons, MAX_SCORE, Phase, SPAWN_ROW, SPAWN_X, frames_per_row, speed};
use tetris::moves::Placement;
use tetris::reach::{KeyPlan, Timing};
use tetris::search::{Keys, Movement, Search};
use tetris::{Board, Piece};

use super::belief::{Belief, Sighting};
use super::console_clock::ConsoleClock;
use super::mind::Judge;
use super::model::{Model, Stroke};
use super::risk::{self, Slips};
use super::see::Playing;
use super::track::find_from_scratch;

/// Periods a row from which Down is worth the look that is lost meanwhile.
const WORTH_DOWN: u32 = 6;
/// Periods that a first press, ordered before its piece is seen, comes later than it could.
const SAFETY: u64 = 1;
/// Periods from a piece's appearance to its first press, as the search assumes of pieces to come.
const REACTION: u32 = 2;
/// Periods a piece may stay unseen: rows that clear, and one for the way.
const LONGEST_GAP: u64 = 120;
/// Rows that a piece may have fallen when it is first found.
const LOWEST: i32 = 12;
/// Periods that Down is held beyond the piece's landing.
const BEYOND: u64 = 1;

/// What the fingers can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingers {
    /// Periods from one press to the next.
    pub period: u32,
    /// How long a press must be ordered.
    pub hold: Duration,
}

/// Presses ordered at once, and what for.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Order {
    /// The piece.
    #[schemars(with = "String")]
    pub piece: Piece,
    /// Where it shall come to rest: orientation, column and row.
    pub target: (usize, i32, i32),
    /// The buttons.
    pub buttons: Vec<Button>,
    /// The period in which they work.
    pub period: u64,
    /// From now to the command.
    #[serde(skip)]
    pub wait: Duration,
    /// How long they are held.
    #[serde(skip)]
    pub hold: Duration,
}

impl Order {
    /// As the hands want it; those that keep time let go by themselves, and the next look is not waited for.
    pub fn actions(&self, hand_keeps_time: bool) -> Vec<TimedAction<Button>> {
        let press = if hand_keeps_time { TimedAction::left_to_hand } else { TimedAction::held };
        self.buttons.iter().map(|button| press(self.wait, self.hold, *button)).collect()
    }
}

/// What a look led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steered {
    /// Nothing to press before the next look.
    Wait,
    /// Press this.
    Press(Order),
}

/// Follows the pieces of a game and steers them.
#[derive(Clone, Debug)]
pub struct Pilot {
    fingers: Fingers,
    belief: Option<Belief>,
    /// A piece found without a belief, to be confirmed by the next look.
    found: Option<(Piece, Board)>,
    aim: Option<Aim>,
    /// What the last aim was chosen for, until somebody asks.
    pub(super) weighed: Option<super::Weighed>,
    /// The first period in which the fingers are free again.
    free_from: u64,
    /// The period of the last press that was made in case that the one before it slipped.
    insured: u64,
    /// Pieces that have been announced.
    announced: Option<u32>,
    slips: Slips,
    /// Times that a belief was given up or a piece was found elsewhere.
    pub surprises: u32,
}

/// Where a piece shall come to rest, and whether that was chosen knowing what follows.
#[derive(Clone, Copy, Debug)]
struct Aim {
    spawn: u32,
    placement: Placement,
    is_informed: bool,
    /// What will stand then.
    outcome: Board,
}

/// A look at a game.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// When its frame was captured; decisions are made at the same moment.
    pub captured: Time,
    /// What it shows.
    pub playing: &'a Playing,
    /// Whether the game is in heart mode.
    pub heart: bool,
}

impl Pilot {
    /// One with such fingers.
    pub fn new(fingers: Fingers) -> Pilot {
        Pilot {
            fingers,
            belief: None,
            found: None,
            aim: None,
            weighed: None,
            free_from: 0,
            insured: 0,
            announced: None,
            slips: Slips::default(),
            surprises: 0,
        }
    }

    /// Whether it follows a game.
    pub fn is_following(&self) -> bool {
        self.belief.is_some()
    }

    /// The game stood still for an unknown time: what stands is still there, and the piece somewhere above it.
    pub fn stood_still(&mut self) {
        if let Some(belief) = &mut self.belief {
            belief.stood_still();
        }
    }

    /// Trusts only the next looks.
    pub fn forget(&mut self) {
        (self.belief, self.found, self.aim, self.announced) = (None, None, None, None);
    }

    /// Presses that were noticed to have missed, of the present belief.
    pub fn missed(&self) -> u32 {
        self.belief.as_ref().map_or(0, Belief::missed)
    }

    /// Takes a look; the new piece, if one is there that was not announced before.
    pub fn look(&mut self, sight: &Sight<'_>, clock: &mut ConsoleClock) -> Option<Piece> {
        let pictures = clock.pictures_shown(sight.captured);
        let Some(belief) = &mut self.belief else { return self.begin(sight, pictures.1) };
        let missed = belief.missed();
        let sighting = belief.check(pictures, sight.playing);
        // What was taken for a miss may turn out to be none.
        self.slips.missed = (self.slips.missed + belief.missed()).saturating_sub(missed);
        match sighting {
            Sighting::Agrees(exactly) => {
                if let Some((first, last)) = exactly {
                    clock.narrow(sight.captured, first, last);
                }
            }
            Sighting::Silent | Sighting::Unexplained => return None,
            Sighting::Refuted => {
                self.surprises += 1;
                self.forget();
                return None;
            }
        }
        let shown = belief.predict(pictures.0.saturating_sub(1));
        let is_new = self.announced.is_none_or(|announced| announced < shown.spawns);
        if is_new && shown.game.phase() == Phase::Falling {
            self.announced = Some(shown.spawns);
            let board = shown.game.board();
            let astray = self.aim.is_some_and(|aim| aim.spawn + 1 == shown.spawns && aim.outcome != *board);
            tracing::debug!(
                level = shown.game.level(),
                piece = ?shown.game.pieces().active,
                height = board.height(),
                cells = board.cells(),
                astray,
                "a new piece"
            );
            return shown.game.active().map(|active| active.piece);
        }
        None
    }

    /// Looks for a piece that falls where pieces fall when nobody presses.
    fn begin(&mut self, sight: &Sight<'_>, picture: u64) -> Option<Piece> {
        let playing = sight.playing;
        if playing.flashing || picture == 0 {
            return None;
        }
        let (piece, fallen, board) = find_from_scratch(playing, None, LOWEST)?;
        if self.found.replace((piece, board)) != Some((piece, board)) {
            return None;
        }
        let active = Active { piece, orientation: 0, x: SPAWN_X, row: SPAWN_ROW - fallen as i32 };
        let model = Model::new(playing, board, active, picture - 1, sight.heart);
        self.announced = Some(model.spawns);
        self.belief = Some(Belief::new(model, playing.preview.is_some(), sight.heart));
        self.found = None;
        Some(piece)
    }

    /// The next press, if it must be ordered before the next look.
    pub fn steer(
        &mut self,
        sight: &Sight<'_>,
        clock: &ConsoleClock,
        search: &mut Search<Judge, Keys>,
        budget: &Budget,
    ) -> Steered {
        let Some(belief) = &self.belief else { return Steered::Wait };
        let next_look = clock.frame_period() + periods(1) / 4;
        let is_due = |period: u64| clock.wait_for(period, sight.captured) <= next_look;
        let first = clock.first_period(sight.captured).max(self.free_from);
        let mut model = belief.predict(first - 1);
        let shown = self.announced.unwrap_or(0);
        // The piece that is there, and the one after it.
        for _ in 0..2 {
            if !self.await_piece(&mut model, shown) || !is_due(model.period + 1) {
                return Steered::Wait;
            }
            let Some(belief) = &self.belief else { return Steered::Wait };
            let is_seen = model.spawns <= shown;
            if !(is_seen || belief.is_trusted() && belief.is_settled()) {
                return Steered::Wait;
            }
            let unnoticed = periods_in(clock.unseen());
            let Some((aim, keys)) = self.keys(&model, sight, unnoticed, search, budget) else {
                return Steered::Wait;
            };
            let Some(belief) = &mut self.belief else { return Steered::Wait };
            let piece = model.game.pieces().active;
            let target = (aim.placement.orientation(), aim.placement.x(), aim.placement.row());
            let order = |buttons, period, hold| Order {
                piece,
                target,
                buttons,
                period,
                wait: clock.wait_for(period, sight.captured),
                hold,
            };
            if let Some(press) = keys.presses.first() {
                let period = model.period + 1 + u64::from(press.frame);
                if !is_due(period) {
                    return Steered::Wait;
                }
                let mut buttons = held(press.buttons);
                self.slips.ordered += buttons.len() as u32;
                if let Some(twin) = risk::twin(piece, press.buttons).filter(|_| clock.is_in_step()) {
                    // That one of the two slipped is never noticed.
                    self.slips.ordered -= 1;
                    buttons.push(twin);
                }
                for button in &buttons {
                    belief.order(Stroke { button: *button, from: period, until: period + 1 });
                }
                self.free_from = period + u64::from(self.fingers.period);
                return Steered::Press(order(buttons, period, self.fingers.hold));
            }
            let level = model.game.level();
            let speed = if sight.playing.versus { level } else { speed(level, sight.heart) };
            if u32::from(frames_per_row(speed)) >= WORTH_DOWN {
                if !(is_seen && belief.is_trusted() && belief.is_settled()) {
                    return Steered::Wait;
                }
                let from = model.period + 1;
                let until = landing(&model, from) + BEYOND;
                belief.order(Stroke { button: Button::Down, from, until });
                self.free_from = until + u64::from(self.fingers.period);
                // Fingers leave a button sooner than they reach it.
                let hold = periods((until - from) as u32 + 1).max(self.fingers.hold);
                return Steered::Press(order(vec![Button::Down], from, hold));
            }
            // Against a wall a press too many does nothing; one that was missed is made up for before it is noticed.
            if let Some(button) = insurance(&model, belief, self.insured) {
                let period = model.period + 1;
                belief.order(Stroke { button, from: period, until: period + 1 });
                self.insured = period;
                self.slips.ordered += 1;
                self.free_from = period + u64::from(self.fingers.period);
                return Steered::Press(order(vec![button], period, self.fingers.hold));
            }
            // It falls by itself; its successor may need its first press before it is seen.
            let spawns = model.spawns;
            let strokes = belief.strokes().to_vec();
            let end = model.period + 20 * LONGEST_GAP;
            while model.spawns == spawns && model.period < end && is_going_on(&model) {
                model.advance(&strokes);
            }
        }
        Steered::Wait
    }

    /// Plays on to where a piece is under control; false if none will be soon.
    fn await_piece(&self, model: &mut Model, shown: u32) -> bool {
        let Some(belief) = &self.belief else { return false };
        let until = model.period + LONGEST_GAP;
        while model.game.phase() != Phase::Falling {
            if model.period >= until || !is_going_on(model) {
                return false;
            }
            model.advance(belief.strokes());
        }
        if model.spawns > shown {
            let control = model.spawned + SAFETY;
            let spawns = model.spawns;
            model.advance_to(control, belief.strokes());
            return model.spawns == spawns
                && model.game.phase() == Phase::Falling
                && belief.knows(model.spawns).0;
        }
        true
    }

    /// The keys that bring the piece from where it is to where it shall be.
    fn keys(
        &mut self,
        model: &Model,
        sight: &Sight<'_>,
        unnoticed: u64,
        search: &mut Search<Judge, Keys>,
        budget: &Budget,
    ) -> Option<(Aim, KeyPlan)> {
        let belief = self.belief.as_ref()?;
        let (board, piece) = (*model.game.board(), model.game.active()?.piece);
        let level = model.game.level();
        let speed = if sight.playing.versus { level } else { speed(level, sight.heart) };
        let timing = Timing { period: self.fingers.period, reaction: REACTION, parallel: true };
        // Fingers that slip often build as slower ones would.
        let building = Timing { period: timing.period + self.slips.periods_lost(), ..timing };
        search.movement = Keys::new(timing);
        search.movement.set_speed(speed);
        search.movement.set_afloat(&board, piece, model.start()?);
        let (_, is_informed) = belief.knows(model.spawns);
        let mut reachable = Vec::new();
        let kept = self.aim.filter(|aim| aim.spawn == model.spawns && aim.is_informed >= is_informed);
        if let Some(aim) = kept {
            search.movement.placements(&board, piece, &mut reachable);
            if let Some(keys) = search.movement.plan(aim.placement) {
                return Some((aim, keys));
            }
        }
        let preview = model.game.pieces().preview;
        let maxed_out = sight.playing.figures.score == Some(MAX_SCORE);
        let (active, timing) = (piece, building);
        search.prepare(&Situation { board: &board, active, preview, speed, timing, maxed_out });
        let costs = risk::costs(search, model, unnoticed, self.slips.share());
        let best = if is_informed {
            search.decide_at_cost(&board, piece, preview, &costs, budget)?
        } else {
            // Which piece was there when the preview was drawn decides how likely each is.
            let before = if model.spawns > 0 { belief_before(belief, model.spawns) } else { piece };
            search.decide_unseen(&board, before, piece, &costs)?
        };
        let outcome = after(&board, piece, best.placement);
        let aim = Aim { spawn: model.spawns, placement: best.placement, is_informed, outcome };
        self.aim = Some(aim);
        self.weighed = Some((board, piece, best.placement));
        search.movement.placements(&board, piece, &mut reachable);
        let keys = search.movement.plan(aim.placement)?;
        Some((aim, keys))
    }
}

/// The button of the last shift, if nobody has seen yet that it worked and the piece is at the wall by now. One press
/// more than was needed is enough: the next piece wants the finger.
fn insurance(model: &Model, belief: &Belief, insured: u64) -> Option<Button> {
    let active = model.game.active()?;
    let (last, _) = belief.unseen_shift().filter(|(_, period)| *period != insured)?;
    let mut cells = active.shape().cells().map(|(column, _)| active.x + column as i32);
    let is_at_wall = match last {
        Button::Left => cells.any(|x| x == 0),
        Button::Right => cells.any(|x| x == WIDTH as i32 - 1),
        _ => false,
    };
    is_at_wall.then_some(last)
}

/// What stands after a placement.
fn after(board: &Board, piece: Piece, placement: Placement) -> Board {
    let mut after = *board;
    after.place(piece.shape(placement.orientation()), placement.x(), placement.row());
    after.remove_rows(after.full_rows());
    after
}

/// The piece before this one, as far as it is known.
fn belief_before(belief: &Belief, spawn: u32) -> Piece {
    let mut model = belief.predict(0);
    let strokes = belief.strokes();
    let end = model.period + 20 * LONGEST_GAP;
    while model.spawns + 1 < spawn && model.period < end && is_going_on(&model) {
        model.advance(strokes);
    }
    model.game.pieces().active
}

fn is_going_on(model: &Model) -> bool {
    !matches!(model.game.phase(), Phase::Won | Phase::Over)
}

/// The period in which the piece locks if Down is held from `from` on.
fn landing(model: &Model, from: u64) -> u64 {
    let mut model = model.clone();
    let down = [Stroke { button: Button::Down, from, until: u64::MAX }];
    let end = model.period + 20 * LONGEST_GAP;
    while model.game.phase() == Phase::Falling && model.period < end {
        model.advance(&down);
    }
    model.period
}

fn periods_in(time: Duration) -> u64 {
    (time.as_secs_f64() / periods(1).as_secs_f64()).ceil() as u64
}

pub(super) fn held(buttons: Buttons) -> Vec<Button> {
    Button::ALL.into_iter().filter(|button| buttons.any(button.alone())).collect()
}
