//! Runs from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod desktop;
mod lego_croupier;
mod lego_table;
mod lego_terminal;
mod operator;
mod samegame_body;
mod samegame_desktop;
mod samegame_window;
mod settings;
mod tetris_robot;
mod tetris_versus;
