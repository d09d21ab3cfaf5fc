//! Evaluators: how good a board is, and how good the move that led to it was (G12, P3).
//!
//! A value is the sum of both parts. Over several moves the move parts add up
//! and the board part is taken at the end.

pub mod learned;
pub mod ours;

use serde::{Deserialize, Serialize};

pub use learned::Learned;

use crate::board::Board;
use crate::features::{Placed, bergmark_penalty, diversity, outline, texture};
use crate::piece::Piece;
use crate::reach::Timing;

/// What a player knows before a move.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The locked cells.
    pub board: &'a Board,
    /// The piece to place.
    pub active: Piece,
    /// The piece that follows.
    pub preview: Piece,
    /// The speed level at which pieces fall.
    pub speed: u8,
    /// How fast the keys are.
    pub timing: Timing,
    /// Whether the score has reached its end, so that nothing is left but to survive.
    pub maxed_out: bool,
}

/// Values boards and moves; higher is better.
pub trait Evaluator: Sync {
    /// Adapts to the situation before a move; most evaluators ignore it.
    fn prepare(&mut self, _situation: &Situation<'_>) {}
    /// The value of a board.
    fn board_value(&self, board: &Board) -> f32;
    /// The value of the last move itself.
    fn move_value(&self, placed: &Placed) -> f32;
}

/// Yiyuan Lee's four features (2013).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lee {
    /// Weight of the sum of column heights.
    pub height: f32,
    /// Weight of a cleared line.
    pub lines: f32,
    /// Weight of a hole.
    pub holes: f32,
    /// Weight of a step of one row between neighbouring columns.
    pub bumpiness: f32,
}

impl Lee {
    /// The published weights.
    pub const PUBLISHED: Lee =
        Lee { height: -0.510_066, lines: 0.760_666, holes: -0.356_63, bumpiness: -0.184_483 };
}

impl Evaluator for Lee {
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        let outline = outline(board);
        self.height * outline.aggregate_height as f32
            + self.holes * outline.holes as f32
            + self.bumpiness * outline.bumpiness as f32
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        self.lines * placed.lines as f32
    }
}

/// Max Bergmark's height-weighted holes and roughness ("Tetris: A Heuristic Study", KTH 2015),
/// with squared holes and plain heights for roughness, as in the source of G12.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bergmark;

impl Evaluator for Bergmark {
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        -(bergmark_penalty(board) as f32)
    }

    #[inline(always)]
    fn move_value(&self, _placed: &Placed) -> f32 {
        0.0
    }
}

/// As low as possible, nothing else: "height" in P3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightOnly;

impl Evaluator for HeightOnly {
    #[inline(always)]
    fn board_value(&self, _board: &Board) -> f32 {
        0.0
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        placed.depth as f32
    }
}

/// "Clever" in P3: depth² − 25 · covered holes + 100 · full lines.
///
/// Depth is counted in rows from the top of the field to the piece; a hole is
/// covered when a filled cell lies above it in its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clever;

impl Evaluator for Clever {
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        -25.0 * outline(board).holes as f32
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        (placed.depth * placed.depth) as f32 + 100.0 * placed.lines as f32
    }
}

/// A weighted sum of the nine features of Thiery and Scherrer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// Rows of the field that transitions are counted over.
    pub rows: u32,
    /// Weight of the landing height.
    pub landing_height: f32,
    /// Weight of the eroded cells.
    pub eroded: f32,
    /// Weight of the row transitions.
    pub row_transitions: f32,
    /// Weight of the column transitions.
    pub column_transitions: f32,
    /// Weight of the holes.
    pub holes: f32,
    /// Weight of the cumulated wells.
    pub wells: f32,
    /// Weight of the hole depth.
    pub hole_depth: f32,
    /// Weight of the rows with holes.
    pub rows_with_holes: f32,
    /// Weight of the diversity.
    pub diversity: f32,
}

impl Linear {
    /// Number of weights.
    pub const WEIGHTS: usize = 9;

    /// From weights in the order of the literature: landing height, eroded cells, row transitions,
    /// column transitions, holes, wells, hole depth, rows with holes, diversity.
    pub const fn new(rows: u32, w: [f32; Linear::WEIGHTS]) -> Linear {
        Linear {
            rows,
            landing_height: w[0],
            eroded: w[1],
            row_transitions: w[2],
            column_transitions: w[3],
            holes: w[4],
            wells: w[5],
            hole_depth: w[6],
            rows_with_holes: w[7],
            diversity: w[8],
        }
    }

    /// Pierre Dellacherie's weights (2003).
    pub const fn dellacherie(rows: u32) -> Linear {
        Linear::new(rows, [-1.0, 1.0, -1.0, -1.0, -4.0, -1.0, 0.0, 0.0, 0.0])
    }

    /// The weights of El-Tetris.
    pub const fn el_tetris(rows: u32) -> Linear {
        Linear::new(rows, [-4.500, 3.418, -3.218, -9.349, -7.899, -3.386, 0.0, 0.0, 0.0])
    }

    /// BCTS, Thiery and Scherrer (2009).
    pub const fn bcts(rows: u32) -> Linear {
        Linear::new(rows, [-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04, 0.0])
    }

    /// DT-10, Scherrer et al. (2015).
    pub const fn dt10(rows: u32) -> Linear {
        Linear::new(rows, [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27])
    }

    /// DT-20, Scherrer et al. (2015).
    pub const fn dt20(rows: u32) -> Linear {
        Linear::new(rows, [-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89])
    }
}

impl Evaluator for Linear {
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        let texture = texture(board.lanes(), self.rows);
        let mut value = self.row_transitions * texture.row_transitions as f32
            + self.column_transitions * texture.column_transitions as f32
            + self.holes * texture.holes as f32
            + self.wells * texture.wells as f32
            + self.hole_depth * texture.hole_depth as f32
            + self.rows_with_holes * texture.rows_with_holes as f32;
        if self.diversity != 0.0 {
            value += self.diversity * diversity(board) as f32;
        }
        value
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        self.landing_height * 0.5 * placed.landing_height_doubled as f32 + self.eroded * placed.eroded as f32
    }
}
