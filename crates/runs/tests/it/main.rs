//! Runs from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod desktop;
mod lego_croupier;
mod lego_table;
mod lego_terminal;
mod operator;
mod samegame_desktop;
mod samegame_window;
mod tetris_robot;
mod tetris_versus;

use configuration::{Layers, Schema, Values};

/// The settings of a run: the defaults, changed by these assignments.
fn values(assignments: &[&str]) -> Values {
    let schema = Schema::new(runs::settings::SECTIONS);
    let mut layers = Layers::new(&schema);
    for assignment in assignments {
        layers.flag(assignment);
    }
    layers.finish().unwrap()
}
