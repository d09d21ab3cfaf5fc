//! SameGame on a screen: pictures read, and rounds in windows with the time to see, solve and act (S2, S9).

use clap::Args;
use serde_json::Value;

use super::{Report, measure};

/// How much is measured.
#[derive(Args, Debug)]
pub struct Options {
    /// Pictures in each of three sets that nothing was tuned to.
    #[arg(long, default_value_t = 308)]
    pictures: u32,

    /// Rounds on the fastest look, in simulated time.
    #[arg(long, default_value_t = 1_000)]
    rounds: u32,

    /// Rounds over all looks in real windows, with lost clicks and people in the way.
    #[arg(long, default_value_t = 200)]
    windows: u32,

    /// Boards of sgt-samegame.
    #[arg(long, default_value_t = 20)]
    seeds: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("screen")?;
    let mut missed = Vec::new();
    report.line("The document (§5): 34 ms to read a board; 1,000 rounds unattended. Times of a picture are processor time.\n");
    report.line("| pictures from | read | unclear | wrong | 1280×1024 median ms | p99 ms | longest ms | again median ms |");
    report.line("|---|---|---|---|---|---|---|---|");
    for from in [400_008_u32, 500_010, 600_012] {
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
    report.line("| rounds | played | cleared | proved unsolvable | see ms | solve ms | act ms | round s | lost clicks | clicks beside |");
    report.line("|---|---|---|---|---|---|---|---|---|---|");
    let series = [
        ("fastest look, simulated time", "simulated", options.rounds),
        ("all looks in real windows, 3 % lost clicks, people in the way", "looks", options.windows),
        ("sgt-samegame", "sgt", options.seeds),
    ];
    for (name, kind, rounds) in series.into_iter().filter(|(.., rounds)| *rounds > 0) {
        let figures = measure("runs", "screen", &["--kind", kind, "--rounds", &rounds.to_string()])?;
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
