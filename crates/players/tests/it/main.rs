//! Players on simulated bodies.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod connect_four;
mod samegame_screen;
mod tetris;
mod tetris_camera;
mod tetris_screen;
#[path = "../../../gameboy/examples/lockstep/walk.rs"]
mod walk;
