//! Narrows the score down by questions: is it at least this?

use super::node::{Node, Settled, settle};
use super::search::{Search, Stop};
use crate::grid::Grid;

/// The interval in which the score is known to lie.
pub(super) struct Bisection<const W: usize, const H: usize> {
    pub node: Node,
    pub flipped: bool,
    low: i32,
    high: i32,
    /// Asked instead of the middle: is the score of `node` at least this?
    question: Option<i32>,
}

impl<const W: usize, const H: usize> Bisection<W, H> {
    /// The first interval, or the score if no search is needed.
    pub fn start(own: u64, occupied: u64) -> Result<Self, i32> {
        let discs = occupied.count_ones() as i32;
        let wins = Grid::<W, H>::winning_cells(own, occupied);
        if wins & Grid::<W, H>::playable(occupied) != 0 {
            return Err((Grid::<W, H>::CELLS + 1 - discs) / 2);
        }
        let threats = Grid::<W, H>::winning_cells(own ^ occupied, occupied);
        match settle::<W, H>(Node { own, occupied, wins, threats, discs }) {
            Settled::Known(score) => Err(score),
            Settled::Open { node, flipped } => {
                let limits = node.limits::<W, H>();
                Ok(Self { node, flipped, low: limits.lower, high: limits.upper, question: None })
            }
        }
    }

    pub fn is_done(&self) -> bool {
        self.low >= self.high
    }

    /// Asks only whether the score for the player to move at the start is at least `beta`.
    pub fn ask_about(&mut self, beta: i32) {
        self.question = Some(if self.flipped { 1 - beta } else { beta });
    }

    pub fn is_answered(&self) -> bool {
        self.question.is_some_and(|beta| self.low >= beta || self.high < beta)
    }

    pub fn answer(&self) -> bool {
        self.question.is_some_and(|beta| self.low >= beta) != self.flipped
    }

    /// Asks one question. Questions far from 0 are cheap, because the search needs to
    /// look only a few discs ahead, so the middle is shifted away from 0 (Pons).
    pub fn step(&mut self, search: &mut Search<'_, '_, '_, W, H>) -> Result<(), Stop> {
        let mut middle = self.low + (self.high - self.low) / 2;
        if middle <= 0 && self.low / 2 < middle {
            middle = self.low / 2;
        } else if middle >= 0 && self.high / 2 > middle {
            middle = self.high / 2;
        }
        if let Some(beta) = self.question {
            middle = beta - 1;
        }
        let bound = search.bound(&self.node, middle + 1)?;
        if bound > middle {
            self.low = bound;
        } else {
            self.high = bound;
        }
        Ok(())
    }

    pub fn score(&self) -> i32 {
        if self.flipped { -self.low } else { self.low }
    }
}
