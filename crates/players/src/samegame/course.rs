//! The moves for a board, and how far they are made.

use budget::Budget;
use samegame::answer::Proof;
use samegame::board::Board;
use samegame::clear::auto;
use samegame::plan::Plan;
use samegame::points::{self, Effort};
use samegame::rules::Rules;
use samegame::scoring::Scoring;

use super::wishes::{Goal, Wishes};

/// Nodes for a board that new tiles will change after every move.
const NODES_WITH_SUPPLY: u64 = 1_000;

/// The moves for a board, and how many of them are made.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub plan: Plan,
    pub done: usize,
    pub proof: Proof,
    /// Tiles that stay at its end.
    pub remaining: usize,
}

impl Course {
    /// The best moves that are found; with `supplied`, new tiles come after every move.
    pub fn find(board: &Board, rules: Rules, wishes: &Wishes, supplied: bool) -> Option<Self> {
        let (budget, effort) = (Budget::nodes(wishes.nodes), Effort { threads: 1, seed: wishes.seed });
        let answer = if supplied {
            // A board that is filled again cannot be cleared, and the moves after the next are a guess.
            let budget = Budget::nodes(wishes.nodes.min(NODES_WITH_SUPPLY));
            points::solve(board, &rules, &Scoring::default(), effort, &budget, &|_| ())
        } else {
            match wishes.goal {
                Goal::Clear => auto::solve(board, &rules, effort, &budget, &|_| ()),
                Goal::Points => points::solve(board, &rules, &Scoring::default(), effort, &budget, &|_| ()),
            }
        };
        let plan = Plan::new(board, &answer.moves, &rules).ok()?;
        Some(Self { plan, done: 0, proof: answer.proof, remaining: answer.remaining })
    }
}
