//! `gamebot simulate`: simulated devices on their real wire protocols.

mod camera;
mod robot;

use clap::{Args, Subcommand};

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
    /// A camera that looks at a console, as an HTTP stream of JPEG pictures.
    Camera(camera::SimulateCamera),
    /// The Connect Four exhibition robot on a serial line.
    Robot(robot::SimulateRobot),
}

/// Runs the verb.
pub fn run(simulate: &Simulate, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &simulate.device {
        Device::Camera(camera) => camera::run(camera, out),
        Device::Robot(robot) => robot::run(robot, flags, out),
    }
}
