//! Bench of the arcade: a thousand pages that watch one game.

use super::{Report, measure};

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    let mut report = Report::begin("arcade")?;
    let figures = measure("gamebot", "arcade", &[])?;
    let figure = |path: &str| figures.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
    report.line(&format!(
        "The real `gamebot arcade` and {} pages watching one game (`HELLO` with `watch`), all on this machine; the \
         player's page sends {} turns, one every {} ms, and EASY answers each at once.\n",
        figures["watchers"], figures["turns"], figures["pace_ms"]
    ));
    report.line("Delivery: from the player's page sending `TURN` to a watcher's page having read it, including storage.\n");
    report.line("| figure | goal | p50 | p99 | max | count |");
    report.line("|---|---|---|---|---|---|");
    for (label, goal, name) in [
        ("delivery of a turn to a watcher", "p99 < 50 ms", "delivery_ms"),
        ("answer to an HTTP request meanwhile", "–", "http_ms"),
    ] {
        let [p50, p99, max, count] =
            ["p50", "p99", "max", "count"].map(|field| figure(&format!("/{name}/{field}")));
        report.line(&format!("| {label} | {goal} | {p50:.1} ms | {p99:.1} ms | {max:.1} ms | {count} |"));
    }
    report.line(&format!(
        "\nMemory of the server (resident set): {:.0} MB before, {:.0} MB with all pages connected, {:.0} MB at its \
         peak (goal < 300 MB).",
        figure("/resident_idle_mb"),
        figure("/resident_mb"),
        figure("/resident_peak_mb")
    ));
    report.write()?;
    Ok(())
}
