//! A cache of leaf values: one entry per slot, the newest wins.

use crate::board::{Board, WIDTH};
use crate::piece::Piece;

/// Number of slots, 16 bytes each, so that the table fits the second-level cache.
const SLOTS: usize = 1 << 15;

/// A table of leaf values.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Vec<(u64, f32)>,
    age: u64,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { slots: vec![(0, 0.0); SLOTS], age: 0 }
    }

    /// Makes every entry miss.
    pub(super) fn forget(&mut self) {
        self.age += 1;
    }

    /// A 64-bit key; the odds that two positions share one are negligible.
    pub(super) fn key(&self, board: &Board, piece: Piece, fingerprint: u64) -> u64 {
        let mut key = (self.age << 20 ^ fingerprint << 4 | piece.index() as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            | 1;
        for x in (0..WIDTH).step_by(2) {
            let two = u64::from(board.column(x)) << 32 | u64::from(board.column(x + 1));
            key = (key ^ two).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            key ^= key >> 32;
        }
        key | 1
    }

    pub(super) fn get(&self, key: u64) -> Option<f32> {
        let (stored, value) = self.slots[key as usize >> 1 & (SLOTS - 1)];
        (stored == key).then_some(value)
    }

    pub(super) fn put(&mut self, key: u64, value: f32) {
        self.slots[key as usize >> 1 & (SLOTS - 1)] = (key, value);
    }
}
