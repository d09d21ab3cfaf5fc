//! The opening book: positions solved in advance by our own solver.
//!
//! It has two parts: the score of *every* position of the first plies, and, at
//! deeper plies, the machine's move and score along the *lines* in which it plays
//! perfectly, on either side, against any play. `cargo xtask book` writes it; it
//! is embedded in the binary.

mod build;
mod enumerate;
mod format;

use std::collections::BTreeMap;
use std::sync::OnceLock;

pub use build::{Answer, BuildError, Solved, write_lines};
pub use enumerate::{Ply, canonical, positions_up_to};
pub use format::BookError;

use crate::{COLUMNS, Column, Position};

static EMBEDDED: &[u8] = include_bytes!("../../book/openings.book");

/// The machine's move at one position of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// A column that reaches the score.
    pub column: Column,
    /// The score for the player to move.
    pub score: i32,
}

/// Solved openings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// Canonical keys of the full plies, ascending within a ply.
    plies: Vec<Ply>,
    /// Their scores, in the same order.
    scores: Vec<Vec<i8>>,
    /// By canonical key; columns are those of the canonical position.
    lines: BTreeMap<u64, LineMove>,
}

impl Book {
    /// The book in this binary.
    pub fn embedded() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        // A test reads the embedded file; without it play would only be slower.
        BOOK.get_or_init(|| Book::from_bytes(EMBEDDED).unwrap_or_default())
    }

    /// A book of the scores of whole plies, starting with ply 0, and of lines.
    pub fn new(scores: Vec<Vec<i8>>, lines: BTreeMap<u64, LineMove>) -> Result<Self, BookError> {
        let plies = match scores.len() {
            0 => Vec::new(),
            count => positions_up_to(count as u32 - 1),
        };
        for (ply, (keys, scores)) in plies.iter().zip(&scores).enumerate() {
            if keys.keys.len() != scores.len() {
                return Err(BookError::PlySize { ply, found: scores.len(), expected: keys.keys.len() });
            }
        }
        Ok(Self { plies, scores, lines })
    }

    /// The exact score, if the position is in the book.
    pub fn score(&self, position: &Position) -> Option<i32> {
        let key = canonical(position).key();
        if let Some(ply) = self.plies.get(position.discs() as usize) {
            let place = ply.keys.binary_search(&key).ok()?;
            return Some(i32::from(self.scores[position.discs() as usize][place]));
        }
        self.lines.get(&key).map(|entry| entry.score)
    }

    /// The scores of all columns, if the book knows every one of them.
    pub fn columns(&self, position: &Position) -> Option<[Option<i32>; COLUMNS]> {
        let mut scores = [None; COLUMNS];
        for column in position.legal() {
            let score = if position.wins_with(column) {
                (crate::CELLS as i32 + 1 - position.discs() as i32) / 2
            } else {
                -self.score(&position.after(column))?
            };
            scores[column.index()] = Some(score);
        }
        Some(scores)
    }

    /// The perfect move at a position of a line.
    pub fn line_move(&self, position: &Position) -> Option<LineMove> {
        let canonical = canonical(position);
        let found = *self.lines.get(&canonical.key())?;
        let column = if canonical == *position { found.column } else { found.column.mirrored() };
        Some(LineMove { column, ..found })
    }

    /// The last ply of which the book has every position; `None` if it has no full ply.
    pub fn full_plies(&self) -> Option<u32> {
        (self.plies.len() as u32).checked_sub(1)
    }

    /// Every position of the lines with its move, by ascending key.
    pub fn lines(&self) -> impl Iterator<Item = (Position, LineMove)> {
        self.lines.iter().map(|(&key, &entry)| (Position::from_key(key), entry))
    }

    /// Number of positions in the full plies and in the lines.
    pub fn len(&self) -> (usize, usize) {
        (self.scores.iter().map(Vec::len).sum(), self.lines.len())
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == (0, 0)
    }
}
