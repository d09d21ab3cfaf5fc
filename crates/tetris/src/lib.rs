//! Tetris: the rules of the Game Boy's game and of the classic one, the moves a
//! player can really make, evaluators, search, arena and tuning.
//!
//! No input or output, no clock: time is counted in frames, thinking in a
//! [`budget::Budget`], chance in a seeded generator that the caller passes in.

#![allow(
    clippy::inline_always,
    reason = "the hot loops are compiled twice for different processors, which only inlining allows"
)]

pub mod arena;
pub mod board;
pub mod classic;
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
