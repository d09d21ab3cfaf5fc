//! Well-behaved and misbehaving plug-ins (G22).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod programs;
mod wasm;
