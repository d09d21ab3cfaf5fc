//! Bench of the emulator: our cartridge in play, compared with PyBoy in the same run.

use serde_json::Value;

use super::earlier::Options;
use super::{Report, peer};
use crate::run;

/// The peer's release, so that the report can be repeated.
const PEER_RELEASE: &str = "pyboy==2.8.1";
const PEER: &str = "xtask/src/bench/gameboy_peer.py";
const IMAGE: &str = "rom/stackfall.gb";

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("gameboy")?;
    let both = options.measure(&[("players", "console"), ("gameboy", "speed")], &[])?;
    let ours = both.latest();
    let python = peer::python(PEER_RELEASE)?;
    let theirs: Value = serde_json::from_str(run::capture(&python, &[PEER, IMAGE])?.trim())?;
    let figure = |figures: &Value, field: &str| figures[field].as_f64().unwrap_or(f64::NAN);
    let (emulated, rendered) = (figure(ours, "frames_per_cpu_s"), figure(&theirs, "rendered"));
    report.line("Frames per second of CPU time, our cartridge in play, same presses, no sound:\n");
    report.line("| what | goal | measured |");
    report.line("|---|---|---|");
    report.line(&format!("| ours, every picture rendered | – | {emulated:.0} |"));
    report.line(&format!(
        "| ours, every picture read as a player does | – | {:.0} |",
        figure(ours, "frames_seen_per_cpu_s")
    ));
    report.line(&format!("| times real time | ≥ 50 | {:.0} |", figure(ours, "real_time_factor")));
    report.line(&format!("| {PEER_RELEASE}, every picture rendered | – | {rendered:.0} |"));
    report.line(&format!("| {PEER_RELEASE}, none rendered | – | {:.0} |", figure(&theirs, "not_rendered")));
    report.line(&format!("| ratio, rendered | ≥ 0.6 | {:.2} |", emulated / rendered));
    for (label, field) in [("rendered", "frames_per_cpu_s"), ("read", "frames_seen_per_cpu_s")] {
        if let Some((before, now)) = both.best(&format!("/{field}"), f64::max) {
            let ratio = now / before;
            report.line(&format!(
                "| {label}, best before {before:.0}, best now {now:.0}: ratio | ≥ 0.95 | {ratio:.2} |"
            ));
        }
    }
    report.line(
        "\nWhat limits ours: the emulator crate clocks every device after every instruction. The waiting of a",
    );
    report.line("halted processor is cut short (emulator.rs), so the rest is the cartridge's own work and the lines drawn.");
    report.write()?;
    Ok(())
}
