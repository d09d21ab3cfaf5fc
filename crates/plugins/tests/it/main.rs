//! Plug-ins that behave, and those that do not (G22).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod programs;
mod wasm;
