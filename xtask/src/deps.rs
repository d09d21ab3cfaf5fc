//! `cargo xtask deps`: checks that dependencies point in the directions that ARCHITECTURE.md allows.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::run;

/// The crates that each crate may use; `None` for all. Every crate must be listed.
const MAY_USE: &[(&str, Option<&[&str]>)] = &[
    ("budget", Some(&[])),
    ("configuration", Some(&[])),
    ("manual", Some(&[])),
    ("processor", Some(&[])),
    ("connect-four", Some(&["budget", "processor"])),
    ("samegame", Some(&["budget", "processor"])),
    ("tetris", Some(&["budget", "processor"])),
    ("engine", Some(&["budget"])),
    ("vision", Some(&["processor"])),
    ("devices", Some(&["budget", "engine"])),
    ("simulators", Some(&["budget", "connect-four", "engine", "gameboy", "samegame", "tetris", "vision"])),
    ("gameboy", Some(&["tetris"])),
    (
        "players",
        Some(&["budget", "connect-four", "engine", "gameboy", "plugins", "samegame", "tetris", "vision"]),
    ),
    (
        "runs",
        Some(&[
            "budget",
            "configuration",
            "connect-four",
            "devices",
            "engine",
            "gameboy",
            "players",
            "plugins",
            "proving",
            "samegame",
            "simulators",
            "tetris",
            "vision",
        ]),
    ),
    ("browser", Some(&["budget", "connect-four", "samegame", "tetris"])),
    (
        "python",
        Some(&["budget", "connect-four", "engine", "gameboy", "players", "processor", "samegame", "tetris"]),
    ),
    ("plugins", Some(&["budget", "tetris"])),
    ("proving", Some(&["budget", "engine"])),
    ("arcade", None),
    ("fuzz", None),
    ("gamebot", None),
    ("xtask", Some(&["manual"])),
];

/// Fails with a list of all dependencies that point the wrong way.
pub fn check_direction() -> anyhow::Result<()> {
    let mistakes = mistakes(&our_dependencies()?);
    if !mistakes.is_empty() {
        bail!("dependencies against ARCHITECTURE.md:\n  {}", mistakes.join("\n  "));
    }
    Ok(())
}

/// Our crates, each with those of our crates that it uses (without dev-dependencies).
fn our_dependencies() -> anyhow::Result<BTreeMap<String, BTreeSet<String>>> {
    let metadata = run::capture("cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().context("cargo metadata has packages")?;
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: BTreeSet<_> = packages.iter().map(name).collect();
    let uses = packages.iter().map(|package| {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let used = dependencies.filter(|d| d["kind"].as_str() != Some("dev")).map(name);
        (name(package), used.filter(|used| ours.contains(used)).collect())
    });
    Ok(uses.collect())
}

fn mistakes(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (name, used) in uses {
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            mistakes.push(format!("{name} is not in the table of xtask/src/deps.rs"));
            continue;
        };
        for other in used {
            if other == "gamebot" || allowed.is_some_and(|allowed| !allowed.contains(&other.as_str())) {
                mistakes.push(format!("{name} must not use {other}"));
            }
        }
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_directions_are_named() {
        let uses = [("engine", "gamebot"), ("tetris", "engine"), ("gamebot", "engine"), ("new", "budget")];
        let uses = uses.map(|(name, used)| (name.to_owned(), BTreeSet::from([used.to_owned()])));
        assert_eq!(
            mistakes(&BTreeMap::from(uses)),
            [
                "engine must not use gamebot",
                "new is not in the table of xtask/src/deps.rs",
                "tetris must not use engine"
            ]
        );
    }
}
