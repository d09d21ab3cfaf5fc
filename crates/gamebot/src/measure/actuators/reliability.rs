//! `gamebot measure actuator-reliability`: do all presses arrive (G20; 4.4 of the document)?

use std::io::Write;
use std::time::Duration;

use clap::Args;
use devices::tinkerforge::PressTimes;
use runs::hands::settings::RelaySettings;
use runs::hands::{Bench, Series, TrialError, run_series};
use serde::Serialize;

use super::{BodyName, FingerFlags, real};
use crate::ending::Ending;
use crate::output::Output;
use crate::play::tetris::QuietOutput;
use crate::plot::{PlotFile, Share, Shares};
use crate::settings::{ConfigurationFlags, milliseconds};
use crate::{progress, table};

const EXAMPLES: &str = "\
Examples:
  gamebot measure actuator-reliability                       the document's procedure, in simulation
  gamebot measure actuator-reliability --missed 0.01         with fingers that slip now and then
  gamebot measure actuator-reliability --press-ms 32         a current that is too short
  gamebot measure actuator-reliability --body robot --profile my-rig.toml --series 1
                                                             the real robot; it asks you where the cursor is
  gamebot measure actuator-reliability --json --plot reliability.svg";

/// Measure how reliably the robot's fingers press: ← ↓ → ↑ A → ← B must bring the cursor home.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureReliability {
    #[command(flatten)]
    fingers: FingerFlags,

    /// How many series.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    series: u32,

    /// Sequences a series.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,

    /// Rest after each sequence.
    #[arg(long, default_value_t = 2_000, value_name = "MS")]
    rest_ms: u32,

    /// Current on [default: relays.press_ms].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=1000))]
    press_ms: Option<u32>,

    /// Current off [default: relays.pause_ms].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pause_ms: Option<u32>,

    /// Draw the reliability of each series into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// The document's series 1 (bare cables), 2 (with sleeves) and 3 (with a better guide), tables 4.5 to 4.7.
const DOCUMENT: [&[bool]; 3] = [&[false; 3], &[true, false, true, false, false], &[true; 10]];

#[derive(Debug, Serialize)]
struct Report {
    body: &'static str,
    press_ms: u32,
    pause_ms: u32,
    series: Vec<Row>,
    /// Sequences that brought the cursor home, of all.
    reliability: f64,
    document_reliability: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    series: usize,
    runs: u32,
    home: u32,
    successful: bool,
    reliability: f64,
    /// Presses so far, as the document counts them.
    presses_left_right: u32,
    presses_others: u32,
    /// Presses of this series that reached a button; only a simulation knows.
    presses_arrived: Option<u32>,
    document_successful: Option<bool>,
}

/// Runs the verb.
pub fn run(
    measure: &MeasureReliability,
    flags: &ConfigurationFlags,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let values = measure.fingers.load(flags)?;
    let settings = RelaySettings::from_values(&values);
    let press_ms = measure.press_ms.unwrap_or(settings.press_ms);
    let pause_ms = measure.pause_ms.unwrap_or(settings.pause_ms);
    let times = PressTimes { press: milliseconds(press_ms), pause: milliseconds(pause_ms) };
    let cancel = crate::interrupt::on_interrupt()?;
    let measured = match measure.fingers.body {
        BodyName::SimulatedRobot => {
            let _quiet = QuietOutput::begin()?;
            measure
                .fingers
                .simulated(&values, cancel)
                .and_then(|mut bench| series(measure, &mut bench, times))
        }
        BodyName::Robot => series(measure, &mut real(&values, cancel)?, times),
    };
    let (measured, is_interrupted) = match measured {
        Err(TrialError::Interrupted) => (Vec::new(), true),
        other => other?,
    };
    let report = report(measure.fingers.body(), [press_ms, pause_ms], &measured);
    let bar = |row: &Row| Share {
        name: row.series.to_string(),
        measured: row.reliability,
        model: report.document_reliability,
    };
    let picture = Shares {
        title: format!(
            "Sequences that came home, {press_ms} + {pause_ms} ms (line: the document's series 3)"
        ),
        bars: report.series.iter().map(bar).collect(),
    };
    if measure.json {
        out.json(&report)?;
    } else {
        out.write_all(text(&report).as_bytes())?;
    }
    out.flush()?;
    measure.plot.iter().try_for_each(|file| file.draw(&picture))?;
    let all_home = report.series.iter().all(|row| row.successful);
    Ok(match (is_interrupted, all_home) {
        (true, _) => Ending::Interrupted,
        (false, true) => Ending::Success,
        (false, false) => Ending::Negative,
    })
}

/// The series that were finished, and whether an interrupt was why there are no more.
fn series(
    measure: &MeasureReliability,
    bench: &mut impl Bench,
    times: PressTimes,
) -> Result<(Vec<Series>, bool), TrialError> {
    let bar = progress::bar(u64::from(measure.series * measure.runs), "sequences");
    let rest = Duration::from_millis(u64::from(measure.rest_ms));
    let mut measured = Vec::new();
    for _ in 0..measure.series {
        match run_series(bench, times, measure.runs, rest, |_| bar.inc(1)) {
            Err(TrialError::Interrupted) => return Ok((measured, true)),
            series => measured.push(series?),
        }
    }
    bar.finish_and_clear();
    Ok((measured, false))
}

fn report(body: &'static str, [press_ms, pause_ms]: [u32; 2], measured: &[Series]) -> Report {
    let mut so_far = 0;
    let row = |(index, series): (usize, &Series)| {
        so_far += series.runs;
        Row {
            series: index + 1,
            runs: series.runs,
            home: series.home,
            successful: series.home == series.runs,
            reliability: series.reliability(),
            presses_left_right: 2 * so_far,
            presses_others: so_far,
            presses_arrived: series.presses.arrived,
            document_successful: DOCUMENT[2].get(index).copied(),
        }
    };
    let rows: Vec<_> = measured.iter().enumerate().map(row).collect();
    let (home, runs) = rows.iter().fold((0, 0), |(home, runs), row| (home + row.home, runs + row.runs));
    Report {
        body,
        press_ms,
        pause_ms,
        series: rows,
        reliability: f64::from(home) / f64::from(runs.max(1)),
        document_reliability: 1.0,
    }
}

fn text(report: &Report) -> String {
    let mut rows = table::table(&[
        "series",
        "home",
        "reliability",
        "successful",
        "presses ← →",
        "presses ↑ ↓ A B",
        "arrived",
        "document 1",
        "document 2",
        "document 3",
    ]);
    let word = |successful: bool| if successful { "yes" } else { "no" };
    for row in &report.series {
        let document = |table: usize| {
            DOCUMENT[table].get(row.series - 1).map_or_else(String::new, |home| word(*home).to_owned())
        };
        rows.add_row([
            row.series.to_string(),
            format!("{}/{}", row.home, row.runs),
            format!("{:.1} %", 100.0 * row.reliability),
            word(row.successful).to_owned(),
            row.presses_left_right.to_string(),
            row.presses_others.to_string(),
            row.presses_arrived.map_or_else(String::new, |arrived| format!("{arrived}/{}", 8 * row.runs)),
            document(0),
            document(1),
            document(2),
        ]);
    }
    format!(
        "{}\n{} + {} ms, {}: {:.1} % of the sequences brought the cursor home (document, series 3: {:.0} %)\n",
        table::figures(rows),
        report.press_ms,
        report.pause_ms,
        report.body,
        100.0 * report.reliability,
        100.0 * report.document_reliability,
    )
}
