//! The board on the table: discs in columns, nothing else. Columns count from the near side of the first robot.

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;

/// A disc's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Disc {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl Disc {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Yellow,
            Self::Yellow => Self::Red,
        }
    }
}

/// Discs in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    columns: [Vec<Disc>; COLUMNS],
}

impl Board {
    /// The disc in a cell; rows count from the bottom.
    pub fn disc(&self, column: usize, row: usize) -> Option<Disc> {
        self.columns.get(column)?.get(row).copied()
    }

    /// Drops a disc; false if the column is full.
    pub fn drop(&mut self, column: usize, disc: Disc) -> bool {
        let Some(discs) = self.columns.get_mut(column).filter(|discs| discs.len() < ROWS) else {
            return false;
        };
        discs.push(disc);
        true
    }

    /// Takes the top disc out again.
    pub fn take(&mut self, column: usize) -> Option<Disc> {
        self.columns.get_mut(column)?.pop()
    }

    /// All discs.
    pub fn discs(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    /// Draws it, top row first.
    pub fn picture(&self) -> String {
        let cell = |column: usize, row: usize| match self.disc(column, row) {
            None => '.',
            Some(Disc::Red) => 'R',
            Some(Disc::Yellow) => 'Y',
        };
        let row = |row: usize| (0..COLUMNS).map(|column| cell(column, row)).collect::<String>();
        (0..ROWS).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}
