//! `gamebot play`: a game, a body, a player.

mod catch;
mod connect_four;
mod gameboy;
pub mod lego;
mod samegame;
pub mod tetris;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use configuration::Values;
use engine::RunEnding;
use runs::Request;

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
    /// Any Game Boy game, played by a program of your own.
    Gameboy(gameboy::PlayGameboy),
    /// Tetris on a Game Boy, by its screen and its buttons.
    Tetris(tetris::PlayTetris),
    /// Connect Four against the machine.
    ConnectFour(connect_four::PlayConnectFour),
    /// SameGame in any window, by its pixels and the mouse.
    Samegame(samegame::PlaySamegame),
}

/// Flags of every series of games, whoever plays them.
#[derive(Args, Debug)]
pub struct SeriesFlags {
    /// How many games: rounds of SameGame, matches with --two-player.
    #[arg(long, visible_alias = "rounds", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Random seed; the same seed gives the same games, wherever time is simulated and nobody else plays [default: 1;
    /// your own games of Tetris in a terminal: another one every time].
    #[arg(long)]
    seed: Option<u64>,

    /// Print one JSON document at the end instead of text.
    #[arg(long)]
    json: bool,
}

impl SeriesFlags {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

/// Flags of every run of the engine.
#[derive(Args, Debug)]
pub struct RunFlags {
    /// How fast time passes; real devices and windows keep to real time.
    #[arg(long, value_enum, default_value_t = Speed::Max)]
    speed: Speed,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl RunFlags {
    /// The run that is asked for; Ctrl-C ends it.
    fn request(&self, series: &SeriesFlags, values: Values) -> anyhow::Result<Request> {
        Ok(Request {
            speed: self.speed.into(),
            record: self.record.clone(),
            cancel: crate::interrupt::on_interrupt()?,
            ..Request::games(values, series.seed(), series.games)
        })
    }
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
        Game::Gameboy(play) => gameboy::run(play, flags, out),
        Game::Tetris(play) => tetris::run(play, flags, out),
        Game::ConnectFour(play) => connect_four::run(play, flags, out),
        Game::Samegame(play) => samegame::run(play, flags, out),
    }
}

/// How the command ends when its run ended so.
pub fn finish(ending: RunEnding) -> anyhow::Result<Ending> {
    match ending {
        RunEnding::GamesPlayed | RunEnding::TimeUp | RunEnding::ReplayEnded => Ok(Ending::Success),
        RunEnding::Cancelled => Ok(Ending::Interrupted),
        RunEnding::GaveUp { reason } => Err(anyhow::anyhow!("the run was given up: {reason}")),
    }
}
