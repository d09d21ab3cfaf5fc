//! Annealing for speed and exhaustive search for proofs, alternating.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use budget::{Budget, Meter};
use rand_xoshiro::rand_core::SeedableRng;

use super::exhaustive::{Go, Pruning, Search};
use super::is_hopeless;
use crate::anneal::{Annealer, Cooling, Objective, Sequence};
use crate::answer::{Answer, OnBetter, Proof};
use crate::board::{Board, Colour};
use crate::field::{Counts, Field, colour_counts, finish, with_field};
use crate::points::Effort;
use crate::random::{Random, below};
use crate::rules::Rules;
use processor::{HotLoop, at_full_speed};

/// Steps of the first annealing run, and the length of each next one in percent of the one before.
const FIRST_STEPS: u64 = 1000;
const GROWTH_PERCENT: u64 = 120;
const MOST_STEPS: u64 = 100_000;

/// Temperatures in cells, found by experiment on random boards.
const HOT: f64 = 1.0;
const COLD: f64 = 0.6;

/// Nodes of exhaustive search per round of `steps` annealing steps: proofs are
/// quick on small boards and out of reach on large ones.
fn proof_nodes(steps: u64, cells: u64) -> u64 {
    steps / (1 + cells * cells / 1000)
}

/// Clears the board, proves that it cannot be cleared, or answers with the
/// fewest cells left when the budget ends. A node is one sequence tried or one
/// board of the exhaustive search. The same seed, threads and nodes give the
/// same answer.
///
/// ```
/// use budget::Budget;
/// use samegame::answer::Proof;
/// use samegame::clear::auto::solve;
/// use samegame::points::Effort;
/// use samegame::{board::Board, rules::Rules};
///
/// // 2 2 1           1 2
/// // 1 1 1    and    2 1
/// let board: Board = "[[1,2],[1,2],[1,1]]".parse()?;
/// let answer = solve(&board, &Rules::default(), Effort::default(), &Budget::unlimited(), &|_| ());
/// assert_eq!((answer.proof, answer.remaining), (Proof::Cleared, 0));
///
/// let stuck: Board = "[[2,1],[1,2]]".parse()?;
/// let answer = solve(&stuck, &Rules::default(), Effort::default(), &Budget::unlimited(), &|_| ());
/// assert_eq!(answer.proof, Proof::Impossible);
/// # Ok::<(), samegame::notation::NotationError>(())
/// ```
pub fn solve(
    board: &Board,
    rules: &Rules,
    effort: Effort,
    budget: &Budget,
    on_better: OnBetter<'_>,
) -> Answer {
    with_field!(board, F => solve_on(&F::from_board(board), *rules, effort, budget, on_better))
}

#[derive(Clone, Copy)]
struct ClearBoard;

impl Objective for ClearBoard {
    #[inline(always)]
    fn gain(&self, _size: u32) -> i32 {
        0
    }

    #[inline(always)]
    fn end(&self, left: &Counts) -> i32 {
        -(left.iter().sum::<u32>() as i32)
    }

    #[inline(always)]
    fn is_reached(&self, left: u32) -> bool {
        left == 0
    }
}

fn solve_on<F: Field>(
    start: &F,
    rules: Rules,
    effort: Effort,
    budget: &Budget,
    on_better: OnBetter<'_>,
) -> Answer {
    let min_group = rules.min_group() as u32;
    let counts = colour_counts(start);
    let cells = counts.iter().map(|&count| u64::from(count)).sum();
    let mut proofs = Search::new(start, min_group, Pruning::Failed);
    let mut answer = proofs.answer(Proof::Open, 0);
    if answer.remaining == 0 {
        return Answer { proof: Proof::Cleared, ..answer };
    }
    let hopeless = is_hopeless(&counts, min_group);
    let shares: Vec<_> = budget.split(effort.threads.max(1).into()).collect();
    let mut meters: Vec<_> = shares.iter().map(Budget::meter).collect();
    let mut steps = FIRST_STEPS;
    for round in 0_u64.. {
        let runs = round_of_runs(start, min_group, (effort.seed, round), steps, &mut meters);
        for best in runs {
            if (best.left as usize) < answer.remaining {
                answer.remaining = best.left as usize;
                answer.moves = best.moves(min_group);
                on_better(-(best.left as i32));
            }
        }
        if answer.remaining == 0 {
            answer.proof = Proof::Cleared;
        } else if hopeless {
            // One run is effort enough when the board cannot be cleared.
            answer.proof = Proof::Impossible;
        } else {
            let limit = proof_nodes(steps, cells);
            answer.proof = at_full_speed(Go { search: &mut proofs, meter: &mut meters[0], limit });
            if answer.proof == Proof::Cleared {
                answer = proofs.answer(Proof::Cleared, 0);
            }
        }
        if answer.proof != Proof::Open || shares.iter().any(Budget::is_exhausted) {
            break;
        }
        steps = (steps * GROWTH_PERCENT / 100).min(MOST_STEPS);
    }
    answer.nodes = meters.iter().map(Meter::spent).sum();
    answer
}

/// One annealing run per thread. A run stops early only when a thread with a lower
/// number has cleared the board, so the winner does not depend on scheduling.
fn round_of_runs<F: Field>(
    start: &F,
    min_group: u32,
    (seed, round): (u64, u64),
    steps: u64,
    meters: &mut [Meter<'_>],
) -> Vec<Sequence<F>> {
    let winner = AtomicU64::new(u64::MAX);
    let run = |thread: u64, meter: &mut Meter<'_>| {
        let random = Random::seed_from_u64(finish(seed ^ finish(round << 16 | thread)));
        let first = thread == 0 && round == 0;
        at_full_speed(Run { start, min_group, random, steps, meter, winner: &winner, thread, first })
    };
    let mut meters = (0..).zip(meters);
    let Some((_, own)) = meters.next() else { return Vec::new() };
    thread::scope(|scope| {
        let others: Vec<_> = meters.map(|(thread, meter)| scope.spawn(move || run(thread, meter))).collect();
        let mut runs = vec![run(0, own)];
        runs.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
        runs
    })
}

struct Run<'a, 'b, F: Field> {
    start: &'a F,
    min_group: u32,
    random: Random,
    steps: u64,
    meter: &'a mut Meter<'b>,
    winner: &'a AtomicU64,
    thread: u64,
    first: bool,
}

impl<F: Field> HotLoop for Run<'_, '_, F> {
    type Output = Sequence<F>;

    #[inline(always)]
    fn run(mut self) -> Sequence<F> {
        let mut now = Sequence::new(self.start, self.target());
        let mut best = now.clone();
        let mut annealer = Annealer::new(ClearBoard, self.min_group, &mut self.random);
        // In parts, to notice when another thread has succeeded.
        let parts = 10;
        let cool = (COLD / HOT).powf(1.0 / f64::from(parts));
        let mut from = HOT;
        for _ in 0..parts {
            if best.left == 0 || self.winner.load(Ordering::Relaxed) < self.thread {
                break;
            }
            let cooling = Cooling { from, to: from * cool, steps: self.steps / u64::from(parts as u32) };
            annealer.run(&mut now, &mut best, cooling, self.meter);
            from *= cool;
        }
        if best.left == 0 {
            self.winner.fetch_min(self.thread, Ordering::Relaxed);
        }
        best
    }
}

impl<F: Field> Run<'_, '_, F> {
    /// The most frequent colour in the very first run, then a random one.
    fn target(&mut self) -> Option<Colour> {
        let counts = colour_counts(self.start);
        let mut colours: Vec<_> = (1..F::COLOURS).filter(|&colour| counts[usize::from(colour)] > 0).collect();
        colours.sort_by_key(|&colour| std::cmp::Reverse(counts[usize::from(colour)]));
        let choice = if self.first { 0 } else { below(&mut self.random, colours.len() as u32) as usize };
        colours.get(choice).copied()
    }
}
