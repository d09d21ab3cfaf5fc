//! The document's image processing on the same frames, beside OpenCV in the same run.

use serde_json::Value;

use super::{Report, measure, peer};
use crate::run;

/// The peer's release, so that a report can be repeated.
const PEER_RELEASE: &str = "opencv-python-headless==5.0.0.93";
const PEER: &str = "xtask/src/bench/vision_peer.py";
const FOLDER: &str = "target/bench-vision";
/// Steps of the document's table 4.1, with its milliseconds.
const STEPS: [(&str, &str, f64); 3] = [
    ("warp_us", "rectify 640 × 480 → 160 × 144", 275.0),
    ("adaptive_threshold_us", "adaptive threshold 17, 13", 123.0),
    ("opening_us", "opening 7 × 7", 52.0),
];

/// Measures and reports.
pub fn bench() -> anyhow::Result<()> {
    let mut report = Report::begin("vision")?;
    let folder = std::path::absolute(FOLDER)?.to_string_lossy().into_owned();
    let ours = measure("vision", "speed", &[&folder])?;
    let python = peer::python(PEER_RELEASE)?;
    let theirs: Value = serde_json::from_str(run::capture(&python, &[PEER, &folder])?.trim())?;
    let figure = |figures: &Value, field: &str| figures[field].as_f64().unwrap_or(f64::NAN);
    report.line("Processor time per grey frame in µs, one thread, same frames, best of 100 rounds of 10:\n");
    report.line("| step | document | OpenCV 5.0 | ours | ratio | goal |");
    report.line("|---|---|---|---|---|---|");
    let mut totals = (0.0, 0.0, 0.0);
    for (field, name, document) in STEPS {
        let (our, their) = (figure(&ours, field), figure(&theirs, field));
        totals = (totals.0 + document, totals.1 + their, totals.2 + our);
        report.line(&format!("| {name} | {document:.0} | {their:.1} | {our:.1} | {:.1} | – |", their / our));
    }
    let (document, their, our) = totals;
    report.line(&format!("| total | {document:.0} | {their:.1} | {our:.1} | {:.1} | ≥ 3 |", their / our));
    report.line("\n| what | goal | measured |");
    report.line("|---|---|---|");
    let sampling = figure(&ours, "sampling_us");
    report.line(&format!(
        "| 196 cells sampled directly (16 samples each), light fitted to 64 more, µs | ≤ 20 | {sampling:.1} |"
    ));
    let levels = figure(&theirs, "warp_grey_levels");
    report.line(&format!("| rectified: largest difference to OpenCV, grey levels | ≤ 1 | {levels:.0} |"));
    for (field, name) in [("threshold_pixels", "adaptive threshold"), ("opening_pixels", "opening")] {
        report.line(&format!(
            "| {name}: pixels that differ from OpenCV's, 10 frames | 0 | {:.0} |",
            figure(&theirs, field)
        ));
    }
    report.write()?;
    Ok(())
}
