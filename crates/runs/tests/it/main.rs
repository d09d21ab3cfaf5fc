//! Runs from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod lego_table;
mod samegame_desktop;
mod samegame_window;
mod tetris_robot;
