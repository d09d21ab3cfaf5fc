//! A field of any legal size as bit columns, and the features that players look at.
//!
//! Bit `r` of a column is row `r` from the bottom. The definitions are those of [`tetris::features`]; there the fast
//! code is for ten columns, here it is for every width.

use tetris::board::WIDTH;
use tetris::classic::{HEIGHTS, WIDTHS};
use tetris::features::reference::Grid;
use tetris::piece::Shape;
use tetris::{Board, Piece};

use super::choices::RulesName;

/// Locked cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    columns: Vec<u64>,
    rows: u32,
    /// Rows that complete lines can vanish from.
    clearable: u64,
}

/// What is known about a piece that has just locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Twice the row of its centre.
    pub landing_height_doubled: i32,
    /// Rows between its uppermost cell and the top.
    pub depth: i32,
    /// Lines cleared.
    pub lines: u32,
    /// Lines cleared times its own cells in them.
    pub eroded: u32,
}

/// The features of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Sum of the column heights.
    pub aggregate_height: u32,
    /// Empty cells below their column's top.
    pub holes: u32,
    /// Sum of the height differences of neighbouring columns.
    pub bumpiness: u32,
    /// Changes between filled and empty along the rows; walls are full.
    pub row_transitions: u32,
    /// Changes along the columns; the floor is full.
    pub column_transitions: u32,
    /// For every empty cell between two filled ones: the empty cells from it downward.
    pub wells: u32,
    /// Filled cells in runs directly above a hole.
    pub hole_depth: u32,
    /// Rows with a hole.
    pub rows_with_holes: u32,
    /// Different height differences from −2 to 2.
    pub diversity: u32,
    /// Bergmark's penalty.
    pub bergmark: u32,
}

impl Field {
    /// The Game Boy's board, with its rules about which lines vanish.
    pub fn of_board(board: &Board) -> Field {
        let rules = tetris::field::Field::GAME_BOY;
        let columns = (0..WIDTH).map(|x| u64::from(board.column(x))).collect();
        Field { columns, rows: rules.rows, clearable: u64::from(rules.clearable) }
    }

    /// A classic field.
    pub fn of_grid(grid: &Grid) -> Field {
        let column = |x: usize| {
            let filled = (0..grid.height()).filter(|&row| grid.is_filled(x as i32, row as i32));
            filled.fold(0, |bits, row| bits | 1 << row)
        };
        let rows = grid.height() as u32;
        Field { columns: (0..grid.width()).map(column).collect(), rows, clearable: rows_below(rows) }
    }

    /// A field from its columns as bits; nothing if no rules have such a field.
    pub fn of_columns(columns: &[u64], rows: u32, rules: RulesName) -> Option<Field> {
        let legal = WIDTHS.contains(&columns.len()) && HEIGHTS.contains(&(rows as usize));
        let clearable = match rules {
            RulesName::Gameboy => u64::from(tetris::field::Field::GAME_BOY.clearable),
            RulesName::Classic => rows_below(rows),
        };
        // One row above the field can hold cells.
        let inside = columns.iter().all(|column| column >> (rows + 1).min(63) == 0);
        (legal && inside).then(|| Field { columns: columns.to_vec(), rows, clearable })
    }

    /// The same as ten 32-bit columns, if it has ten.
    pub fn to_board(&self) -> Option<Board> {
        let columns: Vec<u32> = self.columns.iter().map(|&column| column as u32).collect();
        columns.try_into().ok().map(Board::from_columns)
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.rows
    }

    /// The columns as bits.
    pub fn columns(&self) -> &[u64] {
        &self.columns
    }

    /// Number of filled cells.
    pub fn cells(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    /// Whether the cell is filled; walls and floor count as filled.
    pub fn is_filled(&self, x: i32, row: i32) -> bool {
        let Some(column) = usize::try_from(x).ok().and_then(|x| self.columns.get(x)) else { return true };
        row < 0 || column >> row.min(63) & 1 == 1
    }

    /// Whether a piece has room with its box there.
    pub fn is_free(&self, shape: &Shape, x: i32, row: i32) -> bool {
        shape.cells().all(|(column, above)| !self.is_filled(x + column as i32, row + above as i32))
    }

    /// The row in which a piece comes to rest that falls straight down from there.
    pub fn rest_row(&self, shape: &Shape, x: i32, mut row: i32) -> i32 {
        while self.is_free(shape, x, row - 1) {
            row -= 1;
        }
        row
    }

    /// Every resting place of a piece that comes straight from above: orientation, column and row of its box.
    pub fn drops(&self, piece: Piece) -> Vec<(usize, i32, i32)> {
        let mut found = Vec::new();
        for orientation in 0..piece.orientations() {
            let shape = piece.shape(orientation);
            for first in 0..=(self.width().saturating_sub(shape.width)) as i32 {
                let x = first - shape.left as i32;
                let mut row = -(shape.bottom as i32);
                for (index, contour) in shape.contour.iter().take(shape.width).enumerate() {
                    row = row.max(self.column_height(first as usize + index) as i32 - *contour as i32);
                }
                if row + (shape.bottom + shape.height) as i32 <= self.rows as i32 {
                    found.push((orientation, x, row));
                }
            }
        }
        found
    }

    fn column_height(&self, x: usize) -> u32 {
        self.columns.get(x).map_or(0, |column| u64::BITS - column.leading_zeros())
    }

    /// The field with a piece locked there and complete lines cleared.
    pub fn locked(&self, shape: &Shape, x: i32, row: i32) -> (Field, Placed) {
        let mut after = self.clone();
        for (column, above) in shape.cells() {
            let place = usize::try_from(x + column as i32).ok().and_then(|x| after.columns.get_mut(x));
            if let Some(bits) = place {
                *bits |= 1 << (row + above as i32).clamp(0, 63);
            }
        }
        let bottom = row + shape.bottom as i32;
        let mut placed = Placed {
            landing_height_doubled: 2 * bottom + shape.height as i32 - 1,
            depth: self.rows as i32 - bottom - shape.height as i32,
            ..Placed::default()
        };
        let full = after.columns.iter().fold(u64::MAX, |full, column| full & column) & self.clearable;
        if full != 0 {
            placed.lines = full.count_ones();
            let own =
                shape.cells().filter(|&(_, above)| full >> (row + above as i32) & 1 == 1).count() as u32;
            placed.eroded = placed.lines * own;
            for column in &mut after.columns {
                *column = without_rows(*column, full);
            }
        }
        (after, placed)
    }

    /// All features at once.
    pub fn features(&self) -> Features {
        let field = rows_below(self.rows);
        let up_to_sky = rows_below(self.rows + 1);
        let triangle = |n: u32| n * (n + 1) / 2;
        let (mut found, mut hole_rows, mut steps) = (Features::default(), 0_u64, 0_u64);
        let mut left = u64::MAX;
        let mut height_before = self.column_height(0);
        for (x, &column) in self.columns.iter().enumerate() {
            let right = self.columns.get(x + 1).copied().unwrap_or(u64::MAX);
            let height = self.column_height(x);
            let holes = !column & rows_below(height);
            let empty = !column & field;
            found.aggregate_height += height;
            found.bumpiness += height.abs_diff(height_before);
            found.bergmark += triangle(height).abs_diff(triangle(height_before));
            found.bergmark += bits(holes).map(|row| (row + 1) * (row + 1)).sum::<u32>();
            if x > 0 {
                steps |= 1 << ((height as i32 - height_before as i32).clamp(-3, 3) + 3);
            }
            found.row_transitions += ((column ^ left) & field).count_ones();
            found.column_transitions += ((column ^ (column << 1 | 1)) & up_to_sky).count_ones();
            hole_rows |= holes;
            found.holes += holes.count_ones();
            found.hole_depth += column.count_ones() - column.trailing_ones();
            let mut well = left & right & empty;
            while well != 0 {
                found.wells += well.count_ones();
                well = (well >> 1) & empty;
            }
            left = column;
            height_before = height;
        }
        found.row_transitions += (!left & field).count_ones();
        found.rows_with_holes = hole_rows.count_ones();
        found.diversity = (steps >> 1 & 0b1_1111).count_ones();
        found
    }
}

/// A mask of the rows below `row`.
fn rows_below(row: u32) -> u64 {
    if row >= u64::BITS { u64::MAX } else { (1 << row) - 1 }
}

/// The set bits, lowest first.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(lowest)
    })
}

fn without_rows(column: u64, rows: u64) -> u64 {
    let kept = bits(!rows).filter(|row| column >> row & 1 == 1);
    kept.fold(0, |after, row| after | 1 << (row - (rows & rows_below(row)).count_ones()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tetris::features::reference;

    use super::*;

    fn grids() -> impl Strategy<Value = Grid> {
        (4usize..=32, 4usize..=40).prop_flat_map(|(width, height)| {
            proptest::collection::vec((0..=height, any::<u64>(), any::<u64>()), width).prop_map(
                move |columns| {
                    let mut grid = Grid::empty(width, height);
                    for (x, (top, a, b)) in columns.into_iter().enumerate() {
                        for row in (0..top).filter(|row| (a | b) >> row & 1 == 1) {
                            grid.fill(x, row);
                        }
                    }
                    grid
                },
            )
        })
    }

    proptest! {
        #[test]
        fn features_are_those_of_the_reference_on_every_size(grid in grids()) {
            let found = Field::of_grid(&grid).features();
            let (outline, texture) = (reference::outline(&grid), reference::texture(&grid));
            prop_assert_eq!(found.aggregate_height, outline.aggregate_height);
            prop_assert_eq!(found.holes, outline.holes);
            prop_assert_eq!(found.bumpiness, outline.bumpiness);
            prop_assert_eq!(found.row_transitions, texture.row_transitions);
            prop_assert_eq!(found.column_transitions, texture.column_transitions);
            prop_assert_eq!(found.wells, texture.wells);
            prop_assert_eq!(found.hole_depth, texture.hole_depth);
            prop_assert_eq!(found.rows_with_holes, texture.rows_with_holes);
            prop_assert_eq!(found.diversity, reference::diversity(&grid));
            prop_assert_eq!(found.bergmark, reference::bergmark_penalty(&grid));
        }

        #[test]
        fn pieces_lock_as_on_the_grid(grid in grids(), piece in 0usize..7, pick in any::<prop::sample::Index>()) {
            let (field, piece) = (Field::of_grid(&grid), Piece::from_index(piece));
            let drops = field.drops(piece);
            prop_assume!(!drops.is_empty());
            let (orientation, x, row) = drops[pick.index(drops.len())];
            let shape = piece.shape(orientation);
            prop_assert!(field.is_free(shape, x, row) && !field.is_free(shape, x, row - 1));
            let mut expected = grid.clone();
            for (column, above) in shape.cells() {
                expected.fill((x + column as i32) as usize, (row + above as i32) as usize);
            }
            let lines = expected.clear_rows();
            let (after, placed) = field.locked(shape, x, row);
            prop_assert_eq!(placed.lines, lines);
            prop_assert_eq!(after, Field::of_grid(&expected));
        }
    }
}
