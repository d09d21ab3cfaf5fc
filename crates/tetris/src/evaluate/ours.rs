//! Our weights, with the commands that made them.

use super::{Linear, StackWeights};
use crate::search::Depth;

/// Column of the well: pieces reach the left wall with one press less than the right one.
pub const WELL: usize = 0;

/// How far our player for points looks.
pub const DEPTH: Depth = Depth::Chance { pairs: 16 };

/// Weights for points.
///
/// A run of the evolution strategy at depth 2 (18 candidates, 24 games, 17 generations from BCTS)
/// gave the textures; the penalties for small clears and the height limits were then set by hand
/// for the deeper search, because each look ahead makes a clear look better by one landing height.
/// `gamebot compare tetris --players ours --games 100 --seed 1`: 93 max-outs, 347 lines to them.
pub const SCORE: StackWeights = StackWeights::from_array([
    -8.4, -26.04, -18.57, -7.43, -1.85, -21.6, -16.86, -4.31, // stacking
    -9.73, 2.14, 0.06, 2.4, // well height, ready and spare rows, diversity
    -80.0, -80.0, -80.0, 94.12, // clears
    -9.51, -17.24, -12.98, -10.43, -1.01, -21.97, -12.26, -5.7, // burning
    9.04, 8.5, 8.5, 6.5, 1.2, // eroded, limits, bonus for a bar
]);

/// Weights for lines on a classic field with one piece known:
/// `gamebot tune tetris --objective lines --rows 9 --pieces 100000 --population 12 --games 150
/// --sigma 0.15 --seed 1 --generations 24`, begun from DT-10.
pub const LINES: [f32; Linear::WEIGHTS] =
    [-1.9969, 1.7882, -2.0434, -3.4993, 0.9953, -2.1929, -0.8258, -7.8518, 1.5143];

/// Weights for surviving on the Game Boy: those of BCTS, which needed no tuning there.
pub const SURVIVE: [f32; Linear::WEIGHTS] = [-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04, 0.0];
