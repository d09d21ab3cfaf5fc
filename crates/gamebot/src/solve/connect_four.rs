//! `gamebot solve connect-four`: exact scores.

use std::io::{BufRead, Write};
use std::time::Instant;

use budget::Budget;
use clap::Args;
use connect_four::{Analyst, COLUMNS, Column, Position, text};
use engine::Cancel;
use serde::Serialize;

use crate::ending::{Ending, UsageError};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot solve connect-four 4453                  the score for the player to move
  gamebot solve connect-four 4453 --all --board    every column, and the board
  gamebot solve connect-four 4453 --line --json    perfect play from here, as JSON
  gamebot solve connect-four - < positions.txt     one position per line, one answer per line

Moves are columns 1 to 7 in playing order. A score of n > 0 means that the player to move wins
with their n-th last disc, 0 a draw, and -n a loss to the opponent's n-th last disc.";

/// Find the exact score of a Connect Four position.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SolveConnectFour {
    /// The columns played, or - to read one position per line from standard input.
    #[arg(default_value = "")]
    moves: String,

    /// Print the score of every column; . for a full one.
    #[arg(long)]
    all: bool,

    /// Print the moves of perfect play from here.
    #[arg(long)]
    line: bool,

    /// Draw the board: x is the first player, o the second.
    #[arg(long)]
    board: bool,

    /// Do not use the opening book.
    #[arg(long)]
    no_book: bool,

    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Start each position with an empty table.
    #[arg(long)]
    fresh_table: bool,

    /// Memory for the solver's table, in mebibytes.
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table_mib: u32,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// The answer to one position.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Solved {
        moves: String,
        score: i32,
        columns: [Option<i32>; COLUMNS],
        best: Vec<Column>,
        line: Vec<Column>,
        nodes: u64,
        time_us: u64,
    },
    Refused {
        moves: String,
        error: String,
    },
}

/// Runs the verb.
pub fn run(solve: &SolveConnectFour, out: &mut Output) -> anyhow::Result<Ending> {
    let mut analyst = Analyst::new((solve.table_mib as usize) << 20).with_threads(usize::from(solve.threads));
    if solve.no_book {
        analyst = analyst.without_book();
    }
    let cancel = crate::interrupt::on_interrupt()?;
    if solve.moves != "-" {
        let position: Position = solve.moves.parse().map_err(|error| UsageError(format!("{error}")))?;
        let Some(answer) = answer(solve, &solve.moves, &position, &mut analyst, &cancel)? else {
            return Ok(Ending::Interrupted);
        };
        if solve.json {
            out.json(&answer)?;
        } else {
            write_text(solve, &answer, Some(&position), out)?;
        }
        return Ok(Ending::Success);
    }
    let mut ending = Ending::Success;
    let mut answers = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        // Further words, such as a known score, are ignored.
        let moves = line.split_whitespace().next().unwrap_or_default();
        let position = moves.parse::<Position>();
        let answer = match &position {
            Ok(position) => {
                let Some(answer) = answer(solve, moves, position, &mut analyst, &cancel)? else {
                    ending = Ending::Interrupted;
                    break;
                };
                answer
            }
            Err(error) => {
                ending = Ending::Negative;
                Answer::Refused { moves: moves.to_owned(), error: error.to_string() }
            }
        };
        if solve.json {
            answers.push(answer);
        } else {
            write_text(solve, &answer, position.as_ref().ok(), out)?;
        }
    }
    if solve.json {
        out.json(&answers)?;
    }
    Ok(ending)
}

/// The answer to one position; none if the user interrupts.
fn answer(
    solve: &SolveConnectFour,
    moves: &str,
    position: &Position,
    analyst: &mut Analyst,
    cancel: &Cancel,
) -> anyhow::Result<Option<Answer>> {
    if solve.fresh_table {
        analyst.clear();
    }
    let progress = crate::progress::spinner(format!("solving {moves:?}"));
    let stop = cancel.clone();
    let budget = Budget::until(move || stop.is_cancelled());
    let before = analyst.nodes();
    #[expect(clippy::disallowed_methods, reason = "the user asks how long it took")]
    let start = Instant::now();
    // JSON always has every field; text computes only what it shows.
    let scores = if (solve.all || solve.json) && !position.is_over() {
        analyst.analyse(position, &budget).map(|found| (found.score, found.columns, found.best))
    } else {
        analyst.score(position, &budget).map(|score| (score, [None; COLUMNS], Vec::new()))
    };
    let time_us = start.elapsed().as_micros() as u64;
    let line = if scores.is_ok() && (solve.line || solve.json) {
        analyst.line(position, &budget)
    } else {
        Ok(Vec::new())
    };
    progress.finish_and_clear();
    let nodes = analyst.nodes() - before;
    if cancel.is_cancelled() {
        tracing::warn!(nodes, moves, "interrupted before the score was known");
        return Ok(None);
    }
    let (score, columns, best) = scores?;
    Ok(Some(Answer::Solved { moves: moves.to_owned(), score, columns, best, line: line?, nodes, time_us }))
}

fn write_text(
    solve: &SolveConnectFour,
    answer: &Answer,
    position: Option<&Position>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (moves, score, columns, line) = match answer {
        Answer::Solved { moves, score, columns, line, .. } => (moves, score, columns, line),
        Answer::Refused { moves, error } => {
            writeln!(out, "{moves} error: {error}")?;
            return Ok(());
        }
    };
    if let (true, Some(position)) = (solve.board, position) {
        write!(out, "{}", text::picture(position))?;
    }
    if solve.all {
        let scores = columns.map(|score| score.map_or_else(|| ".".to_owned(), |score| score.to_string()));
        write!(out, "{moves} {}", scores.join(" "))?;
    } else {
        write!(out, "{moves} {score}")?;
    }
    if solve.line {
        write!(out, " {}", line.iter().map(Column::to_string).collect::<String>())?;
    }
    writeln!(out)?;
    Ok(())
}
