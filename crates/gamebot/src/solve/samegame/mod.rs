//! `gamebot solve samegame`: reads boards, prints numbered moves.

mod input;
mod show;
mod solver;
mod statistics;

use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use engine::Cancel;
use samegame::answer::Proof;
use samegame::board::Board;
use samegame::notation::write_moves;
use samegame::rules::{Orientation, Rules};
use serde::Serialize;

use crate::ending::{Ending, UsageError};
use crate::flags::GoalFlag;
use crate::output::Output;
use input::{Boards, Size};
use solver::Solved;

const EXAMPLES: &str = "\
Examples:
  gamebot solve samegame '[[1,2,1,1],[1,2,2,2],[1,2,1,1]]'       moves that clear the board
  gamebot solve samegame boards.txt --json                       one board per line; '-' reads standard input
  gamebot solve samegame boards.txt --goal points --time 30s     the highest score in 30 seconds per board
  gamebot solve samegame '[[1,1,2],[1,2,2]]' --show              the board after each move
  gamebot solve samegame --random 15x15x3 --seed 7 --count 100   statistics of random boards

A board is written column by column from the left, each from the bottom up; 0 is background.
A move is the number of a removable group, counted from 1 by its first cell in that order.";

/// Solve SameGame boards.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SolveSamegame {
    /// A board like `[[1,2],[2,1]]`, a file with one board per line, or - for standard input.
    #[arg(value_name = "BOARD|FILE|-", required_unless_present = "random")]
    boards: Option<String>,

    /// Solve random boards of this size instead: columns x rows x colours.
    #[arg(long, value_name = "WxHxC", conflicts_with = "boards")]
    random: Option<Size>,

    /// Number of random boards.
    #[arg(long, default_value_t = 1, requires = "random", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Use only random boards that can be cleared.
    #[arg(long, requires = "random")]
    solvable: bool,

    /// Smallest group that can be removed.
    #[arg(long, default_value_t = 2, value_name = "N")]
    min_group: usize,

    /// What to look for.
    #[arg(long, value_enum, default_value_t = GoalFlag::Clear)]
    goal: GoalFlag,

    /// Search method.
    #[arg(long, value_enum, default_value_t = SolverFlag::Auto)]
    solver: SolverFlag,

    /// Time limit per board, for example 500ms or 2m [default: 10s unless --nodes is given].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Node limit per board; the same seed and nodes give the same answer.
    #[arg(long)]
    nodes: Option<u64>,

    /// Side to which columns close. It changes what --show draws, never the moves.
    #[arg(long, value_enum, default_value_t = OrientationFlag::Left)]
    orientation: OrientationFlag,

    /// Number of threads [default: one per processor].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print the board after each move.
    #[arg(long, conflicts_with = "json")]
    show: bool,

    /// Animate the moves in the terminal.
    #[arg(long, conflicts_with_all = ["json", "show"])]
    animate: bool,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SolverFlag {
    /// The best method for the goal: annealing of click sequences, and exhaustive search for proofs.
    Auto,
    /// Depth first, last group first, remembering failed boards; for --goal clear only.
    Exhaustive,
    /// A population of move lists that breed and mutate.
    Evolutionary,
    /// Nested rollout policy adaptation.
    Nrpa,
    /// Beam search.
    Beam,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrientationFlag {
    /// Columns move left.
    Left,
    /// Columns move right.
    Right,
    /// Both halves move towards the middle.
    Mixed,
}

impl From<OrientationFlag> for Orientation {
    fn from(flag: OrientationFlag) -> Self {
        match flag {
            OrientationFlag::Left => Self::Left,
            OrientationFlag::Right => Self::Right,
            OrientationFlag::Mixed => Self::Mixed,
        }
    }
}

/// The printed result for one board.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    moves: Vec<usize>,
    /// The cells of each move on the board before it, as column and row from 0 at the bottom left: any of them can
    /// be clicked.
    cells: Vec<Vec<(usize, usize)>>,
    cleared: bool,
    proof: &'static str,
    remaining: usize,
    score: i32,
    /// The move after which the position of the board depends on the orientation.
    depends_after: Option<usize>,
    nodes: u64,
    time_ms: f64,
}

/// A board that could not be read.
#[derive(Debug, Serialize)]
struct Refused {
    line: usize,
    error: String,
}

/// Runs the verb.
pub fn run(solve: &SolveSamegame, out: &mut Output) -> anyhow::Result<Ending> {
    let rules = Rules::with_min_group(solve.min_group).map_err(|error| UsageError(error.to_string()))?;
    let rules = rules.closing(solve.orientation.into());
    let job = solver::Job::new(solve, rules)?;
    let cancel = crate::interrupt::on_interrupt()?;
    if let Some(size) = solve.random {
        return statistics::run(solve, &job, size, &cancel, out);
    }
    match Boards::read(solve.boards.as_deref().unwrap_or("-"))? {
        Boards::One(board) => {
            let solved = job.solve(&board, (1, 1), &cancel)?;
            let report = Report::new(None, &solved);
            if solve.json {
                out.json(&report)?;
            } else {
                write_text(solve, &board, rules, &solved, &cancel, out)?;
            }
            Ok(ending(&cancel, report.answers_yes(solve.goal)))
        }
        Boards::Lines(lines) => solve_lines(solve, &job, lines, &cancel, out),
    }
}

/// Solves one board per line; a bad line is answered with its error, and the others go on.
fn solve_lines(
    solve: &SolveSamegame,
    job: &solver::Job,
    lines: Vec<input::Line>,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let mut reports = Vec::new();
    let mut all_yes = true;
    let count = lines.len();
    for (index, input::Line { number, board }) in lines.into_iter().enumerate() {
        if cancel.is_cancelled() {
            break;
        }
        match board {
            Ok(board) => {
                let solved = job.solve(&board, (index + 1, count), cancel)?;
                let report = Report::new(Some(number), &solved);
                all_yes &= report.answers_yes(solve.goal);
                if solve.json {
                    reports.push(serde_json::to_value(report)?);
                } else {
                    write_text(solve, &board, job.rules, &solved, cancel, out)?;
                }
            }
            Err(error) => {
                all_yes = false;
                let error = error.to_string();
                if solve.json {
                    reports.push(serde_json::to_value(Refused { line: number, error })?);
                } else {
                    writeln!(out, "error: line {number}: {error}")?;
                }
            }
        }
        out.flush()?;
    }
    if solve.json {
        out.json(&reports)?;
    }
    Ok(ending(cancel, all_yes))
}

fn write_text(
    solve: &SolveSamegame,
    board: &Board,
    rules: Rules,
    solved: &Solved,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<()> {
    if solve.animate {
        show::animate(board, &solved.replay, cancel, out)?;
    } else if solve.show {
        show::show(board, &solved.replay, out)?;
    }
    match solve.goal {
        GoalFlag::Clear => writeln!(out, "{}", write_moves(&solved.answer.moves))?,
        GoalFlag::Points => {
            writeln!(out, "{} {} points", write_moves(&solved.answer.moves), solved.replay.score)?;
        }
    }
    match (solve.goal, solved.answer.proof) {
        (_, Proof::Cleared) => {}
        (_, Proof::Impossible) => {
            tracing::warn!(
                remaining = solved.answer.remaining,
                min_group = rules.min_group(),
                "the board cannot be cleared"
            );
        }
        (GoalFlag::Clear, Proof::Open) => {
            tracing::warn!(
                remaining = solved.answer.remaining,
                "no way to clear the board was found; more --time may help"
            );
        }
        (GoalFlag::Points, Proof::Open) => {}
    }
    Ok(())
}

impl Report {
    fn new(line: Option<usize>, solved: &Solved) -> Self {
        let answer = &solved.answer;
        let proof = match answer.proof {
            Proof::Cleared => "cleared",
            Proof::Impossible => "impossible",
            Proof::Open => "open",
        };
        Self {
            line,
            moves: answer.moves.clone(),
            cells: solved.replay.steps.iter().map(|step| step.group.cells.clone()).collect(),
            cleared: answer.proof == Proof::Cleared,
            proof,
            remaining: answer.remaining,
            score: solved.replay.score,
            depends_after: solved.depends_after,
            nodes: answer.nodes,
            time_ms: solved.time.as_secs_f64() * 1e3,
        }
    }

    /// Whether the answer is positive: points can always be scored, but not every board can be cleared.
    fn answers_yes(&self, goal: GoalFlag) -> bool {
        goal == GoalFlag::Points || self.cleared
    }
}

fn ending(cancel: &Cancel, yes: bool) -> Ending {
    match (cancel.is_cancelled(), yes) {
        (true, _) => Ending::Interrupted,
        (false, true) => Ending::Success,
        (false, false) => Ending::Negative,
    }
}

/// `10s`, `500ms`, `2m`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let time = text.parse::<jiff::SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "write a time with its unit, such as 500ms, 10s or 2m".to_owned())
}
