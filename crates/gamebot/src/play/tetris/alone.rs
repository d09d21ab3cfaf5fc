//! One player on one console.

use std::fmt::Write;
use std::time::Instant;

use engine::{Counts, RunEnding};
use gameboy::display::period_at;
use indicatif::ProgressBar;
use players::tetris::{GameLog, TetrisPlayer};
use runs::operator::Controls;
use runs::settings::TetrisSettings;
use runs::{Pair, Request};
use serde::Serialize;
use tetris::gameboy::{FRAMES_PER_SECOND, MAX_SCORE};

use super::super::finish;
use super::keys::{self, Keyboard};
use super::quiet::QuietOutput;
use super::view::{Graphics, TerminalView};
use super::{PlayTetris, write_report};
use crate::ending::Ending;
use crate::output::Output;
use crate::progress;

/// Looks between two messages of the progress bar.
const TICKS_A_MESSAGE: u64 = 64;

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    level: u32,
    heart: bool,
    press_ms: f64,
    games: Vec<GameReport>,
    /// The game that was interrupted.
    unfinished: Option<GameReport>,
    score_mean: f64,
    max_outs: usize,
    lines_to_max_out_mean: Option<f64>,
    frames_per_s: f64,
    counts: Counts,
    ending: RunEnding,
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
    /// Whether all 25 lines of a B-type game were cleared.
    completed: bool,
    game_s: f64,
    wall_s: f64,
    unclear_looks: u32,
    diverged_plans: u32,
}

/// What a run leaves behind.
pub struct Outcome {
    /// All games; one that was not finished comes last.
    pub games: Vec<GameLog>,
    /// Seconds on the wall that each finished one took.
    wall_s: Vec<f64>,
    /// Seconds on the wall since the last of them.
    unfinished_s: f64,
    /// Display periods in all.
    periods: u64,
    counts: Counts,
    /// Why it ended.
    pub ending: RunEnding,
}

/// Plays and reports.
pub fn run<P: Pair<Player = TetrisPlayer>>(
    play: &PlayTetris,
    request: Request,
    controls: Option<Controls>,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let settings = TetrisSettings::from_values(&request.values);
    let played = match controls {
        Some(controls) => shown::<P>(request, controls, &settings, play.graphics)?,
        None => play_games::<P>(request, None, None)?,
    };
    let report = report(play.series.seed(), &settings, &played);
    write_report(out, play.series.json, &report, &text(&report))?;
    finish(played.ending)
}

/// Plays with a picture, and listens to the keys.
fn shown<P: Pair<Player = TetrisPlayer>>(
    request: Request,
    controls: Controls,
    settings: &TetrisSettings,
    graphics: Option<Graphics>,
) -> anyhow::Result<Outcome> {
    let view = TerminalView::with(graphics);
    let keyboard = Keyboard::listen(controls, settings.clone(), request.cancel.clone(), view.grain())?;
    let view = if keyboard.is_some() { view.with_help(keys::HELP) } else { view };
    play_games::<P>(request, None, Some(view))
}

/// Plays games on one console with this body, until this many pieces were seen if a number is given.
#[expect(clippy::disallowed_methods, reason = "measures how long games take; nothing depends on it")]
pub fn play_games<P: Pair<Player = TetrisPlayer>>(
    request: Request,
    pieces: Option<usize>,
    view: Option<TerminalView>,
) -> anyhow::Result<Outcome> {
    let _quiet = QuietOutput::begin()?;
    let cancel = request.cancel.clone();
    let (mut wall_s, mut began) = (Vec::new(), Instant::now());
    let settings = TetrisSettings::from_values(&request.values);
    let games = request.limits.games.unwrap_or(1);
    // A view of the game says more.
    let bar =
        if view.is_some() { ProgressBar::hidden() } else { progress::games(pieces.map_or(games, |_| 1)) };
    let played = runs::play::<P, _>(request, view, |player, counts| {
        let seen = || player.games().iter().map(|game| game.pieces.len()).sum::<usize>();
        if pieces.is_some_and(|limit| seen() >= limit) {
            cancel.cancel();
        }
        if counts.ticks.is_multiple_of(TICKS_A_MESSAGE) {
            match pieces {
                Some(limit) => {
                    bar.set_position(progress::share(seen() as f64 / limit as f64));
                    bar.set_message(format!("{} of {limit} pieces", seen()));
                }
                None => show(&bar, &settings, player.games(), wall_s.len(), games),
            }
        }
        if counts.games as usize > wall_s.len() {
            wall_s.push(began.elapsed().as_secs_f64());
            began = Instant::now();
            if let Some(game) = player.games().get(wall_s.len() - 1) {
                tracing::info!("game {}: {} points, {} lines", wall_s.len(), game.score, game.lines);
            }
        }
    })?;
    bar.finish_and_clear();
    Ok(Outcome {
        games: played.player.games().to_vec(),
        wall_s,
        unfinished_s: began.elapsed().as_secs_f64(),
        periods: period_at(played.time.elapsed()),
        counts: played.counts,
        ending: played.ending,
    })
}

/// Says how far the games are; `ended` of them have ended.
fn show(bar: &ProgressBar, settings: &TetrisSettings, games: &[GameLog], ended: usize, wanted: u32) {
    let Some(game) = games.get(ended) else { return };
    let done = |value: usize, goal: usize| if goal == 0 { 0.0 } else { value as f64 / goal as f64 };
    let points = if settings.stop_at_max_out { done(game.score as usize, MAX_SCORE as usize) } else { 0.0 };
    let share = points.max(done(game.pieces.len(), settings.pieces as usize)).min(1.0);
    bar.set_position(ended as u64 * progress::WHOLE + progress::share(share));
    let GameLog { score, lines, .. } = game;
    bar.set_message(format!("game {} of {wanted}: {score} points, {lines} lines", ended + 1));
}

fn report(seed: u64, settings: &TetrisSettings, played: &Outcome) -> Report {
    let games: Vec<_> = played
        .games
        .iter()
        .zip(&played.wall_s)
        .map(|(game, wall_s)| game_report(game, seed, *wall_s))
        .collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let scores: Vec<_> = games.iter().map(|game| f64::from(game.score)).collect();
    let to_max_out: Vec<_> = games.iter().filter_map(|game| game.lines_to_max_out).map(f64::from).collect();
    Report {
        seed,
        level: settings.level,
        heart: settings.heart,
        press_ms: settings.press_ms,
        score_mean: if scores.is_empty() { 0.0 } else { mean(&scores) },
        max_outs: to_max_out.len(),
        lines_to_max_out_mean: (!to_max_out.is_empty()).then(|| mean(&to_max_out)),
        frames_per_s: played.periods as f64 / (played.wall_s.iter().sum::<f64>() + played.unfinished_s),
        unfinished: played
            .games
            .get(games.len())
            .filter(|_| played.ending == RunEnding::Cancelled)
            .map(|game| game_report(game, seed, played.unfinished_s)),
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
        completed: game.completed,
        game_s: (game.last_period - game.first_period) as f64 / FRAMES_PER_SECOND,
        wall_s,
        unclear_looks: game.unclear_looks,
        diverged_plans: game.diverged_plans,
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    let finished = report.games.iter().enumerate().map(|(index, game)| ((index + 1).to_string(), game));
    let unfinished = report.unfinished.iter().map(|game| ("(interrupted)".to_owned(), game));
    for (name, game) in finished.chain(unfinished) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "game {name}  score {}  lines {}  level {}  pieces {}  presses {}  time {:.1} s (wall {:.1} s)  max-out {}  unclear {}  diverged {}",
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
