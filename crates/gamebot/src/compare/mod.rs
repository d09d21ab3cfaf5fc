//! `gamebot compare`: players against each other, or on the same games.

pub mod tetris;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;

/// Compare players.
#[derive(Args, Debug)]
pub struct Compare {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Tetris: all players get the same piece sequences.
    Tetris(tetris::CompareTetris),
}

/// Runs the verb.
pub fn run(compare: &Compare, out: &mut Output) -> anyhow::Result<Ending> {
    match &compare.game {
        Game::Tetris(compare) => tetris::run(compare, out),
    }
}
