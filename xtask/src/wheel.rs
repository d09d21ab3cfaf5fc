//! `cargo xtask wheel`: builds the Python package and tests it in a fresh virtual environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;

use crate::{install, run};

/// Where wheels are left.
const WHEELS: &str = "target/wheels";
const TOOLS_ENVIRONMENT: &str = "target/wheel-tools";
const TEST_ENVIRONMENT: &str = "target/wheel-environment";

const TESTS: &str = "python/tests";

/// What builds the wheel.
const TOOLS: &[&str] = &["maturin==1.16.0"];

/// What the tests use beside the wheel.
const PACKAGES: &[&str] = &[
    "gymnasium==1.4.0",
    "mypy==2.4.1",
    "numpy==2.4.6",
    "pettingzoo==1.27.0",
    "pytest==9.2.0",
    "ray==2.60.0",
];

/// Build the Python package and test it in a fresh virtual environment.
#[derive(Args, Debug)]
pub struct Wheel {
    /// Optimise fully, as for a release; tests do with the everyday profile.
    #[arg(long)]
    release: bool,

    /// Build only.
    #[arg(long)]
    no_test: bool,
}

/// Builds the wheel and tests it.
pub fn wheel(options: &Wheel) -> anyhow::Result<()> {
    let wheel = build(if options.release { "release" } else { "dev" })?;
    if options.no_test { Ok(()) } else { test(&wheel) }
}

/// Builds and tests with the everyday profile.
pub fn build_and_test() -> anyhow::Result<()> {
    wheel(&Wheel { release: false, no_test: false })
}

/// Builds the wheel with this profile; its file.
pub fn build(profile: &str) -> anyhow::Result<PathBuf> {
    let python = install::python_in(TOOLS_ENVIRONMENT, TOOLS)?;
    let (maturin, wheels) = (python.with_file_name("maturin"), std::path::absolute(WHEELS)?);
    std::fs::remove_dir_all(&wheels).ok();
    let mut command = Command::new(maturin);
    command.current_dir("python").args(["build", "--profile", profile, "--interpreter"]).arg(&python);
    run::run_command(command.arg("--out").arg(&wheels))?;
    let mut files = std::fs::read_dir(&wheels)?.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| file.extension().is_some_and(|kind| kind == "whl")).context("maturin left no wheel")
}

fn test(wheel: &Path) -> anyhow::Result<()> {
    std::fs::remove_dir_all(TEST_ENVIRONMENT).ok();
    let python = install::python_in(TEST_ENVIRONMENT, PACKAGES)?;
    let pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"];
    run::run_command(Command::new(&python).args(pip).arg(wheel))?;
    let gamebot = std::path::absolute("target/debug/gamebot")?;
    // Each file in a process of its own: what Ray or SDL leave behind in theirs is not what other tests are about.
    let mut tests: Vec<PathBuf> =
        std::fs::read_dir(TESTS)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    tests.retain(|file| file.to_string_lossy().contains("/test_"));
    tests.sort();
    for file in tests {
        let mut pytest = Command::new(&python);
        pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).arg(file);
        // The single-machine command, where it was built, writes what a cluster must write.
        if gamebot.exists() {
            pytest.env("GAMEBOT_BINARY", &gamebot);
        }
        run::run_command(&mut pytest)?;
    }
    Ok(())
}
