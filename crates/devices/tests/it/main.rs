//! The drivers from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod camera;
mod camera_peers;
mod hub;
mod hub_codec;
mod hub_junk;
mod robot;
mod tinkerforge;
