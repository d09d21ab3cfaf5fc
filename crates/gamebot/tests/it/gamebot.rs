//! Runs the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, ready to be called in the workspace's root with a clean environment.
pub fn gamebot(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamebot"));
    command.args(arguments).current_dir(workspace());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GAMEBOT_") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it to its end.
pub fn run(arguments: &[&str]) -> Output {
    gamebot(arguments).output().unwrap()
}

/// The workspace's root.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What it printed on standard output.
pub fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

/// What it printed on standard error.
pub fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}
