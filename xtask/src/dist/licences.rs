//! The licences of everything that is inside the program, collected from the sources it was built from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::run;

/// Names, versions and licences of all crates inside the program, then every text once.
pub fn of_the_program() -> anyhow::Result<Vec<u8>> {
    let inside: BTreeSet<String> = tree()?.lines().map(str::to_owned).collect();
    let metadata: Value =
        serde_json::from_str(&run::capture("cargo", &["metadata", "--locked", "--format-version", "1"])?)?;
    let mut list = String::from(
        "Gamebot is licensed under MIT or Apache-2.0, at your choice (LICENSE-MIT, LICENSE-APACHE).\n\n\
         It contains these crates:\n\n",
    );
    // Each text once, with the crates that it belongs to.
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().context("cargo metadata has packages")? {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} v{}", text("name"), text("version"));
        // Our own crates have no source.
        if !inside.contains(&name) || package["source"].is_null() {
            continue;
        }
        writeln!(list, "  {name}: {}", text("license"))?;
        let folder = Path::new(text("manifest_path")).parent().context("a manifest lies in a folder")?;
        for licence in licence_files(folder)? {
            texts.entry(licence).or_default().insert(name.clone());
        }
    }
    list.push_str("\nIts pages use the font Inter, licensed under the SIL Open Font License 1.1.\n");
    texts
        .entry(fs::read_to_string("web/fonts/OFL.txt")?.trim().to_owned())
        .or_default()
        .insert("the font Inter".to_owned());
    for (text, names) in texts {
        let names: Vec<_> = names.into_iter().collect();
        write!(list, "\n{}\n{}:\n\n{text}\n", "-".repeat(80), names.join(", "))?;
    }
    Ok(list.into_bytes())
}

/// One crate a line, as `name vVERSION`.
pub fn tree() -> anyhow::Result<String> {
    let arguments =
        ["tree", "--locked", "-p", "gamebot", "-e", "normal", "--prefix", "none", "--format", "{p}"];
    let lines = run::capture("cargo", &arguments)?;
    let name = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    Ok(lines.lines().map(name).collect::<Vec<_>>().join("\n"))
}

fn licence_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let is_licence = |path: &&std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file()
            && ["LICEN", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
    };
    let read =
        |path: &std::path::PathBuf| Some(String::from_utf8_lossy(&fs::read(path).ok()?).trim().to_owned());
    Ok(files.iter().filter(is_licence).filter_map(read).collect())
}
