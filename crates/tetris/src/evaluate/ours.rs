//! Our weights, with the commands that made them.

use super::{Linear, StackWeights};
use crate::search::Depth;

/// Column of the well: pieces reach the left wall with one press less than the right one.
pub const WELL: usize = 0;

/// How far our player for points looks.
pub const DEPTH: Depth = Depth::Chance { pairs: 16 };

/// Weights for points.
pub const SCORE: StackWeights = StackWeights::from_array([
    -9.22, -19.77, -13.08, -10.49, -1.61, -24.04, -12.63, -5.0, -10.0, 2.0, 0.0, 2.0, -20.0, -20.0, -20.0,
    100.0, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04, -12.63, -5.0, 6.6, 8.5, 7.5, 6.5, 1.0,
]);

/// Weights for lines on a classic field with one piece known.
pub const LINES: [f32; Linear::WEIGHTS] = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];

/// Weights for surviving on the Game Boy.
pub const SURVIVE: [f32; Linear::WEIGHTS] = [-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04, 0.0];
