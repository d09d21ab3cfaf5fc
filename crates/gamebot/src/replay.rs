//! `gamebot replay`: the recorded frames, the same player, and the first difference.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use configuration::{Layers, Values};
use engine::replay::{Divergence, Outcome, Tape, replay};
use engine::{Cancel, Engine, Limits, Player, SimulatedClock, Thinking, Upright};
use serde::Serialize;

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::{EngineSettings, schema};

const EXAMPLES: &str = "\
Examples:
  gamebot replay run.mcap           exit code 0 if everything happens again, 1 at the first difference
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
    notes: u64,
    divergence: Option<Divergence>,
}

/// Runs the verb.
pub fn run(command: &Replay, out: &mut Output) -> anyhow::Result<Ending> {
    let outcome = replay_file(&command.file).with_context(|| command.file.display().to_string())?;
    let report = match outcome {
        Outcome::Equal { notes } => Report { equal: true, notes, divergence: None },
        Outcome::Different(d) => Report { equal: false, notes: d.after_notes, divergence: Some(d) },
    };
    if command.json {
        out.json(&report)?;
    } else if let Some(divergence) = &report.divergence {
        writeln!(out, "{divergence}")?;
    } else {
        writeln!(out, "equal: {} notes happened again", report.notes)?;
    }
    Ok(if report.equal { Ending::Success } else { Ending::Negative })
}

fn replay_file(path: &PathBuf) -> anyhow::Result<Outcome> {
    let tape = open(path)?;
    let values = recorded_values(&tape.run().configuration)?;
    match tape.run().game.as_str() {
        "catch" => replay_with(crate::play::catch::player(&values), tape, &values),
        "tetris" => replay_with(crate::play::tetris::player(&values)?, tape, &values),
        other => Err(UsageError(format!("no player for the game `{other}` in this version")).into()),
    }
}

/// Opens a recording.
pub fn open(path: &PathBuf) -> anyhow::Result<Tape<RecordingFile>> {
    let file =
        File::open(path).map_err(|error| UsageError(format!("cannot open {}: {error}", path.display())))?;
    Ok(Tape::open(BufReader::new(file))?)
}

fn recorded_values(profile: &str) -> anyhow::Result<Values> {
    let schema = schema();
    let mut layers = Layers::new(&schema);
    layers.profile("recorded configuration", profile);
    Ok(layers.finish().map_err(UsageError::from)?)
}

fn replay_with<P: Player>(player: P, tape: Tape<RecordingFile>, values: &Values) -> anyhow::Result<Outcome> {
    let clock = SimulatedClock::new();
    let (body, comparison) = replay(tape, &clock);
    // How many games were wanted is not recorded; the tape ends when they were played.
    let settings = EngineSettings::from_values(values).to_engine(Thinking::Unlimited, Limits::default());
    let mut engine = Engine::new(body, Upright, player, clock, comparison, Cancel::new(), settings);
    engine.run();
    Ok(engine.into_journal().outcome()?)
}
