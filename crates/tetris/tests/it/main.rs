//! Integration tests of the Tetris crate.

mod gameboy_frames;
