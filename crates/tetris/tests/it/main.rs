//! Integration tests of the Tetris crate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod agreement;
mod gameboy_frames;
mod search;
mod survival;
