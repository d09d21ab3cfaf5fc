//! A column of the board, by number and by index.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{COLUMNS, RuleError};

/// A column, counted from 1 at the left in text and from 0 in arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Column(u8);

impl Column {
    /// All columns from left to right.
    pub const ALL: [Column; COLUMNS] =
        [Column(0), Column(1), Column(2), Column(3), Column(4), Column(5), Column(6)];
    /// All columns, centre first: the order in which people and engines try them.
    pub const CENTRE_FIRST: [Column; COLUMNS] =
        [Column(3), Column(2), Column(4), Column(1), Column(5), Column(0), Column(6)];

    /// The column with this number, 1–7.
    ///
    /// ```
    /// use connect_four::Column;
    ///
    /// assert_eq!(Column::new(4)?.index(), 3);
    /// assert_eq!(Column::new(8).unwrap_err().to_string(), "there is no column 8: columns are 1 to 7");
    /// # Ok::<(), connect_four::RuleError>(())
    /// ```
    pub fn new(number: u8) -> Result<Self, RuleError> {
        match number {
            1..=7 => Ok(Self(number - 1)),
            _ => Err(RuleError::NoSuchColumn(number)),
        }
    }

    /// The column with this array index, 0–6; `None` beyond.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Its array index, 0–6.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, 1–7.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The column mirrored left to right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(COLUMNS as u8 - 1 - self.0)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl TryFrom<u8> for Column {
    type Error = RuleError;

    fn try_from(number: u8) -> Result<Self, RuleError> {
        Self::new(number)
    }
}

impl From<Column> for u8 {
    fn from(column: Column) -> u8 {
        column.number()
    }
}
