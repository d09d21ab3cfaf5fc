//! Boards as text: `#` for a filled cell, `.` for an empty one.

use std::fmt;

use crate::board::{Board, MAX_ROWS, WIDTH};

impl Board {
    /// Reads a board drawn as text, uppermost row first; `.` or a space is empty, anything else filled.
    ///
    /// ```
    /// use tetris::Board;
    ///
    /// let board = Board::parse(
    ///     "...##.....\n\
    ///      ##########",
    /// )?;
    /// assert_eq!((board.height(), board.cells()), (2, 12));
    /// assert_eq!(board.full_rows(), 0b01);
    ///
    /// let error = Board::parse("###").unwrap_err();
    /// assert_eq!(error.to_string(), "row 0 from the bottom has 3 cells; expected 10");
    /// # Ok::<(), tetris::board::DrawingError>(())
    /// ```
    pub fn parse(drawing: &str) -> Result<Board, DrawingError> {
        let rows: Vec<&str> = drawing.lines().filter(|line| !line.is_empty()).collect();
        if rows.len() > MAX_ROWS {
            return Err(DrawingError::Rows { rows: rows.len() });
        }
        let mut board = Board::EMPTY;
        for (row, line) in rows.iter().rev().enumerate() {
            let cells = line.chars().count();
            if cells != WIDTH {
                return Err(DrawingError::Columns { row, cells });
            }
            for (x, cell) in line.chars().enumerate() {
                if !matches!(cell, '.' | ' ') {
                    board.fill(x, row);
                }
            }
        }
        Ok(board)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Board")?;
        for row in (0..self.height() as usize).rev() {
            let line: String = (0..WIDTH).map(|x| if self.is_filled(x, row) { '#' } else { '.' }).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// Why a drawing is not a board.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// More rows than a board holds.
    #[error("the drawing has {rows} rows; a board has at most {MAX_ROWS}")]
    Rows {
        /// Rows found.
        rows: usize,
    },
    /// A row of the wrong width.
    #[error("row {row} from the bottom has {cells} cells; expected {WIDTH}")]
    Columns {
        /// Row counted from the bottom.
        row: usize,
        /// Cells found in it.
        cells: usize,
    },
}
