//! Connect Four in the pages' WebAssembly module against native code, position by position in the same run: one thread,
//! no book, an empty table before each position, CPU time.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::{Report, measure};
use crate::{install, wasm};

const PEER: &str = "xtask/src/bench/browser_peer.mjs";
/// The goal of the easy and middle sets.
const MOST: f64 = 2.0;
/// Sets whose goal is checked; the others are shown.
const CHECKED: [&str; 4] = ["L3_R1", "L2_R1", "L2_R2", "L1_R1"];

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    install::debian(&[("node", "nodejs")])?;
    let mut report = Report::begin("browser")?;
    let native = measure("connect-four", "solver", &["--positions"])?;
    let sets = native["sets"].as_array().context("the measuring program reports sets")?;
    let bytes = fs::metadata(wasm::MODULE)?.len();
    report.line(&format!(
        "- module: {bytes} bytes (at most {}), run in the engine of Chromium (Node)\n",
        wasm::MOST_BYTES
    ));
    report.line("| set | positions | wrong | native µs | module µs | ratio |");
    report.line("|---|---|---|---|---|---|");
    for set in sets {
        let name = set["set"].as_str().unwrap_or_default();
        let page = in_the_module(&set["moves"])?;
        let of = |figures: &Value, field: &str| figures[field].as_f64().unwrap_or(f64::NAN);
        let (native_us, page_us) = (of(set, "cpu_us_mean"), of(&page, "cpu_us_mean"));
        let ratio = page_us / native_us;
        let positions = &set["positions"];
        report.line(&format!(
            "| {name} | {positions} | {} | {native_us:.0} | {page_us:.0} | {ratio:.2} |",
            wrong(name, set, &page)?
        ));
        if CHECKED.contains(&name) && ratio > MOST {
            report.line(&format!("\n{name} misses the goal of {MOST} times native.\n"));
        }
    }
    report.write()?;
    Ok(())
}

/// Scores that differ from the set's.
fn wrong(name: &str, set: &Value, page: &Value) -> anyhow::Result<usize> {
    let text = fs::read_to_string(format!("fixtures/connect-four/Test_{name}"))?;
    let known = |moves: &str| {
        text.lines().find_map(|line| line.strip_prefix(moves)?.strip_prefix(' ')?.trim().parse::<i64>().ok())
    };
    let moves = set["moves"].as_array().context("the measuring program lists its positions")?;
    let scores = page["scores"].as_array().context("the module's scores")?;
    ensure!(moves.len() == scores.len(), "{name}: {} positions but {} scores", moves.len(), scores.len());
    let differs =
        |(moves, score): &(&Value, &Value)| known(moves.as_str().unwrap_or_default()) != score.as_i64();
    Ok(moves.iter().zip(scores).filter(differs).count())
}

fn in_the_module(moves: &Value) -> anyhow::Result<Value> {
    let mut node = Command::new("node")
        .args([PEER, wasm::MODULE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    let input = json!(moves).to_string();
    node.stdin.take().context("node has an input")?.write_all(input.as_bytes())?;
    let output = node.wait_with_output()?;
    ensure!(output.status.success(), "{PEER} failed: {}", output.status);
    Ok(serde_json::from_slice(&output.stdout)?)
}
