//! Boards as text: `x` for the first player, `o` for the second, `.` for empty.

use crate::{Cell, Column, Grid7x6, Player, Position, ROWS, RuleError};

/// Draws the board as six lines, top row first.
///
/// ```
/// let position: connect_four::Position = "4453".parse()?;
/// assert_eq!(
///     connect_four::text::picture(&position),
///     ".......\n\
///      .......\n\
///      .......\n\
///      .......\n\
///      ...o...\n\
///      ..oxx..\n"
/// );
/// # Ok::<(), connect_four::RuleError>(())
/// ```
pub fn picture(position: &Position) -> String {
    let mut out = String::new();
    for row in (1..=ROWS as u8).rev() {
        for column in Column::ALL {
            out.push(match position.disc(Cell { column, row }) {
                Some(Player::First) => 'x',
                Some(Player::Second) => 'o',
                None => '.',
            });
        }
        out.push('\n');
    }
    out
}

/// Reads a board that was drawn by [`picture`]; spaces and empty lines are ignored.
///
/// ```
/// use connect_four::{Player, text};
///
/// let position = text::read_picture(
///     ".......
///      .......
///      .......
///      .......
///      ...o...
///      ..oxx..",
/// )?;
/// assert_eq!(position.to_move(), Player::First);
///
/// let error = text::read_picture("x").unwrap_err();
/// assert_eq!(error.to_string(), "the board has 1 lines; expected 6");
/// # Ok::<(), connect_four::RuleError>(())
/// ```
pub fn read_picture(text: &str) -> Result<Position, RuleError> {
    let lines: Vec<Vec<char>> = text
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
        .filter(|line| !line.is_empty())
        .collect();
    if lines.len() != ROWS {
        return Err(RuleError::BoardLines(lines.len()));
    }
    let (mut first, mut second) = (0_u64, 0_u64);
    for (index, line) in lines.iter().enumerate() {
        if line.len() != crate::COLUMNS {
            return Err(RuleError::BoardSize { line: index + 1, cells: line.len() });
        }
        let row = ROWS - index;
        for (column, &symbol) in line.iter().enumerate() {
            let bit = 1 << (column * Grid7x6::STRIDE + row - 1);
            match symbol {
                '.' => {}
                'x' | 'X' => first |= bit,
                'o' | 'O' => second |= bit,
                _ => {
                    return Err(RuleError::UnknownDisc { symbol, column: column as u8 + 1, row: row as u8 });
                }
            }
        }
    }
    from_discs(first, second)
}

/// The position with these discs (bits as in [`crate::grid`]), unless gravity, disc counts or an
/// earlier win rule it out.
pub fn from_discs(first: u64, second: u64) -> Result<Position, RuleError> {
    let occupied = first | second;
    let floating = occupied & !(occupied << 1) & !Grid7x6::BOTTOM;
    if floating != 0 {
        let cell = crate::position::cell_of(floating.trailing_zeros());
        return Err(RuleError::FloatingDisc { column: cell.column.number(), row: cell.row });
    }
    let (firsts, seconds) = (first.count_ones(), second.count_ones());
    if first & second != 0 || firsts < seconds || firsts > seconds + 1 {
        return Err(RuleError::DiscCounts { first: firsts, second: seconds });
    }
    let (own, last) = if firsts == seconds { (first, second) } else { (second, first) };
    let position = Position::from_bits(own, occupied);
    let explained = || Column::ALL.into_iter().any(|column| position.undo(column).is_ok());
    if Grid7x6::has_four(own) || (Grid7x6::has_four(last) && !explained()) {
        return Err(RuleError::PlayedOn);
    }
    Ok(position)
}
