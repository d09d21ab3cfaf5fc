//! `cargo xtask wasm`: builds the pages' WebAssembly module with Debian's second Rust, which can.
//!
//! The module is committed, so that a plain `cargo run` needs no browser toolchain. Beside it lies the fingerprint of
//! the sources that it was built from; a test compares it with the sources as they are.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::{install, run};

/// The committed module.
pub const MODULE: &str = "web/wasm/browser.wasm";
/// The fingerprint of its sources.
const FINGERPRINT: &str = "web/wasm/sources.txt";
/// The crates that are compiled into it.
const SOURCES: &[&str] = &[
    "crates/browser",
    "crates/budget",
    "crates/connect-four",
    "crates/processor",
    "crates/samegame",
    "crates/tetris",
];
/// How those of them are made that are not simply small: for speed; and, because its solvers exist once for every size of
/// board, as small as can be.
const MADE: &[(&str, &str)] =
    &[("budget", "3"), ("connect-four", "3"), ("processor", "3"), ("samegame", "\"z\"")];
/// Debian's Rust for browsers and its linker; the installer's own has no WebAssembly target.
const PACKAGES: &[(&str, &str)] = &[
    ("/usr/bin/rustc", "rustc-web"),
    ("/usr/bin/cargo", "cargo-web"),
    ("/usr/share/doc/rust-web-src", "rust-web-src"),
    ("/usr/bin/wasm-ld", "lld"),
];
/// A target folder of its own: the compiler is another one.
const TARGET: &str = "target/wasm";
/// The largest module that a page may wait for.
pub const MOST_BYTES: u64 = 1_500_000;

/// Builds the module and writes the fingerprint.
pub fn wasm() -> anyhow::Result<()> {
    let missing: Vec<_> = PACKAGES.iter().filter(|(file, _)| !Path::new(file).exists()).copied().collect();
    install::debian(&missing)?;
    run::run_command(
        Command::new("/usr/bin/cargo")
            .args(["rustc", "--locked", "--release", "--package", "browser", "--lib"])
            .args(["--crate-type", "cdylib", "--target", "wasm32-unknown-unknown"])
            // A page has no use for backtraces; leaving them out spares half of the standard library's dependencies.
            .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=", "--target-dir", TARGET])
            // The path has the installer's shims in front, which cargo would ask for the compiler.
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-C linker=wasm-ld -C strip=symbols -C panic=abort")
            .args(MADE.iter().flat_map(|(name, level)| {
                ["--config".to_owned(), format!("profile.release.package.{name}.opt-level={level}")]
            }))
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN"),
    )?;
    let built = Path::new(TARGET).join("wasm32-unknown-unknown/release/browser.wasm");
    let bytes = fs::metadata(&built).with_context(|| format!("{} was not built", built.display()))?.len();
    if bytes > MOST_BYTES {
        bail!("the module has {bytes} bytes; at most {MOST_BYTES} are allowed");
    }
    if let Some(folder) = Path::new(MODULE).parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(&built, MODULE)?;
    fs::write(FINGERPRINT, fingerprint()?)?;
    eprintln!("xtask: {MODULE} has {bytes} bytes");
    Ok(())
}

/// One line a source file: its hash and its name.
fn fingerprint() -> anyhow::Result<String> {
    let mut files = vec![PathBuf::from("Cargo.lock")];
    for folder in SOURCES {
        files.push(Path::new(folder).join("Cargo.toml"));
        for part in ["src", "book", "values"] {
            collect(&Path::new(folder).join(part), &mut files)?;
        }
    }
    files.sort();
    let mut text = String::new();
    for file in files {
        // The lock file changes with every other crate's dependencies; those of the module are compared alone.
        let bytes = if file.ends_with("Cargo.lock") { locked()?.into_bytes() } else { fs::read(&file)? };
        writeln!(text, "{:016x} {}", hash(&bytes), file.display())?;
    }
    Ok(text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Names and versions of everything that the module is built from.
fn locked() -> anyhow::Result<String> {
    let arguments = ["tree", "--locked", "--package", "browser", "--edges", "normal", "--prefix", "none"];
    let tree = run::capture("cargo", &[&arguments[..], &["--format", "{p}"]].concat())?;
    // Paths of this machine stand in brackets.
    let mut lines: Vec<_> = tree.lines().map(|line| line.split(" (").next().unwrap_or(line)).collect();
    lines.sort_unstable();
    lines.dedup();
    Ok(lines.join("\n"))
}

/// FNV-1a: equal on every machine and in every release.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_module_is_as_new_as_its_sources() {
        run::enter_workspace_root().unwrap();
        let (now, then) = (fingerprint().unwrap(), fs::read_to_string(FINGERPRINT).unwrap());
        let changed: Vec<_> = now.lines().filter(|line| !then.contains(line)).collect();
        assert!(now == then, "run `cargo xtask wasm`; changed since the module was built: {changed:#?}");
        assert!(fs::metadata(MODULE).unwrap().len() <= MOST_BYTES);
    }
}
