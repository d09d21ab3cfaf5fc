//! A board as people write it: columns of colour numbers.
//!
//! This is the plain implementation of the rules: the type for users, screens
//! and checkers, and the reference for the bit boards in [`crate::field`] that
//! the solvers use.

use std::fmt;

use crate::rules::{Orientation, Rules};

/// Most columns of a board.
pub const MAX_COLUMNS: usize = 50;
/// Most rows of a board.
pub const MAX_ROWS: usize = 50;
/// Most colours of a board; they are numbered from 1.
pub const MAX_COLOURS: u8 = 9;

/// A colour number; 0 is the background.
pub type Colour = u8;

/// A valid board at rest: nothing hangs in the air and no empty column lies
/// between filled ones.
///
/// Columns run left to right, cells in a column bottom to top, 0 is background.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    columns: Vec<Vec<Colour>>,
}

/// Why columns of numbers are not a board. Columns and rows count from 1,
/// rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// There are no cells.
    #[error("the board has no cells")]
    Empty,
    /// More columns or rows than the solvers support.
    #[error("the board is {columns}x{rows}; at most {MAX_COLUMNS}x{MAX_ROWS} is allowed")]
    TooLarge {
        /// Columns given.
        columns: usize,
        /// Rows given.
        rows: usize,
    },
    /// A column whose length differs from the first one's.
    #[error("column {column} has {rows} cells but column 1 has {expected}; pad with 0 above the top cell")]
    Ragged {
        /// The column that differs.
        column: usize,
        /// Its length.
        rows: usize,
        /// The first column's length.
        expected: usize,
    },
    /// A colour number above [`MAX_COLOURS`].
    #[error("column {column}, row {row}: colour {colour}; colours are 1 to {MAX_COLOURS}, 0 is background")]
    UnknownColour {
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
        /// The number given.
        colour: u64,
    },
    /// A colour above background.
    #[error("column {column}, row {row}: colour {colour} is above an empty cell")]
    Hanging {
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
        /// The colour.
        colour: Colour,
    },
    /// An empty column between filled ones, which no orientation allows.
    #[error("column {column} is empty between filled columns")]
    Gap {
        /// The empty column.
        column: usize,
    },
}

/// A removable group: its colour and its cells as (column, row) from 0, in
/// normal-form order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// The colour of all its cells.
    pub colour: Colour,
    /// Its cells; the first one determines the group's number.
    pub cells: Vec<(usize, usize)>,
}

impl Board {
    /// A board from its columns, each from bottom to top.
    ///
    /// ```
    /// use samegame::board::Board;
    ///
    /// // 2 . 1
    /// // 1 1 2
    /// let board = Board::from_columns(vec![vec![1, 2], vec![1, 0], vec![2, 1]])?;
    /// assert_eq!((board.width(), board.height(), board.cells()), (3, 2, 5));
    ///
    /// let error = Board::from_columns(vec![vec![0, 1]]).unwrap_err();
    /// assert_eq!(error.to_string(), "column 1, row 2: colour 1 is above an empty cell");
    /// # Ok::<(), samegame::board::BoardError>(())
    /// ```
    pub fn from_columns(columns: Vec<Vec<Colour>>) -> Result<Self, BoardError> {
        let rows = columns.first().map_or(0, Vec::len);
        if rows == 0 {
            return Err(BoardError::Empty);
        }
        if columns.len() > MAX_COLUMNS || rows > MAX_ROWS {
            return Err(BoardError::TooLarge { columns: columns.len(), rows });
        }
        for (index, column) in columns.iter().enumerate() {
            check_column(index + 1, column, rows)?;
        }
        check_gaps(&columns)?;
        Ok(Self { columns })
    }

    /// The columns, left to right, each bottom to top, all of equal length.
    pub fn columns(&self) -> &[Vec<Colour>] {
        &self.columns
    }

    /// Number of columns, empty ones included.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows, empty ones included.
    pub fn height(&self) -> usize {
        self.columns[0].len()
    }

    /// Number of cells that are not background.
    pub fn cells(&self) -> usize {
        self.columns.iter().flatten().filter(|&&c| c != 0).count()
    }

    /// Cells of each colour; index 0 is unused.
    pub fn colour_counts(&self) -> [usize; MAX_COLOURS as usize + 1] {
        let mut counts = [0; MAX_COLOURS as usize + 1];
        for &colour in self.columns.iter().flatten().filter(|&&c| c != 0) {
            counts[usize::from(colour)] += 1;
        }
        counts
    }

    /// The same board with its colours numbered in order of appearance (S2).
    ///
    /// ```
    /// use samegame::board::Board;
    ///
    /// let board: Board = "[[7,3],[3,7]]".parse()?;
    /// assert_eq!(board.normal_form().to_string(), "[[1,2],[2,1]]");
    /// # Ok::<(), samegame::notation::NotationError>(())
    /// ```
    #[must_use]
    pub fn normal_form(&self) -> Self {
        let mut names = [0; MAX_COLOURS as usize + 1];
        let mut next = 1;
        let mut columns = self.columns.clone();
        for cell in columns.iter_mut().flatten().filter(|c| **c != 0) {
            let name = &mut names[usize::from(*cell)];
            if *name == 0 {
                *name = next;
                next += 1;
            }
            *cell = *name;
        }
        Self { columns }
    }

    /// The board mirrored left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { columns: self.columns.iter().rev().cloned().collect() }
    }

    /// All groups of at least `min_group` cells in normal-form order: by their
    /// first cell, columns left to right, cells bottom to top. Move `n` removes
    /// the `n`-th of them, counted from 1 (S4).
    ///
    /// ```
    /// use samegame::board::Board;
    ///
    /// // 2 2 1
    /// // 1 1 1
    /// let board: Board = "[[1,2],[1,2],[1,1]]".parse()?;
    /// let groups = board.groups(2);
    /// assert_eq!(groups[0].cells, [(0, 0), (1, 0), (2, 0), (2, 1)]);
    /// assert_eq!(groups[1].cells, [(0, 1), (1, 1)]);
    /// # Ok::<(), samegame::notation::NotationError>(())
    /// ```
    pub fn groups(&self, min_group: usize) -> Vec<CellGroup> {
        let mut seen = vec![vec![false; self.height()]; self.width()];
        let mut groups = Vec::new();
        for column in 0..self.width() {
            for row in 0..self.height() {
                if self.columns[column][row] == 0 || seen[column][row] {
                    continue;
                }
                let group = self.flood(column, row, &mut seen);
                if group.cells.len() >= min_group {
                    groups.push(group);
                }
            }
        }
        groups
    }

    /// The board after a group is removed, cells have fallen and columns have closed.
    #[must_use]
    pub fn without(&self, group: &CellGroup, orientation: Orientation) -> Self {
        let mut columns = self.columns.clone();
        for &(column, row) in &group.cells {
            columns[column][row] = 0;
        }
        for column in &mut columns {
            let height = column.len();
            column.retain(|&c| c != 0);
            column.resize(height, 0);
        }
        Self { columns: close_up(columns, orientation) }
    }

    /// Plays move `number`, counted from 1: the removed group and the board after it,
    /// or `None` if there is no such group.
    ///
    /// ```
    /// use samegame::{board::Board, rules::Rules};
    ///
    /// // 2 2 1
    /// // 1 1 1    move 1 removes the 1s; the 2s fall
    /// let board: Board = "[[1,2],[1,2],[1,1]]".parse()?;
    /// let (group, next) = board.after(1, &Rules::default()).unwrap();
    /// assert_eq!(group.colour, 1);
    /// assert_eq!(next.to_string(), "[[2,0],[2,0],[0,0]]");
    /// assert!(board.after(3, &Rules::default()).is_none());
    /// # Ok::<(), samegame::notation::NotationError>(())
    /// ```
    #[must_use]
    pub fn after(&self, number: usize, rules: &Rules) -> Option<(CellGroup, Self)> {
        let group = self.groups(rules.min_group()).into_iter().nth(number.checked_sub(1)?)?;
        let next = self.without(&group, rules.orientation);
        Some((group, next))
    }

    fn flood(&self, column: usize, row: usize, seen: &mut [Vec<bool>]) -> CellGroup {
        let colour = self.columns[column][row];
        seen[column][row] = true;
        let mut cells = vec![(column, row)];
        let mut next = 0;
        while let Some(&(c, r)) = cells.get(next) {
            next += 1;
            // Below 0 the index wraps to a huge number, for which `get` finds nothing.
            for (c, r) in [(c.wrapping_sub(1), r), (c + 1, r), (c, r.wrapping_sub(1)), (c, r + 1)] {
                let same = self.columns.get(c).and_then(|column| column.get(r)) == Some(&colour);
                if same && !seen[c][r] {
                    seen[c][r] = true;
                    cells.push((c, r));
                }
            }
        }
        cells.sort_unstable();
        CellGroup { colour, cells }
    }
}

/// Writes the notation of the normal form, `[[1,2],[2,1]]`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (index, column) in self.columns.iter().enumerate() {
            f.write_str(if index == 0 { "[" } else { ",[" })?;
            for (row, colour) in column.iter().enumerate() {
                write!(f, "{}{colour}", if row == 0 { "" } else { "," })?;
            }
            f.write_str("]")?;
        }
        f.write_str("]")
    }
}

fn check_column(number: usize, column: &[Colour], rows: usize) -> Result<(), BoardError> {
    if column.len() != rows {
        return Err(BoardError::Ragged { column: number, rows: column.len(), expected: rows });
    }
    let mut background = false;
    for (row, &colour) in column.iter().enumerate() {
        if colour > MAX_COLOURS {
            return Err(BoardError::UnknownColour { column: number, row: row + 1, colour: colour.into() });
        }
        if background && colour != 0 {
            return Err(BoardError::Hanging { column: number, row: row + 1, colour });
        }
        background |= colour == 0;
    }
    Ok(())
}

fn check_gaps(columns: &[Vec<Colour>]) -> Result<(), BoardError> {
    let filled = |column: &Vec<Colour>| column[0] != 0;
    let first = columns.iter().position(filled).unwrap_or(0);
    let last = columns.iter().rposition(filled).unwrap_or(0);
    match (first..last).find(|&column| !filled(&columns[column])) {
        Some(column) => Err(BoardError::Gap { column: column + 1 }),
        None => Ok(()),
    }
}

/// Moves filled columns together; empty ones gather at the sides.
fn close_up(columns: Vec<Vec<Colour>>, orientation: Orientation) -> Vec<Vec<Colour>> {
    let width = columns.len();
    let (empty, filled): (Vec<_>, Vec<_>) =
        columns.into_iter().enumerate().partition(|(_, column)| column[0] == 0);
    let leading = match orientation {
        Orientation::Left => 0,
        Orientation::Right => empty.len(),
        // Each empty column is closed from its outer side.
        Orientation::Mixed => empty.iter().filter(|(index, _)| *index < width / 2).count(),
    };
    let mut closed: Vec<_> = filled.into_iter().map(|(_, column)| column).collect();
    let mut empty: Vec<_> = empty.into_iter().map(|(_, column)| column).collect();
    let trailing = empty.split_off(leading);
    closed.splice(0..0, empty);
    closed.extend(trailing);
    closed
}
