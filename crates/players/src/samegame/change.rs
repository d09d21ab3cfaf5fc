//! What a click did to a board: groups go, columns close up, and in some games new tiles come.

use samegame::board::{Board, CellGroup};
use samegame::rules::Orientation;
use serde::Serialize;

/// All ways in which columns close up.
pub const ORIENTATIONS: [Orientation; 3] = [Orientation::Left, Orientation::Right, Orientation::Mixed];

/// What comes after tiles that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Supply {
    /// Nothing: the board empties.
    Nothing,
    /// New tiles fall in from above.
    Refill,
    /// New columns come in where columns went.
    Columns,
}

/// What became of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// The group went, and what lay above it fell.
    Removed(Supply),
    /// Something else.
    Other,
}

/// What became of a board after a click on a group.
///
/// ```text
///   1 2        1 2        . 2         4 2
///   1 3   →    1 3        . 3         3 3
///   before     None       Removed     Removed(Refill)
/// ```
pub fn change(before: &Board, group: &CellGroup, seen: &Board) -> Change {
    if seen == before {
        return Change::None;
    }
    if after(before, group).contains(seen) {
        return Change::Removed(Supply::Nothing);
    }
    let left = before.without(group, Orientation::Left);
    if is_refilled(before, group, seen) {
        Change::Removed(Supply::Refill)
    } else if has_new_columns(&left, seen) {
        Change::Removed(Supply::Columns)
    } else {
        Change::Other
    }
}

/// The board without a group, wherever columns go.
pub fn after(board: &Board, group: &CellGroup) -> Vec<Board> {
    ORIENTATIONS.map(|orientation| board.without(group, orientation)).to_vec()
}

/// Whether every column has kept its tiles in their order and is full again.
fn is_refilled(before: &Board, group: &CellGroup, seen: &Board) -> bool {
    before.columns().iter().enumerate().all(|(column, cells)| {
        let stayed = cells
            .iter()
            .enumerate()
            .filter(|(row, colour)| **colour != 0 && !group.cells.contains(&(column, *row)));
        let now = seen.columns().get(column);
        now.is_some_and(|now| !now.contains(&0) && stayed.zip(now).all(|((_, was), is)| was == is))
    })
}

/// Whether the filled columns are still there, side by side, and all others are full.
fn has_new_columns(left: &Board, seen: &Board) -> bool {
    let filled: Vec<&Vec<u8>> = left.columns().iter().filter(|column| column[0] != 0).collect();
    let new = seen.width().saturating_sub(filled.len());
    let is_at = |offset: usize| {
        seen.columns().iter().enumerate().all(|(column, cells)| {
            match column.checked_sub(offset).and_then(|at| filled.get(at)) {
                Some(known) => cells == *known,
                None => !cells.contains(&0),
            }
        })
    };
    new > 0 && (0..=new).any(is_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(columns: &[&[u8]]) -> Board {
        Board::from_columns(columns.iter().map(|column| column.to_vec()).collect()).unwrap()
    }

    fn check(seen: &[&[u8]], expected: Change) {
        let before = board(&[&[1, 1, 2], &[3, 2, 3], &[2, 3, 1]]);
        let group = before.groups(2).remove(0);
        assert_eq!(change(&before, &group, &board(seen)), expected, "{seen:?}");
    }

    #[test]
    fn what_a_click_did_is_told() {
        check(&[&[1, 1, 2], &[3, 2, 3], &[2, 3, 1]], Change::None);
        check(&[&[2, 0, 0], &[3, 2, 3], &[2, 3, 1]], Change::Removed(Supply::Nothing));
        check(&[&[2, 3, 1], &[3, 2, 3], &[2, 3, 1]], Change::Removed(Supply::Refill));
        check(&[&[3, 3, 1], &[3, 2, 3], &[2, 3, 1]], Change::Other);
    }

    #[test]
    fn new_columns_are_told() {
        let before = board(&[&[1, 1], &[3, 2], &[2, 3]]);
        let group = before.groups(2).remove(0);
        let seen = board(&[&[2, 2], &[3, 2], &[2, 3]]);
        // A column that is full again may have been refilled as well as replaced: both are the same game.
        assert_eq!(change(&before, &group, &seen), Change::Removed(Supply::Refill));
        let seen = board(&[&[3, 2], &[2, 3], &[1, 2]]);
        assert_eq!(change(&before, &group, &seen), Change::Removed(Supply::Columns));
    }
}
