//! `gamebot completions`: shell completion scripts.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::ending::Ending;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot completions bash > ~/.local/share/bash-completion/completions/gamebot
  gamebot completions zsh > ~/.zfunc/_gamebot
  gamebot completions fish > ~/.config/fish/completions/gamebot.fish";

/// Print a completion script for a shell.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

/// Runs the verb.
pub fn run(completions: &Completions, out: &mut Output) -> anyhow::Result<Ending> {
    // clap_complete panics when its stream fails; a buffer never does.
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Cli::command(), "gamebot", &mut script);
    out.write_all(&script)?;
    Ok(Ending::Success)
}
