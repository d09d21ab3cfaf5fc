//! Pixels only: rectifying, thresholds, morphology, finding screens and grids, colour clustering. Knows no game.

pub mod cluster;
pub mod edges;
pub mod lattice;
pub mod patch;
pub mod pitch;
pub mod view;
