//! Exact scores compared with BitBully in the same run: one thread, no book, an
//! empty table before each position, CPU time of the solving call alone.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::Value;

use super::{Report, measure, peer};

/// The peer's release, so that the report can be repeated.
const BITBULLY: &str = "bitbully==0.0.79";
const PEER: &str = "xtask/src/bench/bitbully_peer.py";

/// Exact scores of the six benchmark sets, compared with BitBully.
#[derive(Args, Debug)]
pub struct Options {
    /// Check all 6,000 positions, without the peer.
    #[arg(long)]
    all: bool,
    /// Also solve the empty board without the book.
    #[arg(long)]
    empty: bool,
    /// Measure answers with the book to this many random positions, and the perfect player's moves.
    #[arg(long, value_name = "POSITIONS")]
    answers: Option<u32>,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    // Each measurement has its own report, so that none overwrites another.
    let name = match (options.answers, options.all) {
        (Some(_), _) => "connect-four-answers",
        (None, true) => "connect-four-all",
        (None, false) => "connect-four",
    };
    let mut report = Report::begin(name)?;
    if let Some(positions) = options.answers {
        answers(positions, &mut report)?;
        report.write()?;
        return Ok(());
    }
    let mut arguments = vec!["--positions"];
    arguments.extend(options.all.then_some("--all"));
    arguments.extend(options.empty.then_some("--empty"));
    let figures = measure("connect-four", "solver", &arguments)?;
    let sets = figures["sets"].as_array().context("the measuring program reports sets")?;
    if options.all {
        all_scores(sets, &mut report);
    } else {
        against_the_peer(sets, &mut report)?;
    }
    let empty = &figures["empty_board"];
    if !empty.is_null() {
        let seconds = number(empty, "cpu_s");
        report.line(&format!(
            "\nEmpty board without book, one core: score {}, {} nodes, {seconds:.1} s (goal < 20 s).",
            empty["score"], empty["nodes"]
        ));
    }
    report.write()?;
    let wrong: u64 = sets.iter().filter_map(|set| set["wrong"].as_u64()).sum();
    ensure!(wrong == 0, "{wrong} scores are wrong");
    Ok(())
}

fn all_scores(sets: &[Value], report: &mut Report) {
    report.line("| set | positions | wrong | nodes | µs CPU |");
    report.line("|---|---|---|---|---|");
    for set in sets {
        report.line(&format!(
            "| {} | {} | {} | {:.0} | {:.1} |",
            name(set),
            set["positions"],
            set["wrong"],
            number(set, "nodes_mean"),
            number(set, "cpu_us_mean")
        ));
    }
}

fn against_the_peer(sets: &[Value], report: &mut Report) -> anyhow::Result<()> {
    let python = peer::python(BITBULLY)?;
    report.line(&format!("Means over a set; peer: {BITBULLY}, `mtdf(board, first_guess=0)`.\n"));
    report.line("| set | positions | wrong | nodes | Gamebot µs | BitBully µs | times faster (goal ≥ 3) |");
    report.line("|---|---|---|---|---|---|---|");
    let mut logs = 0.0;
    for set in sets {
        let moves: Vec<&str> =
            set["moves"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let theirs = peer_mean_us(&python, &moves)?;
        let ours = number(set, "cpu_us_mean");
        let faster = theirs / ours;
        logs += faster.ln();
        report.line(&format!(
            "| {} | {} | {} | {:.0} | {ours:.1} | {theirs:.1} | {faster:.1} |",
            name(set),
            set["positions"],
            set["wrong"],
            number(set, "nodes_mean"),
        ));
    }
    let mean = (logs / sets.len() as f64).exp();
    report.line(&format!("\nGeometric mean over the sets: {mean:.1} times faster (goal ≥ 8)."));
    Ok(())
}

/// Mean CPU time of the peer's solving calls.
fn peer_mean_us(python: &str, moves: &[&str]) -> anyhow::Result<f64> {
    let mut child = Command::new(python)
        .arg(PEER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the peer")?;
    let mut input = child.stdin.take().context("the peer has an input")?;
    let lines = moves.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "the peer failed: {}", output.status);
    writer.join().ok().context("the peer's input broke")??;
    let text = String::from_utf8(output.stdout)?;
    let nanoseconds: Vec<f64> =
        text.lines().filter_map(|line| line.split_once(' ')?.1.parse().ok()).collect();
    ensure!(nanoseconds.len() == moves.len(), "the peer answered {} of {}", nanoseconds.len(), moves.len());
    Ok(nanoseconds.iter().sum::<f64>() / nanoseconds.len() as f64 / 1e3)
}

/// Waiting times: answers with the book, and the perfect player's own moves.
fn answers(positions: u32, report: &mut Report) -> anyhow::Result<()> {
    let count = positions.to_string();
    let figures = measure("connect-four", "answers", &["--positions", &count])?;
    let book = &figures["book"];
    report.line(&format!(
        "Book: every position up to ply {}, lines of perfect play up to ply {}; {} + {} positions, {} bytes.\n",
        book["full_plies"], book["line_plies"], book["full_positions"], book["line_positions"], book["bytes"]
    ));
    report.line("| what | p50 | p90 | p99 | longest |");
    report.line("|---|---|---|---|---|");
    for (label, field) in [
        (
            "scores of all columns, random positions of all depths, two threads (goal 1, 50, 1500 ms)",
            "columns_ms",
        ),
        (
            "the perfect player's own move, first and second, random opponents (goal ≤ 50 ms)",
            "perfect_move_ms",
        ),
    ] {
        let f = &figures[field];
        report.line(&format!(
            "| {label} | {:.3} ms | {:.3} ms | {:.1} ms | {:.1} ms |",
            number(f, "p50"),
            number(f, "p90"),
            number(f, "p99"),
            number(f, "max")
        ));
    }
    report.line(&format!("\nPeak memory: {:.0} MB (goal < 200 MB).", number(&figures, "peak_mb")));
    Ok(())
}

fn name(set: &Value) -> &str {
    set["set"].as_str().unwrap_or("?")
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or(f64::NAN)
}
