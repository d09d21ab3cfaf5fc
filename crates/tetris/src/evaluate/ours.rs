//! Our weights, with the commands that found them.
//!
//! The tables of our player for points, `values/score.values`, come from
//! `gamebot tune tetris --objective score --rounds 160 --seed 1 --values score.values`
//! (16 million moves a pace). Those of the four hardest paces, which only keys slower than
//! 75 ms meet, come from `--rounds 80 --caution 0.8`, the last one from `--rounds 90`.

use super::Linear;
use crate::search::Depth;

/// How far our player for points looks ahead.
pub const DEPTH: Depth = Depth::Chance { pairs: 16 };

/// How far our player for lines looks ahead where the next piece is not shown: the best placements are judged by what may
/// follow, which the other players do not do.
pub const DEPTH_WITHOUT_PREVIEW: Depth = Depth::Expected { roots: 3 };

/// Weights for lines and survival: with one piece known on a classic field, and on the Game Boy, where they cleared
/// 20 × 20,000 lines at 75 ms a press without a loss.
/// `gamebot tune tetris --objective lines --rows 9 --pieces 100000 --population 12 --games 150
/// --sigma 0.15 --seed 1 --generations 24`, starting from DT-10.
pub const LINES: [f32; Linear::WEIGHTS] =
    [-1.9969, 1.7882, -2.0434, -3.4993, 0.9953, -2.1929, -0.8258, -7.8518, 1.5143];
