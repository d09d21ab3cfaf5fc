//! The features that evaluators use, each computed in one pass over the bit columns.
//!
//! Definitions follow Thiery and Scherrer, "Building controllers for Tetris"
//! (2009). Every function has a slow twin in [`mod@reference`] that works cell by
//! cell on any field size and is the reference in tests.

pub mod reference;

#[cfg(target_arch = "x86_64")]
use processor::Instructions;

use crate::board::{Board, WIDTH, rows_below};
use crate::field::Field;
use crate::moves::Placement;
use crate::piece::Shape;
#[cfg(target_arch = "x86_64")]
use crate::wide;

/// The features of a move: what is known about a piece that has just locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Twice the row of the piece's centre: 2 × lowest row + height − 1.
    pub landing_height_doubled: i32,
    /// Rows between the piece's uppermost cell and the top of the field.
    pub depth: i32,
    /// Lines cleared.
    pub lines: u32,
    /// Lines cleared times the piece's own cells in them.
    pub eroded: u32,
}

/// Locks `shape` at the placement and clears rows; returns the board and the features of the move.
#[inline(always)]
pub fn lock(board: &Board, shape: &Shape, placement: Placement, field: Field) -> (Board, Placed) {
    let mut after = *board;
    after.place(shape, placement.x(), placement.row());
    let bottom = placement.row() + shape.bottom as i32;
    let mut placed = Placed {
        landing_height_doubled: 2 * bottom + shape.height as i32 - 1,
        depth: field.rows as i32 - bottom - shape.height as i32,
        lines: 0,
        eroded: 0,
    };
    let full = after.full_rows() & field.clearable;
    if full != 0 {
        placed.lines = full.count_ones();
        let rows_of_box =
            if placement.row() >= 0 { full >> placement.row() } else { full << -placement.row() };
        let own: u32 = shape.columns.iter().map(|&column| (column & rows_of_box).count_ones()).sum();
        placed.eroded = placed.lines * own;
        crate::field::remove_full_rows(&mut after, field, full);
    }
    (after, placed)
}

/// Lee's three board features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Sum of the column heights.
    pub aggregate_height: u32,
    /// Empty cells below their column's top.
    pub holes: u32,
    /// Sum of the height differences of neighbouring columns.
    pub bumpiness: u32,
}

/// Computes the [`Outline`].
#[inline(always)]
pub fn outline(board: &Board) -> Outline {
    #[cfg(target_arch = "x86_64")]
    if Instructions::Wide.are_available() {
        #[allow(unsafe_code, reason = "twice as fast as the portable loop")]
        // SAFETY: the line above made sure of the instructions.
        return unsafe { wide::outline(board.lanes()) };
    }
    outline_portable(board)
}

/// [`outline`] column by column, for every processor.
#[inline(always)]
pub(crate) fn outline_portable(board: &Board) -> Outline {
    let mut outline = Outline::default();
    let mut cells = 0;
    let mut previous = board.column_height(0);
    for x in 0..WIDTH {
        let height = board.column_height(x);
        outline.aggregate_height += height;
        cells += board.column(x).count_ones();
        outline.bumpiness += height.abs_diff(previous);
        previous = height;
    }
    outline.holes = outline.aggregate_height - cells;
    outline
}

/// The board features of Dellacherie, BCTS and DT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// Changes between filled and empty along the rows; walls are full.
    pub row_transitions: u32,
    /// Changes along the columns; the floor is full, the sky is empty.
    pub column_transitions: u32,
    /// Empty cells below their column's top.
    pub holes: u32,
    /// For every empty cell between two filled ones: the empty cells from it downward.
    pub wells: u32,
    /// Filled cells in runs directly above a hole.
    pub hole_depth: u32,
    /// Rows with at least one hole.
    pub rows_with_holes: u32,
}

/// Computes the [`Texture`] of lanes laid out as in [`Board::lanes`] on a field of `rows` rows.
#[inline(always)]
pub fn texture(lanes: &[u32; 16], rows: u32) -> Texture {
    #[cfg(target_arch = "x86_64")]
    if Instructions::Wide.are_available() {
        #[allow(unsafe_code, reason = "twice as fast as the portable loop")]
        // SAFETY: the line above made sure of the instructions.
        return unsafe { wide::texture(lanes, rows) };
    }
    texture_portable(lanes, rows)
}

/// [`texture`] column by column, for every processor.
#[inline(always)]
pub(crate) fn texture_portable(lanes: &[u32; 16], rows: u32) -> Texture {
    let field = rows_below(rows);
    // A column that reaches the uppermost row still ends somewhere.
    let up_to_sky = rows_below(rows + 1);
    let mut texture = Texture::default();
    let mut hole_rows = 0;
    let mut left = lanes[0];
    for lane in 1..=WIDTH {
        let (column, right) = (lanes[lane], lanes[lane + 1]);
        let empty = !column & field;
        texture.row_transitions += ((column ^ left) & field).count_ones();
        texture.column_transitions += ((column ^ (column << 1 | 1)) & up_to_sky).count_ones();
        let below_top = u32::MAX.unbounded_shr(column.leading_zeros());
        let holes = !column & below_top;
        hole_rows |= holes;
        texture.holes += holes.count_ones();
        // A run of filled cells either stands on the floor or hangs over a hole.
        texture.hole_depth += column.count_ones() - column.trailing_ones();
        let mut well = left & right & empty;
        while well != 0 {
            texture.wells += well.count_ones();
            // Count those whose next cell down is empty too, and continue from there.
            well = (well >> 1) & empty;
        }
        left = column;
    }
    texture.row_transitions += ((lanes[WIDTH + 1] ^ left) & field).count_ones();
    texture.rows_with_holes = hole_rows.count_ones();
    texture
}

/// Number of different height differences from −2 to 2 between neighbouring columns.
#[inline(always)]
pub fn diversity(board: &Board) -> u32 {
    let mut seen = 0u64;
    let mut previous = board.column_height(0) as i32;
    for x in 1..WIDTH {
        let height = board.column_height(x) as i32;
        seen |= 1 << (height - previous + 32);
        previous = height;
    }
    (seen >> 30 & 0b11111).count_ones()
}

/// Bergmark's penalty: holes weigh their height squared, steps between columns their height.
#[inline(always)]
pub fn bergmark_penalty(board: &Board) -> u32 {
    let triangle = |n: u32| n * (n + 1) / 2;
    let mut penalty = 0;
    let mut previous = board.column_height(0);
    for x in 0..WIDTH {
        let height = board.column_height(x);
        penalty += triangle(height).abs_diff(triangle(previous));
        previous = height;
        let mut holes = !board.column(x) & rows_below(height);
        while holes != 0 {
            let above_floor = holes.trailing_zeros() + 1;
            penalty += above_floor * above_floor;
            holes &= holes - 1;
        }
    }
    penalty
}
