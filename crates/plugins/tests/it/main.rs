//! Plug-ins that behave, and those that do not (G22).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod programs;
mod wasm;
