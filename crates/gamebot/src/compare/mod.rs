//! `gamebot compare`: compares players.

mod connect_four;
mod contestant;
mod tetris;

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
    /// Connect Four: a round robin, each player going first in half of the games.
    ConnectFour(connect_four::CompareConnectFour),
    /// Tetris: all players on the same piece sequences.
    Tetris(tetris::CompareTetris),
}

/// Runs the verb.
pub fn run(compare: &Compare, out: &mut Output) -> anyhow::Result<Ending> {
    match &compare.game {
        Game::ConnectFour(compare) => connect_four::run(compare, out),
        Game::Tetris(compare) => tetris::run(compare, out),
    }
}
