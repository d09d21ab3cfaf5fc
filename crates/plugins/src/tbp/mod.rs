//! Players that speak the Tetris Bot Protocol (TBP) on their standard streams.
//!
//! The program is not trusted: it may hang, flood us, suggest impossible moves
//! or crash. Each of these ends in a [`BotError`] that says what happened, and
//! the program is killed. We never wait longer than the limit and never buffer
//! more than a few lines.

mod client;
mod error;
mod location;
mod message;
mod process;

pub use client::Bot;
pub use error::BotError;
pub use location::{Location, Move, Orientation, cells_of, location_of, protocol_board};
pub use message::{BotMessage, FrontendMessage, Start};
