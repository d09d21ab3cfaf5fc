//! One player on one console.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use configuration::Values;
use engine::record::ClockKind;
use engine::{Body, Cancel, Clock, Counts, Engine, Limits, RealClock, SimulatedClock, Thinking, Upright};
use gameboy::player::GameLog;
use gameboy::{Cartridge, Emulator, body};
use serde::Serialize;
use tetris::gameboy::{FRAMES_PER_SECOND, MAX_SCORE};

use super::quiet::QuietOutput;
use super::view::ShownEye;
use super::{PlayTetris, Speed, player, write_report};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::play::recording;
use crate::settings::{EngineSettings, TetrisSettings};

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    level: u32,
    heart: bool,
    press_ms: f64,
    games: Vec<GameReport>,
    score_mean: f64,
    max_outs: usize,
    lines_to_max_out_mean: Option<f64>,
    frames_per_s: f64,
    counts: Counts,
    ending: engine::Ending,
}

#[derive(Debug, Serialize)]
struct GameReport {
    seed: u64,
    score: u32,
    lines: u32,
    level: u8,
    pieces: usize,
    presses: u32,
    max_out: bool,
    lines_to_max_out: Option<u32>,
    name_in_table: bool,
    game_s: f64,
    wall_s: f64,
    unclear_looks: u32,
    diverged_plans: u32,
}

/// What a run leaves behind.
pub struct Played {
    /// All games; one that was not finished comes last.
    pub games: Vec<GameLog>,
    /// Seconds on the wall that each finished one took.
    pub wall_s: Vec<f64>,
    /// Display periods in all.
    pub periods: u64,
    counts: Counts,
    /// Why it ended.
    pub ending: engine::Ending,
}

/// Plays and reports.
pub fn run(
    play: &PlayTetris,
    values: &Values,
    cartridge: &Cartridge,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let played = play_games(play, values, cartridge, cancel)?;
    let report = report(play, values, &played);
    write_report(out, play.json, &report, &text(&report))?;
    recording::finish(played.ending)
}

fn play_games(
    play: &PlayTetris,
    values: &Values,
    cartridge: &Cartridge,
    cancel: &Cancel,
) -> anyhow::Result<Played> {
    let options = Options {
        games: Some(play.games),
        pieces: None,
        seed: play.seed,
        show: play.show,
        record: play.record.as_deref(),
    };
    match play.speed {
        Speed::Max => {
            play_on(&SimulatedClock::new(), ClockKind::Simulated, &options, values, cartridge, cancel)
        }
        Speed::Real => {
            play_on(&RealClock::start(cancel.clone()), ClockKind::Real, &options, values, cartridge, cancel)
        }
    }
}

/// How a run on one console is made.
pub struct Options<'a> {
    /// Games after which the run ends.
    pub games: Option<u32>,
    /// Pieces after which the run ends.
    pub pieces: Option<usize>,
    /// Recorded with the run.
    pub seed: u64,
    /// Whether the screen is shown.
    pub show: bool,
    /// Where to record.
    pub record: Option<&'a Path>,
}

/// Plays games on one console under any clock.
#[expect(clippy::disallowed_methods, reason = "measures how long games take; nothing depends on it")]
pub fn play_on<C: Clock>(
    clock: &C,
    kind: ClockKind,
    options: &Options<'_>,
    values: &Values,
    cartridge: &Cartridge,
    cancel: &Cancel,
) -> anyhow::Result<Played> {
    let _quiet = QuietOutput::begin()?;
    let console = Emulator::new(cartridge).map_err(|error| UsageError(error.to_string()))?;
    let Body { eye, hand } = body::body(console, clock);
    let body = Body { eye: ShownEye::new(eye, options.show), hand };
    let started = jiff::Timestamp::now();
    let recording = match options.record {
        Some(path) => Some(recording::begin(path, "tetris", "emulator", options.seed, kind, values)?),
        None => None,
    };
    let limits = Limits { games: options.games, time: None };
    let settings = EngineSettings::from_values(values).to_engine(Thinking::Unlimited, limits);
    let mut engine =
        Engine::new(body, Upright, player(values)?, clock.clone(), recording, cancel.clone(), settings);
    let (mut wall_s, mut began) = (Vec::new(), Instant::now());
    let ending = engine.run_watched(|engine| {
        let seen = || engine.player().games().iter().map(|game| game.pieces.len()).sum::<usize>();
        if options.pieces.is_some_and(|limit| seen() >= limit) {
            cancel.cancel();
        }
        if engine.counts().games as usize > wall_s.len() {
            wall_s.push(began.elapsed().as_secs_f64());
            began = Instant::now();
            if let Some(game) = engine.player().games().get(wall_s.len() - 1) {
                tracing::info!("game {}: {} points, {} lines", wall_s.len(), game.score, game.lines);
            }
        }
    });
    let games = engine.player().games().to_vec();
    let counts = engine.counts();
    let times = engine.timings().summary();
    if let Some(recording) = engine.into_journal() {
        recording::close(recording, started, times, values)?;
    }
    Ok(Played { games, wall_s, periods: body::period_at(clock.now()), counts, ending })
}

fn report(play: &PlayTetris, values: &Values, played: &Played) -> Report {
    let settings = TetrisSettings::from_values(values);
    let games: Vec<_> = played
        .games
        .iter()
        .zip(&played.wall_s)
        .map(|(game, wall_s)| game_report(game, play.seed, *wall_s))
        .collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let scores: Vec<_> = games.iter().map(|game| f64::from(game.score)).collect();
    let to_max_out: Vec<_> = games.iter().filter_map(|game| game.lines_to_max_out).map(f64::from).collect();
    Report {
        seed: play.seed,
        level: settings.level,
        heart: settings.heart,
        press_ms: settings.press_ms,
        score_mean: if scores.is_empty() { 0.0 } else { mean(&scores) },
        max_outs: to_max_out.len(),
        lines_to_max_out_mean: (!to_max_out.is_empty()).then(|| mean(&to_max_out)),
        frames_per_s: played.periods as f64 / played.wall_s.iter().sum::<f64>().max(1e-9),
        games,
        counts: played.counts,
        ending: played.ending.clone(),
    }
}

fn game_report(game: &GameLog, seed: u64, wall_s: f64) -> GameReport {
    GameReport {
        seed,
        score: game.score,
        lines: game.lines,
        level: game.level,
        pieces: game.pieces.len(),
        presses: game.presses,
        max_out: game.score == MAX_SCORE,
        lines_to_max_out: game.lines_to_max_out,
        name_in_table: game.name_seen,
        game_s: (game.last_period - game.first_period) as f64 / FRAMES_PER_SECOND,
        wall_s,
        unclear_looks: game.unclear_looks,
        diverged_plans: game.diverged_plans,
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for (index, game) in report.games.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "game {}  score {}  lines {}  level {}  pieces {}  presses {}  time {:.1} s (wall {:.1} s)  max-out {}  unclear {}  diverged {}",
            index + 1,
            game.score,
            game.lines,
            game.level,
            game.pieces,
            game.presses,
            game.game_s,
            game.wall_s,
            game.lines_to_max_out.map_or_else(|| "no".to_owned(), |lines| format!("after {lines} lines")),
            game.unclear_looks,
            game.diverged_plans,
        );
    }
    let to_max_out = report.lines_to_max_out_mean;
    let _ = writeln!(
        text,
        "games {}  mean score {:.0}  max-outs {}{}  {:.0} frames/s",
        report.games.len(),
        report.score_mean,
        report.max_outs,
        to_max_out.map_or_else(String::new, |lines| format!(", on average after {lines:.1} lines")),
        report.frames_per_s,
    );
    text
}
