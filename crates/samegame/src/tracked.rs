//! A board whose tiles keep their identity while they fall.

use crate::cells::CellSet;
use crate::field::Field;

/// A tile, named by its position on the first board: column · 64 + row.
pub type Tile = u16;

/// A field, and which tiles of the first board are still on it.
#[derive(Clone, PartialEq, Eq)]
pub struct Tracked<F: Field> {
    /// The board now.
    pub field: F,
    alive: F::Cells,
    columns: u64,
}

impl<F: Field> Tracked<F> {
    /// The first board.
    pub fn new(field: &F) -> Self {
        let alive = field.occupied();
        let mut columns = 0;
        let mut left = alive;
        while !left.is_empty() {
            let (column, _) = F::Cells::place(left.first());
            left = left.without_lane(column);
            columns |= 1 << column;
        }
        Self { field: field.clone(), alive, columns }
    }

    /// Where a tile is now, if it is still there.
    #[inline(always)]
    pub fn position(&self, tile: Tile) -> Option<usize> {
        let (column, row) = (tile >> 6, tile & 63);
        let alive = self.alive.lane(column.into());
        if alive >> row & 1 == 0 {
            return None;
        }
        let row = (alive & ((1 << row) - 1)).count_ones() as usize;
        let column = (self.columns & ((1 << column) - 1)).count_ones() as usize;
        Some(F::Cells::at(column, row))
    }

    /// The tile now at this position.
    #[inline(always)]
    pub fn tile_at(&self, position: usize) -> Tile {
        let (column, row) = F::Cells::place(position);
        let column = nth_bit(self.columns, column as u32);
        (column * 64 + nth_bit(self.alive.lane(column as usize), row as u32)) as Tile
    }

    /// Removes a group.
    #[inline(always)]
    pub fn remove(&mut self, cells: &F::Cells) {
        let mut left = *cells;
        let mut emptied = 0;
        while !left.is_empty() {
            let (place, _) = F::Cells::place(left.first());
            let column = nth_bit(self.columns, place as u32);
            let alive = self.alive.lane(column as usize);
            let gone = deposit(left.lane(place), alive);
            if gone == alive {
                emptied |= 1 << column;
            }
            self.alive = self.alive.minus_lane(column as usize, gone);
            left = left.without_lane(place);
        }
        self.columns &= !emptied;
        self.field.remove(cells);
    }
}

/// Index of the `n`-th set bit from 0.
#[inline(always)]
fn nth_bit(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Moves bit `i` of `bits` to the position of the `i`-th set bit of `mask`.
#[inline(always)]
fn deposit(mut bits: u64, mut mask: u64) -> u64 {
    let mut placed = 0;
    while bits != 0 {
        let lowest = mask & mask.wrapping_neg();
        if bits & 1 == 1 {
            placed |= lowest;
        }
        mask ^= lowest;
        bits >>= 1;
    }
    placed
}
