//! Runs of pairs as the command line and the arcade start them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod samegame_desktop;
mod samegame_window;
