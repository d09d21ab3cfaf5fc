//! Reading a screen, tile by tile.
//!
//! The field is read from any cartridge that lays it out as the Game Boy's
//! falling-block game does: a cell is filled when its tile is not white. Words
//! and numbers are read by the tiles of our own cartridge; on another one they
//! stay unknown, and so do its menus.

use std::ops::RangeInclusive;

use engine::Picture;
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use tetris::Piece;
use tetris::board::WIDTH;

use super::exact::Exact;
use super::tiles::{COLUMNS, KnownTiles, ROWS, Tiles};
use super::{Entry, Figures, Observation, Playing, TableLine, Unclear, View};

/// Rows one can see of the field; it fills the screen's height.
pub(super) const FIELD_ROWS: usize = 18;
/// Screen column of the field's left column.
pub(super) const FIELD_LEFT: usize = 2;
/// Screen columns of the walls.
pub(super) const WALLS: [usize; 2] = [1, 12];
/// Screen tile of the upper left cell of the preview's box.
pub(super) const PREVIEW: (usize, usize) = (15, 12);

const DIGITS: RangeInclusive<u8> = 0..=9;
const LETTER_A: u8 = 10;
const LETTER_Z: u8 = 35;
const DASH: u8 = 0x25;
const HEART: u8 = 0x27;
const ARROW: u8 = 0x29;
pub(super) const BLANK: u8 = 0x2F;
const INVERSE: u8 = 0x30;
const INVERSE_DASH: u8 = 0x54;
pub(super) const BRICK: u8 = 0x87;
/// What stands in the table of best scores.
const LETTERS: [RangeInclusive<u8>; 5] = [
    LETTER_A..=LETTER_Z,
    DASH..=DASH,
    BLANK..=BLANK,
    INVERSE + LETTER_A..=INVERSE + LETTER_Z,
    INVERSE_DASH..=INVERSE_DASH,
];

/// Reads a screen that shows this display period.
pub fn see(picture: &Picture, period: u64, known: &KnownTiles) -> Result<Observation, Unclear> {
    let (width, height) = (picture.width, picture.height);
    if (width as usize, height as usize) != (SCREEN_WIDTH, SCREEN_HEIGHT) {
        return Err(Unclear::WrongSize { width, height });
    }
    let reader = Reader { sight: Exact { tiles: Tiles::of(picture), known } };
    Ok(Observation { period, view: reader.view() })
}

/// How the tiles of a screen are told apart: pixel by pixel, or through a camera.
pub(super) trait Sight {
    /// Which of these tiles stands here, if one does.
    fn number(&self, x: usize, y: usize, among: &[RangeInclusive<u8>]) -> Option<u8>;

    /// The same, but of two that look alike the likelier one.
    fn likeliest(&self, x: usize, y: usize, among: &[RangeInclusive<u8>]) -> Option<u8> {
        self.number(x, y, among)
    }

    /// Whether these words begin here.
    fn says(&self, x: usize, y: usize, words: &str) -> bool;

    /// Whether anything is drawn here.
    fn is_drawn(&self, x: usize, y: usize) -> bool;

    /// Whether this row of the field flashes before it vanishes.
    fn flashes(&self, y: usize) -> bool;

    /// Whether this row of the field is full of bricks.
    fn is_bricks(&self, y: usize) -> bool;
}

/// Reads what a sight shows.
pub(super) struct Reader<S> {
    pub(super) sight: S,
}

impl<S: Sight> Reader<S> {
    pub(super) fn view(&self) -> View {
        if self.says(14, 9, "LINES") {
            return if self.is_over() {
                View::Over
            } else if self.says(15, 11, "DEMO") {
                View::Demo
            } else {
                self.game()
            };
        }
        if self.says(4, 3, "PAUSE") {
            return View::Paused;
        }
        if self.says(6, 1, "A-TYPE") && self.says(7, 3, "LEVEL") {
            return self.levels();
        }
        if self.says(2, 14, "1PLAYER") {
            return View::Title { two_players: self.is(11, 14, ARROW) };
        }
        if self.says(5, 3, "GAME TYPE") {
            // The arrow stood one column further to the right in recordings of 0.1.0.
            return View::GameType { b_type: self.is(10, 5, ARROW) || self.is(11, 5, ARROW) };
        }
        // In recordings of 0.1.0 the words stand alone.
        if self.is_over() {
            return View::Over;
        }
        if self.says(4, 1, "GREAT SCORE!") {
            return View::Rocket;
        }
        if self.says(4, 7, "WINS") && self.says(4, 9, "THEIRS") {
            let digit =
                |y| self.sight.number(14, y, &[DIGITS]).filter(|tile| DIGITS.contains(tile)).unwrap_or(0);
            return View::Round { wins: digit(7), losses: digit(9) };
        }
        if self.says(5, 2, "TWO PLAYERS") {
            return View::TwoPlayers;
        }
        if self.says(6, 8, "GET READY") {
            return View::GetReady;
        }
        if self.says(6, 1, "B-TYPE") {
            let height = (0..6u8).find(|&height| {
                let x = 4 + 2 * usize::from(height);
                self.sight.number(x, 13, &[DIGITS, INVERSE..=INVERSE + 9]) == Some(INVERSE + height)
            });
            return View::BType { level: self.level(), height, heart: self.is(13, 1, HEART) };
        }
        if self.says(5, 1, "25 LINES!") {
            return View::Account { total: self.digits(12, 14, 6) };
        }
        if self.has_walls() {
            return self.game();
        }
        let is_empty = (0..ROWS).all(|y| (0..COLUMNS).all(|x| !self.sight.is_drawn(x, y)));
        if is_empty { View::Empty } else { View::Unknown }
    }

    fn is_over(&self) -> bool {
        self.says(5, 4, "GAME") && self.says(5, 6, "OVER")
    }

    fn game(&self) -> View {
        let bottom = FIELD_ROWS - 1;
        if self.sight.is_bricks(bottom) {
            return View::Curtain(self.figures());
        }
        let mut cells = [0; WIDTH];
        for (x, column) in cells.iter_mut().enumerate() {
            // Rows count from the bottom in the game, from the top on the screen.
            for row in 0..FIELD_ROWS {
                *column |= u32::from(self.sight.is_drawn(FIELD_LEFT + x, bottom - row)) << row;
            }
        }
        let flashing = (0..FIELD_ROWS).any(|y| self.sight.flashes(y));
        let (figures, versus) = (self.figures(), self.is_versus());
        View::Playing(Playing { cells, flashing, preview: self.preview(), figures, versus })
    }

    fn figures(&self) -> Figures {
        let a_type = self.says(14, 1, "SCORE");
        let (level_x, level_y, places) = if a_type { (16, 7, 2) } else { (16, 2, 1) };
        let level = self.digits(level_x, level_y, places).filter(|_| !self.is_versus());
        Figures {
            score: if a_type { self.digits(13, 3, 6) } else { None },
            level: level.map(|level| level as u8),
            lines: self.digits(14, 10, 4),
            heart: self.is(18, level_y, HEART),
        }
    }

    fn is_versus(&self) -> bool {
        self.says(14, 1, "WINS")
    }

    /// The piece whose spawn shape stands in the box.
    fn preview(&self) -> Option<Piece> {
        let (left, top) = PREVIEW;
        let mut columns = [0; 4];
        for (x, column) in columns.iter_mut().enumerate() {
            for row in 0..4 {
                // The frame's own tiles lie around rows 1 to 4 of the box; pieces use the lower two rows.
                let inside = (1..4).contains(&(3 - row));
                *column |= u32::from(inside && self.sight.is_drawn(left + x, top + 3 - row)) << row;
            }
        }
        Piece::ALL.into_iter().find(|piece| piece.shape(0).columns == columns)
    }

    fn has_walls(&self) -> bool {
        WALLS.iter().all(|&x| (0..FIELD_ROWS).all(|y| self.sight.is_drawn(x, y)))
    }

    /// The level that is marked among the ten.
    fn level(&self) -> Option<u8> {
        (0..10u8).find(|&level| {
            let (x, y) = (5 + 2 * usize::from(level % 5), if level < 5 { 6 } else { 8 });
            self.sight.number(x, y, &[DIGITS, INVERSE..=INVERSE + 9]) == Some(INVERSE + level)
        })
    }

    fn levels(&self) -> View {
        let level = self.level();
        let entry = (0..3u8).find_map(|rank| {
            let line = 13 + usize::from(rank);
            (0..6u8).find_map(|position| {
                let letter = match self.sight.likeliest(4 + usize::from(position), line, &LETTERS)? {
                    INVERSE_DASH => '-',
                    tile if (INVERSE + LETTER_A..=INVERSE + LETTER_Z).contains(&tile) => {
                        letter(tile - INVERSE)?
                    }
                    _ => return None,
                };
                Some(Entry { rank, position, letter })
            })
        });
        let table = std::array::from_fn(|rank| self.table_line(13 + rank));
        View::Levels { level, entry, heart: self.is(13, 1, HEART), table }
    }

    fn table_line(&self, y: usize) -> TableLine {
        let tiles = (4..10).map(|x| self.sight.likeliest(x, y, &LETTERS).unwrap_or(BLANK));
        let name = tiles.map(|tile| letter(tile).or_else(|| inverse_letter(tile)).unwrap_or(' ')).collect();
        TableLine { name, score: self.digits(12, y, 6) }
    }

    fn is(&self, x: usize, y: usize, tile: u8) -> bool {
        self.sight.number(x, y, &[tile..=tile, BLANK..=BLANK]) == Some(tile)
    }

    fn says(&self, x: usize, y: usize, words: &str) -> bool {
        self.sight.says(x, y, words)
    }

    /// A number of up to `places` digits with blanks before it.
    fn digits(&self, x: usize, y: usize, places: usize) -> Option<u32> {
        let mut value = None;
        for place in 0..places {
            match self.sight.number(x + place, y, &[DIGITS, BLANK..=BLANK])? {
                digit if DIGITS.contains(&digit) => {
                    value = Some(value.unwrap_or(0) * 10 + u32::from(digit));
                }
                BLANK if value.is_none() => {}
                _ => return None,
            }
        }
        value
    }
}

pub(super) fn tile_of(character: char) -> u8 {
    match character {
        '0'..='9' => character as u8 - b'0',
        'A'..='Z' => character as u8 - b'A' + LETTER_A,
        '-' => DASH,
        '!' => 0x26,
        _ => BLANK,
    }
}

fn letter(tile: u8) -> Option<char> {
    match tile {
        LETTER_A..=LETTER_Z => Some(char::from(b'A' + tile - LETTER_A)),
        DASH => Some('-'),
        _ => None,
    }
}

fn inverse_letter(tile: u8) -> Option<char> {
    match tile {
        INVERSE_DASH => Some('-'),
        tile => letter(tile.checked_sub(INVERSE)?),
    }
}
