//! Integration tests of the Tetris crate.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod agreement;
mod gameboy_frames;
mod search;
