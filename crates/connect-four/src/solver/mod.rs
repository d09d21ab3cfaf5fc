//! The perfect solver.
mod bounds;
mod memory;
mod node;
mod search;
mod table;

use budget::Budget;
use node::{Node, Settled, settle};
use search::{Search, Stop};
use table::Table;

use crate::grid::Grid;

/// Nodes per slot at which the table is called crowded.
const CROWD: u64 = 4;

/// Scratch API.
pub struct Core<const W: usize, const H: usize>(Table);
impl<const W: usize, const H: usize> Core<W, H> {
    /// x
    pub fn new(bytes: usize) -> Self { Self(Table::new(Grid::<W, H>::KEY_BITS, bytes)) }
    /// x
    pub fn clear(&mut self) { self.0.clear() }
    /// x
    pub fn solve(&mut self, own: u64, occupied: u64, budget: &Budget) -> (Option<i32>, u64) {
    let table = &mut self.0;
    let cells = Grid::<W, H>::CELLS;
    let discs = occupied.count_ones() as i32;
    let wins = Grid::<W, H>::winning_cells(own, occupied);
    if wins & Grid::<W, H>::playable(occupied) != 0 {
        return (Some((cells + 1 - discs) / 2), 0);
    }
    let threats = Grid::<W, H>::winning_cells(own ^ occupied, occupied);
    let node = Node { own, occupied, wins, threats, discs };
    let (node, flipped) = match settle::<W, H>(node) {
        Settled::Known(score) => return (Some(score), 0),
        Settled::Open{node, flipped} => (node, flipped),
    };
    let mut meter = budget.meter();
    let limits = node.limits::<W, H>();
    let (mut low, mut high) = (limits.lower, limits.upper);
    while low < high {
        let mut middle = low + (high - low) / 2;
        if middle <= 0 && low / 2 < middle {
            middle = low / 2;
        } else if middle >= 0 && high / 2 > middle {
            middle = high / 2;
        }
        let crowded_at = if table.is_full_grown() { u64::MAX } else { table.slots() * CROWD };
        let mut search = Search::<W, H> { table, meter, crowded_at };
        let r = search.bound(&node, middle + 1);
        meter = search.meter;
        match r {
            Ok(bound) if bound > middle => low = bound,
            Ok(bound) => high = bound,
            Err(Stop::Budget) => return (None, meter.spent()),
            Err(Stop::Crowded) => table.grow(2),
        }
    }
    (Some(if flipped { -low } else { low }), meter.spent())
}
}
