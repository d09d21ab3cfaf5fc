//! `gamebot measure strength`: how strong the players are without a body (G20; table 4.4 of the document).

use std::io::Write;

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use tetris::arena::{Contest, GameRecord, Limits, Player, Rules, Summary};
use tetris::gameboy::{MAX_SCORE, Mode, Setup};
use tetris::reach::Timing;

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::plot::{PlotFile, Share, Shares};
use crate::{jobs, progress, table};

const EXAMPLES: &str = "\
Examples:
  gamebot measure strength                       the document's 100 games of each player, from level 9, 75 ms a press
  gamebot measure strength --games 10 --json     fewer of them
  gamebot measure strength --plot strength.svg   with a picture";

/// Milliseconds a press takes in the document.
const PRESS_MS: f64 = 75.0;

/// Measure how strong players are by the document's procedure, ours beside them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureStrength {
    /// Games of each player.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,

    /// Start level, 0 to 9.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(0..=9))]
    level: u8,

    /// Lines after which a game is stopped.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u32,

    /// Random seed; the same seed gives the same pieces.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Number of threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Draw the mean points of each row into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Mean and standard deviation of lines and points in the document.
#[derive(Clone, Copy, Debug, Serialize)]
struct Document {
    lines_mean: f64,
    lines_sd: f64,
    score_mean: f64,
    score_sd: f64,
}

/// A row of the table: who plays how.
struct Kind {
    player: &'static str,
    how: How,
    document: Option<Document>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum How {
    /// The document's simulation; the piece falls while keys are pressed.
    Falling,
    /// The document's simulation; the piece waits for the keys.
    Waiting,
    /// The console's own rules to the frame, until 999,999 points.
    Console,
}

const KINDS: [Kind; 5] = [
    Kind::of_document("lee", How::Falling, [6_736.7, 7_540.2, 900_241.7, 224_947.0]),
    Kind::of_document("bergmark", How::Falling, [3_205.5, 2_615.9, 890_606.0, 236_741.3]),
    Kind::of_document("lee", How::Waiting, [21_918.9, 24_084.9, 983_052.7, 100_347.6]),
    Kind::of_document("bergmark", How::Waiting, [6_039.3, 6_192.9, 970_509.1, 116_671.2]),
    Kind { player: "ours", how: How::Console, document: None },
];

impl Kind {
    const fn of_document(player: &'static str, how: How, figures: [f64; 4]) -> Kind {
        let [lines_mean, lines_sd, score_mean, score_sd] = figures;
        Kind { player, how, document: Some(Document { lines_mean, lines_sd, score_mean, score_sd }) }
    }
}

#[derive(Debug, Serialize)]
struct Row {
    player: &'static str,
    how: How,
    #[serde(flatten)]
    summary: Summary,
    document: Option<Document>,
}

/// Runs the verb.
pub fn run(measure: &MeasureStrength, out: &mut Output) -> anyhow::Result<Ending> {
    let cancel = crate::interrupt::on_interrupt()?;
    let contests = KINDS.iter().map(|kind| contest(measure, kind.how)).collect::<Result<Vec<_>, _>>()?;
    let players = KINDS
        .iter()
        .map(|kind| Player::named(kind.player).with_context(|| format!("no player is named {}", kind.player)))
        .collect::<Result<Vec<_>, _>>()?;
    let bar = progress::bar(KINDS.len() as u64 * measure.games, "games");
    let jobs = (0..KINDS.len()).flat_map(|kind| (0..measure.games).map(move |index| (kind, index)));
    let play = move |&(kind, index): &(usize, u64)| (kind, index, players[kind].play(&contests[kind], index));
    let mut records = vec![Vec::new(); KINDS.len()];
    jobs::each(jobs.collect(), measure.threads, &cancel, play, |(kind, index, record)| {
        bar.inc(1);
        records[kind].push((index, record));
        Ok(())
    })?;
    bar.finish_and_clear();
    let rows: Vec<_> = KINDS.iter().zip(records).map(|(kind, records)| row(kind, records)).collect();
    let picture = Shares {
        title: "Mean points, of 999,999 (line: the document's)".to_owned(),
        bars: rows.iter().map(bar_of).collect(),
    };
    if measure.json {
        out.json(&rows)?;
    } else {
        writeln!(out, "{}", text(&rows))?;
    }
    out.flush()?;
    measure.plot.iter().try_for_each(|file| file.draw(&picture))?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn contest(measure: &MeasureStrength, how: How) -> anyhow::Result<Contest> {
    let rules = match how {
        How::Falling => Rules::Document { level: measure.level, press_ms: Some(PRESS_MS) },
        How::Waiting => Rules::Document { level: measure.level, press_ms: None },
        How::Console => Rules::GameBoy {
            setup: Setup::new(Mode::A, measure.level, false)
                .map_err(|error| UsageError(error.to_string()))?,
            timing: Timing::from_ms(PRESS_MS),
        },
    };
    let limits = Limits { lines: measure.lines, stop_at_max_out: how == How::Console };
    Ok(Contest { rules, limits, seed: measure.seed })
}

fn row(kind: &Kind, mut records: Vec<(u64, GameRecord)>) -> Row {
    records.sort_by_key(|(index, _)| *index);
    let records: Vec<_> = records.into_iter().map(|(_, record)| record).collect();
    Row { player: kind.player, how: kind.how, summary: Summary::of(&records), document: kind.document }
}

fn bar_of(row: &Row) -> Share {
    let measured = row.summary.score_mean / f64::from(MAX_SCORE);
    Share {
        name: format!("{}, {}", row.player, name(row.how)),
        measured,
        model: row.document.map_or(measured, |document| document.score_mean / f64::from(MAX_SCORE)),
    }
}

fn name(how: How) -> &'static str {
    match how {
        How::Falling => "falling",
        How::Waiting => "waiting",
        How::Console => "console",
    }
}

fn text(rows: &[Row]) -> String {
    let header = [
        "player",
        "pieces",
        "games",
        "lines ± σ",
        "document",
        "points ± σ",
        "document",
        "max-outs",
        "after lines",
    ];
    let mut table = table::table(&header);
    let with_sd = |mean: f64, sd: f64| format!("{mean:.0} ± {sd:.0}");
    for Row { player, how, summary, document } in rows {
        let of_document = |pick: fn(&Document) -> (f64, f64)| {
            document.as_ref().map_or_else(
                || "–".to_owned(),
                |document| {
                    let (mean, sd) = pick(document);
                    with_sd(mean, sd)
                },
            )
        };
        table.add_row([
            (*player).to_owned(),
            name(*how).to_owned(),
            summary.games.to_string(),
            with_sd(summary.lines_mean, summary.lines_sd),
            of_document(|document| (document.lines_mean, document.lines_sd)),
            with_sd(summary.score_mean, summary.score_sd),
            of_document(|document| (document.score_mean, document.score_sd)),
            summary.max_outs.to_string(),
            summary.lines_to_max_out_mean.map_or_else(|| "–".to_owned(), |lines| format!("{lines:.0}")),
        ]);
    }
    format!(
        "{}\nfalling: the document's simulation, the piece falls while keys are pressed (75 ms each) · waiting: the piece \
         waits for the keys · console: the console's own rules to the frame, until 999,999 points",
        table::figures(table)
    )
}
