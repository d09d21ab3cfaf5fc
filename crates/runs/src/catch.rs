//! Catch on its four bodies.

use engine::{Body, Clock, Eye, Hand, Upright};
use proving::{
    Action, BezelRectifier, ButtonHand, CatchPlayer, Console, Faults, Hands, MotorHand, Rules, Scanner,
    ScreenEye, SharedConsole, TiltedCamera, direct_body,
};

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::{CatchSettings, latency, milliseconds};

/// Its screen itself, and buttons.
#[derive(Debug)]
pub enum Direct {}
/// A camera that looks at the console at an angle, and buttons.
#[derive(Debug)]
pub enum Camera {}
/// A sensor above one cell at a time, and buttons.
#[derive(Debug)]
pub enum Scanned {}
/// Its screen itself, and a motor that carries the paddle.
#[derive(Debug)]
pub enum Motor {}

/// Writes the parts in which the bodies differ.
macro_rules! pair {
    ($pair:ty, $body:literal, $about:literal, $rectifier:ty, $hands:expr, |$console:ident, $clock:ident| $build:expr) => {
        impl Pair for $pair {
            const GAME: &'static str = "catch";
            const BODY: &'static str = $body;
            const ABOUT: &'static str = $about;
            type Action = Action;
            type Player = CatchPlayer;
            type Rectifier = $rectifier;
            type Witness = SharedConsole;

            fn body<C: Clock>(
                setup: &Setup<'_>,
                $clock: &C,
            ) -> Result<(Body<impl Eye, impl Hand<Action = Action>>, SharedConsole), RunError> {
                let $console = &console(setup);
                let body = $build;
                Ok((body, SharedConsole::clone($console)))
            }

            fn rectifier(_setup: &Setup<'_>) -> Result<$rectifier, RunError> {
                Ok(<$rectifier>::default())
            }

            fn player(setup: &Setup<'_>) -> Result<CatchPlayer, RunError> {
                let hands: fn(&CatchSettings) -> Hands = $hands;
                Ok(CatchPlayer::new(hands(&CatchSettings::from_values(setup.values))))
            }

            crate::pair::plays_here!();

            fn report(_player: &CatchPlayer, witness: &SharedConsole) -> serde_json::Value {
                let game = &witness.borrow().game;
                serde_json::json!({ "caught": game.caught(), "missed": game.missed() })
            }
        }
    };
}

pair!(
    Direct,
    "simulated",
    "The screen itself and buttons, with the faults of real ones.",
    Upright,
    buttons,
    |console, clock| direct_body(console, clock)
);
pair!(
    Camera,
    "simulated-camera",
    "A camera that looks at the console at an angle and is knocked against.",
    BezelRectifier,
    buttons,
    |console, clock| Body { eye: TiltedCamera::new(console, clock), hand: ButtonHand::new(console, clock) }
);
pair!(
    Scanned,
    "simulated-scanner",
    "A sensor above one cell at a time, sent where the player wants to look.",
    Upright,
    buttons,
    |console, clock| Body { eye: Scanner::new(console, clock), hand: ButtonHand::new(console, clock) }
);
pair!(
    Motor,
    "simulated-motor",
    "A motor that carries the paddle, says when it is there, and sometimes stalls.",
    Upright,
    motor,
    |console, clock| Body { eye: ScreenEye::new(console, clock), hand: MotorHand::new(console, clock) }
);

fn buttons(settings: &CatchSettings) -> Hands {
    Hands::Buttons { press: milliseconds(settings.press_ms), pause: milliseconds(settings.pause_ms) }
}

fn motor(settings: &CatchSettings) -> Hands {
    Hands::Motor { at_most: milliseconds(settings.drive_at_most_ms), press: milliseconds(settings.press_ms) }
}

fn console(setup: &Setup<'_>) -> SharedConsole {
    let settings = CatchSettings::from_values(setup.values);
    let rules = Rules { balls: settings.balls, fall: milliseconds(settings.fall_ms) };
    let faults = Faults {
        hand_latency: latency(settings.hand_latency_ms, settings.hand_latency_spread_ms),
        eye_latency: latency(settings.eye_latency_ms, settings.eye_latency_spread_ms),
        lost_presses: settings.lost_presses,
        torn_frames: settings.torn_frames,
        failed_looks: settings.failed_looks,
        refused_commands: settings.refused_commands,
        knock_every: milliseconds(settings.knock_every_ms),
        stalled_drives: settings.stalled_drives,
    };
    Console::new(rules, faults, setup.seed)
}
