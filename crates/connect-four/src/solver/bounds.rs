//! Bounds without search, from what a player can enforce by *following up*:
//! answering in the column that the opponent has just played.
//!
//! Rows are counted from 1. On a board of even height let F be the follower
//! and O the opponent, and let F mean to get, in each column, all cells of one
//! parity: "F's cells". The even ones are F's everywhere, except in columns
//! that F *turns*, where the odd ones are.
//!
//! **Strategy.** A column is loose when its next free cell is F's, else tight.
//! When O plays the next cell of a tight column, F plays the one above, which
//! is F's; the column is tight again. When O takes a loose column's cell, F
//! takes another loose column's cell; both columns are tight then. So if the
//! number of loose columns is even whenever O is to move, F always has an
//! answer, and O gets none of F's cells except cells that were playable in
//! loose columns at the start: of two such cells just one, and none if F is to
//! move and there is only one.
//!
//! **Parity.** The second player turns no column: a loose column is one of odd
//! height, and before the first player's move the discs, hence the odd
//! columns, are even in number. The first player turns exactly one column,
//! which flips the parity, so that the same holds before the second player's
//! move. But a turned column has an odd number of cells for which following
//! up works, so it must end early:
//!
//! **Closed columns.** If F completes four at one of F's cells, O loses by
//! playing the cell below, so O never gets the cells from there on, unless
//! everything else is full; then O must do it and loses. So a threat of F's on
//! one of F's cells closes its column. The first player may turn the column of
//! an odd threat, because the cells below it, without the last one, are odd in
//! number: exactly the room in which following up works.
//!
//! **Bounds.** If O has no four in O's discs and the cells O may get, O does
//! not win. If a column is closed, F wins, at the latest when every cell but
//! the closed ones is taken: with the disc after the next.
//!
//! The tests compare these bounds with exhaustive search on all positions of
//! smaller boards.

use super::node::Node;
use crate::grid::Grid;

/// A bound on the score of the player to move that answers whether it is at
/// least `beta`: a result ≥ `beta` is a lower bound, one < `beta` an upper bound.
#[inline(always)]
pub(super) fn decide<const W: usize, const H: usize>(node: &Node, beta: i32) -> Option<i32> {
    if !H.is_multiple_of(2) {
        return None;
    }
    let other = node.own ^ node.occupied;
    if node.discs & 1 == 0 {
        second_follows::<W, H>(node.own, node.threats, node.occupied, beta)
            .or_else(|| first_follows::<W, H>(other, node.wins, node.occupied, beta))
    } else {
        // The second player has at least beta unless the first has at least 1 − beta.
        let beta = 1 - beta;
        second_follows::<W, H>(other, node.wins, node.occupied, beta)
            .or_else(|| first_follows::<W, H>(node.own, node.threats, node.occupied, beta))
            .map(|score| -score)
    }
}

/// An upper bound < `beta` on the first player's score.
#[inline(always)]
fn second_follows<const W: usize, const H: usize>(
    first: u64,
    second_wins: u64,
    occupied: u64,
    beta: i32,
) -> Option<i32> {
    let threats = second_wins & Grid::<W, H>::EVEN_ROWS;
    let closed = Closed::by::<W, H>(threats);
    let upper = if threats == 0 { 0 } else { -closed.score_of_follower::<W, H>() };
    if upper >= beta {
        return None;
    }
    let empty = Grid::<W, H>::BOARD ^ occupied;
    let sure = first | (empty & Grid::<W, H>::ODD_ROWS & !closed.cells);
    let loose = Grid::<W, H>::playable(occupied) & Grid::<W, H>::EVEN_ROWS;
    stays_without_four::<W, H>(sure, loose).then_some(upper)
}

/// A lower bound ≥ `beta` on the first player's score.
#[inline(always)]
fn first_follows<const W: usize, const H: usize>(
    second: u64,
    first_wins: u64,
    occupied: u64,
    beta: i32,
) -> Option<i32> {
    let mut odd = first_wins & Grid::<W, H>::ODD_ROWS;
    let empty = Grid::<W, H>::BOARD ^ occupied;
    let playable = Grid::<W, H>::playable(occupied);
    while odd != 0 {
        let turned = column_of_lowest::<W, H>(odd);
        let threat = odd & odd.wrapping_neg();
        odd &= !turned;
        let closed = Closed::by::<W, H>(threat | (first_wins & Grid::<W, H>::EVEN_ROWS & !turned));
        let lower = closed.score_of_follower::<W, H>();
        if lower < beta {
            continue;
        }
        let theirs = (Grid::<W, H>::ODD_ROWS & !turned) | (Grid::<W, H>::EVEN_ROWS & turned);
        let sure = second | (empty & theirs & !closed.cells);
        let loose = playable & !theirs & !closed.cells;
        if stays_without_four::<W, H>(sure, loose) {
            return Some(lower);
        }
    }
    None
}

/// Columns that the follower's threats close.
struct Closed {
    /// From each column's lowest threat upwards.
    cells: u64,
    /// Cells that are empty when only closed columns are left, the cells below the threats included.
    empty_at_last: i32,
}

impl Closed {
    #[inline(always)]
    fn by<const W: usize, const H: usize>(mut threats: u64) -> Self {
        let (mut cells, mut empty_at_last) = (0, 0);
        while threats != 0 {
            let column = column_of_lowest::<W, H>(threats);
            let from_threat_up = column & !((threats & threats.wrapping_neg()) - 1);
            cells |= from_threat_up;
            empty_at_last += from_threat_up.count_ones() as i32 + 1;
            threats &= !column;
        }
        Self { cells, empty_at_last }
    }

    /// The follower's score for the latest possible win: with the second
    /// disc after all but the closed columns are full.
    #[inline(always)]
    fn score_of_follower<const W: usize, const H: usize>(&self) -> i32 {
        let discs_before_the_last = Grid::<W, H>::CELLS - self.empty_at_last + 1;
        (Grid::<W, H>::CELLS + 1 - discs_before_the_last) / 2
    }
}

/// Whether the opponent cannot make four from the cells they surely get and their share of the loose ones.
#[inline(always)]
fn stays_without_four<const W: usize, const H: usize>(sure: u64, loose: u64) -> bool {
    let four = |extra: u64| Grid::<W, H>::has_four(sure | extra);
    if !four(loose) {
        return true;
    }
    match loose.count_ones() {
        // The follower is to move and takes it.
        1 => !four(0),
        // The opponent is to move and gets one of them.
        2 => {
            let one = loose & loose.wrapping_neg();
            !four(one) && !four(loose ^ one)
        }
        _ => false,
    }
}

#[inline(always)]
fn column_of_lowest<const W: usize, const H: usize>(cells: u64) -> u64 {
    Grid::<W, H>::column(cells.trailing_zeros() as usize / Grid::<W, H>::STRIDE)
}
