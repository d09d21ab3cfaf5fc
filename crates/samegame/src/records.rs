//! The best solutions found for numbered boards, as the Markdown table that is kept across runs.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::notation::write_moves;

/// A board's best solution: its score and its moves.
pub type Record = (i32, Vec<usize>);

/// Board number → best solution.
///
/// ```
/// use samegame::records::Records;
///
/// let mut records = Records::default();
/// assert!(records.offer(7, (1004, vec![1, 1])));
/// assert!(!records.offer(7, (1004, vec![2, 1])), "only a higher score is a record");
/// assert_eq!(records.to_string().parse(), Ok(records));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    by_board: BTreeMap<usize, Record>,
}

/// A line of the table that is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not a record: expected `| BOARD | SCORE | [MOVES] |`")]
pub struct RecordsError {
    /// Its number, counted from 1.
    pub line: usize,
}

impl Records {
    /// Takes over a solution if it is the first for its board or has a higher score.
    pub fn offer(&mut self, board: usize, record: Record) -> bool {
        let better = self.by_board.get(&board).is_none_or(|(score, _)| record.0 > *score);
        if better {
            self.by_board.insert(board, record);
        }
        better
    }

    /// All of them by board.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Record)> {
        self.by_board.iter().map(|(&board, record)| (board, record))
    }
}

impl fmt::Display for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("# Best SameGame solutions found\n\n")?;
        f.write_str("Standard boards, (n−2)² a move, 1000 for clearing; moves are group numbers.\n")?;
        f.write_str("Kept by `cargo xtask bench samegame --records --hours H`, which checks all of them at its start.\n\n")?;
        f.write_str("| board | score | moves |\n|---|---|---|\n")?;
        for (board, (score, moves)) in self.iter() {
            writeln!(f, "| {board} | {score} | `{}` |", write_moves(moves))?;
        }
        Ok(())
    }
}

impl FromStr for Records {
    type Err = RecordsError;

    /// Reads the table back; other lines are ignored.
    fn from_str(text: &str) -> Result<Self, RecordsError> {
        let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with("| ")).skip(1);
        let record = |(index, line): (usize, &str)| read_line(line).ok_or(RecordsError { line: index + 1 });
        Ok(Self { by_board: lines.map(record).collect::<Result<_, _>>()? })
    }
}

fn read_line(line: &str) -> Option<(usize, Record)> {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [board, score, moves] = cells[..] else { return None };
    let moves = moves.trim_matches(['[', ']', '`']).split(',').filter(|number| !number.is_empty());
    let moves = moves.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    Some((board.parse().ok()?, (score.parse().ok()?, moves)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_line_is_named() {
        let mut records = Records::default();
        records.offer(1, (5, vec![2, 1]));
        records.offer(2, (0, Vec::new()));
        let text = records.to_string();
        assert_eq!(text.parse(), Ok(records));
        let broken = text.replace("| 5 |", "| five |");
        assert_eq!(broken.parse::<Records>(), Err(RecordsError { line: 8 }));
        assert_eq!("".parse(), Ok(Records::default()));
    }
}
