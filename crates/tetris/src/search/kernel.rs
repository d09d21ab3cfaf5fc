//! The hot loops: lock a piece everywhere it can go, clear rows, evaluate.
//!
//! They are compiled twice, plainly and for processors that count bits in one
//! instruction; which one runs is decided when they are called.

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

/// The best value of a placement, or [`LOST`] when there is none.
#[inline]
pub fn best_value<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if has_bit_instructions() {
        #[allow(unsafe_code, reason = "the same code for newer processors")]
        // SAFETY: the processor was asked for these instructions in the line above.
        return unsafe { best_value_bits(board, piece, placements, field, evaluator, penalty) };
    }
    best_value_plain(board, piece, placements, field, evaluator, penalty)
}

/// Fills `out` with every placement's outcome.
#[inline]
pub fn score_all<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
    out: &mut Vec<Scored>,
) {
    out.clear();
    #[cfg(target_arch = "x86_64")]
    if has_bit_instructions() {
        #[allow(unsafe_code, reason = "the same code for newer processors")]
        // SAFETY: the processor was asked for these instructions in the line above.
        return unsafe { score_all_bits(board, piece, placements, field, evaluator, penalty, out) };
    }
    score_all_plain(board, piece, placements, field, evaluator, penalty, out);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bit_instructions() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn best_value_bits<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
) -> f32 {
    best_value_plain(board, piece, placements, field, evaluator, penalty)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn score_all_bits<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
    out: &mut Vec<Scored>,
) {
    score_all_plain(board, piece, placements, field, evaluator, penalty, out);
}

#[inline(always)]
fn best_value_plain<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
) -> f32 {
    let mut best = LOST;
    for &placement in placements {
        let (after, placed) = lock(board, piece.shape(placement.orientation()), placement, field);
        let value =
            evaluator.move_value(&placed) + evaluator.board_value(&after) + penalty(placement, &after);
        best = best.max(value);
    }
    best
}

#[inline(always)]
fn score_all_plain<E: Evaluator>(
    board: &Board,
    piece: Piece,
    placements: &[Placement],
    field: Field,
    evaluator: &E,
    penalty: impl Fn(Placement, &Board) -> f32,
    out: &mut Vec<Scored>,
) {
    for &placement in placements {
        let (after, placed) = lock(board, piece.shape(placement.orientation()), placement, field);
        let moved = evaluator.move_value(&placed) + penalty(placement, &after);
        out.push(Scored { placement, board: after, moved, value: moved + evaluator.board_value(&after) });
    }
}
