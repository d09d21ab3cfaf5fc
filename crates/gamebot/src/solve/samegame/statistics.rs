//! Solves random boards and prints how many can be cleared, how fast, and a histogram.

use std::fmt::Write as _;
use std::io::Write;

use engine::Cancel;
use rand_xoshiro::rand_core::SeedableRng;
use samegame::answer::Proof;
use samegame::board::Board;
use samegame::notation::write_moves;
use samegame::random::{Random, random_board, solvable_board};
use serde::Serialize;

use super::input::Size;
use super::solver::{Job, Solved};
use super::{Report, SolveSamegame, ending};
use crate::ending::{Ending, UsageError};
use crate::flags::GoalFlag;
use crate::output::Output;
use crate::table::{figures, table};

/// The printed result.
#[derive(Debug, Serialize)]
struct Summary {
    size: String,
    min_group: usize,
    seed: u64,
    boards: Vec<Entry>,
    cleared: usize,
    impossible: usize,
    open: usize,
    score_mean: f64,
    time_ms_median: f64,
    time_ms_p99: f64,
    time_ms_max: f64,
}

#[derive(Debug, Serialize)]
struct Entry {
    board: String,
    #[serde(flatten)]
    report: Report,
}

/// Makes and solves the boards; prints them with their moves, then figures and a histogram.
pub fn run(
    solve: &SolveSamegame,
    job: &Job,
    size: Size,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let mut random = Random::seed_from_u64(solve.seed);
    let mut solved: Vec<(Board, Solved)> = Vec::new();
    for _ in 0..solve.count {
        if cancel.is_cancelled() {
            break;
        }
        let board = make_board(solve, job, size, &mut random)?;
        let answer = job.solve(&board, (solved.len() + 1, solve.count as usize), cancel)?;
        if !solve.json {
            writeln!(out, "{board} {}", write_moves(&answer.answer.moves))?;
        }
        solved.push((board, answer));
    }
    let all_yes = solved.iter().all(|(_, solved)| Report::new(None, solved).answers_yes(solve.goal));
    let summary = summarise(solve, size, &solved);
    if solve.json {
        out.json(&summary)?;
    } else {
        write_figures(&summary, solve.goal, out)?;
    }
    Ok(ending(cancel, all_yes))
}

fn make_board(solve: &SolveSamegame, job: &Job, size: Size, random: &mut Random) -> anyhow::Result<Board> {
    let Size { columns, rows, colours } = size;
    if solve.solvable {
        let made = solvable_board(columns, rows, colours, &job.rules, random);
        Ok(made.map_err(|error| UsageError(error.to_string()))?.0)
    } else {
        Ok(random_board(columns, rows, colours, random)?)
    }
}

fn summarise(solve: &SolveSamegame, size: Size, solved: &[(Board, Solved)]) -> Summary {
    let count = |proof| solved.iter().filter(|(_, solved)| solved.answer.proof == proof).count();
    let mut times: Vec<f64> = solved.iter().map(|(_, solved)| solved.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let time_at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times.get(index.min(times.len().saturating_sub(1))).copied().unwrap_or(0.0)
    };
    let scores: i32 = solved.iter().map(|(_, solved)| solved.replay.score).sum();
    Summary {
        size: format!("{}x{}x{}", size.columns, size.rows, size.colours),
        min_group: solve.min_group,
        seed: solve.seed,
        cleared: count(Proof::Cleared),
        impossible: count(Proof::Impossible),
        open: count(Proof::Open),
        score_mean: f64::from(scores) / solved.len().max(1) as f64,
        time_ms_median: time_at(0.5),
        time_ms_p99: time_at(0.99),
        time_ms_max: time_at(1.0),
        boards: solved
            .iter()
            .map(|(board, solved)| Entry { board: board.to_string(), report: Report::new(None, solved) })
            .collect(),
    }
}

fn write_figures(summary: &Summary, goal: GoalFlag, out: &mut Output) -> anyhow::Result<()> {
    let mut rows =
        table(&["boards", "cleared", "impossible", "open", "score mean", "median ms", "p99 ms", "max ms"]);
    rows.add_row(vec![
        summary.boards.len().to_string(),
        summary.cleared.to_string(),
        summary.impossible.to_string(),
        summary.open.to_string(),
        format!("{:.0}", summary.score_mean),
        format!("{:.2}", summary.time_ms_median),
        format!("{:.2}", summary.time_ms_p99),
        format!("{:.2}", summary.time_ms_max),
    ]);
    writeln!(out, "\n{}\n", figures(rows))?;
    match goal {
        GoalFlag::Clear => {
            let times = summary.boards.iter().map(|entry| entry.report.time_ms.max(1e-3).log10());
            write!(out, "{}", histogram("time, ms", times, |log| format!("{:.2}", 10_f64.powf(log))))?;
        }
        GoalFlag::Points => {
            let scores = summary.boards.iter().map(|entry| f64::from(entry.report.score));
            write!(out, "{}", histogram("score", scores, |score| format!("{score:.0}")))?;
        }
    }
    Ok(())
}

/// Draws bars with the number of values in each of ten equal steps.
fn histogram(title: &str, values: impl Iterator<Item = f64>, label: impl Fn(f64) -> String) -> String {
    const STEPS: usize = 10;
    const WIDTH: usize = 50;
    let values: Vec<f64> = values.collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = ((high - low) / STEPS as f64).max(f64::MIN_POSITIVE);
    let mut counts = [0_usize; STEPS];
    for value in &values {
        counts[(((value - low) / width) as usize).min(STEPS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut text = format!("{title:>10}  boards\n");
    for (step, count) in counts.into_iter().enumerate() {
        let from = label(low + step as f64 * width);
        let bar = "█".repeat((count * WIDTH).div_ceil(most));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{from:>10}  {bar} {count}");
    }
    text
}
