//! The pages that visitors play on, in Chromium: when they are ready, how evenly they move while machines think, and
//! Connect Four in the WebAssembly module against native code, position by position in the same run: one thread, no book,
//! an empty table before each position.

use std::fs;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{Report, figures, measure, measuring_with};
use crate::{install, wasm};

/// Goals: how much slower than native code the module may be, and how soon a page is ready.
const MOST_TIMES: f64 = 2.0;
const READY_MS: f64 = 1_000.0;
/// The easy and middle sets; the hard one takes a second a position and has no goal.
const CHECKED: [&str; 5] = ["L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2"];
/// Where the browser's measuring program finds the positions.
const SETS: &str = "target/browser-bench-sets.json";

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    install::debian(&[("chromium", "chromium"), ("chromedriver", "chromium-driver")])?;
    let mut report = Report::begin("browser")?;
    let native = measure("connect-four", "solver", &["--positions"])?;
    let sets = native["sets"].as_array().context("the measuring program reports sets")?;
    let is_checked = |set: &&Value| set["set"].as_str().is_some_and(|name| CHECKED.contains(&name));
    let sets: Vec<Value> = sets.iter().filter(is_checked).cloned().collect();
    fs::write(SETS, Value::from(sets.clone()).to_string())?;
    let page = in_chromium()?;
    let bytes = fs::metadata(wasm::MODULE)?.len();
    report.line(&format!("Module with book: {bytes} bytes (goal: at most {}).\n", wasm::MOST_BYTES));
    tell_ready(&mut report, &page["ready"])?;
    tell_frames(&mut report, &page["frames"])?;
    tell_sets(&mut report, &sets, &page["sets"])?;
    report.write()?;
    Ok(())
}

/// The measuring program and its server as tests build them, optimised without the last percent: the browser is what is
/// measured, and a server that sends files does not need a release build.
fn in_chromium() -> anyhow::Result<Value> {
    // Cargo starts it in the folder of its package.
    figures(measuring_with("dev", "gamebot", "browser", &["--sets"]).arg(std::path::absolute(SETS)?))
}

fn tell_ready(report: &mut Report, pages: &Value) -> anyhow::Result<()> {
    report.line(&format!(
        "From asking for a page to the page being ready, module included; the real server on this machine, browsers \
         that see the page for the first time (goal: at most {READY_MS} ms).\n"
    ));
    report.line("| page | median ms | longest ms | |");
    report.line("|---|---|---|---|");
    for (name, times) in pages.as_object().context("times of pages")? {
        let mut times: Vec<f64> = times.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().context("a page was never ready")?;
        let longest = times.last().copied().unwrap_or(median);
        report.line(&format!("| {name} | {median:.0} | {longest:.0} | {} |", verdict(longest <= READY_MS)));
    }
    Ok(())
}

fn tell_frames(report: &mut Report, scenes: &Value) -> anyhow::Result<()> {
    report.line(
        "\nFrames of the page while the machine thinks in its worker (`requestAnimationFrame`; the browser offers 60 a \
         second; late: more than 25 ms after the one before).\n",
    );
    report.line("| what happens | frames a second | late | longest ms | pieces |");
    report.line("|---|---|---|---|---|");
    for scene in scenes.as_array().context("frames of scenes")? {
        let figure = |name: &str| scene[name].as_f64().unwrap_or(f64::NAN);
        report.line(&format!(
            "| {} | {:.1} | {} of {} | {:.1} | {} |",
            scene["scene"].as_str().unwrap_or_default(),
            figure("frames_per_second"),
            scene["late"],
            scene["frames"],
            figure("longest_ms"),
            scene["pieces"],
        ));
    }
    Ok(())
}

fn tell_sets(report: &mut Report, native: &[Value], page: &Value) -> anyhow::Result<()> {
    report.line(&format!(
        "\nConnect Four in a worker of the page and natively (goal of the easy and middle sets: at most {MOST_TIMES} times).\n"
    ));
    report.line("| set | positions | wrong | native µs | page µs | ratio | |");
    report.line("|---|---|---|---|---|---|---|");
    for (set, page) in native.iter().zip(page.as_array().context("the page solves sets")?) {
        let name = set["set"].as_str().unwrap_or_default();
        let (native_us, page_us) = (set["cpu_us_mean"].as_f64(), page["us_mean"].as_f64());
        let (native_us, page_us) = (native_us.context("a native time")?, page_us.context("a page's time")?);
        let ratio = page_us / native_us;
        let met = verdict(ratio <= MOST_TIMES);
        report.line(&format!(
            "| {name} | {} | {} | {native_us:.1} | {page_us:.1} | {ratio:.2} | {met} |",
            set["positions"],
            wrong(name, set, page)?
        ));
    }
    Ok(())
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
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
