//! The hot loop: lock a piece everywhere it can go, clear rows, evaluate.
//!
//! It is compiled three times: plainly, for processors that count bits in one
//! instruction, and for those that hold the board in one register. Which one
//! runs is decided when it is called.

use super::LOST;
use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::features::lock;
use crate::field::Field;
use crate::moves::Placement;
use crate::piece::Piece;
#[cfg(target_arch = "x86_64")]
use crate::wide;

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

/// A piece on a board, and who judges where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, E> {
    /// The locked cells.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// The rules once it has locked.
    pub field: Field,
    /// Judges boards and moves.
    pub evaluator: &'a E,
}

impl<E: Evaluator> Task<'_, E> {
    /// The best value of a placement, or [`LOST`] when there is none.
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
        #[cfg(target_arch = "x86_64")]
        if has_bit_instructions() {
            #[allow(unsafe_code, reason = "the same code for newer processors")]
            // SAFETY: the processor was asked for these instructions in the lines above.
            return unsafe {
                if wide::is_available() {
                    self.score_wide(placements, penalty, each);
                } else {
                    self.score_bits(placements, penalty, each);
                }
            };
        }
        self.score_plain(placements, penalty, each);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn score_wide(
        &self,
        placements: &[Placement],
        penalty: impl Fn(Placement, &Board) -> f32,
        each: impl FnMut(Scored),
    ) {
        self.score_plain(placements, penalty, each);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn score_bits(
        &self,
        placements: &[Placement],
        penalty: impl Fn(Placement, &Board) -> f32,
        each: impl FnMut(Scored),
    ) {
        self.score_plain(placements, penalty, each);
    }

    #[inline(always)]
    fn score_plain(
        &self,
        placements: &[Placement],
        penalty: impl Fn(Placement, &Board) -> f32,
        mut each: impl FnMut(Scored),
    ) {
        for &placement in placements {
            let shape = self.piece.shape(placement.orientation());
            let (board, placed) = lock(self.board, shape, placement, self.field);
            let moved = self.evaluator.move_value(&placed) + penalty(placement, &board);
            let value = moved + self.evaluator.board_value(&board);
            each(Scored { placement, board, moved, value });
        }
    }
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
