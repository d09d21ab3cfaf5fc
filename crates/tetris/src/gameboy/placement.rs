//! The game piece by piece: the same rules without frames, for search and arena.

use super::randomiser::{Dealer, Pieces};
use super::setup::Setup;
use super::{MAX_LINES, MAX_SCORE, SPAWN_ROW, SPAWN_X, level_after_clear, line_score, speed};
use crate::board::Board;
use crate::field::{Field, settle};
use crate::moves::Placement;

/// A Game Boy game between two pieces.
#[derive(Clone, Debug)]
pub struct PlacementGame {
    /// The locked cells.
    pub board: Board,
    /// Active, preview and hidden piece.
    pub pieces: Pieces,
    /// The level shown.
    pub level: u8,
    /// Lines cleared.
    pub lines: u32,
    /// Points, at most 999,999.
    pub score: u32,
    /// How often one to four lines were cleared at once (index by lines).
    pub clears: [u32; 5],
    heart: bool,
    spawn_locks: u8,
}

/// The result of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementOutcome {
    /// The game goes on; this many lines were cleared.
    Cleared(u32),
    /// The second lock at the spawn position.
    Over,
}

impl PlacementGame {
    /// An A-type game before its first piece is placed.
    pub fn new<D: Dealer + ?Sized>(setup: Setup, dealer: &mut D) -> PlacementGame {
        PlacementGame {
            board: Board::EMPTY,
            pieces: Pieces::first(dealer),
            level: setup.level(),
            lines: 0,
            score: 0,
            clears: [0; 5],
            heart: setup.heart(),
            spawn_locks: 0,
        }
    }

    /// Locks the active piece; `soft_drop_rows` is the number of rows it fell while Down was held at the end.
    pub fn place<D: Dealer + ?Sized>(
        &mut self,
        placement: Placement,
        soft_drop_rows: u32,
        dealer: &mut D,
    ) -> PlacementOutcome {
        let shape = self.pieces.active.shape(placement.orientation());
        self.board.place(shape, placement.x(), placement.row());
        self.add_score(soft_drop_rows);
        if (placement.x(), placement.row()) == (SPAWN_X, SPAWN_ROW) {
            self.spawn_locks += 1;
            if self.spawn_locks == 2 {
                return PlacementOutcome::Over;
            }
        }
        let lines = settle(&mut self.board, Field::GAME_BOY);
        if lines > 0 {
            self.clears[lines as usize] += 1;
            self.lines = (self.lines + lines).min(MAX_LINES);
            self.add_score(line_score(lines, self.level));
            self.level = level_after_clear(self.level, self.lines);
        }
        self.pieces.advance(dealer);
        PlacementOutcome::Cleared(lines)
    }

    /// The speed level: the level, or in heart mode ten more.
    pub fn speed(&self) -> u8 {
        speed(self.level, self.heart)
    }

    /// Whether the next lock at the spawn position ends the game.
    pub fn is_last_chance(&self) -> bool {
        self.spawn_locks == 1
    }

    fn add_score(&mut self, points: u32) {
        self.score = (self.score + points).min(MAX_SCORE);
    }
}
