//! Runs other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// Changes to the workspace root, wherever xtask was called.
pub fn enter_workspace_root() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
    std::env::set_current_dir(root).with_context(|| format!("cannot enter {}", root.display()))
}

/// Shows and runs a command; fails if the program does.
pub fn run(program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    run_command(Command::new(program).args(arguments))
}

/// The same for a prepared command.
pub fn run_command(command: &mut Command) -> anyhow::Result<()> {
    let shown = show(command);
    eprintln!("xtask: {shown}");
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed: {status}");
    }
    Ok(())
}

/// Runs a program and returns its standard output.
pub fn capture(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    capture_command(Command::new(program).args(arguments))
}

/// The same for a prepared command.
pub fn capture_command(command: &mut Command) -> anyhow::Result<String> {
    let shown = show(command);
    eprintln!("xtask: {shown}");
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` printed something that is not UTF-8"))
}

fn show(command: &Command) -> String {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

/// Whether a program is on the path.
pub fn exists(program: &str) -> bool {
    find(program).is_some()
}

/// The file of a program on the path.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
