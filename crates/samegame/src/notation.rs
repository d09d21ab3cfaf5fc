//! Boards and moves as text: `[[1,2],[2,1]]` and `[2,1,1]`.

use std::str::FromStr;

use crate::board::{Board, BoardError};

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// An unexpected character. Characters count from 1.
    #[error("character {at}: found {found}, expected {expected}")]
    Unexpected {
        /// Its position.
        at: usize,
        /// What was found.
        found: Found,
        /// What was expected.
        expected: &'static str,
    },
    /// Well formed, but not a valid board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// What was found instead of the expected character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This character.
    Character(char),
    /// The end of the text.
    End,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Character(c) => write!(f, "{c:?}"),
            Self::End => f.write_str("the end"),
        }
    }
}

impl FromStr for Board {
    type Err = NotationError;

    /// Reads the notation of the normal form; spaces are allowed.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader { rest: text.chars().collect(), at: 0 };
        let mut columns = Vec::new();
        reader.expect('[', "'[' that opens the board")?;
        loop {
            reader.expect('[', "'[' that opens a column")?;
            columns.push(reader.column(columns.len() + 1)?);
            if !reader.continues("',' or ']' after a column")? {
                break;
            }
        }
        reader.end()?;
        Ok(Self::from_columns(columns)?)
    }
}

/// Writes moves as a list of group numbers.
///
/// ```
/// assert_eq!(samegame::notation::write_moves(&[2, 1, 1]), "[2,1,1]");
/// ```
pub fn write_moves(moves: &[usize]) -> String {
    let numbers: Vec<_> = moves.iter().map(ToString::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// Reads the literature's 20 standard boards: rows from the top, colours from 0,
/// a blank line between boards. A cell that is not a number, or too large,
/// counts as an unknown colour.
pub fn read_standard(text: &str) -> Result<Vec<Board>, BoardError> {
    text.split("\n\n").filter(|block| !block.trim().is_empty()).map(read_block).collect()
}

fn read_block(block: &str) -> Result<Board, BoardError> {
    let colour = |cell: &str| cell.parse().map_or(u8::MAX, |colour: u8| colour.saturating_add(1));
    let rows: Vec<Vec<u8>> =
        block.trim().lines().map(|line| line.split_whitespace().map(colour).collect()).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    // From the bottom up; a short row leaves background.
    let column = |c: usize| rows.iter().rev().map(|row| row.get(c).copied().unwrap_or(0)).collect();
    Board::from_columns((0..width).map(column).collect())
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

impl Reader {
    /// The cells of one column and its closing bracket.
    fn column(&mut self, number: usize) -> Result<Vec<u8>, NotationError> {
        let mut cells = Vec::new();
        loop {
            let colour = self.number()?;
            let cell = u8::try_from(colour).map_err(|_| BoardError::UnknownColour {
                column: number,
                row: cells.len() + 1,
                colour,
            })?;
            cells.push(cell);
            if !self.continues("',' or ']' after a cell")? {
                return Ok(cells);
            }
        }
    }

    fn number(&mut self) -> Result<u64, NotationError> {
        self.skip_spaces();
        let mut value = None;
        while let Some(digit) = self.rest.get(self.at).and_then(|c| c.to_digit(10)) {
            value = Some(value.unwrap_or(0_u64).saturating_mul(10).saturating_add(digit.into()));
            self.at += 1;
        }
        value.ok_or_else(|| self.unexpected("a colour number"))
    }

    /// Whether a list goes on (`,`) or closes (`]`).
    fn continues(&mut self, expected: &'static str) -> Result<bool, NotationError> {
        self.skip_spaces();
        let goes_on = match self.rest.get(self.at) {
            Some(',') => true,
            Some(']') => false,
            _ => return Err(self.unexpected(expected)),
        };
        self.at += 1;
        Ok(goes_on)
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), NotationError> {
        self.skip_spaces();
        if self.rest.get(self.at) != Some(&wanted) {
            return Err(self.unexpected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn end(&mut self) -> Result<(), NotationError> {
        self.skip_spaces();
        if self.at == self.rest.len() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    fn skip_spaces(&mut self) {
        while self.rest.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn unexpected(&self, expected: &'static str) -> NotationError {
        let found = self.rest.get(self.at).map_or(Found::End, |&c| Found::Character(c));
        NotationError::Unexpected { at: self.at + 1, found, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Board>().unwrap_err().to_string()
    }

    #[test]
    fn a_board_is_read_and_written() {
        let board: Board = " [[1, 3,2], [3,1,0]] ".parse().unwrap();
        assert_eq!(board.to_string(), "[[1,3,2],[3,1,0]]");
        assert_eq!(write_moves(&[6, 5, 1]), "[6,5,1]");
    }

    #[test]
    fn bad_boards_are_refused_with_place_and_reason() {
        assert_eq!(error(""), "character 1: found the end, expected '[' that opens the board");
        assert_eq!(error("[[1,x]]"), "character 5: found 'x', expected a colour number");
        assert_eq!(error("[[1,2]"), "character 7: found the end, expected ',' or ']' after a column");
        assert_eq!(error("[[1,2]]]"), "character 8: found ']', expected the end");
        assert_eq!(error("[[-1]]"), "character 3: found '-', expected a colour number");
        assert_eq!(
            error("[[1,2],[1]]"),
            "column 2 has 1 cells but column 1 has 2; pad with 0 above the top cell"
        );
        assert_eq!(error("[[1,2],[0,1]]"), "column 2, row 2: colour 1 is above an empty cell");
        assert_eq!(error("[[1],[0],[1]]"), "column 2 is empty between filled columns");
        for colour in [10, 256, u64::MAX] {
            let wanted = format!("column 1, row 1: colour {colour}; colours are 1 to 9, 0 is background");
            assert_eq!(error(&format!("[[{colour}]]")), wanted);
        }
        assert!(error(&format!("[{}]", ["[1]"; 51].join(","))).starts_with("the board is 51x1"));
    }
}
