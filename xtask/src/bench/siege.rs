//! The arcade under siege: attacks, power cuts and full disks, robots with bad habits.

use clap::Args;
use serde_json::Value;

use super::{Report, measure};

/// How much of it.
#[derive(Args, Debug)]
pub struct Options {
    /// Seconds of each attack.
    #[arg(long, default_value_t = 10)]
    seconds: u32,

    /// How often the hall is killed.
    #[arg(long, default_value_t = 1000)]
    kills: u32,

    /// How often its disk is full.
    #[arg(long, default_value_t = 200)]
    full_disks: u32,
}

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("siege")?;
    attacks(options, &mut report)?;
    survival(options, &mut report)?;
    robots(&mut report)?;
    report.write()?;
    Ok(())
}

fn figure(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

fn attacks(options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let figures = measure("gamebot", "siege", &["--seconds", &options.seconds.to_string()])?;
    report.line("## Attacks\n");
    report.line(&format!(
        "A normal player taps four times a second; a tap counts until the big screen has read the turn. All cabinets \
         are open, and two pages watch each show. Each attack lasts {} s, from other addresses than the player's; \"after\" begins 5 s after its end. Goals: p99 < 100 ms, memory < 150 \
         MB.\n",
        options.seconds
    ));
    report.line("| attack | taps | p50 | p99 | max | pictures of the shows | most memory | p99 after |");
    report.line("|---|---|---|---|---|---|---|---|");
    for row in figures["attacks"].as_array().into_iter().flatten() {
        report.line(&format!(
            "| {} | {} | {:.1} ms | {:.1} ms | {:.1} ms | {} + {} + {} | {:.0} MB | {:.1} ms |",
            row["attack"].as_str().unwrap_or_default(),
            figure(row, "/during_ms/count"),
            figure(row, "/during_ms/p50"),
            figure(row, "/during_ms/p99"),
            figure(row, "/during_ms/max"),
            figure(row, "/pictures/tetris"),
            figure(row, "/pictures/samegame"),
            figure(row, "/pictures/lego"),
            figure(row, "/memory_mb"),
            figure(row, "/after_ms/p99"),
        ));
    }
    report.line(&format!(
        "\nThe longest turn of HARD with `levels.hard_depth = 12` and `levels.think_at_most_s = 1`: {} ms.",
        figures["longest_thought_ms"]
    ));
    Ok(())
}

fn survival(options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let (kills, full_disks) = (options.kills.to_string(), options.full_disks.to_string());
    let figures = measure("gamebot", "survival", &["--kills", &kills, "--full-disks", &full_disks])?;
    report.line("\n## Power cuts and full disks\n");
    report.line(&format!(
        "{} times `kill -9` at a random moment of a game that is played as fast as the server answers, then {} times a disk \
         that is full for 50 to 300 ms (`RLIMIT_FSIZE` of the running process; every tenth time it is killed as well). After \
         each start the position is compared with what was shown; at the end all stored games with all that was shown. \
         Shown: {} turns; games resumed: {}; times the pages were warned that turns are not recorded yet: {}. \
         The first turn that is shown without a warning and lost ends this bench with an error: there was none.\n",
        figures["kills"],
        figures["full_disks"],
        figures["turns_shown"],
        figures["games_resumed"],
        figures["warnings"],
    ));
    Ok(())
}

fn robots(report: &mut Report) -> anyhow::Result<()> {
    let figures = measure("gamebot", "habits", &[])?;
    report.line("## Robots that fail\n");
    report.line(&format!(
        "Every mishap in every phase and every bad habit, with the robot simulated inside the hall and as a program of its own \
         on a serial line, {} times as fast as the real one; patience {} s. Goal: no longer without a turn than patience and \
         one rebuild of a full board, {:.1} s. Longest: {:.1} s.\n",
        figures["speed"],
        figures["patience_s"],
        figure(&figures, "/limit_s"),
        figure(&figures, "/longest_s")
    ));
    report.line("| trouble | robot | longest without a turn | the game's end |");
    report.line("|---|---|---|---|");
    for row in figures["runs"].as_array().into_iter().flatten() {
        report.line(&format!(
            "| {} | {} | {:.1} s | {} |",
            row["trouble"].as_str().unwrap_or_default(),
            row["robot"].as_str().unwrap_or_default(),
            figure(row, "/longest_s"),
            row["end"].as_str().unwrap_or_default()
        ));
    }
    Ok(())
}
