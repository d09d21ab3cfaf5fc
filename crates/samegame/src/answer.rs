//! What a solver found out.

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
    /// Group numbers, to be played in this order; the best found so far.
    pub moves: Vec<usize>,
    /// Cells left after them.
    pub remaining: usize,
    /// What is known about clearing the board.
    pub proof: Proof,
    /// Nodes spent.
    pub nodes: u64,
}

/// Told whenever a solver has found something better: the points so far (for
/// the goal of clearing: minus the cells left).
pub type OnBetter<'a> = &'a (dyn Fn(i32) + Sync);
