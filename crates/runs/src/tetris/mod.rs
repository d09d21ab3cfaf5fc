//! Tetris on an emulated Game Boy.

mod robot;
mod served;
mod solenoids;
mod versus;

use std::path::Path;

use ::tetris::gameboy::frames_in_ms;
use configuration::{Source, Values};
use engine::{Body, Clock, Eye, Hand, Upright};
use gameboy::{Button, Cartridge, Emulator, LinkedConsoles, stackfall};
use players::tetris::see::Eyes;
use players::tetris::{Company, GameLog, Mind, PRESS_FRAMES_TO_CHECK, Programs, TetrisPlayer, Until, Wishes};
use serde_json::json;
use simulators::console::linked_bodies;

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::{CompanyWord, EngineSettings, GameTypeWord, TetrisSettings, VerificationWord};

pub use robot::{OnRobot, OnSimulatedRobot};
pub use served::ServedRig;
pub use solenoids::OnSolenoids;
pub use versus::{Linked, Match, listeners_recording, play_versus};

/// One console, emulated: exact pixels, exact presses.
#[derive(Debug)]
pub enum OnEmulator {}

impl Pair for OnEmulator {
    const GAME: &'static str = "tetris";
    const BODY: &'static str = "emulator";
    const ABOUT: &'static str = "A Game Boy, emulated: exact pixels, exact presses.";
    type Action = Button;
    type Player = TetrisPlayer;
    type Rectifier = Upright;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Button>>, ()), RunError> {
        Ok((simulators::console::body(console(setup.values)?, clock), ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<TetrisPlayer, RunError> {
        Ok(TetrisPlayer::with(wishes(setup)?, Eyes::exact(), mind(setup.values)?))
    }

    fn engine_defaults() -> EngineSettings {
        // Clearing lines takes a second and a half, and its effect must not count as missing meanwhile.
        EngineSettings { visible_within_ms: 4_000, ..EngineSettings::default() }
    }

    fn dealt(player: &TetrisPlayer) -> Option<&GameLog> {
        player.games().first()
    }

    crate::pair::plays_here!();

    fn report(player: &TetrisPlayer, (): &()) -> serde_json::Value {
        let figures = |game: &GameLog| json!({ "score": game.score, "lines": game.lines, "level": game.level, "pieces": game.pieces.len() });
        json!({ "games": player.games().iter().map(figures).collect::<Vec<_>>() })
    }
}

impl Linked for OnEmulator {
    fn linked<C: Clock>(
        _setup: &Setup<'_>,
        consoles: LinkedConsoles,
        clocks: [C; 2],
    ) -> Result<[Body<impl Eye + Send, impl Hand<Action = Button> + Send>; 2], RunError> {
        Ok(linked_bodies(consoles, clocks.each_ref()))
    }
}

/// How long the player waits on the title screen for a seed. The console's divider, which deals the
/// pieces, returns to the same phase every 4,096 periods.
pub fn idle_periods(seed: u64) -> u64 {
    60 + seed.wrapping_mul(2_654_435_761) % 4_096
}

/// The cartridge that the settings name, or our own.
pub fn cartridge(values: &Values) -> Result<Cartridge, RunError> {
    let rom = TetrisSettings::from_values(values).rom;
    if rom.is_empty() {
        return Ok(stackfall::cartridge());
    }
    let path = Path::new(&rom);
    let bytes = std::fs::read(path).map_err(|error| RunError::File {
        what: "read",
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    Cartridge::new(bytes).map_err(|error| RunError::Setting(format!("{rom}: {error}")))
}

/// An emulated console with that cartridge.
pub fn console(values: &Values) -> Result<Emulator, RunError> {
    Emulator::new(&cartridge(values)?).map_err(|error| RunError::Setting(error.to_string()))
}

/// The mind that the settings name.
pub fn mind(values: &Values) -> Result<Mind, RunError> {
    let settings = TetrisSettings::from_values(values);
    let folder = Some(Path::new(&settings.plugins)).filter(|folder| !folder.as_os_str().is_empty());
    // Whoever sends a recording or knows the operator's page must not start programs here.
    let programs = match values.source("tetris", "player") {
        Some(Source::OwnFlag { .. } | Source::Flag { .. } | Source::Environment { .. }) => Programs::Started,
        _ => Programs::Refused,
    };
    Mind::named(&settings.player, folder, programs).map_err(|error| RunError::Setting(error.to_string()))
}

/// Refuses any other mind: the robot's pilot weighs what a missed press costs in the units of our own.
fn only_our_mind(values: &Values) -> Result<(), RunError> {
    match TetrisSettings::from_values(values).player.as_str() {
        "ours" => Ok(()),
        other => Err(RunError::Setting(format!(
            "tetris.player = {other}: other players play with the body emulator"
        ))),
    }
}

/// What the settings ask of a player.
pub fn wishes(setup: &Setup<'_>) -> Result<Wishes, RunError> {
    let settings = TetrisSettings::from_values(setup.values);
    let initials = players::tetris::initials(&settings.initials)
        .map_err(|why| RunError::Setting(format!("tetris.initials = {why}")))?;
    let verification = EngineSettings::from_values(setup.values).verification;
    let checks_presses = verification == VerificationWord::Pessimistic;
    Ok(Wishes {
        level: settings.level as u8,
        heart: settings.heart,
        rubble: match settings.game_type {
            GameTypeWord::A => None,
            GameTypeWord::B => Some(settings.height as u8),
        },
        initials,
        until: match (settings.pieces, settings.stop_at_max_out) {
            (0, true) => Until::MaxOut,
            (0, false) => Until::Death,
            (pieces, _) => Until::Pieces(pieces),
        },
        company: match settings.company {
            CompanyWord::Alone => Company::Alone,
            CompanyWord::Calls => Company::Calls,
            CompanyWord::Listens => Company::Listens,
        },
        press_frames: frames_in_ms(settings.press_ms).max(if checks_presses {
            PRESS_FRAMES_TO_CHECK
        } else {
            2
        }),
        hold: std::time::Duration::from_millis(35),
        idle: match settings.idle_periods {
            0 => idle_periods(setup.seed),
            periods => u64::from(periods),
        },
        dawdle: settings.dawdle_periods,
        checks_presses,
    })
}
