//! The program as a user runs it: a real process with its streams, files and signals.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod agents;
mod arcade;
mod command_line;
mod configuration;
mod connect_four;
mod documented;
mod gamebot;
mod golden;
mod hands;
mod lego;
mod lego_hub;
mod mistakes;
mod recording;
mod robot;
mod robot_on_a_terminal;
mod samegame;
mod shown_run;
mod simulate_robot;
mod survival;
mod terminal;
mod terminal_tetris;
mod tetris;
#[path = "../../../arcade/tests/it/visitor.rs"]
mod visitor;
