//! Sources of placements for the search.

use super::LOST;
use crate::board::{Board, MAX_ROWS};
use crate::gameboy::{SPAWN_ROW, SPAWN_X};
use crate::moves::{Placement, drops};
use crate::piece::Piece;
use crate::reach::{KeyPlan, Reach, Start, Timing};

/// A source of placements.
pub trait Movement: Clone + Send + Sync {
    /// Replaces `out` with the placements of `piece`.
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>);
    /// An extra cost of a placement and the board it leads to.
    fn penalty(&self, placement: Placement, after: &Board) -> f32;
    /// Distinguishes states of the source that give different placements.
    fn fingerprint(&self) -> u64;
}

/// Straight drops from above, as in the source of G11.
#[derive(Clone, Copy, Debug)]
pub struct Drops {
    /// Row that placements must stay below.
    pub ceiling: i32,
}

impl Movement for Drops {
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>) {
        drops(board, piece, self.ceiling, out);
    }

    #[inline(always)]
    fn penalty(&self, _placement: Placement, _after: &Board) -> f32 {
        0.0
    }

    fn fingerprint(&self) -> u64 {
        self.ceiling as u64
    }
}

/// Straight drops on a field open at the top, the rule of the literature on Tetris controllers: a piece
/// may stick out above the uppermost row if the rows it clears bring it down again.
#[derive(Clone, Copy, Debug)]
pub struct OpenDrops {
    /// Rows of the field.
    pub rows: u32,
}

impl Movement for OpenDrops {
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>) {
        drops(board, piece, MAX_ROWS as i32, out);
    }

    #[inline(always)]
    fn penalty(&self, _placement: Placement, after: &Board) -> f32 {
        if after.height() > self.rows { LOST } else { 0.0 }
    }

    fn fingerprint(&self) -> u64 {
        u64::from(self.rows)
    }
}

/// Placements that keys can reach in time on the Game Boy.
#[derive(Clone, Debug)]
pub struct Keys {
    reach: Reach,
    speed: u8,
    /// The piece that is in the air already, and the board below it.
    afloat: Option<(Board, Piece, Start)>,
}

impl Keys {
    /// Keys with this timing, at speed level 0.
    pub fn new(timing: Timing) -> Keys {
        Keys { reach: Reach::new(timing), speed: 0, afloat: None }
    }

    /// Sets the speed level at which pieces fall.
    pub fn set_speed(&mut self, speed: u8) {
        self.speed = speed;
    }

    /// From now on the placements of this piece on this board are those that it can reach from where it is.
    pub fn set_afloat(&mut self, board: &Board, piece: Piece, start: Start) {
        self.afloat = Some((*board, piece, start));
    }

    /// The keys for one of the placements found last.
    pub fn plan(&self, placement: Placement) -> Option<KeyPlan> {
        self.reach.plan(placement)
    }
}

impl Movement for Keys {
    fn placements(&mut self, board: &Board, piece: Piece, out: &mut Vec<Placement>) {
        out.clear();
        match &self.afloat {
            Some((below, afloat, start)) if below == board && *afloat == piece => {
                self.reach.search_from(board, piece, self.speed, *start);
            }
            _ => self.reach.search(board, piece, self.speed),
        }
        self.reach.placements(out);
    }

    /// Locking at the spawn position is allowed once per game; the second time ends it.
    #[inline(always)]
    fn penalty(&self, placement: Placement, _after: &Board) -> f32 {
        if (placement.x(), placement.row()) == (SPAWN_X, SPAWN_ROW) { LOST } else { 0.0 }
    }

    fn fingerprint(&self) -> u64 {
        u64::from(self.speed) << 8
    }
}
