//! `gamebot measure`: measurements made by playing.

mod pieces;

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
    /// How often each Tetris piece comes, overall and after the two before it.
    Pieces(pieces::MeasurePieces),
}

/// Runs the verb.
pub fn run(measure: &Measure, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &measure.what {
        What::Pieces(measure) => pieces::run(measure, flags, out),
    }
}
