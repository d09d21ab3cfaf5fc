//! What every game on a body does alike: begin its recording, and end its run.

use std::fs::File;
use std::path::Path;

use configuration::Values;
use engine::record::{ClockKind, Recording, RunDescription};

use crate::ending::{Ending, UsageError};

/// Begins a recording of `game` on `body`.
pub fn begin(
    path: &Path,
    game: &str,
    body: &str,
    seed: u64,
    clock: ClockKind,
    values: &Values,
) -> anyhow::Result<Recording<File>> {
    let file = File::create(path)
        .map_err(|error| UsageError(format!("cannot create {}: {error}", path.display())))?;
    let run = RunDescription {
        program: concat!("gamebot ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: game.to_owned(),
        body: body.to_owned(),
        seed,
        clock,
        configuration: values.to_profile(),
    };
    Ok(Recording::begin(file, &run)?)
}

/// How the command ends when the run ended so.
pub fn finish(ending: engine::Ending) -> anyhow::Result<Ending> {
    match ending {
        engine::Ending::GamesPlayed | engine::Ending::TimeUp | engine::Ending::JournalEnded => {
            Ok(Ending::Success)
        }
        engine::Ending::Cancelled => Ok(Ending::Interrupted),
        engine::Ending::GaveUp { reason } => Err(anyhow::anyhow!("the run was given up: {reason}")),
    }
}
