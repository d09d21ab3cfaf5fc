//! Bit geometry of a W×H board, on which everything else is built.
//!
//! A column takes H+1 bits, lowest cell first; the extra bit on top stays
//! empty, so that shifted discs never wrap into the next column:
//!
//! ```text
//!   6 13 20 27 34 41 48    sentinel row, always empty
//!   5 12 19 26 33 40 47    row 6
//!   4 11 18 25 32 39 46    row 5
//!   3 10 17 24 31 38 45    row 4
//!   2  9 16 23 30 37 44    row 3
//!   1  8 15 22 29 36 43    row 2
//!   0  7 14 21 28 35 42    row 1
//! ```
//!
//! Sizes are constants, so the 7×6 code is as fast as hand-written code, and the
//! same search can be checked exhaustively on smaller boards.

#![allow(
    clippy::inline_always,
    reason = "only code inlined into the search is compiled for its instruction set"
)]

/// Constants and bit operations of a board `W` columns wide and `H` rows high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid<const W: usize, const H: usize>;

impl<const W: usize, const H: usize> Grid<W, H> {
    /// Bits from a cell to its right neighbour.
    pub const STRIDE: usize = H + 1;
    /// Bits of a position key.
    pub const KEY_BITS: u32 = (W * (H + 1)) as u32;
    /// Cells of the board.
    pub const CELLS: i32 = (W * H) as i32;
    /// Row 1.
    pub const BOTTOM: u64 = repeat(1, H + 1, W);
    /// Every cell, without the sentinel row.
    pub const BOARD: u64 = Self::BOTTOM * ((1 << H) - 1);
    /// Rows 1, 3, 5 …: those of the first player when both follow up.
    pub const ODD_ROWS: u64 = Self::BOTTOM * repeat(1, 2, H.div_ceil(2));
    /// Rows 2, 4, 6 …
    pub const EVEN_ROWS: u64 = Self::BOARD ^ Self::ODD_ROWS;

    /// The cells of one column.
    #[inline(always)]
    pub const fn column(column: usize) -> u64 {
        ((1 << H) - 1) << (column * Self::STRIDE)
    }

    /// The cell of each column into which the next disc falls; none for full columns.
    #[inline(always)]
    pub const fn playable(occupied: u64) -> u64 {
        (occupied + Self::BOTTOM) & Self::BOARD
    }

    /// Whether the discs contain four in a line.
    #[inline(always)]
    pub const fn has_four(discs: u64) -> bool {
        let (s, mut found) = (Self::STRIDE, 0);
        let pairs = discs & (discs >> 1);
        found |= pairs & (pairs >> 2);
        let pairs = discs & (discs >> s);
        found |= pairs & (pairs >> (2 * s));
        let pairs = discs & (discs >> (s - 1));
        found |= pairs & (pairs >> (2 * (s - 1)));
        let pairs = discs & (discs >> (s + 1));
        found |= pairs & (pairs >> (2 * (s + 1)));
        found != 0
    }

    /// The discs that are part of four in a line.
    pub const fn fours(discs: u64) -> u64 {
        let s = Self::STRIDE;
        fours_along(discs, 1) | fours_along(discs, s - 1) | fours_along(discs, s) | fours_along(discs, s + 1)
    }

    /// The empty cells, reachable now or not, that would complete four of `discs`.
    #[inline(always)]
    pub const fn winning_cells(discs: u64, occupied: u64) -> u64 {
        let s = Self::STRIDE;
        let vertical = (discs << 1) & (discs << 2) & (discs << 3);
        let lines = completes(discs, s) | completes(discs, s - 1) | completes(discs, s + 1);
        (vertical | lines) & (Self::BOARD ^ occupied)
    }

    /// The discs mirrored left to right.
    pub const fn mirrored(discs: u64) -> u64 {
        let (mut out, mut column) = (0, 0);
        while column < W {
            let cells = (discs >> (column * Self::STRIDE)) & ((1 << Self::STRIDE) - 1);
            out |= cells << ((W - 1 - column) * Self::STRIDE);
            column += 1;
        }
        out
    }
}

/// Cells that see three of `discs` at distances that make four in one direction.
#[inline(always)]
const fn completes(discs: u64, step: usize) -> u64 {
    let up_two = (discs << step) & (discs << (2 * step));
    let down_two = (discs >> step) & (discs >> (2 * step));
    (up_two & ((discs << (3 * step)) | (discs >> step)))
        | (down_two & ((discs >> (3 * step)) | (discs << step)))
}

/// The discs of all fours in one direction.
const fn fours_along(discs: u64, step: usize) -> u64 {
    let pairs = discs & (discs >> step);
    let starts = pairs & (pairs >> (2 * step));
    starts | (starts << step) | (starts << (2 * step)) | (starts << (3 * step))
}

/// `times` copies of `bits`, `step` apart.
const fn repeat(bits: u64, step: usize, times: usize) -> u64 {
    let (mut out, mut i) = (0, 0);
    while i < times {
        out |= bits << (i * step);
        i += 1;
    }
    out
}
