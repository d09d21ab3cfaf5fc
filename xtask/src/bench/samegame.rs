//! Bench of SameGame: speed, clearing, points and records.

use clap::Args;

use super::{Report, measure};

/// What to measure.
#[derive(Args, Debug)]
pub struct Options {
    /// Seconds per standard board for points; several values make several rows.
    #[arg(long, value_delimiter = ',', default_value = "10,60")]
    seconds: Vec<u32>,

    /// Compare all solvers on every 4x4 board of two and three colours.
    #[arg(long)]
    small_boards: bool,

    /// Improve the best known solutions in bench_runs/records/samegame.md instead of measuring.
    #[arg(long)]
    records: bool,

    /// Hours to spend on the records.
    #[arg(long, default_value_t = 1.0, requires = "records")]
    hours: f64,
}

const RECORDS: &str = "bench_runs/records/samegame.md";

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    if options.records {
        return improve_records(options.hours);
    }
    let mut report = Report::begin("samegame")?;
    report.line("Times are CPU time of each thread, so other load on the machine changes them little.\n");
    let figures = measure("samegame", "samegame", &["speed", "clearing"])?;
    let speed = figures["speed"]["playouts_per_s"].as_f64().unwrap_or(f64::NAN);
    report.line(&format!(
        "Uniformly random games on 15x15x5, one thread: {speed:.0} per second (goal 60,000).\n"
    ));
    report.line("Clearing random boards (seed not used in tuning), one thread:\n");
    report.line("| boards | cleared | proved impossible | of | median ms | p99 ms | max ms | goal |");
    report.line("|---|---|---|---|---|---|---|---|");
    let goals = [
        "all, median 1 ms, p99 20 ms",
        "all, median 1 ms, p99 20 ms",
        "99 % in 5 s, median 60 ms",
        "99 % in 10 s",
        "99 % in 1 s",
    ];
    for (set, goal) in figures["clearing"].as_array().into_iter().flatten().zip(goals) {
        let ms = |field: &str| set[field].as_f64().unwrap_or(f64::NAN);
        report.line(&format!(
            "| {} | {} | {} | {} | {:.2} | {:.2} | {:.1} | {goal} |",
            set["set"].as_str().unwrap_or("?"),
            set["cleared"],
            set["impossible"],
            set["boards"],
            ms("median_ms"),
            ms("p99_ms"),
            ms("max_ms"),
        ));
    }
    report.line(
        "\nPoints on the 20 standard boards, two threads (goals 77,000 in 10 s, 80,500 in 60 s per board;",
    );
    report.line("published: SP-MCTS 78,012, selective NRPA 80,030, best program 84,414, people 87,858):\n");
    report.line("| seconds per board | total | each board |");
    report.line("|---|---|---|");
    for seconds in &options.seconds {
        let figures = measure("samegame", "samegame", &["points", "--seconds", &seconds.to_string()])?;
        let points = &figures["points"];
        report.line(&format!("| {seconds} | {} | {} |", points["total"], points["boards"]));
    }
    if options.small_boards {
        report.line(
            "\nAll 4x4 boards up to mirroring and renamed colours; `auto`, exhaustive and naive search:\n",
        );
        for row in measure("samegame", "samegame", &["small-boards"])?["small_boards"]
            .as_array()
            .into_iter()
            .flatten()
        {
            report.line(&format!(
                "- {} colours: {} boards, {} solvable, {} disagreements",
                row["colours"], row["boards"], row["solvable"], row["disagreements"]
            ));
        }
    }
    report.write()?;
    Ok(())
}

fn improve_records(hours: f64) -> anyhow::Result<()> {
    std::fs::create_dir_all("bench_runs/records")?;
    // The measuring program runs in the folder of its crate.
    let file = std::env::current_dir()?.join(RECORDS);
    let arguments = ["records", "--hours", &hours.to_string(), "--file", &file.to_string_lossy()];
    let figures = measure("samegame", "samegame", &arguments)?;
    let records = &figures["records"];
    eprintln!("total {} (before {}), all verified: {RECORDS}", records["total"], records["total_before"]);
    Ok(())
}
