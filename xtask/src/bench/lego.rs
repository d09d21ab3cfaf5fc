//! The LEGO robot in simulated games: results and turns beside those of the study.

use clap::Args;

use super::Report;
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
    for (label, kind, games, settings) in runs {
        let games = games.to_string();
        let path = micropython.display().to_string();
        let arguments = ["--kind", kind, "--games", &games, "--set", settings];
        let figures = measure_with("GAMEBOT_MICROPYTHON", &path, &arguments)?;
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
    report.write()?;
    Ok(())
}

/// Measures with a variable set for the program.
fn measure_with(variable: &str, value: &str, arguments: &[&str]) -> anyhow::Result<serde_json::Value> {
    let assignment = format!("env.{variable}={value:?}");
    // Cargo passes its own `env` settings on to what it runs.
    let cargo =
        ["bench", "--quiet", "--config", &assignment, "--package", "runs", "--bench", "lego", "--", "--json"];
    let json = crate::run::capture("cargo", &[cargo.as_slice(), arguments].concat())?;
    Ok(serde_json::from_str(&json)?)
}
