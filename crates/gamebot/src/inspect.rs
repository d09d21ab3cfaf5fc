//! `gamebot inspect`: what a recording holds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use engine::notes::Topic;
use engine::replay::Summary;

use crate::ending::Ending;
use crate::output::Output;
use crate::table::{figures, table};

const EXAMPLES: &str = "\
Examples:
  gamebot inspect run.mcap                         duration, ticks, step times, verdicts
  gamebot inspect run.mcap --json
  gamebot inspect run.mcap --frames pictures/      every frame as a PNG file";

/// Summarise a recording, or export its frames.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Inspect {
    /// A recording made with --record.
    file: PathBuf,

    /// Write every frame into this folder, named by its number and time.
    #[arg(long, value_name = "FOLDER")]
    frames: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(command: &Inspect, out: &mut Output) -> anyhow::Result<Ending> {
    let tape = crate::replay::open(&command.file)?;
    if let Some(folder) = &command.frames {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut frames = 0u64;
    let mut failure = None;
    let summary = Summary::read(tape, |note| {
        if let (Topic::Frame, Some(folder), None) = (note.topic, &command.frames, &failure) {
            let name = format!("frame-{frames:06}-{}us.png", note.time.elapsed().as_micros());
            failure = write_frame(&folder.join(name), note.png()).err();
            frames += 1;
        }
    })
    .with_context(|| command.file.display().to_string())?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if command.json {
        out.json(&summary)?;
    } else {
        print(&summary, out)?;
    }
    if let Some(folder) = &command.frames {
        tracing::info!(frames, folder = %folder.display(), "frames written");
    }
    Ok(Ending::Success)
}

fn write_frame(path: &Path, png: Option<Vec<u8>>) -> anyhow::Result<()> {
    let png = png.context("a frame of the recording is damaged")?;
    fs::write(path, png).with_context(|| format!("cannot write {}", path.display()))
}

fn print(summary: &Summary, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "game      {} ({} body, seed {})", summary.game, summary.body, summary.seed)?;
    if let Ok(entry) = runs::find(&summary.game, &summary.body) {
        writeln!(out, "body      {}", entry.about)?;
    }
    writeln!(out, "program   {}", summary.program)?;
    if let Some(started) = &summary.started {
        writeln!(out, "started   {started}")?;
    }
    writeln!(out, "duration  {:.3} s", summary.duration_s)?;
    writeln!(out, "ticks     {}", summary.ticks)?;
    match &summary.ending {
        Some(ending) => writeln!(out, "ending    {}", serde_json::to_string(ending)?)?,
        None => writeln!(out, "ending    missing")?,
    }
    if summary.cut_off {
        writeln!(out, "          the file was cut off: the run did not end cleanly")?;
    }
    let mut counts = table(&["messages", "count"]);
    for (channel, count) in &summary.messages {
        counts.add_row([(*channel).to_owned(), count.to_string()]);
    }
    writeln!(out, "\n{}", figures(counts))?;
    if !summary.verdicts.is_empty() {
        let mut verdicts = table(&["verdict", "count"]);
        for (verdict, count) in &summary.verdicts {
            verdicts.add_row([(*verdict).to_owned(), count.to_string()]);
        }
        writeln!(out, "\n{}", figures(verdicts))?;
    }
    if !summary.step_times.is_empty() {
        let mut times = table(&["step", "count", "mean µs", "p50 µs", "p99 µs", "max µs"]);
        for step in &summary.step_times {
            let us = [step.mean_us, step.p50_us, step.p99_us, step.max_us].map(|us| format!("{us:.2}"));
            let name = format!("{:?}", step.step).to_lowercase();
            times.add_row([vec![name, step.count.to_string()], us.to_vec()].concat());
        }
        writeln!(out, "\n{}", figures(times))?;
    }
    Ok(())
}
