//! What happens after a piece locks: which rows clear, and how the rest moves down.

use crate::board::{Board, rows_below};
use crate::gameboy::{CLEARABLE_ROWS, ROWS};

/// The rules that apply after a piece has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Rows of the field.
    pub rows: u32,
    /// Mask of the rows that can be cleared.
    pub clearable: u32,
    /// Whether clearing several rows leaves copies of the uppermost row behind.
    pub copies_top_row: bool,
}

impl Field {
    /// The Game Boy's field.
    pub const GAME_BOY: Field =
        Field { rows: ROWS, clearable: (1 << CLEARABLE_ROWS) - 1, copies_top_row: true };

    /// A plain field of this many rows (at most 28, so that a piece fits above it).
    pub fn classic(rows: u32) -> Field {
        let rows = rows.min(28);
        Field { rows, clearable: rows_below(rows), copies_top_row: false }
    }
}

/// Clears complete rows and returns their number.
///
/// ```
/// use tetris::Board;
/// use tetris::field::{Field, settle};
///
/// let mut board = Board::parse("#.........\n##########")?;
/// assert_eq!(settle(&mut board, Field::GAME_BOY), 1);
/// assert_eq!(board, Board::parse("#.........")?);
/// # Ok::<(), tetris::board::DrawingError>(())
/// ```
#[inline(always)]
pub fn settle(board: &mut Board, field: Field) -> u32 {
    let full = board.full_rows() & field.clearable;
    if full == 0 {
        return 0;
    }
    remove_full_rows(board, field, full);
    full.count_ones()
}

/// The part of [`settle`] after complete rows have been found.
#[inline(never)]
pub(crate) fn remove_full_rows(board: &mut Board, field: Field, full: u32) {
    if !field.copies_top_row {
        board.remove_rows(full);
        return;
    }
    let lines = full.count_ones();
    let before = board.columns();
    board.remove_rows(full);
    let visible = rows_below(field.rows);
    // The console moves rows down one clear at a time and blanks the uppermost only at the end:
    // copies of it fill the rows that became free, except the uppermost itself.
    let freed = visible & !rows_below(field.rows - lines) & !(1 << (field.rows - 1));
    for (x, before) in before.into_iter().enumerate() {
        let moved = board.column(x) & rows_below(field.rows - lines);
        let copies = if before >> (field.rows - 1) & 1 == 1 { freed } else { 0 };
        board.set_column(x, moved | copies | (before & !visible));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: Field, before: &str, lines: u32, after: &str) {
        let mut board = Board::parse(before).unwrap();
        assert_eq!(settle(&mut board, field), lines);
        assert_eq!(board, Board::parse(after).unwrap());
    }

    #[test]
    fn rows_above_a_clear_move_down() {
        let before = "#.........\n##########\n.#........\n##########";
        for field in [Field::GAME_BOY, Field::classic(20)] {
            check(field, before, 2, "#.........\n.#........");
        }
    }

    #[test]
    fn the_two_uppermost_rows_of_the_game_boy_never_clear() {
        let full_at_16_and_17 = "##########\n".repeat(2) + &"#.........\n".repeat(16);
        check(Field::GAME_BOY, &full_at_16_and_17, 0, &full_at_16_and_17);
        check(Field::classic(18), &full_at_16_and_17, 2, &"#.........\n".repeat(16));
    }

    #[test]
    fn a_multiple_clear_on_the_game_boy_copies_the_uppermost_row() {
        let middle = "#.........\n".repeat(14);
        let before = format!("..#.......\n{middle}##########\n##########\n##########");
        // Three clears: the row moves down by three and leaves two copies; the top row is blank.
        let after = format!("..#.......\n..#.......\n..#.......\n{middle}");
        check(Field::GAME_BOY, &before, 3, &after);
        let single = format!("..#.......\n#.........\n#.........\n{middle}##########");
        check(Field::GAME_BOY, &single, 1, &format!("..#.......\n#.........\n#.........\n{middle}"));
    }

    #[test]
    fn the_invisible_row_stays_where_it_is() {
        let middle = "#.........\n".repeat(15);
        let before = format!(".......#..\n..........\n{middle}##########\n##########");
        let mut board = Board::parse(&before).unwrap();
        settle(&mut board, Field::GAME_BOY);
        assert!(board.is_filled(7, 18));
        assert_eq!(board.cells(), 16);
    }
}
