//! Tetris on an emulated console under simulated solenoids: exact pixels, but presses as the robot makes them.

use std::sync::{Arc, Mutex};

use configuration::Values;
use devices::tinkerforge::Solenoids;
use engine::{Body, Clock, Eye, Hand, Upright};
use gameboy::{Button, Emulator};
use players::tetris::{TetrisPlayer, Wishes};
use simulators::brickd::{Rig, RigConfig, Wiring};

use super::{OnEmulator, cartridge, wishes};
use crate::error::RunError;
use crate::hands::SimulatedDial;
use crate::hands::settings::{RelaySettings, SimulatedFingersSettings};
use crate::pair::{Pair, Setup};
use crate::settings::EngineSettings;

/// Display periods from one press to the next that a finger needs at least: three down, three up.
const PRESS_FRAMES: u32 = 6;

/// One console, emulated, under the fingers of a simulated Brick Daemon.
#[derive(Debug)]
pub enum OnSolenoids {}

impl Pair for OnSolenoids {
    const GAME: &'static str = "tetris";
    const BODY: &'static str = "simulated-hands";
    const ABOUT: &'static str =
        "A Game Boy, emulated, under simulated solenoids: exact pixels, presses as the robot makes them.";
    type Action = Button;
    type Player = TetrisPlayer;
    type Rectifier = Upright;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Button>>, ()), RunError> {
        let console =
            Emulator::new(&cartridge(setup.values)?).map_err(|error| RunError::Setting(error.to_string()))?;
        let rig = Arc::new(Mutex::new(Rig::new(rig(setup.values, setup.seed))));
        let settings = RelaySettings::from_values(setup.values);
        let config = settings.to_config().map_err(|bad| RunError::Setting(bad.to_string()))?;
        let dial = SimulatedDial { rig: Arc::clone(&rig), clock: clock.clone() };
        let hand = Solenoids::new(config, dial, clock.clone());
        Ok((Body { eye: simulators::console::under_fingers(console, &rig, clock), hand }, ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<TetrisPlayer, RunError> {
        let wishes = wishes(setup)?;
        Ok(TetrisPlayer::new(Wishes { press_frames: wishes.press_frames.max(PRESS_FRAMES), ..wishes }))
    }

    fn engine_defaults() -> EngineSettings {
        OnEmulator::engine_defaults()
    }

    fn report(player: &TetrisPlayer, (): &()) -> serde_json::Value {
        OnEmulator::report(player, &())
    }
}

/// The rig that these settings describe, wired as the driver believes.
pub(super) fn rig(values: &Values, seed: u64) -> RigConfig {
    let settings = RelaySettings::from_values(values);
    let mut wiring = Wiring::default();
    if let Ok(config) = settings.to_config() {
        for (button, relay) in config.wiring {
            if let Some(place) = wiring.0.get_mut(relay) {
                *place = button;
            }
        }
    }
    RigConfig {
        mechanics: SimulatedFingersSettings::from_values(values).mechanics(),
        wiring,
        seed,
        ..RigConfig::default()
    }
}
