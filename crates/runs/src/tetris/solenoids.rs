//! Tetris on an emulated console under simulated solenoids: exact pixels, but presses as the robot makes them.

use std::sync::{Arc, Mutex};

use devices::tinkerforge::Solenoids;
use engine::{Body, Clock, Eye, Hand, Upright};
use gameboy::Button;
use players::tetris::{GameLog, TetrisPlayer, Wishes};
use simulators::brickd::{Rig, RigConfig, SharedRig, Wiring};
use simulators::console::under_fingers;

use super::{OnEmulator, console, only_our_mind, wishes};
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
        let (hand, rig) = simulated_fingers(setup, clock)?;
        Ok((Body { eye: under_fingers(console(setup.values)?, &rig, clock), hand }, ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<TetrisPlayer, RunError> {
        only_our_mind(setup.values)?;
        let wishes = wishes(setup)?;
        Ok(TetrisPlayer::new(Wishes { press_frames: wishes.press_frames.max(PRESS_FRAMES), ..wishes }))
    }

    fn engine_defaults() -> EngineSettings {
        OnEmulator::engine_defaults()
    }

    fn dealt(player: &TetrisPlayer) -> Option<&GameLog> {
        OnEmulator::dealt(player)
    }

    crate::pair::plays_here!();

    fn report(player: &TetrisPlayer, (): &()) -> serde_json::Value {
        OnEmulator::report(player, &())
    }
}

/// The driver of solenoids that a simulated daemon moves.
pub(super) type SimulatedFingers<C> = Solenoids<Button, SimulatedDial<C>, C>;

/// Fingers as the settings describe them, wired as the driver believes, and the rig that they belong to.
pub(super) fn simulated_fingers<C: Clock>(
    setup: &Setup<'_>,
    clock: &C,
) -> Result<(SimulatedFingers<C>, SharedRig), RunError> {
    let config = RelaySettings::from_values(setup.values).to_config()?;
    let rig = Arc::new(Mutex::new(Rig::new(rig(setup)?)));
    let dial = SimulatedDial { rig: Arc::clone(&rig), clock: clock.clone() };
    Ok((Solenoids::new(config, dial, clock.clone()), rig))
}

/// The rig that the settings describe, wired as the driver believes.
pub(super) fn rig(setup: &Setup<'_>) -> Result<RigConfig, RunError> {
    let config = RelaySettings::from_values(setup.values).to_config()?;
    let mut wiring = Wiring::default();
    for (button, relay) in &config.wiring {
        if let Some(place) = wiring.0.get_mut(*relay) {
            *place = *button;
        }
    }
    let mechanics = SimulatedFingersSettings::from_values(setup.values).mechanics();
    let switches = setup.switches();
    Ok(RigConfig {
        mechanics,
        wiring,
        secret: config.secret,
        seed: setup.seed,
        switches,
        ..RigConfig::default()
    })
}
