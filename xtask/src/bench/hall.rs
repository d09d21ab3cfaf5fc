//! The hall: viewers that must not slow the robot, an idle hall, hours of attract mode, strangers' recordings.

use clap::Args;
use serde_json::Value;

use super::{Report, measure};

/// How much of it.
#[derive(Args, Debug)]
pub struct Options {
    /// Seconds of each measurement with viewers.
    #[arg(long, default_value_t = 20)]
    seconds: u32,

    /// Seconds of attract mode on simulated time.
    #[arg(long, default_value_t = 1800)]
    endure: u32,

    /// Recordings mutated at random, for the reader alone and brought to the arcade.
    #[arg(long, default_value_t = 100_000)]
    variants: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("hall")?;
    let (seconds, endure) = (options.seconds.to_string(), options.endure.to_string());
    let variants = options.variants.to_string();
    let parts = ["--seconds", &seconds, "--endure", &endure, "--uploads", &variants];
    let hall = measure("gamebot", "viewers", &parts)?;
    let figure = |path: &str| hall.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let ratio =
        |name: &str| figure(&format!("/with_viewers/{name}")) / figure(&format!("/without_viewers/{name}"));
    report.line("| what | goal | found |");
    report.line("|---|---|---|");
    report.line(&format!(
        "| program started to the robot's first frame in a page | < 5 s | {:.1} s |",
        figure("/first_picture_ms") / 1000.0
    ));
    report.line(&format!(
        "| idle hall, nobody watches | < 15 % of a core | {:.1} % |",
        100.0 * figure("/idle_core_share")
    ));
    report.line(&format!(
        "| robot's ticks a second with 50 viewers, 5 of them very slow, against none | ≥ 0.95 | {:.3} ({:.1} and {:.1} a second) |",
        ratio("ticks_per_s"),
        figure("/with_viewers/ticks_per_s"),
        figure("/without_viewers/ticks_per_s"),
    ));
    report.line(&format!(
        "| time a tick works (without looking and acting) with and without them | – | {:.0} and {:.0} µs |",
        figure("/with_viewers/work_us"),
        figure("/without_viewers/work_us"),
    ));
    for name in ["tetris", "samegame", "lego"] {
        let of = |what: &str| figure(&format!("/endured/shows/{name}/{what}"));
        report.line(&format!(
            "| attract mode of {name} on simulated time | 8 h | {:.1} h, {} games, {} failures |",
            of("hours"),
            of("games"),
            of("failures"),
        ));
    }
    report.line(&format!(
        "| memory growth of attract mode after warm-up | < 10 MB | {:.1} MB ({:.0} to {:.0}) |",
        figure("/endured/growth_mb"),
        figure("/endured/warm_mb"),
        figure("/endured/end_mb"),
    ));
    report.line(&format!(
        "| {} mutated recordings brought to the arcade: shown, refused, anything else, memory before and at most | nothing else, ≤ 64 MB more | {}, {}, {}, {:.1} and {:.1} MB |",
        figure("/uploads/variants"),
        figure("/uploads/shown"),
        figure("/uploads/refused"),
        figure("/uploads/other"),
        figure("/uploads/before_mb"),
        figure("/uploads/most_mb"),
    ));
    let mutated = measure("engine", "mutated", &["--variants", &variants])?;
    report.line(&format!(
        "| {} mutated recordings in the reader alone: shown, refused, panics, most memory | 0 panics, ≤ 64 MB | {}, {}, {}, {:.1} MB |",
        mutated["variants"],
        mutated["shown"],
        mutated["refused"],
        mutated["panics"],
        mutated["most_mb"].as_f64().unwrap_or(f64::NAN),
    ));
    report.write()?;
    Ok(())
}
