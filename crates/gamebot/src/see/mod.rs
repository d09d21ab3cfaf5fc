//! `gamebot see`: what a picture or the screen shows.

mod samegame;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;

/// Read a game from a picture or from the screen.
#[derive(Args, Debug)]
pub struct See {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// SameGame: the board in any window, in normal form.
    Samegame(samegame::SeeSamegame),
}

/// Runs the verb.
pub fn run(see: &See, out: &mut Output) -> anyhow::Result<Ending> {
    match &see.game {
        Game::Samegame(see) => samegame::run(see, out),
    }
}
