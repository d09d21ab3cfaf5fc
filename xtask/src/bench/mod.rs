//! `cargo xtask bench`: measures, compares with a peer in the same run, and
//! writes a dated report to `bench_runs/`.

mod adaptive;
mod arcade;
mod browser;
mod connect_four;
mod earlier;
mod engine;
mod gameboy;
mod lego;
mod peer;
mod python;
mod report;
mod robot;
mod samegame;
mod siege;
mod tetris;
mod vision;

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::run;
pub use report::Report;

/// Measure and write a dated report to bench_runs/.
#[derive(Args, Debug)]
pub struct Bench {
    #[command(subcommand)]
    name: Name,
}

#[derive(Debug, Subcommand)]
enum Name {
    /// How often visitors of ten strengths win against ADAPTIVE.
    Adaptive(adaptive::Options),
    /// The arcade's server with a thousand pages that watch one game.
    Arcade(earlier::Options),
    /// Connect Four in the pages' WebAssembly module, compared with native code.
    Browser,
    /// Exact scores of Connect Four positions, compared with BitBully.
    ConnectFour(connect_four::Options),
    /// Tetris: evaluation, decisions, reachable moves; compared with tetris-gymnasium.
    Tetris,
    /// Overhead of one engine tick, with and without recording.
    Engine(earlier::Options),
    /// Frames of the emulated Game Boy per second of CPU time, compared with PyBoy.
    Gameboy(earlier::Options),
    /// The arcade under attack, killed and with a full disk, and its robot with bad habits.
    Siege(siege::Options),
    /// The LEGO robot in simulated games, beside the study's.
    Lego(lego::Options),
    /// The Tetris robot in simulated games, beside the document's.
    Robot(robot::Options),
    /// The Python package beside pgx, PettingZoo, tetris-gymnasium, BitBully and PyBoy, and the cost of Ray.
    Python(python::Options),
    /// SameGame: random games, clearing, points on the standard boards, records.
    Samegame(samegame::Options),
    /// Image processing of 640 × 480 frames, against OpenCV.
    Vision,
}

/// Runs one benchmark.
pub fn bench(bench: &Bench) -> anyhow::Result<()> {
    match &bench.name {
        Name::Adaptive(options) => adaptive::bench(options),
        Name::Arcade(options) => arcade::bench(options),
        Name::Browser => browser::bench(),
        Name::ConnectFour(options) => connect_four::bench(options),
        Name::Engine(options) => engine::bench(options),
        Name::Gameboy(options) => gameboy::bench(options),
        Name::Siege(options) => siege::bench(options),
        Name::Lego(options) => lego::bench(options),
        Name::Robot(options) => robot::bench(options),
        Name::Python(options) => python::bench(options),
        Name::Samegame(options) => samegame::bench(options),
        Name::Tetris => tetris::bench(),
        Name::Vision => vision::bench(),
    }
}

/// Runs a crate's measuring program and reads the JSON document that it prints.
pub fn measure(package: &str, bench: &str, arguments: &[&str]) -> anyhow::Result<Value> {
    let cargo = ["bench", "--quiet", "--package", package, "--bench", bench, "--", "--json"];
    let json = run::capture("cargo", &[cargo.as_slice(), arguments].concat())?;
    Ok(serde_json::from_str(&json)?)
}
