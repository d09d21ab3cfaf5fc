//! SameGame.
#![allow(clippy::inline_always, reason = "the hot loop must be compiled with the caller's CPU features")]
pub mod anneal;
pub mod answer;
pub mod board;
pub mod cells;
pub mod clear;
pub mod cpu;
pub mod field;
pub mod notation;
pub mod points;
pub mod random;
pub mod replay;
pub mod rules;
pub mod scoring;
pub mod tracked;
