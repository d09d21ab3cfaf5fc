//! Tetris on the robot: a console under solenoids, seen by a camera; all of it real, or all of it simulated.

use std::time::Duration;

use devices::camera::CameraEye;
use devices::tinkerforge::Solenoids;
use engine::{Body, Clock, Eye, Hand};
use gameboy::display::periods;
use gameboy::{Button, LinkedConsoles};
use players::tetris::see::camera::ScreenRectifier;
use players::tetris::see::camera::layout::Layout;
use players::tetris::see::{Eyes, KnownTiles};
use players::tetris::{GameLog, TetrisPlayer, Wishes};
use simulators::camera::Camera;
use simulators::console::film::Film;
use simulators::console::{Fingers, filmed, filmed_link};
use vision::Quad;

use super::solenoids::simulated_fingers;
use super::versus::Linked;
use super::{OnEmulator, console, only_our_mind, wishes};
use crate::error::RunError;
use crate::eyes::{RobotCameraSettings, SimulatedCameraSettings};
use crate::hands::settings::RelaySettings;
use crate::pair::{Pair, Setup};
use crate::settings::{CompanyWord, EngineSettings, TetrisSettings};

/// Console, camera and fingers, all simulated, on one clock.
#[derive(Debug)]
pub enum OnSimulatedRobot {}

impl Pair for OnSimulatedRobot {
    const GAME: &'static str = "tetris";
    const BODY: &'static str = "simulated-robot";
    const ABOUT: &'static str =
        "The Tetris robot in simulation: a Game Boy seen by a camera, pressed by solenoids.";
    type Action = Button;
    type Player = TetrisPlayer;
    type Rectifier = ScreenRectifier;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Button>>, ()), RunError> {
        let (hand, rig) = simulated_fingers(setup, clock)?;
        let (film, camera) = simulated_camera(setup);
        let eye =
            filmed(console(setup.values)?, Fingers::Rig(rig), clock, film, camera).obeying(setup.switches());
        Ok((Body { eye, hand }, ()))
    }

    fn rectifier(setup: &Setup<'_>) -> Result<ScreenRectifier, RunError> {
        Ok(rectifier(setup, None))
    }

    fn player(setup: &Setup<'_>) -> Result<TetrisPlayer, RunError> {
        only_our_mind(setup.values)?;
        Ok(TetrisPlayer::with_eyes(robot_wishes(setup)?, Eyes::camera()))
    }

    fn engine_defaults() -> EngineSettings {
        // A camera that is out is waited for by the look itself, and the game goes on meanwhile. It may be
        // out for a night.
        EngineSettings { pause_ms: 20, pause_limit: 1_000_000, ..OnEmulator::engine_defaults() }
    }

    fn dealt(player: &TetrisPlayer) -> Option<&GameLog> {
        OnEmulator::dealt(player)
    }

    crate::pair::plays_here!();

    fn report(player: &TetrisPlayer, (): &()) -> serde_json::Value {
        OnEmulator::report(player, &())
    }
}

/// Two rigs, each with its own camera and fingers, on one clock.
impl Linked for OnSimulatedRobot {
    fn linked<C: Clock>(
        setup: &Setup<'_>,
        consoles: LinkedConsoles,
        clocks: [C; 2],
    ) -> Result<[Body<impl Eye + Send, impl Hand<Action = Button> + Send>; 2], RunError> {
        // No two rigs tremble alike.
        let setups = [setup.seed, !setup.seed].map(|seed| Setup { seed, ..*setup });
        let [(left, left_rig), (right, right_rig)] =
            [simulated_fingers(&setups[0], &clocks[0])?, simulated_fingers(&setups[1], &clocks[1])?];
        let filmed_by = |setup: &Setup<'_>, rig| {
            let (film, camera) = simulated_camera(setup);
            (Fingers::Rig(rig), film, camera)
        };
        let rigs = [filmed_by(&setups[0], left_rig), filmed_by(&setups[1], right_rig)];
        let [caller, listener] = filmed_link(consoles, rigs, clocks.each_ref());
        Ok([Body { eye: caller, hand: left }, Body { eye: listener, hand: right }])
    }
}

/// A real console, a real camera and real solenoids.
#[derive(Debug)]
pub enum OnRobot {}

impl Pair for OnRobot {
    const GAME: &'static str = "tetris";
    const BODY: &'static str = "robot";
    const ABOUT: &'static str =
        "The Tetris robot: a real Game Boy, a camera, and solenoids behind a Brick Daemon.";
    type Action = Button;
    type Player = TetrisPlayer;
    type Rectifier = ScreenRectifier;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Button>>, ()), RunError> {
        let relays = RelaySettings::from_values(setup.values);
        let config = relays.to_config()?;
        let camera = RobotCameraSettings::from_values(setup.values);
        let eye = CameraEye::open(camera.address()?, camera.to_camera(), clock)
            .map_err(|error| RunError::Setting(format!("camera.address: {error}")))?;
        let hand = Solenoids::new(config, relays.to_dial(clock.clone()), clock.clone());
        Ok((Body { eye, hand }, ()))
    }

    fn rectifier(setup: &Setup<'_>) -> Result<ScreenRectifier, RunError> {
        let camera = RobotCameraSettings::from_values(setup.values);
        let size = (camera.width as usize, camera.height as usize);
        let corners = camera.corners()?.map(|corners| (corners, size));
        Ok(rectifier(setup, corners))
    }

    fn player(setup: &Setup<'_>) -> Result<TetrisPlayer, RunError> {
        OnSimulatedRobot::player(setup)
    }

    fn engine_defaults() -> EngineSettings {
        OnSimulatedRobot::engine_defaults()
    }

    fn dealt(player: &TetrisPlayer) -> Option<&GameLog> {
        OnEmulator::dealt(player)
    }

    crate::pair::plays_here!();

    fn report(player: &TetrisPlayer, (): &()) -> serde_json::Value {
        OnEmulator::report(player, &())
    }
}

/// The camera that the settings describe, and how its frames come.
fn simulated_camera(setup: &Setup<'_>) -> (Film, Camera) {
    let settings = SimulatedCameraSettings::from_values(setup.values);
    (settings.to_film(setup.seed), Camera::new(settings.to_camera(), setup.seed))
}

/// What finds the screens that a run with these settings comes by.
fn rectifier(setup: &Setup<'_>, corners: Option<(Quad, (usize, usize))>) -> ScreenRectifier {
    let known = KnownTiles::stackfall();
    let rectifier = ScreenRectifier::new(&known, corners);
    match TetrisSettings::from_values(setup.values).company {
        CompanyWord::Alone => rectifier,
        CompanyWord::Calls | CompanyWord::Listens => rectifier.also_knowing(&known, &Layout::versus()),
    }
}

/// What the settings ask of a player with such fingers.
fn robot_wishes(setup: &Setup<'_>) -> Result<Wishes, RunError> {
    let wishes = wishes(setup)?;
    let config = RelaySettings::from_values(setup.values).to_config()?;
    let times = config.own_times.values().chain([&config.times]);
    let slowest = times.clone().map(|times| times.press + times.pause).max().unwrap_or_default();
    let hold = times.map(|times| times.press).max().unwrap_or_default();
    Ok(Wishes { press_frames: wishes.press_frames.max(periods_in(slowest)), hold, ..wishes })
}

/// Display periods that last as long.
fn periods_in(time: Duration) -> u32 {
    (time.as_secs_f64() / periods(1).as_secs_f64()).ceil() as u32
}
