//! Why the rules reject a move or a board.

use crate::Column;

/// A move or a board that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A column number outside the board.
    #[error("there is no column {0}: columns are 1 to 7")]
    NoSuchColumn(u8),
    /// A character that is not a digit.
    #[error("{0:?} is not a column: columns are 1 to 7")]
    NotAColumn(char),
    /// The column already holds six discs.
    #[error("column {0} is full")]
    ColumnFull(Column),
    /// Someone has won.
    #[error("no disc can be played in column {0}: the game is over")]
    GameIsOver(Column),
    /// The disc on top is not the opponent's, or there is none, or the game was over before it.
    #[error("the last disc cannot have been played in column {0}")]
    NotTheLastDisc(Column),
    /// One move of a sequence is wrong.
    #[error("move {place}: {reason}")]
    AtMove {
        /// Number of the move, counted from 1.
        place: usize,
        /// What is wrong with it.
        reason: Box<RuleError>,
    },
    /// A text board of the wrong size.
    #[error("line {line} of the board has {cells} cells; expected 7")]
    BoardSize {
        /// Number of the line, counted from 1 at the top.
        line: usize,
        /// Its number of cells.
        cells: usize,
    },
    /// A text board with too few or too many lines.
    #[error("the board has {0} lines; expected 6")]
    BoardLines(usize),
    /// A character that is neither a disc nor an empty cell.
    #[error("{symbol:?} in column {column}, row {row}: 'x' is the first player, 'o' the second, '.' empty")]
    UnknownDisc {
        /// What was found.
        symbol: char,
        /// Where.
        column: u8,
        /// Where, counted from the bottom.
        row: u8,
    },
    /// A disc above an empty cell.
    #[error("the disc in column {column}, row {row} floats: the cell below it is empty")]
    FloatingDisc {
        /// Where.
        column: u8,
        /// Where, counted from the bottom.
        row: u8,
    },
    /// Disc counts that are impossible with alternating turns.
    #[error(
        "the first player has {first} discs and the second {second}; with alternating turns the first has as many or one more"
    )]
    DiscCounts {
        /// Discs of the first player.
        first: u32,
        /// Discs of the second player.
        second: u32,
    },
    /// Four in a line for the player who did not move last, or two wins that no single last move explains.
    #[error("no sequence of moves leads to this board: the game was over before its last disc")]
    PlayedOn,
}
