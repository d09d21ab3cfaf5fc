//! What is wanted of the player.

use std::time::Duration;

use engine::Pointing;

use super::change::Supply;
use super::see::Given;

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
    /// What is known of the game before the first move.
    pub known: Known,
}

/// What is known of a game before it is played: told by a person, or learned in an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// Clicks for one move.
    pub clicks: Option<u8>,
    /// The smallest group that can be removed.
    pub min_group: Option<usize>,
    /// What comes after tiles that went.
    pub supply: Option<Supply>,
    /// Where the board is and what it consists of.
    pub given: Given,
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
        let (next_round, known) = (NextRound::Find, Known::default());
        Self { goal: Goal::Clear, nodes: 3_000_000, seed: 1, between_clicks, rest, next_round, known }
    }
}
