//! Integration tests of the Connect Four crate.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod arena;
mod book;
mod machine;
mod rules;
mod solver;
