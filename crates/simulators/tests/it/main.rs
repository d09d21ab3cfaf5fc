//! Simulated devices, met as strangers meet them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bindings;
mod brickd;
mod junk;
