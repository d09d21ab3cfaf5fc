//! The hall: viewers that must not slow the robot, an idle hall, hours of attract mode, strangers' recordings.

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::{Report, measure};

/// How much of it.
#[derive(Args, Debug)]
pub struct Options {
    /// Seconds of each measurement with viewers.
    #[arg(long, default_value_t = 20)]
    seconds: u32,

    /// Seconds that 8 simulated hours of attract mode may take at most.
    #[arg(long, default_value_t = 5400)]
    endure: u32,

    /// Recordings mutated at random, for the reader alone and brought to the arcade.
    #[arg(long, default_value_t = 100_000)]
    variants: u32,

    /// One half of it, with a report of its own.
    #[arg(long)]
    only: Option<Half>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Half {
    /// First picture, idle hall and viewers: wants a machine that does nothing else.
    Speed,
    /// Hours of attract mode and mutated recordings, which may run beside other work.
    Endurance,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin(match options.only {
        None => "hall",
        Some(Half::Speed) => "hall-speed",
        Some(Half::Endurance) => "hall-endurance",
    })?;
    report.line("| what | goal | found |");
    report.line("|---|---|---|");
    if options.only != Some(Half::Endurance) {
        speed(&mut report, options)?;
    }
    if options.only != Some(Half::Speed) {
        endurance(&mut report, options)?;
    }
    report.write()?;
    Ok(())
}

fn figure(figures: &Value, path: &str) -> f64 {
    figures.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// What newcomers and viewers feel.
fn speed(report: &mut Report, options: &Options) -> anyhow::Result<()> {
    let seconds = options.seconds.to_string();
    let first = measure("gamebot", "viewers", &["--seconds", &seconds, "--only", "first"])?;
    report.line(&format!(
        "| program started to the robot's first frame in a page | < 5 s | {:.1} s |",
        figure(&first, "/first_picture_ms") / 1000.0
    ));
    report.line(&format!(
        "| idle hall, nobody watches | < 15 % of a core | {:.1} % |",
        100.0 * figure(&first, "/idle_core_share")
    ));
    let watched = measure("gamebot", "viewers", &["--seconds", &seconds, "--only", "watched"])?;
    let with = |name: &str| figure(&watched, &format!("/with_viewers/{name}"));
    let without = |name: &str| figure(&watched, &format!("/without_viewers/{name}"));
    report.line(&format!(
        "| robot's ticks a second with 50 viewers, 5 of them very slow, against none | ≥ 0.95 | {:.3} ({:.1} and {:.1} a second) |",
        with("ticks_per_s") / without("ticks_per_s"),
        with("ticks_per_s"),
        without("ticks_per_s"),
    ));
    report.line(&format!(
        "| time a tick works (without looking and acting) with and without them | – | {:.0} and {:.0} µs |",
        with("work_us"),
        without("work_us"),
    ));
    Ok(())
}

/// What hours and strangers do to it.
fn endurance(report: &mut Report, options: &Options) -> anyhow::Result<()> {
    let (endure, variants) = (options.endure.to_string(), options.variants.to_string());
    let endured = measure("gamebot", "viewers", &["--endure", &endure, "--only", "endured"])?;
    for name in ["tetris", "samegame", "lego"] {
        let of = |what: &str| figure(&endured, &format!("/endured/shows/{name}/{what}"));
        report.line(&format!(
            "| attract mode of {name} on simulated time | 8 h | {:.1} h, {} games, {} failures |",
            of("hours"),
            of("games"),
            of("failures"),
        ));
    }
    let of = |what: &str| figure(&endured, &format!("/endured/{what}"));
    report.line(&format!(
        "| memory growth of attract mode after warm-up | < 10 MB | {:.1} MB ({:.0} to {:.0}) |",
        of("growth_mb"),
        of("warm_mb"),
        of("end_mb"),
    ));
    let brought = measure("gamebot", "viewers", &["--uploads", &variants, "--only", "uploads"])?;
    let of = |what: &str| figure(&brought, &format!("/uploads/{what}"));
    report.line(&format!(
        "| {} mutated recordings brought to the arcade: shown, refused, anything else, memory before and at most | nothing else, ≤ 64 MB more | {}, {}, {}, {:.1} and {:.1} MB |",
        of("variants"),
        of("shown"),
        of("refused"),
        of("other"),
        of("before_mb"),
        of("most_mb"),
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
    Ok(())
}
