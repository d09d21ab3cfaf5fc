//! The screen as 20 × 18 tiles, and the tiles we know by sight.

use engine::Picture;

use gameboy::display::{LUMA, SCREEN_HEIGHT, SCREEN_WIDTH};

/// Pixels of a tile's side.
pub const TILE: usize = 8;
/// Tiles in a row of the screen.
pub const COLUMNS: usize = SCREEN_WIDTH / TILE;
/// Rows of tiles.
pub const ROWS: usize = SCREEN_HEIGHT / TILE;

/// A tile's 64 pixels, two bits each, the first in the highest bits.
pub type Pattern = u128;

/// All white.
pub const WHITE: Pattern = 0;
/// All light grey: rows that are being cleared.
pub const FLASH: Pattern = u128::MAX / 3;

/// Every tile of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    patterns: [[Pattern; COLUMNS]; ROWS],
}

impl Tiles {
    /// Cuts a grey picture of 160 × 144 pixels into tiles.
    pub fn of(picture: &Picture) -> Tiles {
        let mut patterns = [[0; COLUMNS]; ROWS];
        for (y, row) in picture.pixels.as_chunks::<SCREEN_WIDTH>().0.iter().take(SCREEN_HEIGHT).enumerate() {
            for (pattern, pixels) in patterns[y / TILE].iter_mut().zip(row.as_chunks::<TILE>().0) {
                // Four greys, evenly spaced: the two upper bits, white 0 to black 3.
                let row = pixels.iter().fold(0u16, |row, luma| row << 2 | u16::from(3 - (luma >> 6)));
                *pattern = *pattern << 16 | Pattern::from(row);
            }
        }
        Tiles { patterns }
    }

    /// The pattern of a tile; white outside the screen.
    pub fn at(&self, x: usize, y: usize) -> Pattern {
        self.patterns.get(y).and_then(|row| row.get(x)).copied().unwrap_or(WHITE)
    }

    /// Whether anything is drawn there.
    pub fn is_drawn(&self, x: usize, y: usize) -> bool {
        self.at(x, y) != WHITE
    }
}

/// The cartridge's own drawings, the same that are packed into it.
const DRAWINGS: &str = include_str!("../../../../../rom/tiles.txt");

/// Tiles known by sight: pattern to number.
#[derive(Clone, Debug)]
pub struct KnownTiles {
    /// Sorted by pattern.
    tiles: Vec<(Pattern, u8)>,
}

impl KnownTiles {
    /// Those of our cartridge.
    pub fn stackfall() -> KnownTiles {
        let mut tiles = Vec::new();
        let mut lines = DRAWINGS.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
        while let Some(title) = lines.next() {
            let number = title.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
            let pixels = (0..TILE).flat_map(|_| lines.next().unwrap_or_default().chars());
            let pattern = pixels.fold(0, |pattern: Pattern, pixel| pattern << 2 | shade(pixel));
            tiles.extend(number.map(|number| (pattern, number)));
        }
        tiles.sort_unstable();
        KnownTiles { tiles }
    }

    /// The luma of a tile's pixels, row by row; nothing for a number that no tile has.
    pub fn luma(&self, number: u8) -> Option<[u8; TILE * TILE]> {
        let (pattern, _) = self.tiles.iter().find(|(_, known)| *known == number)?;
        let shade = |i: usize| pattern >> (2 * (TILE * TILE - 1 - i)) & 3;
        Some(std::array::from_fn(|i| LUMA[shade(i) as usize]))
    }

    /// The number of a tile, if it is known.
    pub fn number(&self, pattern: Pattern) -> Option<u8> {
        let found = self.tiles.binary_search_by_key(&pattern, |(known, _)| *known).ok()?;
        self.tiles.get(found).map(|(_, number)| *number)
    }
}

fn shade(pixel: char) -> Pattern {
    match pixel {
        '-' => 1,
        '+' => 2,
        '#' => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawing_is_known_and_no_two_look_alike() {
        let known = KnownTiles::stackfall();
        assert!(known.tiles.len() > 100);
        assert!(known.tiles.windows(2).all(|pair| pair[0].0 != pair[1].0));
        assert_eq!(known.number(WHITE), Some(0x2F));
        assert_eq!(known.number(FLASH), Some(0x8C));
        assert_eq!(known.number(12345), None);
    }
}
