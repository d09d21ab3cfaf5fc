//! Bench of the Python package beside its peers, in one run.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::Value;

use super::{Report, peer};
use crate::{install, run, wheel};

const ENVIRONMENT: &str = "target/peers/python";
const PROGRAM: &str = "xtask/src/bench/python_bench.py";
const TETRIS_PEER: &str = "xtask/src/bench/python_tetris_peer.py";
const TETRIS_RELEASE: &str = "tetris-gymnasium==0.3.0";

/// The peers' releases and what they and we need.
const PACKAGES: &[&str] = &[
    "bitbully==0.0.79",
    "gymnasium==1.4.0",
    "jax==0.10.2",
    "pettingzoo==1.27.0",
    "pgx==2.6.0",
    "pyboy==2.8.1",
    "pygame==2.6.1",
    "ray==2.60.0",
];

/// What is measured.
#[derive(Args, Debug)]
pub struct Options {
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,

    /// Positions of each of the six sets for the solver.
    #[arg(long, default_value_t = 12)]
    positions: u32,

    /// Leave out the cost of spreading work on Ray.
    #[arg(long)]
    skip_cluster: bool,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("python")?;
    let load = || {
        std::fs::read_to_string("/proc/loadavg")
            .map_or_else(|_| "unknown".to_owned(), |load| load.trim().to_owned())
    };
    let load_before = load();
    let wheel = wheel::build("release")?;
    let python = install::python_in(ENVIRONMENT, PACKAGES)?;
    let (python, wheel) = (python.display().to_string(), wheel.display().to_string());
    run::run(&python, &["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", &wheel])?;
    let (seconds, positions) = (options.seconds.to_string(), options.positions.to_string());
    let mut arguments = vec![PROGRAM, "--seconds", &seconds, "--positions", &positions];
    arguments.extend(options.skip_cluster.then_some("--skip-cluster"));
    let ours: Value = serde_json::from_str(run::capture(&python, &arguments)?.trim())?;
    let tetris = run::capture(&peer::python(TETRIS_RELEASE)?, &[TETRIS_PEER])?;
    let tetris: Value = serde_json::from_str(tetris.trim())?;
    report.line(&format!("Load of the machine: {load_before} before, {} after.\n", load()));
    write(&mut report, &ours, &tetris);
    report.write()?;
    Ok(())
}

fn write(report: &mut Report, ours: &Value, tetris: &Value) {
    let figure = |path: &str| ours.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let peer = |name: &str| tetris[name].as_f64().unwrap_or(f64::NAN);
    report.line(
        "Wall time, best of three; vector environments with 4,096 games, actions drawn from the masks.\n",
    );
    report.line("| what | ours | peer | goal | ratio |");
    report.line("|---|---|---|---|---|");
    let mut row = |what: &str, ours: f64, name: &str, theirs: f64, goal: &str| {
        let ratio = ours / theirs;
        report.line(&format!("| {what} | {ours:.0} | {name} {theirs:.0} | {goal} | {ratio:.1} |"));
    };
    let connect_four = figure("/connect_four");
    let name = "Connect Four, moves/s";
    row(name, connect_four, "pgx as documented", figure("/pgx/documented"), "≥ 10");
    row(name, connect_four, "pgx, the least work we found", figure("/pgx/lean"), "≥ 10");
    row(name, connect_four, "PettingZoo", figure("/pettingzoo"), "≥ 1000");
    let name = "tetris-gymnasium, placements/s";
    row("Tetris classic, placements/s", figure("/tetris_classic"), name, peer("placements"), "≥ 300");
    let name = "tetris-gymnasium, boards/s";
    row("Tetris classic, placements/s", figure("/tetris_classic"), name, peer("boards"), "–");
    row("Tetris by keys, placements/s", figure("/tetris_gameboy"), name, peer("boards"), "–");
    let (one, rust) = (figure("/console/one_by_one"), figure("/console/in_rust"));
    row("console, frames/s one call each", one, "PyBoy", figure("/console/pyboy"), "–");
    row("console, frames/s one call each", one, "200 in one Rust call", rust, "≥ 0.95");
    report.line(&format!("\nSameGame: {:.0} steps/s. ", figure("/samegame")));
    report.line(&format!(
        "Tetris through the plain `step`, an action drawn for each: {:.0} steps/s by classic rules, {:.0} by the Game Boy's \
         (goal ≥ 100,000), {:.0} inside the wrappers of `gymnasium.make`.\n",
        figure("/plain_step"),
        figure("/plain_gameboy"),
        figure("/wrapped_gameboy")
    ));
    report.line(&format!(
        "Solver: {:.2} µs a call (goal < 2), {:.0} ns a position in batches (goal < 100), all of a call without search.",
        figure("/solver/call_us"),
        figure("/solver/batch_ns")
    ));
    report.line(&format!(
        "Solver against BitBully, CPU time without its table clearing: {:.1} × in the geometric mean (goal ≥ 8): {}.",
        figure("/bitbully_mean"),
        ours["bitbully"]
    ));
    let waits: BTreeMap<&str, f64> = ours["interrupts_ms"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, wait)| (name.as_str(), wait.as_f64().unwrap_or(f64::NAN)))
        .collect();
    let worst = waits.iter().max_by(|one, other| one.1.total_cmp(other.1));
    if let Some((name, wait)) = worst {
        report.line(&format!(
            "\nCtrl-C: {} long calls end within {wait:.0} ms at worst (`{name}`; goal < 100), the worse of two each.",
            waits.len()
        ));
    }
    if let Some(spreading) = ours.get("spreading") {
        report.line(&format!(
            "\nSpreading `compare tetris`, tasks of about 1 s: two workers {:.2} × one (goal ≥ 1.85), driver {:.1} % \
             of the workers' time (goal < 3), Ray's own processes {:.1} %.\n",
            figure("/spreading/ratio"),
            100.0 * figure("/spreading/driver_share"),
            100.0 * figure("/spreading/service_share")
        ));
        report.line("| task, s | share of two workers used | driver's CPU a task, ms |");
        report.line("|---|---|---|");
        for size in spreading["by_size"].as_array().into_iter().flatten() {
            let value = |name: &str| size[name].as_f64().unwrap_or(f64::NAN);
            report.line(&format!(
                "| {} | {:.0} % | {:.2} |",
                value("task_s"),
                100.0 * value("efficiency"),
                value("driver_ms")
            ));
        }
    }
}
