//! Null-window search: is the score at least `beta`?

use budget::Meter;
use processor::{HotLoop, at_full_speed};

use super::bounds;
use super::node::{Node, Settled, settle};
use super::table::{Limits, Table};
use crate::grid::Grid;

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The budget is used up.
    Budget,
    /// Time to return: a crowded table must grow, or another thread may have finished.
    Crowded,
}

/// One thread's search.
pub(super) struct Search<'t, 'm, 'b, const W: usize, const H: usize> {
    pub table: &'t Table,
    pub meter: &'m mut Meter<'b>,
    /// Spent nodes at which to return with [`Stop::Crowded`].
    pub crowded_at: u64,
    /// Which of two equally promising moves comes first.
    pub tie_break: TieBreak,
}

/// Threads that search the same position try equally promising moves in different orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TieBreak {
    RightFirst,
    LeftFirst,
}

/// Weights of the move order, tuned for node counts on the six benchmark sets.
mod order {
    /// A cell that would complete four.
    pub const THREAT: i32 = 16;
    /// … right above another one.
    pub const STACKED: i32 = 8;
    /// The move lets the opponent fill a cell that would complete four.
    pub const SACRIFICE: i32 = -16;
}

/// One node of the search; wider instructions make it a fifth faster.
struct Visit<'a, 't, 'm, 'b, const W: usize, const H: usize> {
    search: &'a mut Search<'t, 'm, 'b, W, H>,
    node: &'a Node,
    beta: i32,
}

impl<const W: usize, const H: usize> HotLoop for Visit<'_, '_, '_, '_, W, H> {
    type Output = Result<i32, Stop>;

    #[inline(always)]
    fn run(self) -> Result<i32, Stop> {
        self.search.expand(self.node, self.beta)
    }
}

impl<const W: usize, const H: usize> Search<'_, '_, '_, W, H> {
    /// A bound on the score of a settled node that answers whether it is at
    /// least `beta`: a result ≥ `beta` is a lower bound, one < `beta` an upper bound.
    #[inline(always)]
    pub(super) fn bound(&mut self, node: &Node, beta: i32) -> Result<i32, Stop> {
        at_full_speed(Visit { search: self, node, beta })
    }

    #[inline(always)]
    fn expand(&mut self, node: &Node, beta: i32) -> Result<i32, Stop> {
        if !self.meter.spend_node() {
            return Err(Stop::Budget);
        }
        let before = self.meter.spent();
        if before > self.crowded_at {
            return Err(Stop::Crowded);
        }
        let limits = node.limits::<W, H>();
        if limits.upper < beta {
            return Ok(limits.upper);
        }
        if limits.lower >= beta {
            return Ok(limits.lower);
        }

        let moves = Grid::<W, H>::playable(node.occupied) & !(node.threats >> 1);
        // All columns at once: the compiler turns this loop into wide instructions.
        let mut wins = [0; 8];
        for (column, wins) in wins.iter_mut().enumerate().take(W) {
            let cell = moves & Grid::<W, H>::column(column);
            *wins = Grid::<W, H>::winning_cells(node.own | cell, node.occupied | cell);
        }

        let mut children = [(*node, false); 8];
        let mut ranks = [0_i32; 8];
        let mut count = 0;
        let mut best = limits.lower;
        for place in 0..W {
            let column = match self.tie_break {
                TieBreak::RightFirst => place,
                TieBreak::LeftFirst => W - 1 - place,
            };
            let cell = moves & Grid::<W, H>::column(column);
            if cell == 0 {
                continue;
            }
            let (child, same_player) = match settle::<W, H>(node.after(cell, wins[column])) {
                Settled::Known(score) => {
                    best = best.max(-score);
                    if -score >= beta {
                        return Ok(-score);
                    }
                    continue;
                }
                Settled::Open { node, flipped } => (node, flipped),
            };
            let known = bounds::decide::<W, H>(&child, if same_player { beta } else { 1 - beta });
            if let Some(bound) = known {
                let bound = if same_player { bound } else { -bound };
                best = best.max(bound);
                if bound >= beta {
                    return Ok(bound);
                }
                continue;
            }
            self.table.prefetch(child.key::<W, H>());
            let wins = wins[column];
            let rank = (wins.count_ones() as i32) * order::THREAT
                + ((wins & (wins << 1)).count_ones() as i32) * order::STACKED
                + if (cell << 1) & node.wins != 0 { order::SACRIFICE } else { 0 }
                + centrality::<W>(column);
            children[count] = (child, same_player);
            ranks[count] = rank << 3 | count as i32;
            count += 1;
        }

        let mut open = 0;
        for index in 0..count {
            let (child, same_player) = &children[index];
            if let Some(known) = self.table.get(child.key::<W, H>()) {
                let (lower, upper) =
                    if *same_player { (known.lower, known.upper) } else { (-known.upper, -known.lower) };
                if lower >= beta {
                    return Ok(lower);
                }
                if upper < beta {
                    best = best.max(upper);
                    continue;
                }
            }
            let rank = ranks[index];
            insert(&mut ranks, open, rank);
            open += 1;
        }

        for rank in &ranks[..open] {
            let (child, same_player) = &children[(rank & 7) as usize];
            let score = if *same_player { self.bound(child, beta)? } else { -self.bound(child, 1 - beta)? };
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        let best = best.min(limits.upper);
        let proved =
            if best >= beta { Limits { lower: best, ..limits } } else { Limits { upper: best, ..limits } };
        self.table.put(node.key::<W, H>(), proved, self.meter.spent() - before + 1);
        Ok(best)
    }
}

/// Inserts `rank` into the descending prefix of length `len`.
#[inline(always)]
fn insert(ranks: &mut [i32; 8], len: usize, rank: i32) {
    let mut at = len;
    while at > 0 && ranks[at - 1] < rank {
        ranks[at] = ranks[at - 1];
        at -= 1;
    }
    ranks[at] = rank;
}

/// 1 at the edge, more towards the centre.
#[inline(always)]
fn centrality<const W: usize>(column: usize) -> i32 {
    let column = column as i32;
    2 * column.min(W as i32 - 1 - column) + 1
}
