//! What is wanted of the player.

use std::time::Duration;

use engine::Pointing;

/// What is wanted of the player.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// What to aim for.
    pub goal: Goal,
    /// Nodes a solver may spend on one board.
    pub nodes: u64,
    /// Random seed of the solver.
    pub seed: u64,
    /// Time between the two clicks of a move.
    pub between_clicks: Duration,
    /// How long the hands rest after a move.
    pub rest: Duration,
    /// How the next round is begun.
    pub next_round: NextRound,
}

/// How the next round is begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NextRound {
    /// It begins by itself, or somebody begins it.
    Wait,
    /// It is waited for; when it does not come, the usual keys are tried.
    Find,
    /// By this key or click.
    By(Pointing),
}

/// What to aim for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An empty board.
    Clear,
    /// The highest score.
    Points,
}

impl Default for Wishes {
    fn default() -> Self {
        let (between_clicks, rest) = (Duration::from_millis(120), Duration::from_millis(60));
        let next_round = NextRound::Find;
        Self { goal: Goal::Clear, nodes: 3_000_000, seed: 1, between_clicks, rest, next_round }
    }
}
