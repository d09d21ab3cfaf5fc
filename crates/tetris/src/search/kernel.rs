//! The hot loop: lock a piece everywhere it can go, clear rows, evaluate.
//!
//! It is compiled for every level of instructions, see [`processor`].

use processor::{HotLoop, at_full_width};

use super::LOST;
use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::features::lock;
use crate::field::Field;
use crate::moves::Placement;
use crate::piece::Piece;

/// A placement with the board it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    /// Where the piece was put.
    pub placement: Placement,
    /// The board afterwards.
    pub board: Board,
    /// The move's own value.
    pub moved: f32,
    /// The move's value and the board's.
    pub value: f32,
}

/// A piece on a board, and the evaluator of its placements.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, E> {
    /// The locked cells.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// The rules after it has locked.
    pub field: Field,
    /// Evaluates boards and moves.
    pub evaluator: &'a E,
}

impl<E: Evaluator> Task<'_, E> {
    /// The value of the best placement, or [`LOST`] if there is none.
    #[inline]
    pub fn best_value(&self, placements: &[Placement], penalty: impl Fn(Placement, &Board) -> f32) -> f32 {
        let mut best = LOST;
        self.score(placements, penalty, |scored| best = best.max(scored.value));
        best
    }

    /// Fills `out` with every placement's outcome.
    #[inline]
    pub fn score_all(
        &self,
        placements: &[Placement],
        penalty: impl Fn(Placement, &Board) -> f32,
        out: &mut Vec<Scored>,
    ) {
        out.clear();
        self.score(placements, penalty, |scored| out.push(scored));
    }

    #[inline(always)]
    fn score(
        &self,
        placements: &[Placement],
        penalty: impl Fn(Placement, &Board) -> f32,
        each: impl FnMut(Scored),
    ) {
        at_full_width(ScoreEach { task: self, placements, penalty, each });
    }
}

/// Calls `each` with the outcome of every placement.
struct ScoreEach<'a, E, P, F> {
    task: &'a Task<'a, E>,
    placements: &'a [Placement],
    penalty: P,
    each: F,
}

impl<E, P, F> HotLoop for ScoreEach<'_, E, P, F>
where
    E: Evaluator,
    P: Fn(Placement, &Board) -> f32,
    F: FnMut(Scored),
{
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let Task { board, piece, field, evaluator } = *self.task;
        for &placement in self.placements {
            let shape = piece.shape(placement.orientation());
            let (board, placed) = lock(board, shape, placement, field);
            let moved = evaluator.move_value(&placed) + (self.penalty)(placement, &board);
            let value = moved + evaluator.board_value(&board);
            (self.each)(Scored { placement, board, moved, value });
        }
    }
}
