//! The register of (game, body) pairs, and the one place where runs are put together.
//!
//! A [`Pair`] says which body, rectifier and player belong together and what
//! their settings are. [`play()`] builds a run of a pair and carries it out,
//! [`replay()`] builds the same run on a recording; the command line and the
//! arcade use both through the [`register`].

mod assemble;
pub mod catch;
pub mod connect_four;
mod deal;
mod error;
pub mod eyes;
pub mod gameboy;
pub mod hands;
pub mod operator;
mod pair;
pub mod register;
pub mod samegame;
pub mod settings;
pub mod tetris;

pub use assemble::{Lap, Played, Request, Speed, play, replay};
pub use deal::{Deal, Dealt};
pub use error::RunError;
pub use pair::{Pair, Setup};
pub use register::{Entry, Finished, find};
