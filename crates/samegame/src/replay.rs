//! The independent checker: plays numbered moves on the plain board.
//!
//! It shares no code with the solvers' bit boards, so it can confirm their
//! solutions.

use crate::board::{Board, CellGroup};
use crate::rules::Rules;
use crate::scoring::Scoring;

/// One move and the resulting board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move's number on the board before.
    pub number: usize,
    /// The removed group.
    pub group: CellGroup,
    /// The board after it.
    pub board: Board,
}

/// A replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Its moves in order.
    pub steps: Vec<Step>,
    /// Points, including the final bonus or penalty.
    pub score: i32,
    /// Cells left.
    pub remaining: usize,
}

impl Replay {
    /// Whether the board is empty at the end.
    pub fn cleared(&self) -> bool {
        self.remaining == 0
    }
}

/// A move that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {at} removes group {number}, but the board has {available} removable groups by then")]
pub struct IllegalMove {
    /// Index of the move, counted from 1.
    pub at: usize,
    /// Its group number.
    pub number: usize,
    /// Removable groups at that point.
    pub available: usize,
}

/// Plays the moves one by one.
pub fn replay(
    board: &Board,
    moves: &[usize],
    rules: &Rules,
    scoring: &Scoring,
) -> Result<Replay, IllegalMove> {
    let mut steps: Vec<Step> = Vec::with_capacity(moves.len());
    let mut score = 0;
    for (index, &number) in moves.iter().enumerate() {
        let before = steps.last().map_or(board, |step| &step.board);
        let Some((group, board)) = before.after(number, rules) else {
            let available = before.groups(rules.min_group()).len();
            return Err(IllegalMove { at: index + 1, number, available });
        };
        score += scoring.group.of(group.cells.len() as u32);
        steps.push(Step { number, group, board });
    }
    let last = steps.last().map_or(board, |step| &step.board);
    score += scoring.end_points(last.colour_counts().map(|count| count as u32));
    let remaining = last.cells();
    Ok(Replay { steps, score, remaining })
}
