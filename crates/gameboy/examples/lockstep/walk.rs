//! The cartridge on the emulator and the rules of `tetris` side by side, with
//! the same buttons: after every frame both must agree on everything.
//!
//! The rules are told which pieces the cartridge drew. Half of the pieces are
//! placed as a player would, so that lines are cleared and levels reached; the
//! others get random buttons.

use budget::Budget;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::Piece;
use tetris::evaluate::Lee;
use tetris::field::Field;
use tetris::gameboy::{Buttons, Dealer, Event, Game, Mode, Phase, Setup, speed};
use tetris::reach::{KeyPlan, Timing};
use tetris::search::{Chance, Depth, Keys, Search};
use thiserror::Error;

use gameboy::memory::{self, Memory, Scene};
use gameboy::{Console, Crash};

/// What a game in lockstep went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Frames in which both agreed.
    pub frames: u32,
    /// Lines cleared, of all sizes.
    pub lines: u32,
    /// Pieces that locked.
    pub pieces: u32,
    /// Whether it ended by itself.
    pub ended: bool,
}

/// How the two fell apart.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Difference {
    /// The console stopped.
    #[error(transparent)]
    Crash(#[from] Crash),
    /// The menus did not lead to a game.
    #[error("the menus did not lead to a game; the cartridge shows {scene:?}")]
    NoGame {
        /// What is shown instead.
        scene: Scene,
    },
    /// Something is not the same.
    #[error("frame {frame}: {what} is {cartridge} in the cartridge and {rules} by the rules (seed {seed})")]
    Value {
        /// Seed of the game.
        seed: u64,
        /// Frame of play.
        frame: u32,
        /// What differs.
        what: &'static str,
        /// In the cartridge.
        cartridge: String,
        /// By the rules.
        rules: String,
    },
}

/// Plays game number `seed` for at most `frames` frames.
pub fn walk(console: &mut impl Console, seed: u64, frames: u32) -> Result<Walk, Difference> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mode = if random.random_bool(0.75) { Mode::A } else { Mode::B };
    let (level, heart) = (random.random_range(0..10u8), random.random_bool(0.3));
    let high = if mode == Mode::B { random.random_range(0..6u8) } else { 0 };
    start(console, &mut random, mode, level, high, heart)?;
    let first = memory::read(console);
    let Ok(setup) = Setup::new(mode, level, heart) else {
        return Err(Difference::NoGame { scene: first.scene });
    };
    let mut game = Game::with_pieces(setup, first.board, first.pieces);
    let mut fingers = Fingers::new(random);
    let mut walk = Walk::default();
    // Nothing is held in the first frame: a Start still down from the menu is no new press.
    game.step(Buttons::NONE, &mut Told(first.pieces.hidden));
    compare(&first, &game, 1, seed)?;
    for frame in 2..=frames {
        let held = fingers.next(&game, heart);
        console.step(held)?;
        let seen = memory::read(console);
        let event = game.step(held, &mut Told(seen.pieces.hidden));
        compare(&seen, &game, frame, seed)?;
        fingers.follow(event);
        walk.frames = frame;
        match event {
            Event::None | Event::Spawned => {}
            Event::Locked => walk.pieces += 1,
            Event::Lines(lines) => walk.lines += lines,
            Event::Ended => {
                walk.ended = true;
                break;
            }
        }
    }
    Ok(walk)
}

/// Presses through the menus, waiting a random time on each screen.
fn start(
    console: &mut impl Console,
    random: &mut Xoshiro256PlusPlus,
    mode: Mode,
    level: u8,
    high: u8,
    heart: bool,
) -> Result<(), Difference> {
    let press = |console: &mut _, buttons: Buttons, rest: u32| -> Result<(), Crash> {
        for _ in 0..2 {
            Console::step(console, buttons)?;
        }
        for _ in 0..rest {
            Console::step(console, Buttons::NONE)?;
        }
        Ok(())
    };
    for _ in 0..random.random_range(20..200) {
        console.step(Buttons::NONE)?;
    }
    press(console, if heart { Buttons::START | Buttons::DOWN } else { Buttons::START }, 10)?;
    if mode == Mode::B {
        press(console, Buttons::RIGHT, 5)?;
    }
    // Two tunes, effects alone, silence: the rules are the same with each.
    for _ in 0..random.random_range(0..4) {
        press(console, Buttons::DOWN, 5)?;
    }
    press(console, Buttons::START, 10)?;
    if level >= 5 {
        press(console, Buttons::DOWN, 5)?;
    }
    for _ in 0..level % 5 {
        press(console, Buttons::RIGHT, 5)?;
    }
    if mode == Mode::B {
        press(console, Buttons::START, 5)?;
        for _ in 0..high {
            press(console, Buttons::RIGHT, 5)?;
        }
    }
    console.step(Buttons::START)?;
    // The cartridge draws its screen for some frames before the first frame of play.
    for _ in 0..30 {
        console.step(Buttons::NONE)?;
        if memory::scene(console) == Scene::Play && memory::read(console).play_frames == 1 {
            return Ok(());
        }
    }
    Err(Difference::NoGame { scene: memory::scene(console) })
}

/// The cartridge's own draw, told to the rules.
struct Told(Piece);

impl Dealer for Told {
    fn deal(&mut self, _active: Piece, _preview: Piece) -> Piece {
        self.0
    }
}

fn compare(seen: &Memory, game: &Game, frame: u32, seed: u64) -> Result<(), Difference> {
    let phase = match game.phase() {
        Phase::Falling => memory::Phase::Falling,
        Phase::Entry { .. } => memory::Phase::Entry,
        Phase::Clearing { .. } => memory::Phase::Clearing,
        Phase::Won => memory::Phase::Won,
        Phase::Over => memory::Phase::Lost,
    };
    let differs = |what, cartridge: String, rules: String| {
        Err(Difference::Value { seed, frame, what, cartridge, rules })
    };
    macro_rules! same {
        ($what:literal, $cartridge:expr, $rules:expr) => {
            if $cartridge != $rules {
                return differs($what, format!("{:?}", $cartridge), format!("{:?}", $rules));
            }
        };
    }
    same!("the frame", u32::from(seen.play_frames), frame & 0xFFFF);
    same!("the phase", seen.phase, phase);
    same!("the field", &seen.board, game.board());
    same!("the score", seen.score, game.score());
    same!("the line count", seen.lines, game.lines());
    same!("the level", seen.level, game.level());
    same!("the row of pieces", seen.pieces, game.pieces());
    same!("the pause", seen.paused, game.is_paused());
    if let Some(active) = game.active() {
        same!("the piece", &seen.active, active);
    }
    Ok(())
}

/// Presses now like a player, now like a child.
struct Fingers {
    random: Xoshiro256PlusPlus,
    search: Search<Lee, Keys>,
    plan: Option<KeyPlan>,
    /// Frames since the piece came under control.
    since: u32,
    fresh: bool,
    held: Buttons,
    hold: u32,
}

impl Fingers {
    fn new(random: Xoshiro256PlusPlus) -> Fingers {
        let timing = Timing { period: 4, reaction: 0, parallel: true };
        let search =
            Search::new(Lee::PUBLISHED, Keys::new(timing), Field::GAME_BOY, Depth::One, Chance::Uniform);
        Fingers { random, search, plan: None, since: 0, fresh: true, held: Buttons::NONE, hold: 0 }
    }

    fn next(&mut self, game: &Game, heart: bool) -> Buttons {
        if game.is_paused() && self.random.random_bool(0.1) {
            return Buttons::START;
        }
        if std::mem::take(&mut self.fresh) {
            self.begin_piece(game, heart);
        }
        let frame = self.since;
        self.since += 1;
        match &self.plan {
            Some(plan) if self.random.random_bool(0.999) => plan.buttons_at(frame, 2),
            _ => self.anything(),
        }
    }

    fn begin_piece(&mut self, game: &Game, heart: bool) {
        self.since = 0;
        self.plan = None;
        let Some(active) = game.active() else { return };
        if self.random.random_bool(0.15) {
            return;
        }
        self.search.movement.set_speed(speed(game.level(), heart));
        let preview = game.pieces().preview;
        let decision = self.search.decide(game.board(), active.piece, preview, &Budget::unlimited());
        self.plan = decision.and_then(|decision| self.search.movement.plan(decision.placement));
    }

    fn anything(&mut self) -> Buttons {
        if self.hold == 0 {
            self.hold = self.random.random_range(1..30);
            let often = [Buttons::LEFT, Buttons::RIGHT, Buttons::DOWN, Buttons::A, Buttons::B, Buttons::NONE];
            self.held = if self.random.random_bool(0.04) {
                Buttons(self.random.random())
            } else {
                often[self.random.random_range(0..often.len())]
                    | often[self.random.random_range(0..often.len())]
            };
            // All four lower buttons together switch the game back to its title.
            if self.held.0 & 0xF0 == 0xF0 {
                self.held = Buttons::NONE;
            }
        }
        self.hold -= 1;
        self.held
    }

    fn follow(&mut self, event: Event) {
        self.fresh |= event == Event::Spawned;
    }
}
