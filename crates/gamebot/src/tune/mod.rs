//! `gamebot tune`: finds better weights.

mod learning;
pub mod tetris;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;

/// Tune a player's weights.
#[derive(Args, Debug)]
pub struct Tune {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Tetris: learning from games, evolution strategy or genetic algorithm; can be resumed.
    Tetris(tetris::TuneTetris),
}

/// Runs the verb.
pub fn run(tune: &Tune, out: &mut Output) -> anyhow::Result<Ending> {
    match &tune.game {
        Game::Tetris(tune) => tetris::run(tune, out),
    }
}
