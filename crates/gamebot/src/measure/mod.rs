//! `gamebot measure`: measurements made by playing.

mod image_processing;
mod pieces;
mod recognition;

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
    /// How long the steps of image processing take, beside the robot document's figures.
    ImageProcessing(image_processing::MeasureImageProcessing),
    /// How reliably Tetris pieces are recognised through a camera, under disturbances.
    Recognition(recognition::MeasureRecognition),
    /// How often each Tetris piece comes, overall and after the two before it.
    Pieces(pieces::MeasurePieces),
}

/// Runs the verb.
pub fn run(measure: &Measure, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &measure.what {
        What::ImageProcessing(measure) => image_processing::run(measure, out),
        What::Recognition(measure) => recognition::run(measure, out),
        What::Pieces(measure) => pieces::run(measure, flags, out),
    }
}
