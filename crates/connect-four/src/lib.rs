//! Connect Four.
pub mod grid;
pub mod solver;
