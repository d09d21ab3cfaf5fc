//! Sets of cells as bits, for the fast boards.
//!
//! Cell (column, row) is bit `column · S + row`; `S` rows share a lane:
//!
//! ```text
//!   S = 16, word 0:  | column 3 | column 2 | column 1 | column 0 |
//!                     63      48 47      32 31      16 15 … row 1, row 0
//! ```
//!
//! The order of bits is the order of the normal form, so the lowest bit of a
//! group is its first cell and the lowest bit of all groups starts move 1.

#![allow(
    clippy::needless_range_loop,
    reason = "plain loops over words, several arrays at once, are what vectorises"
)]

/// A set of cells of one board layout.
#[expect(clippy::return_self_not_must_use, reason = "an unused set is harmless")]
pub trait CellSet: Copy + Eq + Send + Sync + std::fmt::Debug + 'static {
    /// No cells.
    const NONE: Self;
    /// Cells in both.
    fn and(self, other: Self) -> Self;
    /// Cells in either.
    fn or(self, other: Self) -> Self;
    /// Cells of this set that are not in the other.
    fn minus(self, other: Self) -> Self;
    /// Every cell moved up one row; rows must not overflow their lane.
    fn up(self) -> Self;
    /// Every cell moved down one row; row 0 falls into the lane before.
    fn down(self) -> Self;
    /// Every cell moved one column to the right.
    fn right(self) -> Self;
    /// Every cell moved one column to the left.
    fn left(self) -> Self;
    /// Number of cells.
    fn count(self) -> u32;
    /// Whether there are none.
    fn is_empty(self) -> bool;
    /// Position of the first cell in normal-form order; meaningless when empty.
    fn first(self) -> usize;
    /// Position of the `n`-th cell from 0; there must be more than `n`.
    fn nth(self, n: u32) -> usize;
    /// Just this cell.
    fn only(position: usize) -> Self;
    /// Columns that fit a window.
    const WINDOW: usize;
    /// The [`Self::WINDOW`] columns from `column` on as one word.
    fn window(self, column: usize) -> u64;
    /// The set whose window at `column` is this word.
    fn from_window(window: u64, column: usize) -> Self;
    /// Bits of the last column of a window.
    const WINDOW_END: u64;
    /// A hash of the set; different seeds give independent hashes.
    fn mixed(self, seed: u64) -> u64;
    /// Column and row of a position.
    fn place(position: usize) -> (usize, usize);
    /// Position of a column and row.
    fn at(column: usize, row: usize) -> usize;
    /// Rows of one column as the lowest bits.
    fn lane(self, column: usize) -> u64;
    /// The set without one column.
    fn without_lane(self, column: usize) -> Self;
    /// The set without some rows of one column.
    fn minus_lane(self, column: usize, rows: u64) -> Self;
}

/// `W` words of lanes of `S` rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<const W: usize, const S: usize>(pub [u64; W]);

impl<const W: usize, const S: usize> Lanes<W, S> {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        let mut words = [0; W];
        for w in 0..W {
            words[w] = f(self.0[w]);
        }
        Self(words)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = [0; W];
        for w in 0..W {
            words[w] = f(self.0[w], other.0[w]);
        }
        Self(words)
    }
}

impl<const W: usize, const S: usize> CellSet for Lanes<W, S> {
    const NONE: Self = Self([0; W]);

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn up(self) -> Self {
        self.map(|a| a << 1)
    }

    #[inline(always)]
    fn down(self) -> Self {
        self.map(|a| a >> 1)
    }

    #[inline(always)]
    fn right(self) -> Self {
        let mut words = [0; W];
        for w in 0..W {
            let before = if w == 0 { 0 } else { self.0[w - 1] };
            words[w] = if S == 64 { before } else { self.0[w] << (S % 64) | before >> ((64 - S) % 64) };
        }
        Self(words)
    }

    #[inline(always)]
    fn left(self) -> Self {
        let mut words = [0; W];
        for w in 0..W {
            let after = if w + 1 == W { 0 } else { self.0[w + 1] };
            words[w] = if S == 64 { after } else { self.0[w] >> (S % 64) | after << ((64 - S) % 64) };
        }
        Self(words)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn first(self) -> usize {
        for w in 0..W {
            if self.0[w] != 0 {
                return w * 64 + self.0[w].trailing_zeros() as usize;
            }
        }
        0
    }

    #[inline(always)]
    fn nth(self, mut n: u32) -> usize {
        for w in 0..W {
            let mut word = self.0[w];
            let ones = word.count_ones();
            if n < ones {
                // Halve the part of the word in which the bit lies.
                let mut position = w * 64;
                for width in [32, 16, 8, 4, 2, 1] {
                    let below = (word & ((1 << width) - 1)).count_ones();
                    if n >= below {
                        n -= below;
                        word >>= width;
                        position += width;
                    }
                }
                return position;
            }
            n -= ones;
        }
        0
    }

    #[inline(always)]
    fn only(position: usize) -> Self {
        let mut words = [0; W];
        words[position / 64] = 1 << (position % 64);
        Self(words)
    }

    const WINDOW: usize = 64 / S;
    const WINDOW_END: u64 = u64::MAX << (64 - S);

    #[inline(always)]
    fn window(self, column: usize) -> u64 {
        let (word, shift) = (column * S / 64, (column * S % 64) as u32);
        let next = if word + 1 < W { self.0[word + 1] } else { 0 };
        // Two shifts, because a shift by 64 would overflow.
        self.0[word] >> shift | next << 1 << (63 - shift)
    }

    #[inline(always)]
    fn from_window(window: u64, column: usize) -> Self {
        let (word, shift) = (column * S / 64, (column * S % 64) as u32);
        let mut words = [0; W];
        words[word] = window << shift;
        if word + 1 < W {
            words[word + 1] = window >> 1 >> (63 - shift);
        }
        Self(words)
    }

    #[inline(always)]
    fn mixed(self, seed: u64) -> u64 {
        // Multiply–xorshift a word at a time by odd constants.
        let mut hash = seed;
        for w in 0..W {
            hash = (hash ^ self.0[w]).wrapping_mul(0x9fb2_1c65_1e98_df25);
            hash ^= hash >> 32;
        }
        hash.wrapping_mul(0x6a09_e667_f3bc_c909)
    }

    #[inline(always)]
    fn place(position: usize) -> (usize, usize) {
        (position / S, position % S)
    }

    #[inline(always)]
    fn at(column: usize, row: usize) -> usize {
        column * S + row
    }

    #[inline(always)]
    fn lane(self, column: usize) -> u64 {
        let bit = column * S;
        self.0[bit / 64] >> (bit % 64) & (u64::MAX >> (64 - S))
    }

    #[inline(always)]
    fn without_lane(self, column: usize) -> Self {
        let bit = column * S;
        let mut words = self.0;
        words[bit / 64] &= !((u64::MAX >> (64 - S)) << (bit % 64));
        Self(words)
    }

    #[inline(always)]
    fn minus_lane(self, column: usize, rows: u64) -> Self {
        let bit = column * S;
        let mut words = self.0;
        words[bit / 64] &= !(rows << (bit % 64));
        Self(words)
    }
}
