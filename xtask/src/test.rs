//! `cargo xtask test`: installs what the tests need and runs them.

use std::process::Command;

use crate::{install, run};

/// Python packages that the tests use, with versions.
const PYTHON_PACKAGES: &[&str] = &["mcap==1.3.0"];

/// Programs that the tests use, with their Debian packages: a browser for the arcade's pages, the compiler of the
/// Game Boy cartridge, and the compiler of plug-ins in C.
const PROGRAMS: &[(&str, &str)] = &[
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("sdcc", "sdcc"),
    ("clang", "clang"),
    ("wasm-ld", "lld"),
];

/// Runs the tests; `arguments` select some of them.
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
