//! Known vulnerabilities of dependencies: checked against the database on this machine, whose age is printed.
//! `cargo deny fetch db` brings a new one.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::run;

/// Fails if a dependency has a known vulnerability. Without a database nothing is checked, and a message says so.
#[expect(clippy::disallowed_methods, reason = "the age of a database is wall time")]
pub fn check() -> anyhow::Result<()> {
    let Some(folder) = data_base() else {
        eprintln!("xtask: advisories NOT CHECKED: there is no database; cargo deny fetch db");
        return Ok(());
    };
    run::run("cargo", &["deny", "--offline", "check", "advisories"])?;
    let folder = folder.to_str().context("the database's path is not text")?;
    let known_until: u64 =
        run::capture("git", &["-C", folder, "log", "-1", "--format=%ct"])?.trim().parse()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    eprintln!("xtask: no known vulnerabilities; the database is {}", age(known_until, now));
    Ok(())
}

/// Where cargo-deny keeps its database.
fn data_base() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")))?;
    let folders = std::fs::read_dir(home.join("advisory-dbs")).ok()?;
    folders.filter_map(|entry| Some(entry.ok()?.path())).find(|path| path.join(".git").exists())
}

fn age(known_until: u64, now: u64) -> String {
    match now.saturating_sub(known_until) / (24 * 60 * 60) {
        0 => "of today".to_owned(),
        1 => "a day old".to_owned(),
        days => format!("{days} days old"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_is_said_in_days() {
        let day = 24 * 60 * 60;
        assert_eq!(age(10 * day, 10 * day + 5), "of today");
        assert_eq!(age(10 * day, 11 * day), "a day old");
        assert_eq!(age(10 * day, 642 * day), "632 days old");
        assert_eq!(age(10, 5), "of today", "a clock that is wrong");
    }
}
