//! `cargo xtask targets`: other compilers and systems than the one at hand. The oldest Rust that is promised,
//! WebAssembly, Windows.

use std::path::Path;

use anyhow::Context;

use crate::run;

/// Systems with the crates that are promised to compile for them.
const SYSTEMS: &[(&str, &[&str])] = &[
    ("wasm32-unknown-unknown", &["browser", "budget", "connect-four", "processor", "samegame", "tetris"]),
    (
        "x86_64-pc-windows-gnu",
        &[
            "browser",
            "budget",
            "configuration",
            "connect-four",
            "engine",
            "gameboy",
            "manual",
            "plugins",
            "processor",
            "proving",
            "samegame",
            "tetris",
            "vision",
        ],
    ),
];

/// Checks all of them; says which could not be checked.
pub fn check() -> anyhow::Result<()> {
    check_minimum_version()?;
    check_other_systems()
}

/// Compiles the program with the oldest Rust that `Cargo.toml` names, if it can be had.
fn check_minimum_version() -> anyhow::Result<()> {
    let manifest = std::fs::read_to_string("Cargo.toml")?;
    let wanted = minimum(&manifest).context("Cargo.toml names no rust-version")?;
    let here = run::capture("rustc", &["--version"])?;
    if is_version(&here, wanted) {
        eprintln!("xtask: Rust {wanted} is at hand, the oldest that is promised");
        return Ok(());
    }
    let toolchains = run::capture("rustup", &["toolchain", "list"]).unwrap_or_default();
    let Some(toolchain) = toolchains.lines().find(|line| line.starts_with(wanted)) else {
        eprintln!("xtask: Rust {wanted} NOT CHECKED: it is not installed; rustup toolchain install {wanted}");
        return Ok(());
    };
    let toolchain = format!("+{}", toolchain.split_whitespace().next().unwrap_or(wanted));
    // A folder of its own: other compilers do not share what they compiled.
    run::run(
        "cargo",
        &[&toolchain, "check", "--quiet", "--locked", "-p", "gamebot", "--target-dir", "target/minimum"],
    )
}

/// Compiles what is promised for other systems, where their standard library can be had.
fn check_other_systems() -> anyhow::Result<()> {
    for (system, crates) in SYSTEMS {
        if !is_installed(system)
            && (!run::exists("rustup") || run::run("rustup", &["target", "add", system]).is_err())
        {
            eprintln!(
                "xtask: {system} NOT CHECKED: its standard library is not here; rustup target add {system}"
            );
            continue;
        }
        let mut arguments = vec!["check", "--quiet", "--locked", "--lib", "--target", *system];
        arguments.extend(crates.iter().flat_map(|name| ["-p", *name]));
        run::run("cargo", &arguments)?;
        eprintln!("xtask: {} crates compile for {system}", crates.len());
    }
    Ok(())
}

fn is_installed(system: &str) -> bool {
    run::capture("rustc", &["--print", "target-libdir", "--target", system])
        .is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn minimum(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
}

/// Whether `rustc --version` is of this version: 1.95 is 1.95.0 and 1.95.1.
fn is_version(said: &str, wanted: &str) -> bool {
    let number = said.split_whitespace().nth(1).unwrap_or_default();
    number == wanted || number.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_parts() {
        assert!(is_version("rustc 1.95.0 (59807616e 2026-04-14)", "1.95"));
        assert!(!is_version("rustc 1.96.0 (x)", "1.95") && !is_version("rustc 1.9.0", "1.95"));
        assert_eq!(minimum("[a]\nrust-version = \"1.95\"\n"), Some("1.95"));
    }

    #[test]
    fn documents_name_the_same_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let wanted = minimum(&manifest).unwrap();
        for file in ["README.md", "docs/start.md", "packaging/Containerfile"] {
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            assert!(
                text.contains(&format!("Rust {wanted}")) || text.contains(&format!("rust:{wanted}")),
                "{file} does not name Rust {wanted}"
            );
        }
    }
}
