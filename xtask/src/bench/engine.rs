//! Bench of the engine: its overhead per tick.

use super::Report;
use super::earlier::Options;

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("engine")?;
    let both = options.measure(&[("engine", "overhead")], &[])?;
    let figures = both.latest();
    report.line("Overhead per tick (160 × 144 gray frame; a player and a body that do nothing):\n");
    report.line("| run | goal | measured | best before | best now | ratio (goal ≥ 0.95) |");
    report.line("|---|---|---|---|---|---|");
    for (label, goal, field) in [
        ("without recording", "< 5 µs", "without_recording_us"),
        ("with recording, game-like frame", "< 50 µs", "with_recording_us"),
        ("with recording, noise (worst case)", "–", "with_recording_noise_us"),
    ] {
        let measured = figures[field].as_f64().unwrap_or(f64::NAN);
        let compared = match both.best(&format!("/{field}"), f64::min) {
            Some((before, now)) => format!("{before:.2} µs | {now:.2} µs | {:.2}", before / now),
            None => "– | – | –".to_owned(),
        };
        report.line(&format!("| {label} | {goal} | {measured:.2} µs | {compared} |"));
    }
    let hour = figures["simulated_hour_s"].as_f64().unwrap_or(f64::NAN);
    report.line(&format!("\nOne simulated hour of Catch, one core: {hour:.3} s (goal < 1 s)."));
    report.write()?;
    Ok(())
}
