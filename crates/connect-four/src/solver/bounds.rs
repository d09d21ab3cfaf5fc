//! Bounds from follow-up strategies: what a player can enforce without search.

use super::node::Node;
use crate::grid::Grid;

/// A bound on the score of the player to move that answers "is it ≥ `beta`?".
#[inline(always)]
pub(super) fn decide<const W: usize, const H: usize>(node: &Node, beta: i32) -> Option<i32> {
    if H % 2 != 0 {
        return None;
    }
    let other = node.own ^ node.occupied;
    if node.discs & 1 == 0 {
        second_follows::<W, H>(node.own, node.threats, node.occupied, beta, false)
            .or_else(|| first_follows::<W, H>(other, node.wins, node.occupied, beta, true))
    } else {
        // "Is the second player's score ≥ beta" is "is the first's not ≥ 1 − beta".
        let beta = 1 - beta;
        second_follows::<W, H>(other, node.wins, node.occupied, beta, true)
            .or_else(|| first_follows::<W, H>(node.own, node.threats, node.occupied, beta, false))
            .map(|score| -score)
    }
}

#[inline(always)]
fn second_follows<const W: usize, const H: usize>(
    first: u64,
    wins: u64,
    occupied: u64,
    beta: i32,
    to_move: bool,
) -> Option<i32> {
    let threats = wins & Grid::<W, H>::EVEN_ROWS;
    let (closed, shut) = closed_by::<W, H>(threats);
    let upper =
        if threats == 0 { 0 } else { (Grid::<W, H>::CELLS - shut + 2) / 2 - (Grid::<W, H>::CELLS / 2 + 1) };
    if upper >= beta {
        return None;
    }
    let empty = Grid::<W, H>::BOARD ^ occupied;
    let playable = Grid::<W, H>::playable(occupied);
    let sure = first | (empty & Grid::<W, H>::ODD_ROWS & !closed);
    let loose = playable & Grid::<W, H>::EVEN_ROWS;
    holds::<W, H>(sure, loose, to_move).then_some(upper)
}

#[inline(always)]
fn first_follows<const W: usize, const H: usize>(
    second: u64,
    wins: u64,
    occupied: u64,
    beta: i32,
    to_move: bool,
) -> Option<i32> {
    let mut odd = wins & Grid::<W, H>::ODD_ROWS;
    if odd == 0 || beta > H as i32 / 2 {
        return None;
    }
    let empty = Grid::<W, H>::BOARD ^ occupied;
    let playable = Grid::<W, H>::playable(occupied);
    while odd != 0 {
        let column = odd.trailing_zeros() as usize / (H + 1);
        let cells = Grid::<W, H>::column(column);
        let lowest = odd & odd.wrapping_neg();
        odd &= !cells;
        let from = cells & !(lowest - 1);
        let (closed, shut) = closed_by::<W, H>(wins & Grid::<W, H>::EVEN_ROWS & !cells);
        let end = Grid::<W, H>::CELLS - (from.count_ones() as i32 - 1) - shut;
        let lower = Grid::<W, H>::CELLS / 2 + 1 - (end + 1) / 2;
        if lower < beta {
            continue;
        }
        let theirs = (Grid::<W, H>::ODD_ROWS & !cells) | (Grid::<W, H>::EVEN_ROWS & cells);
        let sure = second | (empty & theirs & !closed & !from);
        let loose = playable & !theirs & !from;
        if holds::<W, H>(sure, loose, to_move) {
            return Some(lower);
        }
    }
    None
}

/// The cells from the lowest threat of each column upwards, and how many cells
/// stay empty if no column with a threat is opened.
#[inline(always)]
fn closed_by<const W: usize, const H: usize>(mut threats: u64) -> (u64, i32) {
    let (mut closed, mut shut) = (0, 0);
    while threats != 0 {
        let cells = Grid::<W, H>::column(threats.trailing_zeros() as usize / (H + 1));
        let from = cells & !((threats & threats.wrapping_neg()) - 1);
        closed |= from;
        shut += from.count_ones() as i32 + 1;
        threats &= !cells;
    }
    (closed, shut)
}

#[inline(always)]
fn holds<const W: usize, const H: usize>(sure: u64, loose: u64, follower_to_move: bool) -> bool {
    let four = |extra: u64| Grid::<W, H>::has_four(sure | extra);
    let _ = follower_to_move;
    if !four(loose) {
        return true;
    }
    match loose.count_ones() {
        1 => !four(0),
        2 => {
            let one = loose & loose.wrapping_neg();
            !four(one) && !four(loose ^ one)
        }
        3 => {
            let one = loose & loose.wrapping_neg();
            let rest = loose ^ one;
            let two = rest & rest.wrapping_neg();
            u8::from(four(one)) + u8::from(four(two)) + u8::from(four(rest ^ two)) <= 1 && !four(0)
        }
        _ => false,
    }
}
