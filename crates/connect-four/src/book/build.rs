//! Makes a book of positions that were solved one by one, on one machine or on many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Book, BookError, LineMove, canonical, positions_up_to};
use crate::{CELLS, Column, Position, RuleError};

/// A solved position: its score, and the machine's column where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The score for the player to move.
    pub score: i32,
    /// A column that reaches it; `None` if only the score was asked for.
    pub column: Option<Column>,
}

/// Solved positions by key: what a run that makes a book keeps.
///
/// As text, one position a line: `KEY SCORE COLUMN`, column 0 for "not asked".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    answers: BTreeMap<u64, Answer>,
}

/// Why no book can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A position is not solved yet.
    #[error("not solved yet: the position with the key {key}")]
    Missing {
        /// Its key.
        key: u64,
    },
    /// A column that cannot be played.
    #[error("the position with the key {key}: {reason}")]
    Column {
        /// Its key.
        key: u64,
        /// Why.
        reason: RuleError,
    },
    /// The plies do not fit.
    #[error(transparent)]
    Book(#[from] BookError),
}

impl Solved {
    /// The lines of the embedded book: they need not be solved again.
    pub fn known() -> Self {
        let answer = |entry: LineMove| Answer { score: entry.score, column: Some(entry.column) };
        let lines = Book::embedded().lines().map(|(position, entry)| (position.key(), answer(entry)));
        Self { answers: lines.collect() }
    }

    /// Adds one line of a checkpoint. A line that is none, as an interruption leaves them, adds nothing.
    pub fn add_line(&mut self, line: &str) {
        if let [key, score, column] = line.split(' ').collect::<Vec<_>>()[..]
            && let (Ok(key), Ok(score), Ok(column)) = (key.parse(), score.parse(), column.parse::<u8>())
            && column <= 7
        {
            self.add(key, Answer { score, column: Column::new(column).ok() });
        }
    }

    /// Adds a solved position.
    pub fn add(&mut self, key: u64, answer: Answer) {
        self.answers.insert(key, answer);
    }

    /// The answer for a position.
    pub fn get(&self, key: u64) -> Option<Answer> {
        self.answers.get(&key).copied()
    }

    /// The positions of a ply that are not solved yet, up to mirroring, by ascending key.
    pub fn open(&self, ply: u32) -> Vec<u64> {
        let all = positions_up_to(ply).pop().map(|ply| ply.keys).unwrap_or_default();
        all.into_iter().filter(|key| !self.answers.contains_key(key)).collect()
    }

    /// The book of every position up to ply `last` (none if it is 0), and of the lines up to ply `lines`.
    pub fn book(&self, last: u32, lines: u32) -> Result<Book, BuildError> {
        let scores = if last == 0 { Vec::new() } else { self.full_scores(last)? };
        Ok(Book::new(scores, self.lines(lines)?)?)
    }

    fn answer(&self, key: u64) -> Result<Answer, BuildError> {
        self.get(key).ok_or(BuildError::Missing { key })
    }

    fn lines(&self, last: u32) -> Result<BTreeMap<u64, LineMove>, BuildError> {
        let mut lines = BTreeMap::new();
        let mut open = vec![Position::EMPTY];
        open.extend(Column::ALL.iter().filter_map(|&column| Position::EMPTY.play(column).ok()));
        while let Some(position) = open.pop() {
            let position = canonical(&position);
            let key = position.key();
            if position.is_over() || position.discs() > last || lines.contains_key(&key) {
                continue;
            }
            let answer = self.answer(key)?;
            let column = answer.column.ok_or(BuildError::Missing { key })?;
            lines.insert(key, LineMove { column, score: answer.score });
            let moved = position.play(column).map_err(|reason| BuildError::Column { key, reason })?;
            open.extend(moved.legal().filter_map(|answer| moved.play(answer).ok()));
        }
        Ok(lines)
    }

    /// The scores of all plies up to the solved one, each computed from the next.
    fn full_scores(&self, last: u32) -> Result<Vec<Vec<i8>>, BuildError> {
        let plies = positions_up_to(last);
        let mut known: BTreeMap<u64, i32> = BTreeMap::new();
        let mut scores = Vec::new();
        for (ply, positions) in plies.iter().enumerate().rev() {
            let mut of_ply = BTreeMap::new();
            for &key in &positions.keys {
                let score = if ply as u32 == last {
                    self.answer(key)?.score
                } else {
                    best_answer(&Position::from_key(key), &known)?
                };
                of_ply.insert(key, score);
            }
            scores.push(of_ply.values().map(|&score| score as i8).collect());
            known = of_ply;
        }
        scores.reverse();
        Ok(scores)
    }
}

/// One line of a checkpoint for each answer.
pub fn write_lines(answers: impl IntoIterator<Item = (u64, Answer)>) -> String {
    let mut text = String::new();
    for (key, Answer { score, column }) in answers {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{key} {score} {}", column.map_or(0, Column::number));
    }
    text
}

fn best_answer(position: &Position, after: &BTreeMap<u64, i32>) -> Result<i32, BuildError> {
    let mut best = None;
    for next in position.legal().filter_map(|column| position.play(column).ok()) {
        let score = if next.is_won() {
            (CELLS as i32 + 1 - position.discs() as i32) / 2
        } else {
            let key = canonical(&next).key();
            -after.get(&key).ok_or(BuildError::Missing { key })?
        };
        best = best.max(Some(score));
    }
    best.ok_or(BuildError::Missing { key: position.key() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_book_gives_itself() {
        let (embedded, mut solved) = (Book::embedded(), Solved::known());
        let last = 4;
        for key in positions_up_to(last).pop().unwrap().keys {
            let score = embedded.score(&Position::from_key(key)).unwrap();
            solved.add_line(write_lines([(key, Answer { score, column: None })]).trim_end());
        }
        assert_eq!(solved.open(last), []);
        let book = solved.book(last, 0).unwrap();
        for ply in positions_up_to(last) {
            for position in ply.keys.into_iter().map(Position::from_key) {
                assert_eq!(book.score(&position), embedded.score(&position), "{position:?}");
            }
        }
    }

    #[test]
    fn what_is_missing_is_named_and_half_lines_are_nothing() {
        let mut solved = Solved::default();
        for line in ["", "12", "7 1 9", "7 x 1", "5 1"] {
            solved.add_line(line);
        }
        assert_eq!(solved, Solved::default());
        assert!(matches!(solved.book(2, 0), Err(BuildError::Missing { .. })));
        assert_eq!(solved.open(1).len(), 4);
    }
}
