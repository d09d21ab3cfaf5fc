//! A dated measurement report in Markdown.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, ensure};

use crate::run;

/// A report that is written line by line and shown as it grows.
pub struct Report {
    name: &'static str,
    text: String,
}

impl Report {
    /// Starts with the command, the machine and the compiler.
    pub fn begin(name: &'static str) -> anyhow::Result<Self> {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = cpu
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
            .map_or("unknown", |(_, model)| model);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let commit = run::capture("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_default();
        let arguments: Vec<_> = env::args().skip(1).collect();
        let mut report = Self { name, text: String::new() };
        report.line(&format!("# {name}\n"));
        report.line(&format!("- command: `cargo xtask {}`", arguments.join(" ")));
        report.line(&format!("- machine: {cpu}, {cores} cores"));
        report.line(&format!("- compiler: {}", run::capture("rustc", &["--version"])?.trim()));
        report.line(&format!("- commit: {}\n", commit.trim()));
        Ok(report)
    }

    /// Adds a line and shows it.
    pub fn line(&mut self, line: &str) {
        eprintln!("{line}");
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Says which goals were missed and writes the report; fails if there are any.
    pub fn conclude(mut self, missed: &[String]) -> anyhow::Result<()> {
        self.line(&match missed {
            [] => "\nAll goals are reached.".to_owned(),
            missed => format!("\nMissed:\n\n- {}", missed.join("\n- ")),
        });
        self.write()?;
        ensure!(missed.is_empty(), "missed: {}", missed.join("; "));
        Ok(())
    }

    /// Writes the report to `bench_runs/`, under its date and name.
    pub fn write(self) -> anyhow::Result<PathBuf> {
        let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
        let path = PathBuf::from(format!("bench_runs/{date}-{}.md", self.name));
        fs::create_dir_all("bench_runs")?;
        fs::write(&path, self.text).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("report: {}", path.display());
        Ok(path)
    }
}
