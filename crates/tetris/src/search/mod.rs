//! Search: every placement of the piece and of the preview, then exact chance
//! levels over the pieces nobody has seen yet, as far as the budget goes (G11).
//!
//! ```text
//!  piece      preview     best pairs    unseen piece   its replies   next unseen
//!  all        all         `pairs`       7, weighted    `replies`     7, weighted
//! ```
//!
//! A node is one placement evaluated. Same budget in nodes, same answer.

mod kernel;
mod movement;
mod table;

use budget::{Budget, Meter};

pub use kernel::{Scored, Task};
pub use movement::{Drops, Keys, Movement, OpenDrops};

use crate::board::Board;
use crate::evaluate::{Evaluator, Situation};
use crate::field::Field;
use crate::gameboy::draw_probabilities;
use crate::moves::Placement;
use crate::piece::Piece;
use table::Table;

/// The value of having no move left: worse than any board.
pub const LOST: f32 = -1.0e6;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The piece alone.
    One,
    /// The piece and the preview.
    Two,
    /// And the piece after the preview, for the best `pairs`.
    Chance {
        /// Pairs of placements that are looked at further; all of them when 0.
        pairs: usize,
    },
    /// And one piece more, for the best `replies` to each.
    TwoChances {
        /// Pairs of placements that are looked at further; all of them when 0.
        pairs: usize,
        /// Replies to each unseen piece that are looked at further.
        replies: usize,
    },
}

/// How unseen pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// By the Game Boy's randomiser, which depends on the two pieces before.
    GameBoy,
    /// All alike.
    Uniform,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Where to put the piece.
    pub placement: Placement,
    /// What that is expected to be worth.
    pub value: f32,
    /// Placements evaluated.
    pub nodes: u64,
}

/// A searcher with its evaluator, its moves, and room for its work.
#[derive(Clone, Debug)]
pub struct Search<E, M> {
    /// Judges boards.
    pub evaluator: E,
    /// Knows the placements.
    pub movement: M,
    field: Field,
    depth: Depth,
    probabilities: Box<[[[f32; Piece::COUNT]; Piece::COUNT]; Piece::COUNT]>,
    table: Table,
    room: Room,
    threads: usize,
}

#[derive(Clone, Debug, Default)]
struct Room {
    placements: Vec<Placement>,
    roots: Vec<Scored>,
    replies: Vec<Scored>,
    pairs: Vec<Pair>,
}

/// The board after piece and preview, and where it came from.
#[derive(Clone, Copy, Debug)]
struct Pair {
    root: usize,
    board: Board,
    moved: f32,
    value: f32,
}

impl<E: Evaluator + Clone + Send, M: Movement> Search<E, M> {
    /// A searcher for one field.
    pub fn new(evaluator: E, movement: M, field: Field, depth: Depth, chance: Chance) -> Self {
        let mut probabilities = Box::new([[[1.0 / Piece::COUNT as f32; 7]; 7]; 7]);
        if chance == Chance::GameBoy {
            for active in Piece::ALL {
                for preview in Piece::ALL {
                    probabilities[active.index()][preview.index()] =
                        draw_probabilities(active, preview).map(|p| p as f32);
                }
            }
        }
        let room = Room::default();
        Self { evaluator, movement, field, depth, probabilities, table: Table::new(), room, threads: 1 }
    }

    /// The same searcher on several threads; they share out the pairs.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Lets the evaluator adapt to the situation; values remembered from another one are forgotten.
    pub fn prepare(&mut self, situation: &Situation<'_>) {
        self.evaluator.prepare(situation);
        self.table.forget();
    }

    /// Where to put `piece`, knowing that `preview` follows; none when it can go nowhere.
    pub fn decide(
        &mut self,
        board: &Board,
        piece: Piece,
        preview: Piece,
        budget: &Budget,
    ) -> Option<Decision> {
        let mut meter = budget.meter();
        let mut room = std::mem::take(&mut self.room);
        let decision = self.decide_in(&mut room, board, piece, preview, budget, &mut meter);
        self.room = room;
        decision
    }

    fn decide_in(
        &mut self,
        room: &mut Room,
        board: &Board,
        piece: Piece,
        preview: Piece,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Option<Decision> {
        self.expand(board, piece, &mut room.placements, &mut room.roots, meter);
        let best_root = best_by(&room.roots, |root| root.value)?;
        let placement_of = |roots: &[Scored], root: usize| roots[root].placement;
        if self.depth == Depth::One {
            let value = room.roots[best_root].value;
            return Some(Decision {
                placement: placement_of(&room.roots, best_root),
                value,
                nodes: meter.spent(),
            });
        }
        if self.depth == Depth::Two {
            let mut best = (best_root, f32::NEG_INFINITY);
            for (index, root) in room.roots.iter().enumerate() {
                let value = root.moved + self.best_reply(&root.board, preview, &mut room.placements, meter);
                if value > best.1 {
                    best = (index, value);
                }
            }
            return Some(Decision {
                placement: placement_of(&room.roots, best.0),
                value: best.1,
                nodes: meter.spent(),
            });
        }
        self.expand_pairs(room, preview, meter);
        let (pairs, replies) = match self.depth {
            Depth::Chance { pairs } => (pairs, 0),
            Depth::TwoChances { pairs, replies } => (pairs, replies),
            Depth::One | Depth::Two => (0, 0),
        };
        if pairs > 0 && room.pairs.len() > pairs {
            room.pairs.select_nth_unstable_by(pairs - 1, |a, b| b.value.total_cmp(&a.value));
            room.pairs.truncate(pairs);
        }
        // Best first: when the budget ends, the likeliest have been looked at.
        room.pairs.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.root.cmp(&b.root)));
        let (best, elsewhere) = self.best_pair(&room.pairs, (piece, preview), replies, budget, meter);
        let best = best.or_else(|| room.pairs.first().map(|pair| (pair.root, pair.value)));
        let (chosen, value) = best.unwrap_or((best_root, LOST));
        Some(Decision {
            placement: placement_of(&room.roots, chosen),
            value,
            nodes: meter.spent() + elsewhere,
        })
    }

    fn expand_pairs(&mut self, room: &mut Room, preview: Piece, meter: &mut Meter<'_>) {
        room.pairs.clear();
        let roots = std::mem::take(&mut room.roots);
        for (index, root) in roots.iter().enumerate() {
            self.expand(&root.board, preview, &mut room.placements, &mut room.replies, meter);
            room.pairs.extend(room.replies.iter().map(|reply| Pair {
                root: index,
                board: reply.board,
                moved: root.moved + reply.moved,
                value: root.moved + reply.value,
            }));
        }
        room.roots = roots;
    }

    /// The pair with the best expectation, and the nodes other threads spent on it.
    fn best_pair(
        &mut self,
        pairs: &[Pair],
        last: (Piece, Piece),
        replies: usize,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> (Option<(usize, f32)>, u64) {
        if self.threads == 1 {
            return (self.best_of_pairs(pairs.iter(), last, replies, meter), 0);
        }
        let threads = self.threads;
        let budgets: Vec<_> = budget.split(threads as u64).collect();
        let results: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = budgets
                .iter()
                .enumerate()
                .map(|(worker, budget)| {
                    let mut search = self.clone();
                    scope.spawn(move || {
                        let mut meter = budget.meter();
                        let share = pairs.iter().skip(worker).step_by(threads);
                        let best = search.best_of_pairs(share, last, replies, &mut meter);
                        (best, meter.spent())
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or((None, 0))).collect()
        });
        let best = results
            .iter()
            .filter_map(|(best, _)| *best)
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        (best, results.iter().map(|(_, nodes)| nodes).sum())
    }

    fn best_of_pairs<'a>(
        &mut self,
        pairs: impl Iterator<Item = &'a Pair>,
        last: (Piece, Piece),
        replies: usize,
        meter: &mut Meter<'_>,
    ) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for pair in pairs {
            let value = pair.moved + self.expectation(&pair.board, last, replies, meter)?;
            if best.is_none_or(|(_, b)| value > b) {
                best = Some((pair.root, value));
            }
            if !meter.spend_node() {
                break;
            }
        }
        best
    }

    /// Mean over the next unseen piece of the best that can be done with it.
    fn expectation(
        &mut self,
        board: &Board,
        last: (Piece, Piece),
        replies: usize,
        meter: &mut Meter<'_>,
    ) -> Option<f32> {
        let probabilities = self.probabilities[last.0.index()][last.1.index()];
        let mut mean = 0.0;
        for (piece, probability) in Piece::ALL.into_iter().zip(probabilities) {
            let value = if replies == 0 {
                self.best_reply_remembered(board, piece, meter)
            } else {
                self.best_reply_looking_ahead(board, piece, last.1, replies, meter)?
            };
            mean += probability * value;
        }
        Some(mean)
    }

    fn best_reply_looking_ahead(
        &mut self,
        board: &Board,
        piece: Piece,
        before: Piece,
        replies: usize,
        meter: &mut Meter<'_>,
    ) -> Option<f32> {
        let (mut placements, mut scored) = (Vec::new(), Vec::new());
        self.expand(board, piece, &mut placements, &mut scored, meter);
        scored.sort_by(|a, b| b.value.total_cmp(&a.value));
        scored.truncate(replies);
        let mut best = LOST;
        for reply in &scored {
            if !meter.spend_node() {
                return None;
            }
            let value = reply.moved + self.expectation(&reply.board, (before, piece), 0, meter)?;
            best = best.max(value);
        }
        Some(best)
    }

    fn best_reply_remembered(&mut self, board: &Board, piece: Piece, meter: &mut Meter<'_>) -> f32 {
        let key = self.table.key(board, piece, self.movement.fingerprint());
        if let Some(value) = self.table.get(key) {
            return value;
        }
        let mut placements = std::mem::take(&mut self.room.placements);
        let value = self.best_reply(board, piece, &mut placements, meter);
        self.room.placements = placements;
        self.table.put(key, value);
        value
    }

    fn best_reply(
        &mut self,
        board: &Board,
        piece: Piece,
        placements: &mut Vec<Placement>,
        meter: &mut Meter<'_>,
    ) -> f32 {
        self.movement.placements(board, piece, placements);
        spend(meter, placements.len());
        self.task(board, piece).best_value(placements, |p, after| self.movement.penalty(p, after))
    }

    fn expand(
        &mut self,
        board: &Board,
        piece: Piece,
        placements: &mut Vec<Placement>,
        scored: &mut Vec<Scored>,
        meter: &mut Meter<'_>,
    ) {
        self.movement.placements(board, piece, placements);
        spend(meter, placements.len());
        let penalty = |p: Placement, after: &Board| self.movement.penalty(p, after);
        self.task(board, piece).score_all(placements, penalty, scored);
    }

    fn task<'a>(&'a self, board: &'a Board, piece: Piece) -> Task<'a, E> {
        Task { board, piece, field: self.field, evaluator: &self.evaluator }
    }
}

fn spend(meter: &mut Meter<'_>, nodes: usize) {
    for _ in 0..nodes {
        meter.spend_node();
    }
}

fn best_by<T>(items: &[T], value: impl Fn(&T) -> f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, item) in items.iter().enumerate() {
        let value = value(item);
        if best.is_none_or(|(_, b)| value > b) {
            best = Some((index, value));
        }
    }
    best.map(|(index, _)| index)
}
