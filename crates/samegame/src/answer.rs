//! Goals of the solvers and their answers.

use crate::field::Counts;
use crate::scoring::Scoring;

/// How much is known about clearing a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The moves empty the board.
    Cleared,
    /// No moves empty the board.
    Impossible,
    /// Neither was found within the budget.
    Open,
}

/// A solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Group numbers in playing order: the best moves found.
    pub moves: Vec<usize>,
    /// Cells left after them.
    pub remaining: usize,
    /// What is known about clearing the board.
    pub proof: Proof,
    /// Nodes spent.
    pub nodes: u64,
}

/// Called whenever a solver finds something better, with its score (when
/// clearing: minus the number of cells left).
pub type OnBetter<'a> = &'a (dyn Fn(i32) + Sync);

/// What a solver looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An empty board; finding one ends the search.
    Clear,
    /// The highest score within the budget.
    Points(Scoring),
}

impl Goal {
    /// Value of removing a group of this size.
    #[inline(always)]
    pub(crate) fn gain(&self, size: u32) -> i32 {
        match self {
            Self::Clear => 0,
            Self::Points(scoring) => scoring.group.of(size),
        }
    }

    /// Value of ending with these cells left.
    pub(crate) fn end(&self, left: &Counts) -> i32 {
        match self {
            Self::Clear => -(left.iter().sum::<u32>() as i32),
            Self::Points(scoring) => scoring.end_points(left.iter().copied()),
        }
    }

    /// Whether a game that leaves this many cells ends the search.
    pub(crate) fn is_reached(&self, remaining: usize) -> bool {
        matches!(self, Self::Clear) && remaining == 0
    }
}

/// The best game a search has seen.
#[derive(Clone, Debug)]
pub(crate) struct Best {
    pub moves: Vec<usize>,
    pub value: i32,
    pub remaining: usize,
}

impl Best {
    /// No moves.
    pub fn nothing(cells: usize) -> Self {
        Self { moves: Vec::new(), value: i32::MIN, remaining: cells }
    }

    /// The answer after `nodes` nodes.
    pub fn answer(self, nodes: u64) -> Answer {
        let proof = if self.remaining == 0 { Proof::Cleared } else { Proof::Open };
        Answer { moves: self.moves, remaining: self.remaining, proof, nodes }
    }
}
