//! `cargo xtask licences`: writes the list of crates with their licences that the hall shows at `/about`.
//!
//! The list is committed, so that the program knows it without cargo; a test of the arcade compares it with `Cargo.lock`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use anyhow::Context;
use serde_json::Value;

use crate::{dist, run};

/// The committed list: name, version, licence, and whether the crate is inside the program, separated by tabs.
pub const LIST: &str = "crates/arcade/src/web/licences.tsv";

/// Writes the list.
pub fn licences() -> anyhow::Result<()> {
    let inside: BTreeSet<String> = dist::licences::tree()?.lines().map(str::to_owned).collect();
    let metadata: Value = serde_json::from_str(&run::capture(
        "cargo",
        &["metadata", "--locked", "--all-features", "--format-version", "1"],
    )?)?;
    let mut lines = BTreeSet::new();
    for package in metadata["packages"].as_array().context("cargo metadata has packages")? {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        // Our own crates have no source.
        if package["source"].is_null() {
            continue;
        }
        let (name, version) = (text("name"), text("version"));
        let place = if inside.contains(&format!("{name} v{version}")) { "inside" } else { "tools" };
        let licence = choices(text("license"));
        let mut line = String::new();
        writeln!(line, "{name}\t{version}\t{licence}\t{place}")?;
        lines.insert(line);
    }
    fs::write(LIST, String::from_iter(lines)).context(LIST)
}

/// Crates write the same choice in several ways: `MIT/Apache-2.0` is `Apache-2.0 OR MIT`.
fn choices(licence: &str) -> String {
    let licence = licence.replace(" / ", " OR ").replace('/', " OR ");
    if licence.is_empty() || licence.contains(" AND ") {
        return licence;
    }
    let mut choices: Vec<_> = licence.split(" OR ").collect();
    choices.sort_unstable();
    choices.join(" OR ")
}
