//! `cargo xtask bench`: measures, compares with a peer in the same run, and
//! writes a dated report to `bench_runs/`.

mod adaptive;
mod arcade;
mod browser;
mod build;
mod connect_four;
mod earlier;
mod engine;
mod gameboy;
mod hall;
mod lego;
mod peer;
mod python;
mod report;
mod robot;
mod samegame;
mod screen;
mod siege;
mod tetris;
mod tour;
mod vision;

use std::process::Command;

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
    /// From a clone to the arcade's first page, the program's size, and the speed it keeps.
    Build(build::Options),
    /// The pages to play on in Chromium: ready, frames a second, Connect Four in the module beside native code.
    Browser,
    /// Exact scores of Connect Four positions, compared with BitBully.
    ConnectFour(connect_four::Options),
    /// Tetris: evaluation, decisions, reachable moves; compared with tetris-gymnasium.
    Tetris,
    /// Overhead of one engine tick, with and without recording.
    Engine(earlier::Options),
    /// Frames of the emulated Game Boy per second of CPU time, compared with PyBoy.
    Gameboy(earlier::Options),
    /// The hall with many viewers, idle, for hours, and with strangers' recordings.
    Hall(hall::Options),
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
    /// SameGame on a screen: pictures read, rounds in windows, beside the document's.
    Screen(screen::Options),
    /// A tour through the cartridge with sound on, frame by frame the same as in PyBoy.
    Tour(tour::Options),
    /// Image processing of 640 × 480 frames, against OpenCV.
    Vision,
}

/// Runs one benchmark.
pub fn bench(bench: &Bench) -> anyhow::Result<()> {
    match &bench.name {
        Name::Adaptive(options) => adaptive::bench(options),
        Name::Arcade(options) => arcade::bench(options),
        Name::Browser => browser::bench(),
        Name::Build(options) => build::bench(options),
        Name::ConnectFour(options) => connect_four::bench(options),
        Name::Engine(options) => engine::bench(options),
        Name::Gameboy(options) => gameboy::bench(options),
        Name::Hall(options) => hall::bench(options),
        Name::Siege(options) => siege::bench(options),
        Name::Lego(options) => lego::bench(options),
        Name::Robot(options) => robot::bench(options),
        Name::Python(options) => python::bench(options),
        Name::Samegame(options) => samegame::bench(options),
        Name::Screen(options) => screen::bench(options),
        Name::Tetris => tetris::bench(),
        Name::Tour(options) => tour::bench(options),
        Name::Vision => vision::bench(),
    }
}

/// The figures of a crate's measuring program.
pub fn measure(package: &str, bench: &str, arguments: &[&str]) -> anyhow::Result<Value> {
    figures(&mut measuring(package, bench, arguments))
}

/// Runs a measuring program and reads the JSON document that it prints.
fn figures(command: &mut Command) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(&run::capture_command(command)?)?)
}

/// The command of a measuring program.
fn measuring(package: &str, bench: &str, arguments: &[&str]) -> Command {
    measuring_with("bench", package, bench, arguments)
}

/// The command of a measuring program that is built with this profile: where simulated time or another program is
/// measured, a release build only takes longer.
fn measuring_with(profile: &str, package: &str, bench: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["bench", "--quiet", "--profile", profile, "--package", package, "--bench", bench]);
    command.args(["--", "--json"]).args(arguments);
    command
}
