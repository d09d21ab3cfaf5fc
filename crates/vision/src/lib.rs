//! Pixels only: rectifying, thresholds, morphology, finding screens and grids, colour clustering. Knows no game.
//!
//! Fast paths are chosen at run time from what the processor can do; every one
//! has a portable twin with the same result.

pub mod bitmap;
pub mod cluster;
pub mod edges;
pub mod gray;
pub mod homography;
pub mod islands;
pub mod lattice;
pub mod light;
pub mod morphology;
pub mod patch;
pub mod pitch;
pub mod register;
pub mod repeats;
pub mod sample;
mod solve;
pub mod threshold;
pub mod view;
pub mod warp;

pub use bitmap::Bitmap;
pub use gray::Gray;
pub use homography::{Homography, Point, Quad};
