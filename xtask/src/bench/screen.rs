//! SameGame on a screen: pictures read, and rounds in windows with the time to see, solve and act (S2, S9).

use clap::Args;
use serde_json::Value;

use super::{Report, measure};
use crate::install;

/// How much is measured.
#[derive(Args, Debug)]
pub struct Options {
    /// Pictures in each set.
    #[arg(long, default_value_t = 420)]
    pictures: u32,

    /// The sets' first numbers: rows of pictures that nothing was tuned to.
    #[arg(long, value_delimiter = ',', default_values_t = [64_000_002_u32, 65_000_000, 66_000_012])]
    from: Vec<u32>,

    /// Rounds on the fastest look, in simulated time.
    #[arg(long, default_value_t = 1_000)]
    rounds: u32,

    /// Rounds over all looks in real windows, with lost clicks and people in the way.
    #[arg(long, default_value_t = 200)]
    windows: u32,

    /// How many of those windows are played at once, each on a screen of its own.
    #[arg(long, default_value_t = 4)]
    at_once: u32,

    /// Rounds of our SameGame page in Chromium.
    #[arg(long, default_value_t = 50)]
    page: u32,

    /// Boards of sgt-samegame.
    #[arg(long, default_value_t = 20)]
    seeds: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("screen")?;
    let mut missed = Vec::new();
    install::debian(&[
        ("Xvfb", "xvfb"),
        ("openbox", "openbox"),
        ("chromium", "chromium"),
        ("/usr/games/sgt-samegame", "sgt-puzzles"),
    ])?;
    report.line("Times of a picture are processor time. The goal: 99.5 % read, none wrong, 30 ms, read again in 2 ms.\n");
    report.line("| pictures from | read | unclear | wrong | 1280×1024 median ms | p99 ms | longest ms | again median ms |");
    report.line("|---|---|---|---|---|---|---|---|");
    for from in &options.from {
        let (first, count) = (from.to_string(), options.pictures.to_string());
        let figures = measure("players", "sight", &["--from", &first, "--count", &count])?;
        let names = ["right", "unclear", "wrong"].map(|name| figures[name].as_f64().unwrap_or(f64::NAN));
        let times = ["screen_ms_median", "screen_ms_p99", "screen_ms_longest", "again_ms_median"]
            .map(|name| format!("{:.2}", figures[name].as_f64().unwrap_or(f64::NAN)));
        let counts = names.map(|count| format!("{count:.0}")).join(" | ");
        report.line(&format!("| {from} | {counts} | {} |", times.join(" | ")));
        if names[0] < 0.995 * f64::from(options.pictures) || names[2] > 0.0 {
            missed.push(format!("pictures from {from}: 99.5 % read and none wrong"));
        }
    }
    report.line(
        "\nShortest / mean / longest of a round; milliseconds of the program, seconds of the run's clock:\n",
    );
    report.line("| rounds | played | cleared | proved unsolvable | see ms | solve ms | act ms | round s | tries without effect | clicks beside |");
    report.line("|---|---|---|---|---|---|---|---|---|---|");
    for row in DOCUMENT {
        report.line(row);
    }
    let series = [
        ("fastest look, 15×10×3, simulated time", "simulated", options.rounds),
        ("sgt-samegame, 10×8×3, two clicks", "sgt", options.seeds),
        ("our page in Chromium, 10×8×3, animation and hover", "page", options.page),
        ("all looks in real windows, 10×8×3, 3 % lost clicks, people in the way", "looks", options.windows),
    ];
    let at_once = options.at_once.to_string();
    for (name, kind, rounds) in series.into_iter().filter(|(.., rounds)| *rounds > 0) {
        let count = rounds.to_string();
        let mut arguments = vec!["--kind", kind, "--rounds", &count];
        if kind == "looks" {
            arguments.extend(["--at-once", &at_once]);
        }
        let figures = measure("runs", "screen", &arguments)?;
        report.line(&row(name, &figures));
        let done =
            figures["cleared"].as_u64().unwrap_or(0) + figures["proved_unsolvable"].as_u64().unwrap_or(0);
        if done < u64::from(rounds) {
            missed.push(format!(
                "{name}: {done} of {rounds} cleared or proved unsolvable, {}",
                figures["gave_up"]
            ));
        }
    }
    report.conclude(&missed)
}

/// The document's own rounds (§5), in the same columns. Its second table has the times to solve and to see in each
/// other's place at the top; they are put right here.
const DOCUMENT: [&str; 2] = [
    "| the document's bricks_breaking, 15×15×3 | 1000 | – | – | 31 / 34 / 63 | 1576 / 3811 / 28542 | 12406 / 85065 / 116375 | 15.6 / 90.5 / 131.4 | – | – |",
    "| the document's knugie_same, 15×10×3 | 1000 | – | – | 15 / 22 / 32 | 1608 / 2605 / 16303 | 13391 / 25432 / 35578 | 16.9 / 29.6 / 45.1 | – | – |",
];

fn row(name: &str, figures: &Value) -> String {
    let spread = |field: &str| {
        let of = |which: &str| figures[field][which].as_f64().unwrap_or(f64::NAN);
        format!("{:.1} / {:.1} / {:.1}", of("shortest"), of("mean"), of("longest"))
    };
    let times = ["see_ms", "solve_ms", "act_ms", "round_s"].map(spread).join(" | ");
    let beside = figures["clicks_beside_the_board"].as_u64().unwrap_or(0)
        + figures["clicks_beside_the_window"].as_u64().unwrap_or(0);
    let counts =
        ["rounds", "cleared", "proved_unsolvable"].map(|field| figures[field].to_string()).join(" | ");
    format!("| {name} | {counts} | {times} | {} | {beside} |", figures["lost_clicks"])
}
