//! `gamebot play`: a game, a body, a player.

mod catch;
mod connect_four;
pub mod tetris;

use clap::{Args, Subcommand, ValueEnum};
use engine::RunEnding;

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

/// How fast time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Speed {
    /// Simulated time, as fast as possible.
    Max,
    /// Real time.
    Real,
}

impl From<Speed> for runs::Speed {
    fn from(speed: Speed) -> Self {
        match speed {
            Speed::Max => runs::Speed::Max,
            Speed::Real => runs::Speed::Real,
        }
    }
}

/// Runs the verb.
pub fn run(play: &Play, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    match &play.game {
        Game::Catch(play) => catch::run(play, flags, out),
        Game::Tetris(play) => tetris::run(play, flags, out),
        Game::ConnectFour(play) => connect_four::run(play, out),
    }
}

/// How the command ends when its run ended so.
fn finish(ending: RunEnding) -> anyhow::Result<Ending> {
    match ending {
        RunEnding::GamesPlayed | RunEnding::TimeUp | RunEnding::ReplayEnded => Ok(Ending::Success),
        RunEnding::Cancelled => Ok(Ending::Interrupted),
        RunEnding::GaveUp { reason } => Err(anyhow::anyhow!("the run was given up: {reason}")),
    }
}
