//! What every game on a body does alike: begin and close its recording, and end its run.

use std::fs::File;
use std::path::Path;

use configuration::Values;
use engine::StepTimesSummary;
use engine::record::{ClockKind, Recording, RunDescription, WallClock};

use crate::ending::{Ending, UsageError};
use crate::settings::RecordingSettings;

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

/// Closes a recording whose run began at `started`; its wall-clock figures are kept where the settings say so.
pub fn close(
    recording: Recording<File>,
    started: jiff::Timestamp,
    times: StepTimesSummary,
    values: &Values,
) -> anyhow::Result<()> {
    let wall_clock = WallClock { started: format!("{started:.3}"), times };
    let keep = RecordingSettings::from_values(values).wall_clock;
    recording.finish(keep.then_some(&wall_clock))?;
    Ok(())
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
