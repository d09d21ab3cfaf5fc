//! Search: every placement of the piece and of the preview, then expected values
//! over the unseen pieces after them, as far as the budget goes (G11).
//!
//! ```text
//!  piece      preview     best pairs    unseen piece   its replies   next unseen
//!  all        all         `pairs`       7, weighted    `replies`     7, weighted
//! ```
//!
//! A node is one evaluated placement. The same budget in nodes gives the same answer.

mod chance;
mod kernel;
mod movement;
mod table;

use budget::{Budget, Meter};
use chance::Pair;

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

/// How far to look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The piece alone.
    One,
    /// The piece, and on average over all that may follow it, for the best `roots` placements: for games that show no
    /// preview.
    Expected {
        /// Placements to search further; 0 for all.
        roots: usize,
    },
    /// The piece and the preview.
    Two,
    /// Also the piece after the preview, for the best `pairs`.
    Chance {
        /// Pairs of placements to search further; 0 for all.
        pairs: usize,
    },
    /// Also one more piece, for the best `replies` to each.
    TwoChances {
        /// Pairs of placements to search further; 0 for all.
        pairs: usize,
        /// Replies to each unseen piece to search further.
        replies: usize,
    },
}

/// How unseen pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// By the Game Boy's randomiser, which depends on the two pieces before.
    GameBoy,
    /// All pieces equally likely.
    Uniform,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestPlacement {
    /// Where to put the piece.
    pub placement: Placement,
    /// Its expected value.
    pub value: f32,
    /// Placements evaluated.
    pub nodes: u64,
}

/// A search with its evaluator, its source of placements and its buffers.
#[derive(Clone, Debug)]
pub struct Search<E, M> {
    /// Evaluates boards.
    pub evaluator: E,
    /// Lists placements.
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

impl<E: Evaluator + Clone + Send, M: Movement> Search<E, M> {
    /// A search for one field.
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

    /// The same search on several threads, which divide the pairs among them.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Lets the evaluator adapt to the situation, and forgets values from other situations.
    pub fn prepare(&mut self, situation: &Situation<'_>) {
        self.evaluator.prepare(situation);
        self.table.forget();
    }

    /// Where to put `piece`, knowing that `preview` follows; `None` if there is no placement.
    ///
    /// ```
    /// use budget::Budget;
    /// use tetris::evaluate::Lee;
    /// use tetris::field::Field;
    /// use tetris::search::{Chance, Depth, Drops, Search};
    /// use tetris::{Board, Piece};
    ///
    /// let board = Board::parse(concat!(
    ///     "#########.\n",
    ///     "#########.\n",
    ///     "#########.\n",
    ///     "#########.",
    /// ))?;
    /// let drops = Drops { ceiling: 18 };
    /// let mut search = Search::new(Lee::PUBLISHED, drops, Field::GAME_BOY, Depth::Two, Chance::GameBoy);
    /// let best = search.decide(&board, Piece::I, Piece::O, &Budget::unlimited()).expect("there is room");
    /// // The bar stands upright in the well: a tetris.
    /// assert_eq!((best.placement.orientation(), best.placement.x() + 1), (1, 9));
    /// # Ok::<(), tetris::board::DrawingError>(())
    /// ```
    pub fn decide(
        &mut self,
        board: &Board,
        piece: Piece,
        preview: Piece,
        budget: &Budget,
    ) -> Option<BestPlacement> {
        self.decide_at_cost(board, piece, preview, &[], budget)
    }

    /// The same when placements of the piece cost something beside: `costs` in the order of
    /// [`Search::outcomes`], nothing for those beyond its end.
    pub fn decide_at_cost(
        &mut self,
        board: &Board,
        piece: Piece,
        preview: Piece,
        costs: &[f32],
        budget: &Budget,
    ) -> Option<BestPlacement> {
        let mut meter = budget.meter();
        let mut room = std::mem::take(&mut self.room);
        self.expand(board, piece, &mut room.placements, &mut room.roots, &mut meter);
        charge(&mut room.roots, costs);
        let decision = self.decide_in(&mut room, piece, preview, budget, &mut meter);
        self.room = room;
        decision
    }

    /// Every placement of the piece with the board it leads to and its value by itself.
    pub fn outcomes(&mut self, board: &Board, piece: Piece) -> Vec<Scored> {
        let (mut placements, mut outcomes) = (Vec::new(), Vec::new());
        self.expand(board, piece, &mut placements, &mut outcomes, &mut Budget::unlimited().meter());
        outcomes
    }

    /// The value of the best of them, or [`LOST`] if there is none.
    pub fn best_outcome(&mut self, board: &Board, piece: Piece) -> f32 {
        let mut placements = std::mem::take(&mut self.room.placements);
        let value = self.best_reply(board, piece, &mut placements, &mut Budget::unlimited().meter());
        self.room.placements = placements;
        value
    }

    /// Where to put `piece` before anyone can see what follows it: the best on average over all previews.
    /// `before` and `piece` were the active piece and the preview when the next preview was drawn; `costs` are
    /// those of [`Search::decide_at_cost`].
    pub fn decide_unseen(
        &mut self,
        board: &Board,
        before: Piece,
        piece: Piece,
        costs: &[f32],
    ) -> Option<BestPlacement> {
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        let mut room = std::mem::take(&mut self.room);
        self.expand(board, piece, &mut room.placements, &mut room.roots, &mut meter);
        charge(&mut room.roots, costs);
        let chances = self.probabilities[before.index()][piece.index()];
        let mut best: Option<BestPlacement> = None;
        for root in &room.roots {
            let mut value = root.moved;
            for (preview, chance) in Piece::ALL.into_iter().zip(chances) {
                if chance > 0.0 {
                    let reply = self.best_reply(&root.board, preview, &mut room.placements, &mut meter);
                    value += chance * reply;
                }
            }
            if best.is_none_or(|best| value > best.value) {
                best = Some(BestPlacement { placement: root.placement, value, nodes: meter.spent() });
            }
        }
        self.room = room;
        best
    }

    fn decide_in(
        &mut self,
        room: &mut Room,
        piece: Piece,
        preview: Piece,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Option<BestPlacement> {
        let best_root = best_by(&room.roots, |root| root.value)?;
        let placement_of = |roots: &[Scored], root: usize| roots[root].placement;
        if self.depth == Depth::One {
            let value = room.roots[best_root].value;
            return Some(BestPlacement {
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
            return Some(BestPlacement {
                placement: placement_of(&room.roots, best.0),
                value: best.1,
                nodes: meter.spent(),
            });
        }
        if let Depth::Expected { roots } = self.depth {
            return self.best_expected(room, piece, roots, meter);
        }
        self.expand_pairs(room, preview, meter);
        let (pairs, replies) = match self.depth {
            Depth::Chance { pairs } => (pairs, 0),
            Depth::TwoChances { pairs, replies } => (pairs, replies),
            Depth::One | Depth::Expected { .. } | Depth::Two => (0, 0),
        };
        if pairs > 0 && room.pairs.len() > pairs {
            room.pairs.select_nth_unstable_by(pairs - 1, |a, b| b.value.total_cmp(&a.value));
            room.pairs.truncate(pairs);
        }
        // Best first: when the budget ends, the most promising pairs have been searched.
        room.pairs.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.root.cmp(&b.root)));
        let (best, elsewhere) = self.best_pair(&room.pairs, (piece, preview), replies, budget, meter);
        let best = best.or_else(|| room.pairs.first().map(|pair| (pair.root, pair.value)));
        let (chosen, value) = best.unwrap_or((best_root, LOST));
        Some(BestPlacement {
            placement: placement_of(&room.roots, chosen),
            value,
            nodes: meter.spent() + elsewhere,
        })
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

fn charge(roots: &mut [Scored], costs: &[f32]) {
    for (root, cost) in roots.iter_mut().zip(costs) {
        root.moved -= cost;
        root.value -= cost;
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
