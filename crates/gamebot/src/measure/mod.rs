//! `gamebot measure`: measurements made by playing.

mod actuators;
mod image_processing;
mod lego_colors;
mod lego_turns;
mod pieces;
mod recognition;
mod robot;
mod strength;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;
use crate::settings::ConfigurationFlags;

/// Measure how games and players behave.
#[derive(Args, Debug)]
pub struct Measure {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// How reliably the robot's fingers press.
    ActuatorReliability(actuators::reliability::MeasureReliability),
    /// How fast the robot's fingers can press.
    ActuatorSpeed(actuators::speed::MeasureSpeed),
    /// How long the steps of image processing take, beside the robot document's figures.
    ImageProcessing(image_processing::MeasureImageProcessing),
    /// How reliably Tetris pieces are recognised through a camera, under disturbances.
    Recognition(recognition::MeasureRecognition),
    /// How strong the whole Tetris robot is, in simulation, beside the robot document's games.
    Robot(robot::MeasureRobot),
    /// How strong Tetris players are without a body, beside the robot document's table.
    Strength(strength::MeasureStrength),
    /// How often each Tetris piece comes, overall and after the two before it.
    Pieces(pieces::MeasurePieces),
    /// What the LEGO robot's sensor shows of discs, as settings.
    LegoColors(lego_colors::MeasureLegoColors),
    /// How long the turns of the LEGO robot take, by how full the board is.
    LegoTurns(lego_turns::MeasureLegoTurns),
}

/// Runs the verb.
pub fn run(measure: &Measure, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &measure.what {
        What::ActuatorReliability(measure) => actuators::reliability::run(measure, flags, out),
        What::ActuatorSpeed(measure) => actuators::speed::run(measure, flags, out),
        What::ImageProcessing(measure) => image_processing::run(measure, out),
        What::Recognition(measure) => recognition::run(measure, flags, out),
        What::Robot(measure) => robot::run(measure, flags, out),
        What::Strength(measure) => strength::run(measure, out),
        What::Pieces(measure) => pieces::run(measure, flags, out),
        What::LegoColors(measure) => lego_colors::run(measure, flags, out),
        What::LegoTurns(measure) => lego_turns::run(measure, flags, out),
    }
}

/// Processor time of this program so far, in seconds.
fn cpu_time_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
