//! A full hall: many pages that watch one game, and a client that asks for the list of games all the time.

use super::earlier::Options;
use super::{Report, measure};

/// A run: what it shows, its options, the goal of its p99.
type Run = (&'static str, &'static [&'static str], &'static str);

/// What earlier commits can do too.
const PLAIN: Run = ("1,000 pages watch", &[], "< 50 ms");

const LOADED: [Run; 2] = [
    (
        "1,000 pages watch; 20,000 stored games, their list asked for 200 times a second",
        &["--games", "20000", "--lists", "200"],
        "< 50 ms",
    ),
    ("3,000 pages watch", &["--watchers", "3000", "--turns", "60", "--pace-ms", "500"], "< 150 ms"),
];

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("arcade")?;
    report.line(
        "The real `gamebot arcade` and pages that watch one game (`HELLO` with `watch`), all on this machine; the player's \
         page sends turns and EASY answers each after `levels.answer_after_ms` (100). Delivery: from the player's page sending `TURN` to a watcher's \
         page having read it, storage (`synchronous=FULL`) included.\n",
    );
    report.line("| run | goal p99 | delivery p50 | p99 | max | count | list of games p99 | memory idle / full / peak |");
    report.line("|---|---|---|---|---|---|---|---|");
    let both = options.measure(&[("gamebot", "arcade")], PLAIN.1)?;
    for (label, arguments, goal) in [PLAIN].iter().chain(&LOADED) {
        let figures = if *arguments == PLAIN.1 {
            both.latest().clone()
        } else {
            measure("gamebot", "arcade", arguments)?
        };
        let figure =
            |path: &str| figures.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
        report.line(&format!(
            "| {label} | {goal} | {:.1} ms | {:.1} ms | {:.1} ms | {} | {:.1} ms | {:.0} / {:.0} / {:.0} MB |",
            figure("/delivery_ms/p50"),
            figure("/delivery_ms/p99"),
            figure("/delivery_ms/max"),
            figure("/delivery_ms/count"),
            figure("/list_ms/p99"),
            figure("/resident_idle_mb"),
            figure("/resident_mb"),
            figure("/resident_peak_mb"),
        ));
    }
    let stored =
        |path: &str| both.latest().pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
    report.line(&format!(
        "\nStoring one turn, p50 and p99: {:.2} and {:.2} ms when it is only written (`synchronous=NORMAL`), {:.2} and {:.2} ms \
         when the disk has it (`FULL`, as the arcade does).",
        stored("/store_normal_ms/p50"),
        stored("/store_normal_ms/p99"),
        stored("/store_full_ms/p50"),
        stored("/store_full_ms/p99"),
    ));
    if let Some((before, now)) = both.best("/delivery_ms/p99", f64::min) {
        report.line(&format!(
            "\n1,000 pages, before and now alternating, best p99: {before:.1} ms before, {now:.1} ms now (goal: no worse)."
        ));
    }
    report.write()?;
    Ok(())
}
