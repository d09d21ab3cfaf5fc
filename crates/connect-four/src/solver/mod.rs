//! The perfect solver: exact scores by null-window search.
//!
//! The score of a position is the player to move's: positive when he wins with
//! his n-th last disc, 0 for a draw, negative when the opponent does. It is
//! found by bisection: each step asks one yes-or-no question of [`search`].

mod bounds;
mod memory;
mod node;
mod search;
mod table;

use budget::{Budget, Meter};
use node::{Node, Settled, settle};
use search::{Search, Stop};
use table::Table;

use crate::grid::Grid;
use crate::{COLUMNS, Position, ROWS};

/// Nodes per slot at which the table is called crowded: by then a larger
/// table saves more nodes than its slower memory costs.
const CROWD: u64 = 16;
/// A crowded table grows by this power of two.
const GROWTH: u32 = 2;

/// The budget ran out before the answer was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out after {nodes} nodes, before the score was proved")]
pub struct Exhausted {
    /// Nodes searched until then.
    pub nodes: u64,
}

/// Exact scores, with a table that later questions profit from.
#[derive(Debug)]
pub struct Solver {
    core: Core<COLUMNS, ROWS>,
    nodes: u64,
}

impl Solver {
    /// A solver whose table may take `table_bytes` of memory, rounded down to a power of two.
    pub fn new(table_bytes: usize) -> Self {
        Self { core: Core::new(table_bytes), nodes: 0 }
    }

    /// The exact score of an open position for the player to move.
    pub fn score(&mut self, position: &Position, budget: &Budget) -> Result<i32, Exhausted> {
        let mut meter = budget.meter();
        let answer = self.core.score(position.own(), position.occupied(), &mut meter);
        self.nodes += meter.spent();
        answer
    }

    /// Forgets what was learnt about earlier positions.
    pub fn clear(&mut self) {
        self.core.table.clear();
    }

    /// Nodes searched since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A view that many threads may ask at once; the table takes all its room.
    pub fn shared(&mut self) -> SharedSolver<'_> {
        self.core.table.grow(u32::MAX);
        SharedSolver { core: &self.core }
    }
}

/// A [`Solver`] shared between threads.
#[derive(Clone, Copy, Debug)]
pub struct SharedSolver<'s> {
    core: &'s Core<COLUMNS, ROWS>,
}

impl SharedSolver<'_> {
    /// The exact score and the nodes it took.
    pub fn score(&self, position: &Position, budget: &Budget) -> Result<(i32, u64), Exhausted> {
        let mut meter = budget.meter();
        let score = self.core.score_at_fixed_size(position.own(), position.occupied(), &mut meter)?;
        Ok((score, meter.spent()))
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
        let mut bisection = match Bisection::<W, H>::start(own, occupied) {
            Ok(bisection) => bisection,
            Err(score) => return Ok(score),
        };
        while !bisection.is_done() {
            let table = &self.table;
            let crowded_at =
                if table.is_full_grown() { u64::MAX } else { meter.spent().max(table.slots() * CROWD) };
            match bisection.step(&mut Search { table, meter, crowded_at }) {
                Ok(()) => {}
                Err(Stop::Crowded) => self.table.grow(GROWTH),
                Err(Stop::Budget) => return Err(Exhausted { nodes: meter.spent() }),
            }
        }
        Ok(bisection.score())
    }

    fn score_at_fixed_size(&self, own: u64, occupied: u64, meter: &mut Meter<'_>) -> Result<i32, Exhausted> {
        let mut bisection = match Bisection::<W, H>::start(own, occupied) {
            Ok(bisection) => bisection,
            Err(score) => return Ok(score),
        };
        while !bisection.is_done() {
            let mut search = Search { table: &self.table, meter, crowded_at: u64::MAX };
            if bisection.step(&mut search).is_err() {
                return Err(Exhausted { nodes: meter.spent() });
            }
        }
        Ok(bisection.score())
    }
}

/// The interval the score is known to lie in.
struct Bisection<const W: usize, const H: usize> {
    node: Node,
    flipped: bool,
    low: i32,
    high: i32,
}

impl<const W: usize, const H: usize> Bisection<W, H> {
    /// The first interval, or the score where nothing needs to be searched.
    fn start(own: u64, occupied: u64) -> Result<Self, i32> {
        let discs = occupied.count_ones() as i32;
        let wins = Grid::<W, H>::winning_cells(own, occupied);
        if wins & Grid::<W, H>::playable(occupied) != 0 {
            return Err((Grid::<W, H>::CELLS + 1 - discs) / 2);
        }
        let threats = Grid::<W, H>::winning_cells(own ^ occupied, occupied);
        match settle::<W, H>(Node { own, occupied, wins, threats, discs }) {
            Settled::Known(score) => Err(score),
            Settled::Open { node, flipped } => {
                let limits = node.limits::<W, H>();
                Ok(Self { node, flipped, low: limits.lower, high: limits.upper })
            }
        }
    }

    fn is_done(&self) -> bool {
        self.low >= self.high
    }

    /// Asks one question. Far from 0 the questions are cheap, as the search
    /// needs to look only a few discs ahead, so the middle is shifted away from 0 (Pons).
    fn step(&mut self, search: &mut Search<'_, '_, '_, W, H>) -> Result<(), Stop> {
        let mut middle = self.low + (self.high - self.low) / 2;
        if middle <= 0 && self.low / 2 < middle {
            middle = self.low / 2;
        } else if middle >= 0 && self.high / 2 > middle {
            middle = self.high / 2;
        }
        let bound = search.bound(&self.node, middle + 1)?;
        if bound > middle {
            self.low = bound;
        } else {
            self.high = bound;
        }
        Ok(())
    }

    fn score(&self) -> i32 {
        if self.flipped { -self.low } else { self.low }
    }
}
