//! What is held true about the board between looks.

use connect_four::{COLUMNS, Position, ROWS};

use super::{GameEnd, column, end_of};

/// Lights of the hub in a row and in a column.
const LIGHTS: usize = 5;
/// How bright discs are shown.
const MINE: u8 = 100;
const THEIRS: u8 = 40;

/// The discs so far, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Belief {
    columns: Vec<usize>,
    robot_began: bool,
    position: Position,
}

impl Belief {
    pub(super) fn begin(&mut self, robot_begins: bool) {
        *self = Self { robot_began: robot_begins, ..Self::default() };
    }

    /// A disc of whoever's turn it is. What the rules forbid changes nothing: every caller asked for a free cell.
    pub(super) fn play(&mut self, index: usize) {
        if let Some(next) = column(index).and_then(|column| self.position.play(column).ok()) {
            self.position = next;
            self.columns.push(index);
        }
    }

    /// For the rules and the solver.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Discs on the board.
    pub fn discs(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Whether the robot played the first disc.
    pub fn robot_began(&self) -> bool {
        self.robot_began
    }

    /// Columns 1 to 7 in order, from the near side.
    pub fn moves(&self) -> String {
        self.columns.iter().map(|column| char::from(b'1' + *column as u8)).collect()
    }

    /// Discs in a column.
    pub fn height(&self, index: usize) -> usize {
        self.columns.iter().filter(|&&column| column == index).count()
    }

    pub(super) fn is_full(&self, index: usize) -> bool {
        self.height(index) == ROWS
    }

    pub(super) fn is_over(&self) -> bool {
        self.position.is_over()
    }

    pub(super) fn end(&self) -> Option<GameEnd> {
        end_of(&self.position.outcome(), self.robot_began)
    }

    /// Whether the disc in a cell is the robot's; nothing in an empty one.
    pub fn is_mine(&self, index: usize, row: usize) -> Option<bool> {
        let order = self.columns.iter().enumerate().filter(|&(_, &column)| column == index).nth(row)?.0;
        Some((order % 2 == 0) == self.robot_began)
    }

    /// The part of the board around the last disc, for lights of five by five.
    pub fn lights(&self) -> Vec<u8> {
        let last = self.columns.last().copied().unwrap_or(0);
        let left = last.saturating_sub(LIGHTS / 2).min(COLUMNS - LIGHTS);
        let bottom = self.height(last).saturating_sub(LIGHTS - 1).min(ROWS - LIGHTS);
        let light = |column: usize, row: usize| match self.is_mine(column, row) {
            None => 0,
            Some(true) => MINE,
            Some(false) => THEIRS,
        };
        let rows = (bottom..bottom + LIGHTS).rev();
        rows.flat_map(|row| (left..left + LIGHTS).map(move |column| light(column, row))).collect()
    }

    /// Draws it, top row first: `M` for the robot's discs, `o` for the other's.
    pub fn picture(&self) -> String {
        let cell = |column: usize, row: usize| match self.is_mine(column, row) {
            None => '.',
            Some(true) => 'M',
            Some(false) => 'o',
        };
        let row = |row: usize| (0..COLUMNS).map(|column| cell(column, row)).collect::<String>();
        (0..ROWS).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_belong_to_whoever_moved() {
        let mut belief = Belief::default();
        belief.begin(false);
        for column in [3, 3, 0] {
            belief.play(column);
        }
        assert_eq!(belief.picture(), ".......\n.......\n.......\n.......\n...M...\no..o...");
        assert_eq!(belief.moves(), "441");
        assert_eq!(belief.height(3), 2);
        // Around the last disc, in the near column.
        assert_eq!(belief.lights()[15..], [0, 0, 0, 100, 0, 40, 0, 0, 40, 0]);
    }
}
