//! A full hall: many pages that watch one game, and a client that asks for the list of games all the time.

use super::{Report, measure};

/// One run each: what it shows, its options, the goal of its p99.
const RUNS: [(&str, &[&str], &str); 3] = [
    ("1,000 pages watch", &[], "< 50 ms"),
    (
        "1,000 pages watch; 20,000 stored games, their list asked for 200 times a second",
        &["--games", "20000", "--lists", "200"],
        "< 50 ms",
    ),
    ("3,000 pages watch", &["--watchers", "3000", "--turns", "60", "--pace-ms", "500"], "< 150 ms"),
];

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    let mut report = Report::begin("arcade")?;
    report.line(
        "The real `gamebot arcade` and pages that watch one game (`HELLO` with `watch`), all on this machine; the player's \
         page sends turns and EASY answers each at once. Delivery: from the player's page sending `TURN` to a watcher's \
         page having read it, storage (`synchronous=FULL`) included.\n",
    );
    report.line("| run | goal p99 | delivery p50 | p99 | max | count | list of games p99 | memory idle / full / peak |");
    report.line("|---|---|---|---|---|---|---|---|");
    for (label, options, goal) in RUNS {
        let figures = measure("gamebot", "arcade", options)?;
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
    report.write()?;
    Ok(())
}
