//! Depth-first search of all games, last group first (S4).

#![allow(clippy::disallowed_types, reason = "the set of failed boards is queried, never iterated")]

use std::collections::HashSet;

use budget::{Budget, Meter};

use crate::answer::{Answer, Proof};
use crate::board::Board;
use crate::field::{Field, Key, colour_counts, with_field};
use crate::rules::Rules;
use processor::{HotLoop, at_full_speed};

/// Which boards the search may skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None: the algorithm of the source of S4.
    None,
    /// Boards on which a colour has too few cells, and boards that have failed
    /// before (up to mirroring and renamed colours). The answer is the same,
    /// only sooner.
    Failed,
}

/// Searches all games until one clears the board. A node is one board.
///
/// ```
/// use budget::Budget;
/// use samegame::clear::exhaustive::{Pruning, solve};
/// use samegame::{answer::Proof, board::Board, rules::Rules};
///
/// // 1 2
/// // 2 1    no two neighbours are equal
/// let board: Board = "[[2,1],[1,2]]".parse()?;
/// let answer = solve(&board, &Rules::default(), Pruning::Failed, &Budget::unlimited());
/// assert_eq!((answer.proof, answer.remaining), (Proof::Impossible, 4));
/// # Ok::<(), samegame::notation::NotationError>(())
/// ```
pub fn solve(board: &Board, rules: &Rules, pruning: Pruning, budget: &Budget) -> Answer {
    with_field!(board, F => {
        let mut search = Search::new(&F::from_board(board), rules.min_group() as u32, pruning);
        let mut meter = budget.meter();
        let proof = at_full_speed(Go { search: &mut search, meter: &mut meter, limit: u64::MAX });
        search.answer(proof, meter.spent())
    })
}

/// Most failed boards to remember; further ones are searched again.
const MOST_FAILED: usize = 1 << 23;

/// A search that can be paused and resumed.
pub struct Search<F: Field> {
    min_group: u32,
    pruning: Pruning,
    /// The path from the first board to the current one.
    path: Vec<Level<F>>,
    failed: HashSet<Key>,
    /// Fewest cells left on any board so far, and the moves to it.
    fewest: usize,
    fewest_moves: Vec<usize>,
}

struct Level<F> {
    field: F,
    key: Option<Key>,
    /// First cells of the groups still to try; the last entry is next.
    untried: Vec<u16>,
    /// Number of the group being tried.
    tried: usize,
}

/// Continues a search for up to `limit` nodes.
pub struct Go<'a, 'b, F: Field> {
    /// The search.
    pub search: &'a mut Search<F>,
    /// Pays for the nodes.
    pub meter: &'a mut Meter<'b>,
    /// Most nodes to spend now.
    pub limit: u64,
}

impl<F: Field> HotLoop for Go<'_, '_, F> {
    type Output = Proof;

    #[inline(always)]
    fn run(self) -> Proof {
        self.search.run(self.meter, self.limit)
    }
}

impl<F: Field> Search<F> {
    /// A search from this board.
    pub fn new(start: &F, min_group: u32, pruning: Pruning) -> Self {
        let mut search = Self {
            min_group,
            pruning,
            path: Vec::new(),
            failed: HashSet::new(),
            fewest: usize::MAX,
            fewest_moves: Vec::new(),
        };
        search.enter(start.clone(), None);
        search
    }

    /// The answer so far.
    pub fn answer(&self, proof: Proof, nodes: u64) -> Answer {
        Answer { moves: self.fewest_moves.clone(), remaining: self.fewest, proof, nodes }
    }

    #[inline(always)]
    fn run(&mut self, meter: &mut Meter<'_>, limit: u64) -> Proof {
        let mut spent = 0;
        while let Some(level) = self.path.last_mut() {
            if self.fewest == 0 {
                return Proof::Cleared;
            }
            let Some(first) = level.untried.pop() else {
                self.leave();
                continue;
            };
            if spent == limit || !meter.spend_node() {
                level.untried.push(first);
                return Proof::Open;
            }
            spent += 1;
            level.tried = level.untried.len() + 1;
            let mut field = level.field.clone();
            let group = field.links().group_at(first.into());
            field.remove(&group);
            match self.pruning {
                Pruning::None => self.enter(field, None),
                Pruning::Failed => {
                    let key = field.key();
                    if !self.failed.contains(&key) {
                        self.enter(field, Some(key));
                    }
                }
            }
        }
        if self.fewest == 0 { Proof::Cleared } else { Proof::Impossible }
    }

    #[inline(always)]
    fn enter(&mut self, field: F, key: Option<Key>) {
        let remaining = field.occupied_count();
        if remaining < self.fewest {
            self.fewest = remaining;
            self.fewest_moves = self.path.iter().map(|level| level.tried).collect();
        }
        let mut untried = Vec::new();
        let hopeless =
            self.pruning == Pruning::Failed && super::is_hopeless(&colour_counts(&field), self.min_group);
        // A hopeless first board is still searched, for the moves that leave the fewest cells.
        if !hopeless || self.path.is_empty() {
            field.links().for_each_group(self.min_group, |group| untried.push(group.first as u16));
        }
        self.path.push(Level { field, key, untried, tried: 0 });
    }

    fn leave(&mut self) {
        if let Some(Level { key: Some(key), .. }) = self.path.pop()
            && self.failed.len() < MOST_FAILED
        {
            self.failed.insert(key);
        }
    }
}
