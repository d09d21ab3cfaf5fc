//! `gamebot compare`: players against each other.

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
    /// Connect Four: everyone plays everyone, as first and as second player.
    ConnectFour(connect_four::CompareConnectFour),
    /// Tetris: all players get the same piece sequences.
    Tetris(tetris::CompareTetris),
}

/// Runs the verb.
pub fn run(compare: &Compare, out: &mut Output) -> anyhow::Result<Ending> {
    match &compare.game {
        Game::ConnectFour(compare) => connect_four::run(compare, out),
        Game::Tetris(compare) => tetris::run(compare, out),
    }
}
