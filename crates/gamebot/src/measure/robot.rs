//! `gamebot measure robot`: how strong the whole robot is (G20; 4.6 of the document).

use std::io::Write;

use clap::Args;
use engine::notes::NoReader;
use players::tetris::GameLog;
use runs::Request;
use runs::eyes::SimulatedCameraSettings;
use runs::hands::settings::SimulatedFingersSettings;
use runs::settings::TetrisSettings;
use runs::tetris::OnSimulatedRobot;
use serde::Serialize;
use tetris::gameboy::{FRAMES_PER_SECOND, MAX_SCORE};

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::play::tetris::QuietOutput;
use crate::plot::{PlotFile, Share, Shares};
use crate::settings::ConfigurationFlags;
use crate::{progress, table};

const EXAMPLES: &str = "\
Examples:
  gamebot measure robot                                    the document's ten games, with 1 % missed presses
  gamebot measure robot --games 20 --missed 0.05 --drop-out-every-s 400
                                                           fingers that slip, a camera that fails
  gamebot measure robot --heart --games 3                  ten levels faster
  gamebot measure robot --json --plot robot.svg";

/// Measure how strong the simulated robot is: camera, fingers and player together.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureRobot {
    /// How many games.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,

    /// Start level, 0 to 9.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(0..=9))]
    level: u32,

    /// Heart mode: ten levels faster than shown.
    #[arg(long)]
    heart: bool,

    /// Share of presses that slip off the button.
    #[arg(long, default_value_t = 0.01, value_name = "SHARE")]
    missed: f64,

    /// Mean time between two drop-outs of the camera, for simulated_camera.drop_out_ms; 0 for never.
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    drop_out_every_s: u32,

    /// Pixels by which the mount gives way in the course of each game.
    #[arg(long, default_value_t = 0.0, value_name = "PIXELS")]
    drift_px: f64,

    /// Seed of the first game; the seeds of the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Draw the points of each game into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Lines and points of the document's ten games (table 4.9).
const DOCUMENT: [(u32, u32); 10] = [
    (625, 508_171),
    (476, 377_923),
    (1_216, 999_999),
    (694, 605_587),
    (641, 543_543),
    (909, 771_634),
    (504, 408_965),
    (411, 333_723),
    (833, 700_815),
    (680, 583_411),
];
/// Means of the document.
const DOCUMENT_MEAN: (f64, f64) = (699.0, 583_377.0);

#[derive(Debug, Serialize)]
struct Report {
    level: u32,
    heart: bool,
    missed: f64,
    drop_out_every_s: u32,
    games: Vec<Row>,
    score_mean: f64,
    lines_mean: f64,
    max_outs: usize,
    lines_to_max_out_mean: Option<f64>,
    document_score_mean: f64,
    document_lines_mean: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    seed: u64,
    score: u32,
    lines: u32,
    pieces: usize,
    presses: u32,
    /// Presses that the player noticed to have had no effect.
    missed_presses: u32,
    /// Times that it had to read the whole field again.
    diverged_plans: u32,
    unclear_looks: u32,
    max_out: bool,
    lines_to_max_out: Option<u32>,
    name_in_table: bool,
    game_s: f64,
    /// Time of one core.
    cpu_s: f64,
}

/// Runs the verb.
pub fn run(measure: &MeasureRobot, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    values
        .update(|tetris: &mut TetrisSettings| (tetris.level, tetris.heart) = (measure.level, measure.heart))
        .map_err(UsageError::from)?;
    values
        .update(|fingers: &mut SimulatedFingersSettings| fingers.missed = measure.missed)
        .map_err(UsageError::from)?;
    values
        .update(|camera: &mut SimulatedCameraSettings| {
            camera.drop_out_every_s = measure.drop_out_every_s;
            camera.drift_px = measure.drift_px;
        })
        .map_err(UsageError::from)?;
    let cancel = crate::interrupt::on_interrupt()?;
    let bar = progress::bar(u64::from(measure.games), "games");
    let mut rows = Vec::new();
    for game in 0..u64::from(measure.games) {
        let seed = measure.seed + game;
        let request = Request { cancel: cancel.clone(), ..Request::games(values.clone(), seed, 1) };
        let began = crate::measure::cpu_time_s();
        let played = {
            let _quiet = QuietOutput::begin()?;
            runs::play::<OnSimulatedRobot, _>(request, NoReader, |_, _| ())?
        };
        if cancel.is_cancelled() {
            // Its game is left out.
            break;
        }
        let cpu_s = crate::measure::cpu_time_s() - began;
        rows.extend(played.player.games().first().map(|log| row(log, seed, cpu_s)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = report(measure, rows);
    let bars = report.games.iter().enumerate().map(|(index, game)| Share {
        name: (index + 1).to_string(),
        measured: f64::from(game.score) / f64::from(MAX_SCORE),
        model: report.document_score_mean / f64::from(MAX_SCORE),
    });
    let picture = Shares {
        title: "Points of each game, of 999,999 (line: the document's mean)".to_owned(),
        bars: bars.collect(),
    };
    if measure.json {
        out.json(&report)?;
    } else {
        out.write_all(text(&report).as_bytes())?;
    }
    out.flush()?;
    measure.plot.iter().try_for_each(|file| file.draw(&picture))?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn row(log: &GameLog, seed: u64, cpu_s: f64) -> Row {
    Row {
        seed,
        score: log.score,
        lines: log.lines,
        pieces: log.pieces.len(),
        presses: log.presses,
        missed_presses: log.missed_presses,
        diverged_plans: log.diverged_plans,
        unclear_looks: log.unclear_looks,
        max_out: log.score == MAX_SCORE,
        lines_to_max_out: log.lines_to_max_out,
        name_in_table: log.name_seen,
        game_s: (log.last_period - log.first_period) as f64 / FRAMES_PER_SECOND,
        cpu_s,
    }
}

fn report(measure: &MeasureRobot, games: Vec<Row>) -> Report {
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let to_max_out: Vec<_> = games.iter().filter_map(|game| game.lines_to_max_out).map(f64::from).collect();
    Report {
        level: measure.level,
        heart: measure.heart,
        missed: measure.missed,
        drop_out_every_s: measure.drop_out_every_s,
        score_mean: mean(games.iter().map(|game| f64::from(game.score)).collect()),
        lines_mean: mean(games.iter().map(|game| f64::from(game.lines)).collect()),
        max_outs: games.iter().filter(|game| game.max_out).count(),
        lines_to_max_out_mean: (!to_max_out.is_empty()).then(|| mean(to_max_out)),
        games,
        document_score_mean: DOCUMENT_MEAN.1,
        document_lines_mean: DOCUMENT_MEAN.0,
    }
}

fn text(report: &Report) -> String {
    let mut rows = table::table(&[
        "game",
        "lines",
        "points",
        "max-out after",
        "pieces",
        "presses",
        "missed, noticed",
        "read again",
        "time s",
        "CPU s",
        "document: lines",
        "points",
    ]);
    for (index, game) in report.games.iter().enumerate() {
        let document = DOCUMENT.get(index);
        rows.add_row([
            (index + 1).to_string(),
            game.lines.to_string(),
            game.score.to_string(),
            game.lines_to_max_out.map_or_else(String::new, |lines| lines.to_string()),
            game.pieces.to_string(),
            game.presses.to_string(),
            game.missed_presses.to_string(),
            game.diverged_plans.to_string(),
            format!("{:.0}", game.game_s),
            format!("{:.0}", game.cpu_s),
            document.map_or_else(String::new, |(lines, _)| lines.to_string()),
            document.map_or_else(String::new, |(_, points)| points.to_string()),
        ]);
    }
    let to_max_out = report.lines_to_max_out_mean;
    format!(
        "{}\n{} games: {:.0} points on average, {} max-outs{} (document: {:.0} points, 1 max-out in 10 after 1216 lines)\n",
        table::figures(rows),
        report.games.len(),
        report.score_mean,
        report.max_outs,
        to_max_out.map_or_else(String::new, |lines| format!(" after {lines:.1} lines on average")),
        report.document_score_mean,
    )
}
