//! Looks past the preview: expected values over the pieces that nobody has seen yet.

use budget::{Budget, Meter};

use super::{BestPlacement, LOST, Movement, Room, Search};
use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::piece::Piece;

/// The board after piece and preview, and the placement of the piece that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub root: usize,
    pub board: Board,
    pub moved: f32,
    pub value: f32,
}

impl<E: Evaluator + Clone + Send, M: Movement> Search<E, M> {
    /// The best of the most promising placements, on average over the pieces that may follow.
    pub(super) fn best_expected(
        &mut self,
        room: &mut Room,
        piece: Piece,
        roots: usize,
        meter: &mut Meter<'_>,
    ) -> Option<BestPlacement> {
        room.roots.sort_by(|a, b| b.value.total_cmp(&a.value));
        let searched = if roots == 0 { room.roots.len() } else { roots };
        let mut best: Option<BestPlacement> = None;
        for root in room.roots.iter().take(searched) {
            let value = root.moved + self.expectation(&root.board, (piece, piece), 0, meter)?;
            if best.is_none_or(|best| value > best.value) {
                best = Some(BestPlacement { placement: root.placement, value, nodes: 0 });
            }
        }
        best.map(|best| BestPlacement { nodes: meter.spent(), ..best })
    }

    pub(super) fn expand_pairs(&mut self, room: &mut Room, preview: Piece, meter: &mut Meter<'_>) {
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

    /// The pair with the best expected value, and the nodes that other threads spent.
    pub(super) fn best_pair(
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

    /// The expected value of the best reply to the next unseen piece.
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
}
