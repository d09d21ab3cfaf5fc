//! Tiles told apart pixel by pixel: an emulator's screen.

use std::ops::RangeInclusive;

use tetris::board::WIDTH;

use super::reader::{BRICK, FIELD_LEFT, Sight, tile_of};
use super::tiles::{FLASH, KnownTiles, Tiles};

pub(super) struct Exact<'a> {
    pub tiles: Tiles,
    pub known: &'a KnownTiles,
}

impl Exact<'_> {
    fn tile(&self, x: usize, y: usize) -> Option<u8> {
        self.known.number(self.tiles.at(x, y))
    }
}

impl Sight for Exact<'_> {
    /// Exactly what stands here, one of those asked for or not.
    fn number(&self, x: usize, y: usize, _among: &[RangeInclusive<u8>]) -> Option<u8> {
        self.tile(x, y)
    }

    fn says(&self, x: usize, y: usize, words: &str) -> bool {
        words.chars().enumerate().all(|(i, character)| self.tile(x + i, y) == Some(tile_of(character)))
    }

    fn is_drawn(&self, x: usize, y: usize) -> bool {
        self.tiles.is_drawn(x, y)
    }

    fn flashes(&self, y: usize) -> bool {
        (0..WIDTH).any(|x| self.tiles.at(FIELD_LEFT + x, y) == FLASH)
    }

    fn is_bricks(&self, y: usize) -> bool {
        (0..WIDTH).all(|x| self.tile(FIELD_LEFT + x, y) == Some(BRICK))
    }
}
