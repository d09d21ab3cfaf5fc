//! An earlier commit, measured in the same run as this one: the two alternate, so that a busy or warm machine
//! affects both alike.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use super::{figures, measure, measuring};
use crate::run;

/// What to compare with.
#[derive(Args, Debug)]
pub struct Options {
    /// An earlier commit to measure as well.
    #[arg(long, value_name = "COMMIT")]
    against: Option<String>,

    /// How often each of the two is measured; the best counts.
    #[arg(long, default_value_t = 5, requires = "against", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// A measuring program: package and bench.
pub type Program = (&'static str, &'static str);

/// Figures of both commits, one entry a round.
pub struct Both {
    /// This commit.
    pub now: Vec<Value>,
    /// The earlier one; empty if none was asked for.
    pub before: Vec<Value>,
}

impl Options {
    /// Measures this commit, and the earlier one if there is one. `programs` are the names the measuring program has
    /// had, newest first.
    pub fn measure(&self, programs: &[Program], arguments: &[&str]) -> anyhow::Result<Both> {
        let (package, bench) = programs.first().copied().context("a program to measure")?;
        let earlier =
            self.against.as_deref().map(|commit| Earlier::check_out(commit, programs)).transpose()?;
        let mut both = Both { now: Vec::new(), before: Vec::new() };
        for _ in 0..if earlier.is_some() { self.rounds } else { 1 } {
            if let Some(earlier) = &earlier {
                both.before.push(earlier.measure(arguments)?);
            }
            both.now.push(measure(package, bench, arguments)?);
        }
        Ok(both)
    }
}

impl Both {
    /// The last figures of this commit.
    pub fn latest(&self) -> &Value {
        self.now.last().unwrap_or(&Value::Null)
    }

    /// The best of a figure before and now; `None` without an earlier commit.
    pub fn best(&self, path: &str, better: fn(f64, f64) -> f64) -> Option<(f64, f64)> {
        let best = |rounds: &[Value]| {
            rounds.iter().filter_map(|figures| figures.pointer(path)?.as_f64()).reduce(better)
        };
        Some((best(&self.before)?, best(&self.now)?))
    }
}

/// A checkout of an earlier commit.
struct Earlier {
    folder: PathBuf,
    program: Program,
}

impl Earlier {
    fn check_out(commit: &str, programs: &[Program]) -> anyhow::Result<Self> {
        let commit = run::capture("git", &["rev-parse", "--verify", &format!("{commit}^{{commit}}")])?;
        let folder = Path::new("target").join("earlier").join(commit.trim());
        if !folder.exists() {
            let folder = folder.to_string_lossy();
            run::run("git", &["worktree", "prune"])?;
            run::run("git", &["worktree", "add", "--detach", &folder, commit.trim()])?;
        }
        let exists = |&(package, bench): &Program| {
            let bench = folder.join("crates").join(package).join("benches").join(bench);
            bench.with_extension("rs").is_file() || bench.is_dir()
        };
        let Some(program) = programs.iter().copied().find(exists) else {
            bail!("{} has none of the measuring programs {programs:?}", commit.trim());
        };
        Ok(Self { folder, program })
    }

    fn measure(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let (package, bench) = self.program;
        let mut command = measuring(package, bench, arguments);
        // With a target folder of its own: cargo does not tell two checkouts of a crate apart.
        command.current_dir(&self.folder).env_remove("CARGO_TARGET_DIR");
        figures(&mut command)
    }
}
