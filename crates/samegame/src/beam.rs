//! Beam search, doubling the width each time. Kept for comparison:
//! [`crate::clear::auto`] and [`crate::points`] are far stronger.

#![allow(clippy::disallowed_types, reason = "the set of boards is queried, never iterated")]

use std::cmp::Reverse;
use std::collections::HashSet;

use budget::{Budget, Meter};

use crate::answer::{Answer, Best, Goal, OnBetter};
use crate::board::Board;
use crate::cells::CellSet;
use crate::clear::is_hopeless;
use crate::field::{Field, colour_counts, with_field};
use crate::rules::Rules;
use processor::{HotLoop, at_full_speed};

/// Boards kept after each move in the first and in the widest search.
const FIRST_WIDTH: usize = 64;
const MOST_WIDTH: usize = 1 << 17;

/// Cost of a cell without an equal neighbour, and of a colour that can no longer be cleared.
const ISOLATED_COST: i32 = 10;
const HOPELESS_COST: i32 = 1000;

/// Searches until the budget ends, the widest search is done, or the goal is
/// [`Goal::Clear`] and the board is cleared. A node is one board.
pub fn solve(board: &Board, rules: &Rules, goal: Goal, budget: &Budget, on_better: OnBetter<'_>) -> Answer {
    with_field!(board, F => {
        let start = F::from_board(board);
        at_full_speed(Beams { start: &start, min_group: rules.min_group() as u32, goal, budget, on_better })
    })
}

struct Beams<'a, F: Field> {
    start: &'a F,
    min_group: u32,
    goal: Goal,
    budget: &'a Budget,
    on_better: OnBetter<'a>,
}

/// A board in the beam.
struct Entry<F> {
    field: F,
    gained: i32,
    value: i32,
    /// Its index in the history.
    from: usize,
}

/// Moves of all games: the index of the move before, and the group number.
type History = Vec<(usize, usize)>;

impl<F: Field> HotLoop for Beams<'_, F> {
    type Output = Answer;

    #[inline(always)]
    fn run(self) -> Answer {
        let mut meter = self.budget.meter();
        let mut best = Best::nothing(self.start.occupied_count());
        let mut width = FIRST_WIDTH;
        while width <= MOST_WIDTH && !self.budget.is_exhausted() && !self.goal.is_reached(best.remaining) {
            self.search(width, &mut best, &mut meter);
            width *= 2;
        }
        best.answer(meter.spent())
    }
}

impl<F: Field> Beams<'_, F> {
    #[inline(always)]
    fn search(&self, width: usize, best: &mut Best, meter: &mut Meter<'_>) {
        // Entry 0 stands for the start.
        let mut history: History = vec![(0, 0)];
        let mut beam = vec![Entry { field: self.start.clone(), gained: 0, value: 0, from: 0 }];
        let mut next: Vec<Entry<F>> = Vec::new();
        while !beam.is_empty() {
            let mut seen = HashSet::new();
            next.clear();
            for entry in &beam {
                let mut number = 0;
                let mut ended = false;
                entry.field.links().for_each_group(self.min_group, |group| {
                    number += 1;
                    ended = ended || !meter.spend_node();
                    if ended {
                        return;
                    }
                    let mut field = entry.field.clone();
                    field.remove(&group.cells);
                    let gained = entry.gained + self.goal.gain(group.size);
                    if seen.insert((field.hash(), gained)) {
                        history.push((entry.from, number));
                        let value = gained + self.prospect(&field);
                        next.push(Entry { field, gained, value, from: history.len() - 1 });
                    }
                });
                if number == 0 {
                    self.finish(entry, &history, best);
                    if self.goal.is_reached(best.remaining) {
                        return;
                    }
                }
                if ended {
                    return;
                }
            }
            if next.len() > width {
                next.select_nth_unstable_by_key(width, |entry| Reverse((entry.value, entry.from)));
                next.truncate(width);
            }
            std::mem::swap(&mut beam, &mut next);
        }
    }

    /// A guess at the points to come: one large group of the most frequent colour, minus a
    /// cost for isolated cells.
    #[inline(always)]
    fn prospect(&self, field: &F) -> i32 {
        let counts = colour_counts(field);
        let largest = counts.iter().copied().max().unwrap_or(0);
        let isolated = field.occupied().minus(field.links().linked).count() as i32;
        let hopeless = i32::from(is_hopeless(&counts, self.min_group));
        self.goal.gain(largest.max(2)) - ISOLATED_COST * isolated - HOPELESS_COST * hopeless
    }

    #[inline(always)]
    fn finish(&self, entry: &Entry<F>, history: &History, best: &mut Best) {
        let value = entry.gained + self.goal.end(&colour_counts(&entry.field));
        if value <= best.value {
            return;
        }
        (self.on_better)(value);
        let mut moves = Vec::new();
        let mut at = entry.from;
        while at != 0 {
            let (before, number) = history[at];
            moves.push(number);
            at = before;
        }
        moves.reverse();
        *best = Best { moves, value, remaining: entry.field.occupied_count() };
    }
}
