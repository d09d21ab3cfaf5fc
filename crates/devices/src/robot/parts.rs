//! What the robot handles: discs, columns and cells.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Columns of the robot's board.
pub const COLUMNS: u8 = 7;
/// Rows of the robot's board.
pub const ROWS: u8 = 6;
/// Discs of each colour in the robot's magazines: half the board.
pub const DISCS_PER_COLOUR: u8 = COLUMNS * ROWS / 2;

/// A disc's colour; red and yellow are the robot's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disc {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl Disc {
    /// Both colours.
    pub const ALL: [Self; 2] = [Self::Red, Self::Yellow];
}

impl fmt::Display for Disc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Yellow => "yellow",
        })
    }
}

/// A column, counted from 0 at the left; shown to people from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Column(u8);

impl Column {
    /// All columns, left to right.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COLUMNS).map(Self)
    }

    /// Counted from 0.
    pub fn index(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl TryFrom<u8> for Column {
    type Error = OffTheBoard;
    fn try_from(index: u8) -> Result<Self, OffTheBoard> {
        if index < COLUMNS { Ok(Self(index)) } else { Err(OffTheBoard { what: "column", index }) }
    }
}

impl From<Column> for u8 {
    fn from(column: Column) -> Self {
        column.0
    }
}

/// A cell of the board; rows count from 0 at the bottom, as in figure 42 of the robot's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u8, u8)", into = "(u8, u8)")]
pub struct Cell {
    column: Column,
    row: u8,
}

impl Cell {
    /// The cell at these coordinates, both from 0, from the bottom left.
    pub fn new(column: u8, row: u8) -> Result<Self, OffTheBoard> {
        let column = Column::try_from(column)?;
        if row < ROWS { Ok(Self { column, row }) } else { Err(OffTheBoard { what: "row", index: row }) }
    }

    /// Its column.
    pub fn column(self) -> Column {
        self.column
    }

    /// Its row, from 0 at the bottom.
    pub fn row(self) -> u8 {
        self.row
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, row {}", self.column, self.row + 1)
    }
}

impl TryFrom<(u8, u8)> for Cell {
    type Error = OffTheBoard;
    fn try_from((column, row): (u8, u8)) -> Result<Self, OffTheBoard> {
        Self::new(column, row)
    }
}

impl From<Cell> for (u8, u8) {
    fn from(cell: Cell) -> Self {
        (cell.column.0, cell.row)
    }
}

/// A column or row that the board does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no {what} {index}: the board has columns 0 to 6 and rows 0 to 5")]
pub struct OffTheBoard {
    what: &'static str,
    index: u8,
}

/// One disc into one column: a move, as far as the robot is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscDrop {
    /// The disc.
    pub disc: Disc,
    /// Where it goes.
    pub column: Column,
}
