//! The console, the cartridge and the player together.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests say what they expect")]

mod lockstep;
mod torture;
