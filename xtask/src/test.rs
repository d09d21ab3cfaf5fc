//! `cargo xtask test`: installs what the tests need and runs them.

use std::process::Command;

use crate::{install, run, wheel};

/// Python packages that the tests use, with versions. One of them carries an ffmpeg.
const PYTHON_PACKAGES: &[&str] = &[
    "imageio-ffmpeg==0.8.1",
    "mcap==1.6.0",
    "mcap-protobuf-support==0.6.0",
    "opencv-python-headless==5.0.0.93",
    "tinkerforge==2.1.32",
];

/// Packages of npm that the tests use, with their versions: MicroPython, for the simulated hub.
pub const NPM_PACKAGES: &[&str] = &["@micropython/micropython-webassembly-pyscript@1.27.0"];

/// Programs that the tests use, with their Debian packages: the browser of the arcade's visitors, the
/// compiler of the Game Boy cartridge, the one of plug-ins written in C, what MicroPython runs in, and a
/// desktop without a monitor with a game on it.
const PROGRAMS: &[(&str, &str)] = &[
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("sdcc", "sdcc"),
    ("clang", "clang"),
    ("wasm-ld", "lld"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("Xvfb", "xvfb"),
    ("openbox", "openbox"),
    ("/usr/games/sgt-samegame", "sgt-puzzles"),
];

/// Runs the tests; `arguments` select some of them.
pub fn test(arguments: &[String]) -> anyhow::Result<()> {
    install::debian(PROGRAMS)?;
    let python = install::python(PYTHON_PACKAGES)?;
    let micropython = install::npm("target/micropython", NPM_PACKAGES)?;
    let mut command = Command::new("cargo");
    command
        .args(["test", "--quiet"])
        .env("GAMEBOT_TEST_PYTHON", python)
        .env("GAMEBOT_MICROPYTHON", micropython);
    if arguments.is_empty() {
        // Every failure is worth knowing: the run goes on after the first.
        command.args(["--workspace", "--no-fail-fast"]);
    }
    run::run_command(command.args(arguments))?;
    if arguments.is_empty() { wheel::build_and_test() } else { Ok(()) }
}
