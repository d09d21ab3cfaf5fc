//! Two players on two consoles with a cable between them (G19).

use std::fmt::Write;
use std::time::Instant;

use engine::RunEnding;
use players::tetris::GameLog;
use runs::Request;
use runs::tetris::{Linked, play_versus};
use serde::Serialize;
use tetris::gameboy::FRAMES_PER_SECOND;

use super::super::finish;
use super::quiet::QuietOutput;
use super::{PlayTetris, write_report};
use crate::ending::Ending;
use crate::output::Output;

#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    games: Vec<MatchReport>,
    /// The match that was interrupted; its rounds are not known.
    unfinished: Option<MatchReport>,
    wall_s: f64,
}

/// A match: the caller's figures first.
#[derive(Debug, Serialize)]
struct MatchReport {
    rounds_won: [u8; 2],
    pieces: [usize; 2],
    presses: [u32; 2],
    diverged_plans: [u32; 2],
    game_s: f64,
}

/// Plays and reports.
#[expect(clippy::disallowed_methods, reason = "measures how long matches take; nothing depends on it")]
pub fn run<P: Linked>(play: &PlayTetris, request: Request, out: &mut Output) -> anyhow::Result<Ending> {
    let began = Instant::now();
    let spinner = crate::progress::spinner(format!("playing {} matches", play.series.games));
    let played = {
        let _quiet = QuietOutput::begin()?;
        play_versus::<P>(request)
    };
    spinner.finish_and_clear();
    let played = played?;
    let [caller, listener] = &played.games;
    let reports = |is_finished: bool| {
        let games = caller.iter().zip(listener).filter(move |(game, _)| game.rounds.is_some() == is_finished);
        games.map(|(calls, listens)| match_report(calls, listens))
    };
    let report = Report {
        seed: play.series.seed(),
        games: reports(true).collect(),
        unfinished: reports(false).next_back().filter(|_| played.ending == RunEnding::Cancelled),
        wall_s: began.elapsed().as_secs_f64(),
    };
    write_report(out, play.series.json, &report, &text(&report))?;
    finish(played.ending)
}

fn match_report(calls: &GameLog, listens: &GameLog) -> MatchReport {
    let (won, lost) = calls.rounds.unwrap_or_default();
    MatchReport {
        rounds_won: [won, lost],
        pieces: [calls.pieces.len(), listens.pieces.len()],
        presses: [calls.presses, listens.presses],
        diverged_plans: [calls.diverged_plans, listens.diverged_plans],
        game_s: (calls.last_period - calls.first_period) as f64 / FRAMES_PER_SECOND,
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
            "match {name}  rounds {}:{}  pieces {} and {}  diverged {} and {}  time {:.1} s",
            game.rounds_won[0],
            game.rounds_won[1],
            game.pieces[0],
            game.pieces[1],
            game.diverged_plans[0],
            game.diverged_plans[1],
            game.game_s,
        );
    }
    text
}
