//! Connect Four on a real board, played by the LEGO robot; and the same robot simulated on its real protocol.

mod alone;
mod body;
mod colors;
mod croupier;
mod line;
mod robot;
pub mod settings;
mod signs;
mod simulated;

use ::connect_four::Level;
use devices::hub::{ArmSettings, Geometry};
use engine::{Body, Clock, Eye, Hand, Upright};
use players::connect_four::scan::Calibration;
use players::connect_four::{Beginner, ConnectFourPlayer, DiscColor, LegoAction, Wishes};
use serde_json::json;

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::EngineSettings;

use line::HubLine;
use settings::{BeginnerWord, DiscWord, LegoSettings};

pub use alone::{AloneGames, simulate_alone, watch_alone};
pub use body::lego_body;
pub use colors::{Colors, measure_colors, simulate_colors};
pub use croupier::{
    Columns, Condition, Croupier, CroupierState, DiscDrop, Job, Plea, Task, simulate_croupier, start_croupier,
};
pub use simulated::{SimulatedLego, Witness, play_tournament};

/// Lights, as pixels of 0 to 255, that are nearer to each other cannot be told apart: noise alone moves them by 5.
const LEAST_APART: u32 = 30;

/// The robot behind a LEGO SPIKE hub on USB.
#[derive(Debug)]
pub enum Lego {}

impl Pair for Lego {
    const GAME: &'static str = "connect-four";
    const BODY: &'static str = "lego";
    const ABOUT: &'static str = "A real board, a LEGO arm with one colour sensor, and a SPIKE hub on USB.";
    type Action = LegoAction;
    type Player = ConnectFourPlayer;
    type Rectifier = Upright;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = LegoAction>>, ()), RunError> {
        let settings = LegoSettings::from_values(setup.values);
        Ok((lego_body(HubLine::open(&settings, clock)?, clock, &settings)?, ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<ConnectFourPlayer, RunError> {
        Ok(ConnectFourPlayer::new(wishes(setup)?))
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    crate::pair::plays_here!();

    fn report(player: &ConnectFourPlayer, (): &()) -> serde_json::Value {
        report(player)
    }
}

/// Seconds, not milliseconds: a robot that is unplugged is waited for, for as long as it takes.
fn engine_defaults() -> EngineSettings {
    EngineSettings { visible_within_ms: 60_000, pause_limit: 1_000_000, ..EngineSettings::default() }
}

fn report(player: &ConnectFourPlayer) -> serde_json::Value {
    json!({ "games": player.games() })
}

/// What the settings ask of the player.
pub fn wishes(setup: &Setup<'_>) -> Result<Wishes, RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let level: Level =
        settings.level.parse().map_err(|problem| RunError::Setting(format!("lego.level: {problem}")))?;
    Ok(Wishes {
        color: match settings.color {
            DiscWord::Red => DiscColor::Red,
            DiscWord::Yellow => DiscColor::Yellow,
        },
        beginner: match settings.beginner {
            BeginnerWord::Look => Beginner::Look,
            BeginnerWord::Robot => Beginner::Robot,
            BeginnerWord::Other => Beginner::Other,
        },
        level,
        calibration: calibration(&settings)?,
        seed: setup.seed,
    })
}

fn calibration(settings: &LegoSettings) -> Result<Calibration, RunError> {
    let light = |key: &str, text: &str| -> Result<[u8; 3], RunError> {
        let numbers: Vec<u16> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let numbers: [u16; 3] = numbers.try_into().map_err(|_| {
            RunError::Setting(format!("lego.{key} = {text:?}: three numbers from 0 to 1023 are allowed"))
        })?;
        if numbers.iter().any(|&number| number > 1023) {
            return Err(RunError::Setting(format!(
                "lego.{key} = {text:?}: numbers from 0 to 1023 are allowed"
            )));
        }
        Ok(numbers.map(robot::to_pixel))
    };
    let calibration = Calibration {
        red: light("red", &settings.red)?,
        yellow: light("yellow", &settings.yellow)?,
        empty: light("empty", &settings.empty)?,
    };
    if calibration.apart() < LEAST_APART * LEAST_APART {
        let LegoSettings { red, yellow, empty, .. } = settings;
        let message = format!(
            "lego.red = {red:?}, lego.yellow = {yellow:?} and lego.empty = {empty:?}: two of them are too alike to be told \
             apart; `gamebot measure lego-colors` prints what your sensor sees"
        );
        return Err(RunError::Setting(message));
    }
    Ok(calibration)
}

fn arm_settings(settings: &LegoSettings) -> Result<ArmSettings, RunError> {
    let sockets: Vec<u8> = settings
        .sockets
        .split_whitespace()
        .filter_map(|word| match word.as_bytes() {
            [letter @ b'A'..=b'F'] => Some(letter - b'A'),
            _ => None,
        })
        .collect();
    let &[drive_port, lift_port, push_port, color_port, force_port] = sockets.as_slice() else {
        let message = format!("lego.sockets = {:?}: five letters A to F are allowed", settings.sockets);
        return Err(RunError::Setting(message));
    };
    // All of these are below 32,768 by their ranges.
    let number = |value: u32| value as i16;
    Ok(ArmSettings {
        slot: settings.slot as u8,
        geometry: Geometry {
            drive_port,
            lift_port,
            push_port,
            color_port,
            force_port,
            approach_degrees: number(settings.approach_degrees),
            column_degrees: number(settings.column_degrees),
            row_degrees: number(settings.row_degrees),
            push_degrees: -number(settings.push_degrees),
            drive_speed: number(settings.drive_speed),
            lift_speed: number(settings.lift_speed),
            push_speed: number(settings.push_speed),
            settle_ms: number(settings.settle_ms),
            watchdog_ms: number(settings.watchdog_ms),
            fall_ms: number(settings.fall_ms),
        },
        ..ArmSettings::default()
    })
}
