//! Bench of the engine: its overhead per tick.

use super::{Report, measure};

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    let mut report = Report::begin("engine")?;
    let figures = measure("engine", "overhead", &[])?;
    report.line("Overhead per tick (160 × 144 gray frame; a player and a body that do nothing):\n");
    report.line("| run | goal | measured |");
    report.line("|---|---|---|");
    for (label, goal, field) in [
        ("without recording", "< 5 µs", "without_recording_us"),
        ("with recording, game-like frame", "< 50 µs", "with_recording_us"),
        ("with recording, noise (worst case)", "–", "with_recording_noise_us"),
    ] {
        report.line(&format!("| {label} | {goal} | {:.2} µs |", figures[field].as_f64().unwrap_or(f64::NAN)));
    }
    let hour = figures["simulated_hour_s"].as_f64().unwrap_or(f64::NAN);
    report.line(&format!("\nOne simulated hour of Catch, one core: {hour:.3} s (goal < 1 s)."));
    report.write()?;
    Ok(())
}
