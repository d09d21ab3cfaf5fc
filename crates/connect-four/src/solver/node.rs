//! A position as the search sees it, and the playing of forced moves.

use super::table::Limits;
use crate::grid::Grid;

/// Up to this many discs, a position and its mirror image share one key.
const MIRRORED_DISCS: i32 = 14;

/// A position from the view of the player to move, with both threat maps.
///
/// The player to move cannot complete four with the next disc: the search never
/// creates such a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub own: u64,
    pub occupied: u64,
    /// Empty cells that complete a four of the player to move.
    pub wins: u64,
    /// Empty cells that complete a four of the opponent.
    pub threats: u64,
    pub discs: i32,
}

/// A position after all forced moves have been played.
pub(super) enum Settled {
    /// The score for the player who was to move at the start.
    Known(i32),
    /// There are at least two moves that do not lose immediately.
    Open {
        /// The position with the choice.
        node: Node,
        /// Whether the choice belongs to the opponent of the player who was to move at the start.
        flipped: bool,
    },
}

impl Node {
    /// A number unique to the position, except that early positions share it with their mirror images.
    #[inline(always)]
    pub(super) fn key<const W: usize, const H: usize>(&self) -> u64 {
        let key = self.own + self.occupied;
        // Later, mirror images hardly ever meet in one search, and mirroring costs more than it saves.
        if self.discs <= MIRRORED_DISCS { key.min(Grid::<W, H>::mirrored(key)) } else { key }
    }

    /// The position after the player to move filled `cell`, whose winning cells are then `wins`.
    #[inline(always)]
    pub(super) fn after(&self, cell: u64, wins: u64) -> Self {
        Self {
            own: self.own ^ self.occupied,
            occupied: self.occupied | cell,
            wins: self.threats & !cell,
            threats: wins,
            discs: self.discs + 1,
        }
    }

    /// The possible scores if neither player wins with their next disc.
    #[inline(always)]
    pub(super) fn limits<const W: usize, const H: usize>(&self) -> Limits {
        let left = Grid::<W, H>::CELLS - self.discs;
        Limits { lower: -((left - 2) / 2), upper: (left - 1) / 2 }
    }
}

/// Plays moves until the player to move has a choice or the result is known.
/// A move is forced when it blocks a four, or when every other one lets the
/// opponent complete four right above it.
#[inline(always)]
pub(super) fn settle<const W: usize, const H: usize>(mut node: Node) -> Settled {
    let mut flipped = false;
    loop {
        let left = Grid::<W, H>::CELLS - node.discs;
        if left <= 0 {
            return Settled::Known(0);
        }
        let playable = Grid::<W, H>::playable(node.occupied);
        let blocks = playable & node.threats;
        let safe = if blocks == 0 { playable } else { blocks } & !(node.threats >> 1);
        if blocks & blocks.wrapping_sub(1) != 0 || safe == 0 {
            // The opponent wins with the next disc.
            let score = -(left / 2);
            return Settled::Known(if flipped { -score } else { score });
        }
        if safe & (safe - 1) != 0 {
            return Settled::Open { node, flipped };
        }
        let (own, occupied) = (node.own | safe, node.occupied | safe);
        node = node.after(safe, Grid::<W, H>::winning_cells(own, occupied));
        flipped = !flipped;
    }
}
