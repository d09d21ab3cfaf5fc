//! `gamebot measure actuator-speed`: how fast can the fingers press (G20; 4.5 of the document)?

use std::io::Write;

use clap::Args;
use runs::hands::{Attempt, Bench, SpeedSearch, TrialError, search_speed};
use serde::Serialize;

use super::{BodyName, FingerFlags, real};
use crate::ending::Ending;
use crate::output::Output;
use crate::play::tetris::QuietOutput;
use crate::plot::{Chart, Curve, PlotFile};
use crate::settings::ConfigurationFlags;
use crate::{progress, table};

const EXAMPLES: &str = "\
Examples:
  gamebot measure actuator-speed                       the document's mechanics, in simulation
  gamebot measure actuator-speed --set simulated_fingers.reach_ms=24
                                                       coils that pull faster
  gamebot measure actuator-speed --relays 2            bricklets 2.0, whose pulses are up to a millisecond longer
  gamebot measure actuator-speed --body robot --profile my-rig.toml
                                                       the real robot; it asks you where the cursor is
  gamebot measure actuator-speed --json --plot speed.svg";

/// Search for the shortest press and pause with which every press still arrives.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureSpeed {
    #[command(flatten)]
    fingers: FingerFlags,

    /// Press and pause to begin with.
    #[arg(long, default_value_t = 140, value_name = "MS", value_parser = clap::value_parser!(u32).range(2..=1000))]
    slowest_ms: u32,

    /// Sequences an attempt.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,

    /// Draw the attempts into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Table 4.8 of the document: press, pause, whether it worked.
const DOCUMENT: [(u32, u32, bool); 11] = [
    (140, 140, true),
    (80, 80, true),
    (40, 40, true),
    (20, 20, false),
    (30, 30, false),
    (35, 35, false),
    (37, 37, true),
    (37, 35, false),
    (35, 37, true),
    (33, 37, true),
    (32, 37, false),
];

#[derive(Debug, Serialize)]
struct Report {
    body: &'static str,
    attempts: Vec<Row>,
    fastest: Option<Row>,
    document: Vec<Row>,
    document_fastest: Row,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Row {
    press_ms: u32,
    pause_ms: u32,
    works: bool,
    presses_per_minute: u32,
}

impl Row {
    fn of(attempt: &Attempt) -> Self {
        let Attempt { press_ms, pause_ms, works } = *attempt;
        Self { press_ms, pause_ms, works, presses_per_minute: attempt.presses_per_minute() }
    }

    /// As a table shows it: press, pause, works, presses a minute.
    fn cells(&self) -> [String; 4] {
        let works = if self.works { "yes" } else { "no" };
        [
            self.press_ms.to_string(),
            self.pause_ms.to_string(),
            works.to_owned(),
            self.presses_per_minute.to_string(),
        ]
    }
}

/// Runs the verb.
pub fn run(measure: &MeasureSpeed, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let values = measure.fingers.load(flags)?;
    let cancel = crate::interrupt::on_interrupt()?;
    let found = match measure.fingers.body {
        BodyName::SimulatedRobot => {
            let _quiet = QuietOutput::begin()?;
            measure.fingers.simulated(&values, cancel).and_then(|mut bench| search(measure, &mut bench))
        }
        BodyName::Robot => search(measure, &mut real(&values, cancel)?),
    };
    let (found, is_interrupted) = match found {
        Err(TrialError::Interrupted) => (SpeedSearch { attempts: Vec::new(), fastest: None }, true),
        other => other?,
    };
    let document =
        DOCUMENT.map(|(press_ms, pause_ms, works)| Row::of(&Attempt { press_ms, pause_ms, works }));
    let report = Report {
        body: measure.fingers.body(),
        attempts: found.attempts.iter().map(Row::of).collect(),
        fastest: found.fastest.as_ref().map(Row::of),
        document: document.to_vec(),
        document_fastest: Row::of(&Attempt { press_ms: 33, pause_ms: 37, works: true }),
    };
    if measure.json {
        out.json(&report)?;
    } else {
        out.write_all(text(&report).as_bytes())?;
    }
    out.flush()?;
    measure.plot.iter().try_for_each(|file| file.draw(&picture(&report)))?;
    Ok(match (is_interrupted, &report.fastest) {
        (true, _) => Ending::Interrupted,
        (false, Some(_)) => Ending::Success,
        (false, None) => Ending::Negative,
    })
}

/// What was found out, and whether an interrupt was why there is no more.
fn search(measure: &MeasureSpeed, bench: &mut impl Bench) -> Result<(SpeedSearch, bool), TrialError> {
    // Three halvings of the range, less what is known already.
    let most = 3 * u64::from(measure.slowest_ms.ilog2() + 1);
    let bar = progress::bar(most, "attempts");
    let mut attempts = Vec::new();
    let found = search_speed(bench, measure.slowest_ms, measure.repeats, |attempt| {
        attempts.push(*attempt);
        bar.inc(1);
        bar.set_message(format!("{} + {} ms", attempt.press_ms, attempt.pause_ms));
    });
    bar.finish_and_clear();
    match found {
        Err(TrialError::Interrupted) => {
            let works = attempts.iter().filter(|attempt| attempt.works);
            let fastest = works.min_by_key(|attempt| attempt.press_ms + attempt.pause_ms).copied();
            Ok((SpeedSearch { attempts, fastest }, true))
        }
        found => Ok((found?, false)),
    }
}

/// What worked and what did not, over the attempts.
fn picture(report: &Report) -> Chart {
    let curve = |name: &str, works: bool| Curve {
        name: name.to_owned(),
        points: (1u32..)
            .zip(&report.attempts)
            .filter(|(_, row)| row.works == works)
            .map(|(attempt, row)| (f64::from(attempt), f64::from(row.presses_per_minute)))
            .collect(),
    };
    Chart {
        title: "Search for the fastest presses".to_owned(),
        x: "attempt".to_owned(),
        y: "presses a minute".to_owned(),
        curves: vec![curve("works", true), curve("does not work", false)],
    }
}

fn text(report: &Report) -> String {
    let mut rows = table::table(&[
        "attempt",
        "press ms",
        "pause ms",
        "works",
        "presses/min",
        "document: press",
        "pause",
        "works",
        "presses/min",
    ]);
    let blank = || [const { String::new() }; 4];
    for index in 0..report.attempts.len().max(report.document.len()) {
        let ours = report.attempts.get(index).map_or_else(blank, Row::cells);
        let theirs = report.document.get(index).map_or_else(blank, Row::cells);
        rows.add_row([vec![(index + 1).to_string()], ours.to_vec(), theirs.to_vec()].concat());
    }
    let found = match &report.fastest {
        Some(row) => {
            format!("{} presses a minute with {} + {} ms", row.presses_per_minute, row.press_ms, row.pause_ms)
        }
        None => "not even the slowest presses arrive".to_owned(),
    };
    let theirs = &report.document_fastest;
    format!(
        "{}\n{}: {found} (document: {} with {} + {} ms)\n",
        table::figures(rows),
        report.body,
        theirs.presses_per_minute,
        theirs.press_ms,
        theirs.pause_ms
    )
}
