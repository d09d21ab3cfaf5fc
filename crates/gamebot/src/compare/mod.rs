//! `gamebot compare`: players against each other.

mod connect_four;

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
}

/// Runs the verb.
pub fn run(compare: &Compare, out: &mut Output) -> anyhow::Result<Ending> {
    match &compare.game {
        Game::ConnectFour(compare) => connect_four::run(compare, out),
    }
}
