//! Finds the highest score within a budget.
//!
//! Each thread anneals click sequences (see [`crate::anneal`]) in runs from
//! scratch, each with one target colour. Targets that have done well get most
//! of the runs, and runs get longer as nodes are spent, so the search can be
//! stopped at any time.

mod portfolio;

use std::thread;

use budget::Budget;
use rand_xoshiro::rand_core::SeedableRng;

use crate::answer::{Answer, OnBetter, Proof};
use crate::board::Board;
use crate::field::{Field, with_field};
use crate::random::Random;
use crate::rules::Rules;
use crate::scoring::Scoring;
use portfolio::Portfolio;
use processor::at_full_speed;

/// Threads and seed of a search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of threads, each with its own share of the nodes; 0 counts as 1.
    pub threads: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { threads: 1, seed: 1 }
    }
}

/// Searches for the highest score until the budget ends. A node is one
/// sequence tried. The same seed, threads and nodes give the same answer.
///
/// ```
/// use budget::Budget;
/// use samegame::points::{Effort, solve};
/// use samegame::{board::Board, rules::Rules, scoring::Scoring};
///
/// // 2 2 1
/// // 1 1 1    4 points for the 1s, 0 for the 2s, 1000 for clearing
/// let board: Board = "[[1,2],[1,2],[1,1]]".parse()?;
/// let (rules, scoring) = (Rules::default(), Scoring::default());
/// let answer = solve(&board, &rules, &scoring, Effort::default(), &Budget::nodes(1_000), &|_| ());
/// let replay = samegame::replay::replay(&board, &answer.moves, &rules, &scoring)?;
/// assert_eq!((replay.score, replay.remaining), (1004, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    board: &Board,
    rules: &Rules,
    scoring: &Scoring,
    effort: Effort,
    budget: &Budget,
    on_better: OnBetter<'_>,
) -> Answer {
    with_field!(board, F => solve_on(&F::from_board(board), *rules, scoring, effort, budget, on_better))
}

fn solve_on<F: Field>(
    start: &F,
    rules: Rules,
    scoring: &Scoring,
    effort: Effort,
    budget: &Budget,
    on_better: OnBetter<'_>,
) -> Answer {
    let search = |thread: u64, share: Budget| {
        let random = Random::seed_from_u64(effort.seed.wrapping_mul(1 << 16).wrapping_add(thread));
        at_full_speed(Portfolio { start, rules, scoring, random, budget: &share, on_better })
    };
    let threads = u64::from(effort.threads.max(1));
    let mut shares = (0..).zip(budget.split(threads));
    let own = shares.next();
    let found: Vec<_> = thread::scope(|scope| {
        // The first share is searched here: one thread needs no other, which browsers do not have.
        let others: Vec<_> =
            shares.map(|(thread, share)| scope.spawn(move || search(thread, share))).collect();
        let own = own.map(|(thread, share)| search(thread, share));
        own.into_iter().chain(others.into_iter().filter_map(|thread| thread.join().ok())).collect()
    });
    let nodes = found.iter().map(|found| found.nodes).sum();
    // The first of equals, whatever the order in which threads ended.
    let best = found.into_iter().rev().max_by_key(|found| found.score);
    let (moves, remaining) =
        best.map_or((Vec::new(), start.occupied_count()), |best| (best.moves, best.remaining));
    let proof = if remaining == 0 { Proof::Cleared } else { Proof::Open };
    Answer { moves, remaining, proof, nodes }
}
