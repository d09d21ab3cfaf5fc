//! What a newcomer waits for: from a clone to the arcade's first page, the program's size, and whether a leaner build
//! costs speed. An earlier commit is built and run in the same way, in the same run.

#![expect(clippy::disallowed_methods, reason = "measures how long a build takes on this machine's clock")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, bail};
use clap::Args;

use super::Report;
use crate::run;

/// What to compare with.
#[derive(Args, Debug)]
pub struct Options {
    /// An earlier commit to build and run as well.
    #[arg(long, value_name = "COMMIT")]
    against: Option<String>,

    /// A setting of cargo for the build of this commit, to try a profile: profile.release.lto=false.
    #[arg(long, value_name = "KEY=VALUE")]
    config: Vec<String>,

    /// How often each command is run on either program; the quickest counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// Work whose speed a build must not cost: a name and the program's arguments.
const WORK: &[(&str, &[&str])] = &[
    (
        "Connect Four, exact scores",
        &["solve", "connect-four", "44455", "--no-book", "--threads", "1", "--all"],
    ),
    (
        "SameGame, points",
        &[
            "solve", "samegame", "--random", "15x15x5", "--count", "3", "--goal", "points", "--nodes",
            "300000",
        ],
    ),
    ("SameGame, clearing", &["solve", "samegame", "--random", "15x15x3", "--count", "1000"]),
    ("Tetris players", &["compare", "tetris", "--players", "ours,bcts", "--games", "6", "--threads", "1"]),
    ("Tetris on the emulator", &["play", "tetris", "--games", "1", "--seed", "0", "--level", "9"]),
];

/// Longest time from a clone to the first page that still counts as a result.
const PATIENCE: Duration = Duration::from_hours(1);

/// Measures and reports.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("build")?;
    let now = fresh("HEAD", "now", &options.config)?;
    let before = options.against.as_deref().map(|commit| fresh(commit, "before", &[])).transpose()?;
    let of_both = |now: String, before: Option<String>| match before {
        Some(before) => format!("{now} | {before}"),
        None => format!("{now} | –"),
    };
    report.line("| what | goal | now | before |");
    report.line("|---|---|---|---|");
    let rows: [(&str, &str, fn(&Fresh) -> String); 3] = [
        ("a clone to the first page", "≤ 150 s", |built| {
            format!("{:.0} s", built.first_page.as_secs_f64())
        }),
        ("processor time of the build", "–", |built| format!("{:.0} s", built.processor_s)),
        ("the program", "< 20 MB", |built| format!("{:.1} MB", built.bytes as f64 / 1e6)),
    ];
    for (what, goal, figure) in rows {
        let both = of_both(figure(&now), before.as_ref().map(figure));
        report.line(&format!("| {what} | {goal} | {both} |"));
    }
    for (what, arguments) in WORK {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..options.rounds {
            // In turns, so that a busy or warm machine affects both alike.
            for (best, built) in best.iter_mut().zip([Some(&now), before.as_ref()]) {
                if let Some(built) = built {
                    *best = best.min(built.processor_time(arguments)?);
                }
            }
        }
        let [now, earlier] = best;
        let both = of_both(
            format!("{now:.2} s, {:.2} times as fast", earlier / now),
            before.is_some().then(|| format!("{earlier:.2} s")),
        );
        report.line(&format!("| {what}, processor time | ≥ 0.97 times as fast | {both} |"));
    }
    report.line("\n`gamebot` with, in the order of the rows:\n");
    for (_, arguments) in WORK {
        report.line(&format!("- `gamebot {}`", arguments.join(" ")));
    }
    report.write()?;
    Ok(())
}

/// A commit that was cloned, built and started.
struct Fresh {
    program: PathBuf,
    first_page: Duration,
    processor_s: f64,
    bytes: u64,
}

/// Clones a commit into an empty folder and runs the README's first command there, until the first page has come.
fn fresh(commit: &str, name: &str, config: &[String]) -> anyhow::Result<Fresh> {
    let commit = run::capture("git", &["rev-parse", "--verify", &format!("{commit}^{{commit}}")])?;
    let folder = env::temp_dir().join(format!("gamebot-build-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let here = env::current_dir()?;
    let clone = Instant::now();
    run::run(
        "git",
        &["clone", "--quiet", "--no-checkout", &here.to_string_lossy(), &folder.to_string_lossy()],
    )?;
    run::run("git", &["-C", &folder.to_string_lossy(), "checkout", "--quiet", commit.trim()])?;
    let before = processor_s_of_children()?;
    let address = "127.0.0.1:18080";
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--locked"]);
    command.args(config.iter().flat_map(|setting| ["--config", setting.as_str()]));
    command.args(["--", "arcade", "--listen", address]);
    let arcade = command
        .current_dir(&folder)
        .env_remove("CARGO_TARGET_DIR")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let mut arcade = arcade.spawn().context("cannot start cargo")?;
    let page = wait_for_page(&mut arcade, address, clone + PATIENCE);
    let first_page = clone.elapsed();
    // The program, not cargo: it ends as on Ctrl-C.
    let program = folder.join("target/release/gamebot");
    stop(&program)?;
    arcade.wait()?;
    page?;
    let bytes = fs::metadata(&program)?.len();
    Ok(Fresh { program, first_page, processor_s: processor_s_of_children()? - before, bytes })
}

impl Fresh {
    /// Processor time of the program with these arguments, in seconds.
    fn processor_time(&self, arguments: &[&str]) -> anyhow::Result<f64> {
        let before = processor_s_of_children()?;
        let mut command = Command::new(&self.program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().with_context(|| format!("cannot start {}", self.program.display()))?;
        if !status.success() {
            bail!("`gamebot {}` ended with {status}", arguments.join(" "));
        }
        Ok(processor_s_of_children()? - before)
    }
}

fn wait_for_page(arcade: &mut Child, address: &str, until: Instant) -> anyhow::Result<()> {
    loop {
        if first_line_of_page(address).is_ok_and(|line| line.contains(" 200 ")) {
            return Ok(());
        }
        if let Some(status) = arcade.try_wait()? {
            bail!("`cargo run --release -- arcade` ended with {status}");
        }
        if Instant::now() > until {
            bail!("no page after an hour");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn first_line_of_page(address: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = BufReader::new(stream);
    let mut line = String::new();
    answer.read_line(&mut line)?;
    // A page has come when all of it has.
    answer.read_to_end(&mut Vec::new())?;
    Ok(line)
}

/// Ends the processes that run this program.
fn stop(program: &Path) -> anyhow::Result<()> {
    let program = program.canonicalize()?;
    for process in fs::read_dir("/proc")?.filter_map(Result::ok) {
        if fs::read_link(process.path().join("exe")).is_ok_and(|file| file == program) {
            run::run("kill", &["-INT", &process.file_name().to_string_lossy()])?;
        }
    }
    Ok(())
}

/// Processor time of all ended children and theirs, as the system counts it, in seconds.
fn processor_s_of_children() -> anyhow::Result<f64> {
    /// Of a second; the same on every Linux.
    const TICK: f64 = 0.01;
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The program's name may hold blanks; it ends with the last parenthesis, and the state is the third field.
    let (_, fields) = stat.rsplit_once(')').context("no name in /proc/self/stat")?;
    let of_children: Vec<f64> =
        fields.split_whitespace().skip(13).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    Ok(of_children.iter().sum::<f64>() * TICK)
}
