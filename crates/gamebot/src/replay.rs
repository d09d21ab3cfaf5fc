//! `gamebot replay`: the recorded frames, the same player, and the first difference.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use engine::replay::{Divergence, Outcome, Tape};
use serde::Serialize;

use crate::ending::{Ending, UsageError};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot replay run.mcap           exit code 0 if everything happens again, 1 at the first difference
                                    and for a recording that was cut off
  gamebot replay run.mcap --json";

/// Run the player again on a recording and report the first difference.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// A recording made with --record.
    file: PathBuf,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

type RecordingFile = BufReader<File>;

#[derive(Debug, Serialize)]
struct Report {
    equal: bool,
    /// Whether the recording ends in the middle of a run.
    cut_off: bool,
    notes: u64,
    divergence: Option<Divergence>,
}

/// Runs the verb.
pub fn run(command: &Replay, out: &mut Output) -> anyhow::Result<Ending> {
    let outcome = replay_file(&command.file)?;
    let report = match outcome {
        Outcome::Equal { notes } => Report { equal: true, cut_off: false, notes, divergence: None },
        Outcome::CutOff { notes } => Report { equal: false, cut_off: true, notes, divergence: None },
        Outcome::Different(d) => {
            Report { equal: false, cut_off: false, notes: d.after_notes, divergence: Some(d) }
        }
    };
    if command.json {
        out.json(&report)?;
    } else if let Some(divergence) = &report.divergence {
        writeln!(out, "{divergence}")?;
    } else if report.cut_off {
        writeln!(out, "cut off: {} notes happened again, then the recording ends in mid-run", report.notes)?;
    } else {
        writeln!(out, "equal: {} notes happened again", report.notes)?;
    }
    Ok(if report.equal { Ending::Success } else { Ending::Negative })
}

fn replay_file(path: &PathBuf) -> anyhow::Result<Outcome> {
    let tape = open(path)?;
    let run = tape.run();
    let name = || path.display().to_string();
    let pair = runs::find(&run.game, &run.body).with_context(name)?;
    pair.replay(tape).with_context(name)
}

/// Opens a recording.
pub fn open(path: &PathBuf) -> anyhow::Result<Tape<RecordingFile>> {
    let file =
        File::open(path).map_err(|error| UsageError(format!("cannot open {}: {error}", path.display())))?;
    Tape::open(BufReader::new(file)).with_context(|| path.display().to_string())
}
