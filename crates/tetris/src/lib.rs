//! Tetris: the rules of the Game Boy game and of the classic one, the moves that
//! real key presses can reach, evaluators, search, arena and tuning.
//!
//! ```
//! use tetris::arena::{Contest, Limits, Player, Rules};
//! use tetris::gameboy::{Mode, Setup};
//! use tetris::reach::Timing;
//!
//! // Game Boy rules, level 9, 75 ms per key press, stopped after 20 lines.
//! let setup = Setup::new(Mode::A, 9, false)?;
//! let contest = Contest {
//!     rules: Rules::GameBoy { setup, timing: Timing::from_ms(75.0) },
//!     limits: Limits { lines: 20, stop_at_max_out: true },
//!     seed: 1,
//! };
//! let game = Player::Lee.play(&contest, 0);
//! assert!(game.lines >= 20 && !game.died);
//! # Ok::<(), tetris::gameboy::SetupError>(())
//! ```
//!
//! No input or output, no clock: time is counted in frames, thinking is limited by
//! a [`budget::Budget`], and chance comes from a seeded generator that the caller
//! passes in.

#![allow(
    clippy::inline_always,
    reason = "hot code is compiled for several processors, see `processor`: only inlined code profits"
)]

pub mod arena;
pub mod board;
pub mod classic;
mod drawing;
pub mod evaluate;
pub mod features;
pub mod field;
pub mod gameboy;
pub mod moves;
pub mod piece;
pub mod reach;
pub mod search;
pub mod tune;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use board::Board;
pub use moves::Placement;
pub use piece::Piece;

/// The examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
