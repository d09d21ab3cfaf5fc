//! Our evaluator for points: nine columns stacked cleanly beside a well that only bars may fill,
//! and a second set of weights that brings the stack down again when it gets too high.

use serde::{Deserialize, Serialize};

use super::{Evaluator, Situation};
use crate::board::{Board, WIDTH};
use crate::features::{Placed, Texture, texture};
use crate::gameboy::{ROWS, SPAWN_ROW, frames_per_row};
use crate::piece::Piece;
use crate::reach::Timing;

/// All numbers of the [`Stack`] evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackWeights {
    /// While stacking: weights of the nine columns' texture.
    pub stacking: TextureWeights,
    /// Height of the well's own column.
    pub well_height: f32,
    /// Rows that only miss their cell in the well, from its bottom upward, up to four.
    pub ready_rows: f32,
    /// Such rows beyond four.
    pub spare_rows: f32,
    /// How many of the steps −2 to 2 occur between the nine columns.
    pub diversity: f32,
    /// For clearing one, two, three and four lines while stacking.
    pub clears: [f32; 4],
    /// While burning: weights of the whole board's texture.
    pub burning: TextureWeights,
    /// For each cell of the last piece in a cleared line, times the lines, while burning.
    pub eroded: f32,
    /// Height above which lines are burned: slow, fast and fastest pieces.
    pub limits: [f32; 3],
    /// Added to the limit while a bar is in sight.
    pub bar_bonus: f32,
}

/// Weights that both modes have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextureWeights {
    /// Changes between filled and empty along the rows.
    pub row_transitions: f32,
    /// The same along the columns.
    pub column_transitions: f32,
    /// Covered empty cells.
    pub holes: f32,
    /// Cumulated wells.
    pub wells: f32,
    /// Filled cells in runs directly above a hole.
    pub hole_depth: f32,
    /// Rows with a hole.
    pub rows_with_holes: f32,
    /// Row of the last piece's middle.
    pub landing_height: f32,
    /// Rows by which columns are too high to be reached in time.
    pub overflow: f32,
}

impl TextureWeights {
    const COUNT: usize = 8;

    const fn from_slice(w: &[f32]) -> TextureWeights {
        TextureWeights {
            row_transitions: w[0],
            column_transitions: w[1],
            holes: w[2],
            wells: w[3],
            hole_depth: w[4],
            rows_with_holes: w[5],
            landing_height: w[6],
            overflow: w[7],
        }
    }

    #[inline(always)]
    fn value(&self, texture: &Texture, overflow: i32) -> f32 {
        self.row_transitions * texture.row_transitions as f32
            + self.column_transitions * texture.column_transitions as f32
            + self.holes * texture.holes as f32
            + self.wells * texture.wells as f32
            + self.hole_depth * texture.hole_depth as f32
            + self.rows_with_holes * texture.rows_with_holes as f32
            + self.overflow * overflow as f32
    }
}

impl StackWeights {
    /// Number of weights.
    pub const COUNT: usize = 2 * TextureWeights::COUNT + 13;

    /// Weights from an array in the order of the fields.
    pub const fn from_array(w: [f32; Self::COUNT]) -> StackWeights {
        let (stacking, rest) = w.split_at(TextureWeights::COUNT);
        let (own, rest) = rest.split_at(8);
        let (burning, last) = rest.split_at(TextureWeights::COUNT);
        StackWeights {
            stacking: TextureWeights::from_slice(stacking),
            well_height: own[0],
            ready_rows: own[1],
            spare_rows: own[2],
            diversity: own[3],
            clears: [own[4], own[5], own[6], own[7]],
            burning: TextureWeights::from_slice(burning),
            eroded: last[0],
            limits: [last[1], last[2], last[3]],
            bar_bonus: last[4],
        }
    }
}

/// The evaluator: weights, the well's column, and what it knows of the situation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stack {
    weights: StackWeights,
    well: usize,
    /// How high each column may be before pieces reach it too late.
    heights: [i32; WIDTH],
    burning: bool,
}

/// Rows kept free below the row in which a piece arrives over a column.
const HEADROOM: i32 = 4;
/// Speed levels from which the second and the third height limit hold.
const FAST: [u8; 2] = [14, 18];

impl Stack {
    /// An evaluator with its well in column `well` (0 to 9).
    pub fn new(weights: StackWeights, well: usize) -> Stack {
        Stack { weights, well: well.min(WIDTH - 1), heights: [SPAWN_ROW - HEADROOM; WIDTH], burning: false }
    }

    #[inline(always)]
    fn overflow(&self, board: &Board) -> i32 {
        let mut overflow = 0;
        for x in 0..WIDTH {
            overflow += (board.column_height(x) as i32 - self.heights[x]).max(0);
        }
        overflow
    }

    #[inline(always)]
    fn stacking_value(&self, board: &Board) -> f32 {
        let weights = &self.weights;
        let well_height = board.column_height(self.well);
        // With its well filled up the board reads like a narrower one between walls.
        let mut lanes = *board.lanes();
        lanes[self.well + 1] = u32::MAX;
        let texture = texture(&lanes, ROWS);

        let mut complete = u32::MAX;
        let mut steps = 0u64;
        let mut previous: Option<i32> = None;
        for x in 0..WIDTH {
            if x == self.well {
                continue;
            }
            complete &= board.column(x);
            let height = board.column_height(x) as i32;
            if let Some(previous) = previous {
                steps |= 1 << (height - previous + 32);
            }
            previous = Some(height);
        }
        let ready = (complete >> (well_height & 31)).trailing_ones();
        let diversity = (steps >> 30 & 0b11111).count_ones();
        weights.stacking.value(&texture, self.overflow(board))
            + weights.well_height * well_height as f32
            + weights.ready_rows * ready.min(4) as f32
            + weights.spare_rows * ready.saturating_sub(4) as f32
            + weights.diversity * diversity as f32
    }
}

/// The box row at which a three-wide piece can first stand over column `x`.
fn arrival_row(x: usize, speed: u8, timing: Timing) -> i32 {
    // Pieces appear over columns 3 to 5.
    let presses = if x < 3 { 3 - x } else { x.saturating_sub(5) } as u32;
    let frame = timing.reaction + presses.saturating_sub(1) * timing.period;
    SPAWN_ROW - (frame / u32::from(frames_per_row(speed))) as i32
}

impl Evaluator for Stack {
    fn prepare(&mut self, situation: &Situation<'_>) {
        for (x, height) in self.heights.iter_mut().enumerate() {
            *height = arrival_row(x, situation.speed, situation.timing) - HEADROOM;
        }
        let band = FAST.iter().filter(|&&speed| situation.speed >= speed).count();
        let bar = situation.active == Piece::I || situation.preview == Piece::I;
        let limit = self.weights.limits[band] + if bar { self.weights.bar_bonus } else { 0.0 };
        self.burning = situation.board.height() as f32 > limit;
    }

    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        if self.burning {
            self.weights.burning.value(&texture(board.lanes(), ROWS), self.overflow(board))
        } else {
            self.stacking_value(board)
        }
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        let middle = 0.5 * placed.landing_height_doubled as f32;
        if self.burning {
            return self.weights.burning.landing_height * middle + self.weights.eroded * placed.eroded as f32;
        }
        let mut value = self.weights.stacking.landing_height * middle;
        if placed.lines > 0 {
            value += self.weights.clears[(placed.lines as usize - 1) & 3];
        }
        value
    }
}
