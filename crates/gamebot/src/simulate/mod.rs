//! `gamebot simulate`: simulated devices on their real wire protocols.

mod brickd;
mod camera;
mod hub;
mod robot;
mod samegame;
mod stdin;
mod values;

pub use brickd::RelayVersion;
use clap::{Args, Subcommand};
pub use values::share;

use crate::ending::Ending;
use crate::output::Output;
use crate::settings::ConfigurationFlags;

/// Simulate a device on its real wire protocol.
#[derive(Args, Debug)]
pub struct Simulate {
    #[command(subcommand)]
    device: Device,
}

#[derive(Debug, Subcommand)]
enum Device {
    /// A Brick Daemon with relays and solenoids, the hands of the Game Boy robot.
    Brickd(brickd::SimulateBrickd),
    /// A camera that looks at a console, as an HTTP stream of JPEG pictures.
    Camera(camera::SimulateCamera),
    /// The Connect Four exhibition robot on a serial line.
    Robot(robot::SimulateRobot),
    /// A LEGO SPIKE hub with the Connect Four robot on a serial line.
    Hub(Box<hub::SimulateHub>),
    /// A SameGame in a real window, in one of many looks.
    Samegame(samegame::SimulateSamegame),
}

/// Runs the verb.
pub fn run(simulate: &Simulate, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &simulate.device {
        Device::Brickd(brickd) => brickd::run(brickd, flags, out),
        Device::Camera(camera) => camera::run(camera, out),
        Device::Robot(robot) => robot::run(robot, flags, out),
        Device::Hub(hub) => hub::run(hub, out),
        Device::Samegame(samegame) => samegame::run(samegame, flags, out),
    }
}
