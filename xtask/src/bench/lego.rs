//! The LEGO robot in simulated games: results and turns beside those of the study.

use anyhow::bail;
use clap::Args;

use super::{Report, figures, measuring_with};
use crate::install;

const FAULTS: &str =
    "simulated_lego.misread=0.02,simulated_lego.jam=0.02,simulated_lego.slip=0.02,simulated_lego.damage=0.02";

/// How much is played.
#[derive(Args, Debug)]
pub struct Options {
    /// Games of the robot whose computer thinks; a fifth of them alone and robot against robot.
    #[arg(long, default_value_t = 100)]
    games: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let micropython = install::npm("target/micropython", crate::test::NPM_PACKAGES)?;
    let mut report = Report::begin("lego")?;
    report.line(
        "Simulated hub on its real protocol, program on real MicroPython, simulated time. The person looks 2 to 6 discs \
         ahead and slips at every tenth move. The study's robot: 14 wins, 4 draws, 2 losses of 20; 20 to 45 s a turn.\n",
    );
    report.line("| run | games | won | drawn | lost | lost as first | turns | mean s | longest s | wrong beliefs | calls for help | heap bytes |");
    report.line("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let fifth = (options.games / 5).max(1);
    let runs = [
        ("computer thinks, PERFECT", "host", options.games, ""),
        ("the same with 2 % misreads, jams, slips and damaged messages", "host", options.games, FAULTS),
        ("hub thinks", "alone", fifth, ""),
        ("two robots, PERFECT", "tournament", fifth, ""),
    ];
    let path = &micropython;
    // All at once: they need one core each, and count simulated seconds.
    let measured = std::thread::scope(|scope| {
        let running = runs.map(|(_, kind, games, settings)| {
            scope.spawn(move || {
                let games = games.to_string();
                let arguments = ["--kind", kind, "--games", &games, "--set", settings];
                figures(measuring_with("dev", "runs", "lego", &arguments).env("GAMEBOT_MICROPYTHON", path))
            })
        });
        running.map(|run| run.join().unwrap_or_else(|_| bail!("a measurement broke")))
    });
    let mut missed = Vec::new();
    for ((label, kind, games, _), figures) in runs.iter().zip(measured) {
        let figures = figures?;
        missed.extend(misses(kind, *games, &figures).into_iter().map(|miss| format!("{label}: {miss}")));
        let figure = |name: &str| {
            figures.get(name).map_or("–".to_owned(), |value| match value.as_f64() {
                Some(number) if number.fract() != 0.0 => format!("{number:.1}"),
                _ => value.to_string(),
            })
        };
        let columns = [
            "games",
            "wins",
            "draws",
            "losses",
            "losses_as_first",
            "turns",
            "mean_s",
            "longest_s",
            "wrong_beliefs",
            "calls",
            "heap_bytes",
        ];
        report.line(&format!("| {label} | {} |", columns.map(figure).join(" | ")));
    }
    report.line(
        "\nRequired: all games end; thinking on the computer, no loss as first player, 95 % won or drawn, every turn below \
         45 s and 20 s on average, no wrong belief; thinking on the hub, every turn below 90 s and less than 200,000 bytes \
         in use.",
    );
    report.conclude(&missed)
}

/// What a run was required to do and did not.
fn misses(kind: &str, games: u32, figures: &serde_json::Value) -> Vec<String> {
    let count = |name: &str| figures[name].as_u64().unwrap_or(u64::MAX);
    let seconds = |name: &str| figures[name].as_f64().unwrap_or(f64::INFINITY);
    let games = u64::from(games);
    let mut required = vec![("all games ended", count("games") == games)];
    match kind {
        "host" => required.extend([
            ("no loss as first player", count("losses_as_first") == 0),
            ("95 % won or drawn", count("losses").saturating_mul(20) <= games),
            ("turns below 45 s", seconds("longest_s") < 45.0),
            ("20 s a turn on average", seconds("mean_s") < 20.0),
            ("no wrong belief", count("wrong_beliefs") == 0),
        ]),
        "alone" => required.extend([
            ("turns below 90 s", seconds("longest_s") < 90.0),
            ("200,000 bytes", count("heap_bytes") < 200_000),
        ]),
        _ => required.push(("no wrong belief", count("wrong_beliefs") == 0)),
    }
    required.into_iter().filter(|(_, holds)| !holds).map(|(what, _)| what.to_owned()).collect()
}
