//! `gamebot play`: a game, a body, a player.

pub mod catch;
mod connect_four;
mod recording;
pub mod tetris;

use clap::{Args, Subcommand};

use crate::ending::Ending;
use crate::output::Output;
use crate::settings::ConfigurationFlags;

/// Play a game with a body.
#[derive(Args, Debug)]
pub struct Play {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Catch: a ball falls, a paddle catches it. The smallest game, to try bodies, faults and recordings.
    Catch(catch::PlayCatch),
    /// Tetris on a Game Boy, by its screen and its buttons.
    Tetris(tetris::PlayTetris),
    /// Connect Four against the machine.
    ConnectFour(connect_four::PlayConnectFour),
}

/// Runs the verb.
pub fn run(play: &Play, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &play.game {
        Game::Catch(play) => catch::run(play, flags, out),
        Game::Tetris(play) => tetris::run(play, flags, out),
        Game::ConnectFour(play) => connect_four::run(play, out),
    }
}
