//! `gamebot completions`: shell completion scripts.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use connect_four::Level;
use tetris::arena::Player;

use crate::cli::Cli;
use crate::ending::Ending;
use crate::output::Output;
use crate::settings::schema;

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
    clap_complete::generate(completions.shell, &mut with_known_words(Cli::command()), "gamebot", &mut script);
    out.write_all(&script)?;
    Ok(Ending::Success)
}

/// The commands with the words that their own parsers know: levels, players, keys of settings. Only completions need
/// them as lists; parsing says more about a word that it does not know.
fn with_known_words(command: Command) -> Command {
    let levels: Vec<&'static str> = Level::ALL.into_iter().map(Level::name).collect();
    let contestants = levels.iter().copied().chain(["random"]).collect();
    let players: Vec<&'static str> = Player::ALL.iter().map(|(name, _)| *name).collect();
    // The program ends right after it printed them.
    let keys: Vec<&'static str> = schema().paths().map(|path| &*format!("{path}=").leak()).collect();
    let known = |words: Vec<&'static str>| {
        move |argument: clap::Arg| argument.value_parser(PossibleValuesParser::new(words))
    };
    command
        .mut_arg("assignments", known(keys))
        .mut_subcommand("play", |play| {
            play.mut_subcommand("connect-four", |game| game.mut_arg("level", known(levels)))
        })
        .mut_subcommand("compare", |compare| {
            compare
                .mut_subcommand("connect-four", |game| game.mut_arg("players", known(contestants)))
                .mut_subcommand("tetris", |game| game.mut_arg("players", known(players)))
        })
}
