//! `gamebot solve`: the best play from a position.

mod connect_four;
mod samegame;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;

/// Solve a position.
#[derive(Args, Debug)]
pub struct Solve {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Connect Four: the exact score of a position and of every column.
    ConnectFour(connect_four::SolveConnectFour),
    /// SameGame: clear a board, prove that it cannot be cleared, or collect points.
    Samegame(samegame::SolveSamegame),
}

/// Runs the verb.
pub fn run(solve: &Solve, out: &mut Output) -> anyhow::Result<Ending> {
    match &solve.game {
        Game::ConnectFour(solve) => connect_four::run(solve, out),
        Game::Samegame(solve) => samegame::run(solve, out),
    }
}
