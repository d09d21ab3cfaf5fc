//! A board as a pile of discs a column: what should stand, or what was seen.

use connect_four::{COLUMNS, ROWS};
use players::connect_four::DiscColor;
use players::connect_four::scan::Sight;

/// One disc into one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscDrop {
    /// Its colour.
    pub disc: DiscColor,
    /// Its column, from the left as visitors see it, 0 to 6.
    pub column: usize,
}

/// The discs of every column, from the bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns([Vec<DiscColor>; COLUMNS]);

impl Columns {
    /// The board after these discs.
    pub fn of(drops: &[DiscDrop]) -> Self {
        let mut columns = Self::default();
        for drop in drops {
            columns.put(drop.column, drop.disc);
        }
        columns
    }

    /// How many discs there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Rows from the top: `r` red, `y` yellow, `.` empty.
    pub fn rows(&self) -> Vec<String> {
        let cell = |column: usize, row: usize| match self.sight(column, row) {
            Sight::Red => 'r',
            Sight::Yellow => 'y',
            Sight::Empty | Sight::Strange => '.',
        };
        (0..ROWS).rev().map(|row| (0..COLUMNS).map(|column| cell(column, row)).collect()).collect()
    }

    pub(super) fn put(&mut self, column: usize, disc: DiscColor) {
        if let Some(discs) = self.0.get_mut(column) {
            discs.push(disc);
        }
    }

    pub(super) fn height(&self, column: usize) -> usize {
        self.0.get(column).map_or(0, Vec::len)
    }

    /// What a look at a cell shows.
    pub(super) fn sight(&self, column: usize, row: usize) -> Sight {
        match self.0.get(column).and_then(|discs| discs.get(row)) {
            None => Sight::Empty,
            Some(DiscColor::Red) => Sight::Red,
            Some(DiscColor::Yellow) => Sight::Yellow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_pile_up() {
        let drop = |disc, column| DiscDrop { disc, column };
        let board =
            Columns::of(&[drop(DiscColor::Red, 3), drop(DiscColor::Yellow, 3), drop(DiscColor::Red, 0)]);
        assert_eq!(board.rows()[4..], ["...y...", "r..r..."]);
        assert_eq!((board.count(), board.height(3), board.sight(3, 2)), (3, 2, Sight::Empty));
    }
}
