//! The features cell by cell, for fields of any size: slow, simple, the reference for the fast ones.

use super::{Outline, Texture};
use crate::board::{Board, WIDTH};

/// A field of any size, row by row from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    rows: Vec<Vec<bool>>,
}

impl Grid {
    /// An empty field.
    pub fn empty(width: usize, height: usize) -> Grid {
        Grid { width, rows: vec![vec![false; width]; height] }
    }

    /// The lowest `rows` rows of a board.
    pub fn of(board: &Board, rows: usize) -> Grid {
        let row = |r| (0..WIDTH).map(|x| board.is_filled(x, r)).collect();
        Grid { width: WIDTH, rows: (0..rows).map(row).collect() }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether the cell is filled; walls and floor count as filled, cells above the field as empty.
    pub fn is_filled(&self, x: i32, row: i32) -> bool {
        if x < 0 || x >= self.width as i32 || row < 0 {
            return true;
        }
        self.rows.get(row as usize).is_some_and(|cells| cells[x as usize])
    }

    /// Fills a cell of the field; cells above it are ignored.
    pub fn fill(&mut self, x: usize, row: usize) {
        if let Some(cells) = self.rows.get_mut(row) {
            cells[x] = true;
        }
    }

    /// Removes complete rows and returns their number.
    pub fn clear_rows(&mut self) -> u32 {
        let height = self.height();
        self.rows.retain(|cells| !cells.iter().all(|&filled| filled));
        let cleared = height - self.rows.len();
        self.rows.resize(height, vec![false; self.width]);
        cleared as u32
    }

    /// Complete rows, from the bottom.
    pub fn full_rows(&self) -> Vec<usize> {
        (0..self.height()).filter(|&row| self.rows[row].iter().all(|&filled| filled)).collect()
    }

    /// Height of a column.
    pub fn column_height(&self, x: usize) -> usize {
        (0..self.height()).rev().find(|&row| self.rows[row][x]).map_or(0, |row| row + 1)
    }

    fn cells(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.width as i32).flat_map(|x| (0..self.height() as i32).map(move |row| (x, row)))
    }

    fn is_hole(&self, x: i32, row: i32) -> bool {
        !self.is_filled(x, row) && row < self.column_height(x as usize) as i32
    }
}

/// See [`super::outline`].
pub fn outline(grid: &Grid) -> Outline {
    let heights: Vec<_> = (0..grid.width()).map(|x| grid.column_height(x)).collect();
    Outline {
        aggregate_height: heights.iter().sum::<usize>() as u32,
        holes: grid.cells().filter(|&(x, row)| grid.is_hole(x, row)).count() as u32,
        bumpiness: heights.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum::<usize>() as u32,
    }
}

/// See [`super::texture`].
pub fn texture(grid: &Grid) -> Texture {
    let mut texture = Texture::default();
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    for row in 0..height {
        for x in -1..width {
            texture.row_transitions += u32::from(grid.is_filled(x, row) != grid.is_filled(x + 1, row));
        }
        texture.rows_with_holes += u32::from((0..width).any(|x| grid.is_hole(x, row)));
    }
    for x in 0..width {
        let changes = (0..=height).filter(|&row| grid.is_filled(x, row) != grid.is_filled(x, row - 1));
        texture.column_transitions += changes.count() as u32;
    }
    for (x, row) in grid.cells() {
        texture.holes += u32::from(grid.is_hole(x, row));
        if grid.is_hole(x, row) {
            texture.hole_depth += (row + 1..height).take_while(|&r| grid.is_filled(x, r)).count() as u32;
        }
        if !grid.is_filled(x, row) && grid.is_filled(x - 1, row) && grid.is_filled(x + 1, row) {
            texture.wells += (0..=row).rev().take_while(|&r| !grid.is_filled(x, r)).count() as u32;
        }
    }
    texture
}

/// See [`super::diversity`].
pub fn diversity(grid: &Grid) -> u32 {
    let difference = |x: usize| grid.column_height(x + 1) as i32 - grid.column_height(x) as i32;
    (-2..=2).filter(|d| (0..grid.width() - 1).any(|x| difference(x) == *d)).count() as u32
}

/// See [`super::bergmark_penalty`].
pub fn bergmark_penalty(grid: &Grid) -> u32 {
    let mut penalty = 0;
    for x in 0..grid.width() {
        let own = grid.column_height(x);
        let neighbours = [x.checked_sub(1), (x + 1 < grid.width()).then_some(x + 1)];
        for neighbour in neighbours.into_iter().flatten() {
            penalty += (own..grid.column_height(neighbour)).map(|row| row as u32 + 1).sum::<u32>();
        }
        let holes = (0..own).filter(|&row| grid.is_hole(x as i32, row as i32));
        penalty += holes.map(|row| (row as u32 + 1).pow(2)).sum::<u32>();
    }
    penalty
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Boards as they occur in play: full columns with some holes, and some towers.
    fn boards() -> impl Strategy<Value = Board> {
        proptest::array::uniform10((0u32..19, any::<u32>(), any::<u32>()))
            .prop_map(|columns| Board::from_columns(columns.map(|(h, a, b)| (a | b) & ((1 << h) - 1))))
    }

    /// If the top end of a column did not count, reaching the uppermost row would be rewarded; DT-10 then loses a third
    /// of its published lines on ten rows.
    #[test]
    fn a_column_that_reaches_the_top_ends_there() {
        for height in 0..=10 {
            let board = Board::from_columns([(1 << height) - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            assert_eq!(texture(&Grid::of(&board, 10)).column_transitions, 10, "height {height}");
            assert_eq!(super::super::texture(board.lanes(), 10).column_transitions, 10, "height {height}");
        }
    }

    proptest! {
        #[test]
        fn fast_features_equal_slow_ones(board in boards()) {
            let grid = Grid::of(&board, 18);
            prop_assert_eq!(super::super::outline(&board), outline(&grid));
            prop_assert_eq!(super::super::outline_portable(&board), outline(&grid));
            prop_assert_eq!(super::super::texture(board.lanes(), 18), texture(&grid));
            prop_assert_eq!(super::super::texture_portable(board.lanes(), 18), texture(&grid));
            prop_assert_eq!(super::super::diversity(&board), diversity(&grid));
            prop_assert_eq!(super::super::bergmark_penalty(&board), bergmark_penalty(&grid));
        }
    }

    #[test]
    fn features_of_a_small_drawing() {
        let board = Board::parse("..........\n#.........\n#.#.......\n#.##......").unwrap();
        let grid = Grid::of(&board, 4);
        let texture = texture(&grid);
        // Column 1 is a well of two cells between filled neighbours: 1 + 2 empties.
        assert_eq!(texture.wells, 1 + 2);
        assert_eq!(texture.holes, 0);
        assert_eq!(
            outline(&grid),
            Outline { aggregate_height: 3 + 2 + 1, holes: 0, bumpiness: 3 + 2 + 1 + 1 }
        );
    }
}
