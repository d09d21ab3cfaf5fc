//! `cargo xtask test`: installs what tests need, then runs all of them.

use std::process::Command;

use crate::{install, run};

/// Python packages that tests use, with their versions.
const PYTHON_PACKAGES: &[&str] = &["mcap==1.3.0", "tinkerforge==2.1.32"];

/// Programs that tests use, with their Debian packages: the browser of the arcade's visitors, the
/// compiler of the Game Boy cartridge, and the one of plug-ins written in C.
const PROGRAMS: &[(&str, &str)] = &[
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("sdcc", "sdcc"),
    ("clang", "clang"),
    ("wasm-ld", "lld"),
];

/// Runs the tests; `arguments` narrow them down.
pub fn test(arguments: &[String]) -> anyhow::Result<()> {
    install::debian(PROGRAMS)?;
    let python = install::python(PYTHON_PACKAGES)?;
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet"]).env("GAMEBOT_TEST_PYTHON", python);
    if arguments.is_empty() {
        command.arg("--workspace");
    }
    run::run_command(command.args(arguments))
}
