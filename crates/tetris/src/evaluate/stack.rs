//! Our evaluator for points: nine columns stacked cleanly beside a well that only bars may fill.

use serde::{Deserialize, Serialize};

use super::Evaluator;
use crate::board::{Board, WIDTH};
use crate::features::{Placed, texture};
use crate::gameboy::{ROWS, SPAWN_ROW, frames_per_row};
use crate::reach::Timing;

/// Weights of the [`Stack`] evaluator, by feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackWeights {
    /// Changes between filled and empty along the rows of the nine columns.
    pub row_transitions: f32,
    /// The same along the columns.
    pub column_transitions: f32,
    /// Covered empty cells of the nine columns.
    pub holes: f32,
    /// Cumulated wells between the nine columns.
    pub wells: f32,
    /// Filled cells in runs directly above a hole.
    pub hole_depth: f32,
    /// Rows with a hole.
    pub rows_with_holes: f32,
    /// Height of the well's own column.
    pub well_height: f32,
    /// Rows that only miss their cell in the well, from its bottom upward, up to four.
    pub ready_rows: f32,
    /// Such rows beyond four.
    pub spare_rows: f32,
    /// Rows by which columns are too high to be reached in time.
    pub overflow: f32,
    /// The same, squared by column.
    pub overflow_squared: f32,
    /// Mean height of the nine columns.
    pub mean_height: f32,
    /// How many of the steps −2 to 2 occur between the nine columns.
    pub diversity: f32,
    /// Row of the last piece's middle.
    pub landing_height: f32,
    /// For clearing one, two, three and four lines.
    pub clears: [f32; 4],
}

impl StackWeights {
    /// Number of weights.
    pub const COUNT: usize = 18;

    /// The weights in order of the fields.
    pub fn to_array(self) -> [f32; Self::COUNT] {
        let [one, two, three, four] = self.clears;
        [
            self.row_transitions,
            self.column_transitions,
            self.holes,
            self.wells,
            self.hole_depth,
            self.rows_with_holes,
            self.well_height,
            self.ready_rows,
            self.spare_rows,
            self.overflow,
            self.overflow_squared,
            self.mean_height,
            self.diversity,
            self.landing_height,
            one,
            two,
            three,
            four,
        ]
    }

    /// Weights from an array in the order of the fields.
    pub const fn from_array(w: [f32; Self::COUNT]) -> StackWeights {
        StackWeights {
            row_transitions: w[0],
            column_transitions: w[1],
            holes: w[2],
            wells: w[3],
            hole_depth: w[4],
            rows_with_holes: w[5],
            well_height: w[6],
            ready_rows: w[7],
            spare_rows: w[8],
            overflow: w[9],
            overflow_squared: w[10],
            mean_height: w[11],
            diversity: w[12],
            landing_height: w[13],
            clears: [w[14], w[15], w[16], w[17]],
        }
    }
}

/// The evaluator: weights, the well's column, and how high columns may be at the speed of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stack {
    weights: StackWeights,
    well: usize,
    limits: [i32; WIDTH],
}

/// Rows kept free below the row in which a piece arrives over a column.
const HEADROOM: i32 = 4;

impl Stack {
    /// An evaluator with its well in column `well` (0 to 9), for slow pieces until told otherwise.
    pub fn new(weights: StackWeights, well: usize) -> Stack {
        Stack { weights, well: well.min(WIDTH - 1), limits: [SPAWN_ROW - HEADROOM; WIDTH] }
    }

    /// Adapts the height limits to the speed level and the keys.
    pub fn set_speed(&mut self, speed: u8, timing: Timing) {
        for (x, limit) in self.limits.iter_mut().enumerate() {
            *limit = arrival_row(x, speed, timing) - HEADROOM;
        }
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
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        let weights = &self.weights;
        let well_column = board.column(self.well);
        let well_height = u32::BITS - well_column.leading_zeros();

        // With its well filled up the board reads like a narrower one between walls.
        let mut lanes = *board.lanes();
        lanes[self.well + 1] = u32::MAX;
        let texture = texture(&lanes, ROWS);

        let mut complete = u32::MAX;
        let (mut overflow, mut overflow_squared, mut total, mut steps) = (0, 0, 0, 0u64);
        let mut previous: Option<i32> = None;
        for x in 0..WIDTH {
            let height = board.column_height(x) as i32;
            let excess = (height - self.limits[x]).max(0);
            overflow += excess;
            overflow_squared += excess * excess;
            if x == self.well {
                continue;
            }
            complete &= board.column(x);
            total += height;
            if let Some(previous) = previous {
                steps |= 1 << (height - previous + 32);
            }
            previous = Some(height);
        }
        let ready = (complete >> (well_height & 31)).trailing_ones();
        let diversity = (steps >> 30 & 0b11111).count_ones();

        weights.row_transitions * texture.row_transitions as f32
            + weights.column_transitions * texture.column_transitions as f32
            + weights.holes * texture.holes as f32
            + weights.wells * texture.wells as f32
            + weights.hole_depth * texture.hole_depth as f32
            + weights.rows_with_holes * texture.rows_with_holes as f32
            + weights.well_height * well_height as f32
            + weights.ready_rows * ready.min(4) as f32
            + weights.spare_rows * ready.saturating_sub(4) as f32
            + weights.overflow * overflow as f32
            + weights.overflow_squared * overflow_squared as f32
            + weights.mean_height * total as f32 / (WIDTH - 1) as f32
            + weights.diversity * diversity as f32
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        let mut value = self.weights.landing_height * 0.5 * placed.landing_height_doubled as f32;
        if placed.lines > 0 {
            value += self.weights.clears[(placed.lines as usize - 1) & 3];
        }
        value
    }
}
