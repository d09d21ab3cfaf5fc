//! Integration tests of the Tetris crate.

mod agreement;
mod gameboy_frames;
mod search;
