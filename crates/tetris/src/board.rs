//! The ten-column board as bit columns: bit `r` of a column is row `r` from the bottom.
//!
//! ```text
//!  lane    0    1    2  …   10   11   12 … 15
//!         wall  c0   c1  …  c9  wall   unused
//! ```
//!
//! The walls are full columns, so neighbours of border columns need no special
//! case, and the sixteen 32-bit lanes are one cache line: copying is one move.

#[cfg(target_arch = "x86_64")]
use processor::Instructions;

pub use crate::drawing::DrawingError;
use crate::piece::Shape;
#[cfg(target_arch = "x86_64")]
use crate::wide;

/// Columns of a [`Board`].
pub const WIDTH: usize = 10;
/// Most rows a [`Board`] can hold.
pub const MAX_ROWS: usize = 32;

/// A stack of locked cells, ten columns wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(64))]
pub struct Board {
    lanes: [u32; 16],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = {
        let mut lanes = [0; 16];
        lanes[0] = u32::MAX;
        lanes[WIDTH + 1] = u32::MAX;
        Board { lanes }
    };

    /// A board from its ten columns.
    pub fn from_columns(columns: [u32; WIDTH]) -> Board {
        let mut board = Board::EMPTY;
        board.lanes[1..=WIDTH].copy_from_slice(&columns);
        board
    }

    /// Column `x` (0 to 9) as bits.
    #[inline(always)]
    pub fn column(&self, x: usize) -> u32 {
        self.lanes[x + 1]
    }

    /// The ten columns.
    pub fn columns(&self) -> [u32; WIDTH] {
        std::array::from_fn(|x| self.column(x))
    }

    /// All sixteen lanes: wall, ten columns, wall, four unused.
    #[inline(always)]
    pub fn lanes(&self) -> &[u32; 16] {
        &self.lanes
    }

    /// Whether the cell is filled.
    pub fn is_filled(&self, x: usize, row: usize) -> bool {
        self.column(x) >> row & 1 == 1
    }

    /// Fills a cell.
    pub fn fill(&mut self, x: usize, row: usize) {
        self.lanes[x + 1] |= 1 << row;
    }

    /// Height of column `x`: the number of rows up to its highest filled cell.
    #[inline(always)]
    pub fn column_height(&self, x: usize) -> u32 {
        u32::BITS - self.column(x).leading_zeros()
    }

    /// The height of the highest column.
    #[inline(always)]
    pub fn height(&self) -> u32 {
        let mut any = 0;
        for x in 0..WIDTH {
            any |= self.column(x);
        }
        u32::BITS - any.leading_zeros()
    }

    /// Number of filled cells.
    pub fn cells(&self) -> u32 {
        (0..WIDTH).map(|x| self.column(x).count_ones()).sum()
    }

    /// Whether a shape whose box has its left column at `x` and its lowest row at `row` would overlap
    /// a filled cell, a wall or the floor.
    #[inline]
    pub fn collides(&self, shape: &Shape, x: i32, row: i32) -> bool {
        let first = x + shape.left as i32;
        if first < 0 || first + shape.width as i32 > WIDTH as i32 || row + (shape.bottom as i32) < 0 {
            return true;
        }
        (0..shape.width).any(|i| {
            let cells = shift(shape.columns[shape.left + i], row);
            self.lanes[first as usize + i + 1] & cells != 0
        })
    }

    /// Fills the cells of a shape whose box has its left column at `x` and its lowest row at `row`.
    /// The shape must lie inside the walls and above the floor.
    ///
    /// ```
    /// use tetris::{Board, Piece};
    ///
    /// let mut board = Board::EMPTY;
    /// board.place(Piece::T.shape(0), 3, 0);
    /// assert_eq!(
    ///     board,
    ///     Board::parse(
    ///         "...###....\n\
    ///          ....#.....",
    ///     )?
    /// );
    /// # Ok::<(), tetris::board::DrawingError>(())
    /// ```
    #[inline(always)]
    pub fn place(&mut self, shape: &Shape, x: i32, row: i32) {
        #[cfg(target_arch = "x86_64")]
        if Instructions::Wide.are_available() {
            let (first, bottom) = ((x + shape.left as i32) as usize, (row + shape.bottom as i32) as u32);
            #[allow(unsafe_code, reason = "all columns at once, so that they stay in a register")]
            // SAFETY: the line above made sure of the instructions.
            unsafe {
                wide::place(&mut self.lanes, shape, first, bottom);
            }
            return;
        }
        self.place_portable(shape, x, row);
    }

    /// [`Board::place`] column by column, for every processor.
    #[inline(always)]
    pub(crate) fn place_portable(&mut self, shape: &Shape, x: i32, row: i32) {
        let first = (x + shape.left as i32 + 1) as usize;
        for i in 0..shape.width {
            self.lanes[(first + i) & 15] |= shift(shape.columns[(shape.left + i) & 3], row);
        }
    }

    /// The box row at which a shape comes to rest when it falls straight down from above all cells.
    #[inline(always)]
    pub fn landing_row(&self, shape: &Shape, x: i32) -> i32 {
        let first = (x + shape.left as i32 + 1) as usize;
        let mut row = -(shape.bottom as i32);
        for i in 0..shape.width {
            let height = (u32::BITS - self.lanes[(first + i) & 15].leading_zeros()) as i32;
            row = row.max(height - shape.contour[i & 3] as i32);
        }
        row
    }

    /// The board mirrored left to right.
    #[inline(always)]
    #[must_use]
    pub fn mirrored(&self) -> Board {
        let mut mirrored = *self;
        mirrored.lanes[1..=WIDTH].reverse();
        mirrored
    }

    /// Mask of the complete rows.
    #[inline(always)]
    pub fn full_rows(&self) -> u32 {
        let mut full = u32::MAX;
        for x in 0..WIDTH {
            full &= self.column(x);
        }
        full
    }

    /// Removes the given rows; everything above moves down.
    #[inline(always)]
    pub fn remove_rows(&mut self, rows: u32) {
        #[cfg(target_arch = "x86_64")]
        if Instructions::Bits.are_available() {
            #[allow(unsafe_code, reason = "one bit extraction per column is faster than shifts")]
            // SAFETY: the line above made sure of BMI2.
            unsafe {
                self.remove_rows_by_extract(rows);
            }
            return;
        }
        self.remove_rows_by_shifts(rows);
    }

    /// [`Board::remove_rows`] with shifts only: one pass over the lanes for each removed row.
    #[inline(always)]
    pub(crate) fn remove_rows_by_shifts(&mut self, rows: u32) {
        let mut left = rows;
        while left != 0 {
            let row = u32::BITS - 1 - left.leading_zeros();
            let below = (1u32 << row) - 1;
            for lane in &mut self.lanes[1..=WIDTH] {
                *lane = (*lane & below) | ((*lane >> 1) & !below);
            }
            left &= below;
        }
    }

    /// [`Board::remove_rows`] with one bit extraction for each column.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn remove_rows_by_extract(&mut self, rows: u32) {
        for lane in &mut self.lanes[1..=WIDTH] {
            *lane = std::arch::x86_64::_pext_u32(*lane, !rows);
        }
    }

    /// Moves everything up by `count` rows and puts `garbage` (a row with bit `x` for column `x`)
    /// into each row freed below. Cells pushed above row `rows` are lost.
    pub fn push_up(&mut self, count: u32, garbage: u16, rows: u32) {
        let keep = rows_below(rows);
        for x in 0..WIDTH {
            let filler = if garbage >> x & 1 == 1 { rows_below(count) } else { 0 };
            let above = self.lanes[x + 1].unbounded_shl(count) & keep;
            self.lanes[x + 1] = above | filler | (self.lanes[x + 1] & !keep);
        }
    }

    /// Replaces column `x`.
    pub fn set_column(&mut self, x: usize, cells: u32) {
        self.lanes[x + 1] = cells;
    }
}

/// A mask of the rows below `row`.
#[inline(always)]
pub fn rows_below(row: u32) -> u32 {
    if row >= u32::BITS { u32::MAX } else { (1 << row) - 1 }
}

#[inline(always)]
fn shift(cells: u32, row: i32) -> u32 {
    if row >= 0 { cells << (row & 31) } else { cells >> (-row & 31) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::piece::Piece;

    #[test]
    fn drawings_are_read_and_refused_with_evidence() {
        let board = Board::parse("#.........\n##......##").unwrap();
        assert_eq!(board.column(0), 0b11);
        assert_eq!(board.column_height(9), 1);
        assert_eq!(board.cells(), 5);
        assert_eq!(Board::parse("###").unwrap_err(), DrawingError::Columns { row: 0, cells: 3 });
        assert_eq!(Board::parse(&"..........\n".repeat(33)).unwrap_err(), DrawingError::Rows { rows: 33 });
    }

    #[test]
    fn walls_and_floor_collide() {
        let bar = Piece::I.shape(0);
        assert!(!Board::EMPTY.collides(bar, 0, -1));
        assert!(Board::EMPTY.collides(bar, 0, -2));
        assert!(Board::EMPTY.collides(bar, -1, 5));
        assert!(Board::EMPTY.collides(bar, 7, 5));
        let upright = Piece::I.shape(1);
        assert!(!Board::EMPTY.collides(upright, -1, 0));
        assert!(Board::EMPTY.collides(upright, -2, 0));
        assert!(!Board::EMPTY.collides(upright, 8, 0));
        assert!(Board::EMPTY.collides(upright, 9, 0));
    }

    #[test]
    fn garbage_pushes_the_stack_up() {
        let mut board = Board::parse("#.........").unwrap();
        board.push_up(2, 0b11_1101_1111, 18);
        assert_eq!(board, Board::parse("#.........\n#####.####\n#####.####").unwrap());
    }

    proptest! {
        #[test]
        fn a_shape_lands_where_it_first_touches(columns in any::<[u16; 10]>(), piece in 0usize..7, o in 0usize..4, x in 0i32..10) {
            let board = Board::from_columns(columns.map(u32::from));
            let shape = Piece::from_index(piece).shape(o);
            let x = x - shape.left as i32;
            prop_assume!(!board.collides(shape, x, 20));
            let mut row = 20;
            while !board.collides(shape, x, row - 1) {
                row -= 1;
            }
            prop_assert_eq!(board.landing_row(shape, x), row);
        }

        #[test]
        fn shapes_fill_the_same_cells_on_every_processor(columns in any::<[u16; 10]>(), piece in 0usize..7, o in 0usize..4, x in 0i32..10, bottom in 0i32..20) {
            let shape = Piece::from_index(piece).shape(o);
            let (x, row) = (x.min((WIDTH - shape.width) as i32) - shape.left as i32, bottom - shape.bottom as i32);
            let mut board = Board::from_columns(columns.map(u32::from));
            let mut portable = board;
            board.place(shape, x, row);
            portable.place_portable(shape, x, row);
            prop_assert_eq!(board, portable);
        }

        #[test]
        fn removing_rows_agrees_with_shifting(columns in any::<[u32; 10]>(), rows in any::<u32>()) {
            let mut shifted = Board::from_columns(columns);
            let mut removed = shifted;
            shifted.remove_rows_by_shifts(rows);
            removed.remove_rows(rows);
            prop_assert_eq!(shifted, removed);
        }
    }
}
