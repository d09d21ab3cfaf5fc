//! Bench of Tetris on one thread, compared with tetris-gymnasium in the same run.

use super::{Report, measure, peer};
use crate::run;

/// The peer's release, so that the report can be repeated.
const PEER_RELEASE: &str = "tetris-gymnasium==0.3.0";
const PEER: &str = "xtask/src/bench/tetris_peer.py";

/// Label, goal, field of the measuring program, and published figures of peers.
const FIGURES: [(&str, &str, &str, &str); 14] = [
    ("placements evaluated per second, Lee", "≥ 60 M", "lee_placements_per_s", "53.8 M (C++)"),
    (
        "placements evaluated per second, BCTS",
        "≥ 25 M",
        "bcts_placements_per_s",
        "16.9 M (C++), 5.6 M (mdptetris)",
    ),
    ("depth 2, Lee, µs", "≤ 10", "lee_depth_2_us", "10.3"),
    ("depth 2, BCTS, µs", "≤ 25", "bcts_depth_2_us", "32.5"),
    ("one chance level, full width, µs", "≤ 4,000", "bcts_one_chance_full_width_us", "5,100"),
    ("one chance level, 64 pairs, µs", "–", "bcts_one_chance_64_pairs_us", "680"),
    ("one chance level, 16 pairs, µs", "–", "bcts_one_chance_16_pairs_us", "190"),
    ("two chance levels, 16 pairs, 3 replies, µs", "≤ 20,000", "bcts_two_chances_16_pairs_3_replies_us", "–"),
    ("reachable placements at level 9, µs", "≤ 3", "reach_level_9_us", "0.95 (near-empty boards)"),
    ("reachable placements at level 20, µs", "≤ 3", "reach_level_20_us", "–"),
    ("reachable placements, mean of levels 0–20, µs", "≤ 3", "reach_mean_us", "–"),
    ("depth 2 with reachable placements, BCTS, µs", "–", "bcts_depth_2_with_keys_level_9_us", "–"),
    ("our player for points at level 9, ms", "–", "ours_with_keys_level_9_ms", "–"),
    ("evaluations per second in WebAssembly", "≥ 1 M", "wasm_evaluations_per_s", "–"),
];

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    let mut report = Report::begin("tetris")?;
    let mut figures = measure("tetris", "speed", &[])?;
    figures["wasm_evaluations_per_s"] = measure("plugins", "wasm", &[])?["wasm_evaluations_per_s"].clone();
    report.line("CPU time, one thread, boards from play:\n");
    report.line("| what | goal | measured | peers |");
    report.line("|---|---|---|---|");
    for (label, goal, field, others) in FIGURES {
        let measured = figures[field].as_f64().unwrap_or(f64::NAN);
        let shown =
            if measured >= 1e6 { format!("{:.1} M", measured / 1e6) } else { format!("{measured:.2}") };
        report.line(&format!("| {label} | {goal} | {shown} | {others} |"));
    }
    let python = peer::python(PEER_RELEASE)?;
    let theirs: f64 = run::capture(&python, &[PEER])?.trim().parse()?;
    let ours = figures["lee_placements_per_s"].as_f64().unwrap_or(f64::NAN);
    report.line(&format!(
        "\n{PEER_RELEASE} in the same run: {theirs:.0} boards/s; ours with Lee\u{2019}s features: {:.0} times as many.",
        ours / theirs
    ));
    report.write()?;
    Ok(())
}
