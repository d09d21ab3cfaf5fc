//! The perfect solver: exact scores by null-window search.
//!
//! A score is from the view of the player to move: n for a win with their n-th
//! last disc, 0 for a draw, −n for a loss to the opponent's n-th last disc. It is
//! found by bisection: each step asks [`search`] one yes-or-no question.

#![allow(
    clippy::inline_always,
    reason = "only code inlined into the search is compiled for its instruction set"
)]

mod bisection;
mod bounds;
mod memory;
mod node;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use bisection::Bisection;
use budget::{Budget, Meter};
use search::{Search, Stop, TieBreak};
use table::{Limits, Table};

use crate::grid::Grid;
use crate::{CELLS, COLUMNS, Column, Position, ROWS};

/// Nodes per slot at which the table counts as crowded: from then on a larger
/// table saves more than its slower memory costs.
const CROWD: u64 = 16;
/// A crowded table grows by this power of two.
const GROWTH: u32 = 2;

/// Nodes after which a thread checks whether another has finished; its proofs stay in the table.
const NODES_BETWEEN_LOOKS: u64 = 1 << 15;

/// Log2 of the buckets to share between threads for a position with `discs` discs. A shared table
/// cannot grow during a search, so it gets all buckets in the opening, 8 MB after it, and half as
/// much with every three more discs.
fn shared_table_bits(discs: u32) -> u32 {
    const OPENING: u32 = 8;
    discs.checked_sub(OPENING).map_or(u32::MAX, |later| 19u32.saturating_sub(later / 3))
}

/// The budget was used up before the answer was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out after {nodes} nodes, before the score was proved")]
pub struct Exhausted {
    /// Nodes searched.
    pub nodes: u64,
}

/// Finds exact scores; its table speeds up later questions.
#[derive(Debug)]
pub struct Solver {
    core: Core<COLUMNS, ROWS>,
    nodes: u64,
}

impl Solver {
    /// A solver whose table may use `table_bytes` of memory, rounded down to a power of two.
    pub fn new(table_bytes: usize) -> Self {
        Self { core: Core::new(table_bytes), nodes: 0 }
    }

    /// The exact score of an open position for the player to move: n for a win with
    /// their n-th last disc, 0 for a draw, −n for a loss.
    ///
    /// ```
    /// use budget::Budget;
    /// use connect_four::{Solver, text};
    ///
    /// let position = text::read_picture(
    ///     ".......
    ///      .......
    ///      .......
    ///      .......
    ///      ..oo...
    ///      ..xx...",
    /// )?;
    /// // x plays column 2 or 5 and completes four with the disc after that: the 18th last.
    /// assert_eq!(Solver::new(1 << 24).score(&position, &Budget::unlimited())?, 18);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn score(&mut self, position: &Position, budget: &Budget) -> Result<i32, Exhausted> {
        let mut meter = budget.meter();
        let answer = self.core.score(position.own(), position.occupied(), &mut meter);
        self.nodes += meter.spent();
        answer
    }

    /// The exact score and a column that reaches it; no column if the board is full.
    ///
    /// ```
    /// use budget::Budget;
    /// use connect_four::{Column, Position, Solver};
    ///
    /// // The first player has three on top of each other in column 4.
    /// let position: Position = "434343".parse()?;
    /// let (score, column) = Solver::new(1 << 24).best(&position, &Budget::unlimited())?;
    /// assert_eq!((score, column), (18, Some(Column::new(4)?)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&mut self, position: &Position, budget: &Budget) -> Result<(i32, Option<Column>), Exhausted> {
        let mut meter = budget.meter();
        let answer = self.best_metered(position, &mut meter);
        self.nodes += meter.spent();
        answer
    }

    fn best_metered(
        &mut self,
        position: &Position,
        meter: &mut Meter<'_>,
    ) -> Result<(i32, Option<Column>), Exhausted> {
        let open = || Column::CENTRE_FIRST.into_iter().filter(|&column| position.has_room(column));
        if let Some(column) = open().find(|&column| position.wins_with(column)) {
            return Ok(((CELLS as i32 + 1 - position.discs() as i32) / 2, Some(column)));
        }
        let score = self.core.score(position.own(), position.occupied(), meter)?;
        // The search that proved the score usually left the proof in the table.
        for column in open() {
            let child = position.after(column);
            if self.core.known(child.own(), child.occupied()).upper <= -score {
                return Ok((score, Some(column)));
            }
        }
        for column in open() {
            let child = position.after(column);
            if !self.core.is_at_least(child.own(), child.occupied(), 1 - score, meter)? {
                return Ok((score, Some(column)));
            }
        }
        Ok((score, None))
    }

    /// Forgets everything about earlier positions.
    pub fn clear(&mut self) {
        self.core.table.clear();
    }

    /// The exact score, found by several threads that share the table. Half of them
    /// search the tree in another order, each uses what the others have proved, and
    /// the first to finish ends the search.
    pub fn score_by_threads(
        &mut self,
        position: &Position,
        threads: usize,
        budget: &Budget,
    ) -> Result<i32, Exhausted> {
        let shared = self.shared(position.discs());
        let finished = AtomicBool::new(false);
        let work = |thread: usize| {
            let helper = !thread.is_multiple_of(2);
            shared.score_unless(position, helper, &finished, budget)
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            let first = work(0);
            others.into_iter().filter_map(|thread| thread.join().ok()).chain([first]).collect()
        });
        self.nodes += answers.iter().map(|(_, nodes)| nodes).sum::<u64>();
        let found = answers.iter().find_map(|(answer, _)| answer.ok().flatten());
        found.ok_or(Exhausted { nodes: answers.iter().map(|(_, nodes)| nodes).sum() })
    }

    /// Adds nodes searched through a [`SharedSolver`].
    pub(crate) fn count_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Nodes searched since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A view that many threads may use at once, for positions with this many discs.
    pub fn shared(&mut self, discs: u32) -> SharedSolver<'_> {
        self.core.table.grow_to(shared_table_bits(discs));
        SharedSolver { core: &self.core }
    }
}

/// A [`Solver`] shared between threads.
#[derive(Clone, Copy, Debug)]
pub struct SharedSolver<'s> {
    core: &'s Core<COLUMNS, ROWS>,
}

impl SharedSolver<'_> {
    /// The exact score, or `None` if another thread finishes first, and the nodes spent. The thread
    /// that finds it sets `finished` for the others. A `helper` searches the tree in another order
    /// than the thread it helps.
    pub fn score_unless(
        &self,
        position: &Position,
        helper: bool,
        finished: &AtomicBool,
        budget: &Budget,
    ) -> (Result<Option<i32>, Exhausted>, u64) {
        let mut meter = budget.meter();
        let order = if helper { TieBreak::LeftFirst } else { TieBreak::RightFirst };
        let score = self.core.score_unless(position.own(), position.occupied(), order, finished, &mut meter);
        if matches!(score, Ok(Some(_))) {
            finished.store(true, Ordering::Relaxed);
        }
        (score, meter.spent())
    }
}

/// The solver of a board of any size.
#[derive(Debug)]
struct Core<const W: usize, const H: usize> {
    table: Table,
}

impl<const W: usize, const H: usize> Core<W, H> {
    fn new(table_bytes: usize) -> Self {
        Self { table: Table::new(Grid::<W, H>::KEY_BITS, table_bytes) }
    }

    fn score(&mut self, own: u64, occupied: u64, meter: &mut Meter<'_>) -> Result<i32, Exhausted> {
        match Bisection::start(own, occupied) {
            Ok(mut bisection) => {
                self.narrow(&mut bisection, Bisection::is_done, meter).map(|()| bisection.score())
            }
            Err(score) => Ok(score),
        }
    }

    fn is_at_least(
        &mut self,
        own: u64,
        occupied: u64,
        beta: i32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Exhausted> {
        match Bisection::start(own, occupied) {
            Ok(mut bisection) => {
                bisection.ask_about(beta);
                self.narrow(&mut bisection, Bisection::is_answered, meter)?;
                Ok(bisection.answer())
            }
            Err(score) => Ok(score >= beta),
        }
    }

    /// What the table knows about a position.
    fn known(&self, own: u64, occupied: u64) -> Limits {
        match Bisection::<W, H>::start(own, occupied) {
            Ok(bisection) => {
                let known = self.table.get(bisection.node.key::<W, H>());
                let limits = known.unwrap_or_else(|| bisection.node.limits::<W, H>());
                if bisection.flipped { Limits { lower: -limits.upper, upper: -limits.lower } } else { limits }
            }
            Err(score) => Limits { lower: score, upper: score },
        }
    }

    /// Asks questions until `enough` is true; the table grows when it gets crowded.
    fn narrow(
        &mut self,
        bisection: &mut Bisection<W, H>,
        enough: fn(&Bisection<W, H>) -> bool,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        while !enough(bisection) {
            let table = &self.table;
            let crowded_at =
                if table.is_full_grown() { u64::MAX } else { meter.spent().max(table.slots() * CROWD) };
            match bisection.step(&mut Search { table, meter, crowded_at, tie_break: TieBreak::RightFirst }) {
                Ok(()) => {}
                Err(Stop::Crowded) => self.table.grow(GROWTH),
                Err(Stop::Budget) => return Err(Exhausted { nodes: meter.spent() }),
            }
        }
        Ok(())
    }

    /// The score, found by one of several threads on a table that does not grow;
    /// `None` once another one has `finished`.
    fn score_unless(
        &self,
        own: u64,
        occupied: u64,
        tie_break: TieBreak,
        finished: &AtomicBool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<i32>, Exhausted> {
        let mut bisection = match Bisection::<W, H>::start(own, occupied) {
            Ok(bisection) => bisection,
            Err(score) => return Ok(Some(score)),
        };
        while !bisection.is_done() {
            if finished.load(Ordering::Relaxed) {
                return Ok(None);
            }
            // The search returns now and then to check whether another thread has finished.
            let crowded_at = meter.spent() + NODES_BETWEEN_LOOKS;
            let mut search = Search { table: &self.table, meter, crowded_at, tie_break };
            match bisection.step(&mut search) {
                Ok(()) | Err(Stop::Crowded) => {}
                Err(Stop::Budget) => return Err(Exhausted { nodes: meter.spent() }),
            }
        }
        Ok(Some(bisection.score()))
    }
}
