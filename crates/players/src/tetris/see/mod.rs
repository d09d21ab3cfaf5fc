//! From a screen to what it shows: the game, or one of the menus around it.
//!
//! The field is read from any cartridge that lays it out as the Game Boy's
//! falling-block game does: a cell is filled when its tile is not white. Words
//! and numbers are read by the tiles of our own cartridge; on another one they
//! stay unknown, and so do its menus.

mod tiles;

use engine::Picture;
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::{Board, Piece};
use thiserror::Error;

use tiles::{COLUMNS, FLASH, ROWS};
pub use tiles::{KnownTiles, Tiles};

/// Rows one can see of the field; it fills the screen's height.
const FIELD_ROWS: usize = 18;
/// Screen column of the field's left column.
const FIELD_LEFT: usize = 2;
/// Screen columns of the walls.
const WALLS: [usize; 2] = [1, 12];
/// Screen tile of the upper left cell of the preview's box.
const PREVIEW: (usize, usize) = (15, 12);

const DIGITS: std::ops::RangeInclusive<u8> = 0..=9;
const LETTER_A: u8 = 10;
const LETTER_Z: u8 = 35;
const DASH: u8 = 0x25;
const HEART: u8 = 0x27;
const ARROW: u8 = 0x29;
const BLANK: u8 = 0x2F;
const INVERSE: u8 = 0x30;
const INVERSE_DASH: u8 = 0x54;
const BRICK: u8 = 0x87;

/// What one screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// Number of the display period that the screen shows.
    pub period: u64,
    /// What is on it.
    pub view: View,
}

/// What is on a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// One or two players.
    Title {
        /// Whether two are chosen.
        two_players: bool,
    },
    /// A-type or B-type.
    GameType {
        /// Whether B-type is chosen.
        b_type: bool,
    },
    /// Level and best scores of the A-type; the choice blinks and is unseen half of the time.
    Levels {
        /// The level that is chosen now.
        level: Option<u8>,
        /// The letter that is being entered.
        entry: Option<Entry>,
        /// Whether heart mode is on.
        heart: bool,
        /// Best scores.
        table: [TableLine; 3],
    },
    /// Level and height of the B-type.
    BType,
    /// A game.
    Playing(Playing),
    /// A paused game.
    Paused,
    /// The field fills with bricks: the game has just ended with these figures.
    Curtain(Figures),
    /// The game has ended.
    Over,
    /// Before a game of two.
    TwoPlayers,
    /// A game of two begins in a moment.
    GetReady,
    /// A round of two has ended.
    Round {
        /// Rounds this player has won.
        wins: u8,
        /// Rounds the other one has won.
        losses: u8,
    },
    /// The account of a B-type game.
    Account,
    /// A screen without anything on it.
    Empty,
    /// None of these; another cartridge's menu, perhaps.
    Unknown,
}

/// The letter of the name that is being entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Line of the table, 0 to 2.
    pub rank: u8,
    /// Which letter, 0 to 5.
    pub position: u8,
    /// The letter as it stands.
    pub letter: char,
}

/// One of the best scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableLine {
    /// Six letters, dashes where there are none.
    pub name: String,
    /// Points; nothing where nobody has any.
    pub score: Option<u32>,
}

/// A game under way, as far as one screen shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Playing {
    /// Filled cells by column, falling piece included; bit 0 is the lowest row.
    pub cells: [u32; WIDTH],
    /// Whether rows are flashing before they vanish.
    pub flashing: bool,
    /// The piece in the box.
    pub preview: Option<Piece>,
    /// The figures beside the field.
    #[serde(flatten)]
    pub figures: Figures,
    /// Whether this is a game of two.
    pub versus: bool,
}

/// The figures beside the field, where they can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Points.
    pub score: Option<u32>,
    /// Level.
    pub level: Option<u8>,
    /// Lines cleared or left.
    pub lines: Option<u32>,
    /// Whether the heart of heart mode is shown.
    pub heart: bool,
}

impl Playing {
    /// The filled cells as a board.
    pub fn board(&self) -> Board {
        Board::from_columns(self.cells)
    }
}

/// Why a screen cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// Not a console's screen.
    #[error("the screen is {width} × {height} pixels; the console has {SCREEN_WIDTH} × {SCREEN_HEIGHT}")]
    WrongSize {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// Reads a screen that shows this display period.
pub fn see(picture: &Picture, period: u64, known: &KnownTiles) -> Result<Observation, Unclear> {
    let (width, height) = (picture.width, picture.height);
    if (width as usize, height as usize) != (SCREEN_WIDTH, SCREEN_HEIGHT) {
        return Err(Unclear::WrongSize { width, height });
    }
    let reader = Reader { tiles: Tiles::of(picture), known };
    Ok(Observation { period, view: reader.view() })
}

struct Reader<'a> {
    tiles: Tiles,
    known: &'a KnownTiles,
}

impl Reader<'_> {
    fn view(&self) -> View {
        if self.says(14, 9, "LINES") {
            return self.game();
        }
        if self.says(4, 3, "PAUSE") {
            return View::Paused;
        }
        if self.says(6, 1, "A-TYPE") && self.says(7, 3, "LEVEL") {
            return self.levels();
        }
        if self.says(2, 14, "1PLAYER") {
            return View::Title { two_players: self.number(11, 14) == Some(ARROW) };
        }
        if self.says(5, 3, "GAME TYPE") {
            return View::GameType { b_type: self.number(11, 5) == Some(ARROW) };
        }
        if self.says(5, 4, "GAME") && self.says(5, 6, "OVER") {
            return View::Over;
        }
        if self.says(4, 7, "WINS") && self.says(4, 9, "THEIRS") {
            let digit = |y| self.number(14, y).filter(|tile| DIGITS.contains(tile)).unwrap_or(0);
            return View::Round { wins: digit(7), losses: digit(9) };
        }
        if self.says(5, 2, "TWO PLAYERS") {
            return View::TwoPlayers;
        }
        if self.says(6, 8, "GET READY") {
            return View::GetReady;
        }
        if self.says(6, 1, "B-TYPE") {
            return View::BType;
        }
        if self.says(5, 1, "25 LINES!") {
            return View::Account;
        }
        if self.has_walls() {
            return self.game();
        }
        let is_empty = (0..ROWS).all(|y| (0..COLUMNS).all(|x| !self.tiles.is_drawn(x, y)));
        if is_empty { View::Empty } else { View::Unknown }
    }

    fn game(&self) -> View {
        let bottom = FIELD_ROWS - 1;
        if (0..WIDTH).all(|x| self.number(FIELD_LEFT + x, bottom) == Some(BRICK)) {
            return View::Curtain(self.figures());
        }
        let mut cells = [0; WIDTH];
        let mut flashing = false;
        for (x, column) in cells.iter_mut().enumerate() {
            // Rows count from the bottom in the game, from the top on the screen.
            for row in 0..FIELD_ROWS {
                let pattern = self.tiles.at(FIELD_LEFT + x, bottom - row);
                flashing |= pattern == FLASH;
                *column |= u32::from(pattern != tiles::WHITE) << row;
            }
        }
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
            heart: self.number(18, level_y) == Some(HEART),
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
                *column |= u32::from(inside && self.tiles.is_drawn(left + x, top + 3 - row)) << row;
            }
        }
        Piece::ALL.into_iter().find(|piece| piece.shape(0).columns == columns)
    }

    fn has_walls(&self) -> bool {
        WALLS.iter().all(|&x| (0..FIELD_ROWS).all(|y| self.tiles.is_drawn(x, y)))
    }

    fn levels(&self) -> View {
        let level = (0..10u8).find(|&level| {
            let (x, y) = (5 + 2 * usize::from(level % 5), if level < 5 { 6 } else { 8 });
            self.number(x, y) == Some(INVERSE + level)
        });
        let entry = (0..3u8).find_map(|rank| {
            let line = 13 + usize::from(rank);
            (0..6u8).find_map(|position| {
                let letter = match self.number(4 + usize::from(position), line)? {
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
        View::Levels { level, entry, heart: self.number(13, 1) == Some(HEART), table }
    }

    fn table_line(&self, y: usize) -> TableLine {
        let tiles = (4..10).map(|x| self.number(x, y).unwrap_or(BLANK));
        let name = tiles.map(|tile| letter(tile).or_else(|| inverse_letter(tile)).unwrap_or(' ')).collect();
        TableLine { name, score: self.digits(12, y, 6) }
    }

    fn number(&self, x: usize, y: usize) -> Option<u8> {
        self.known.number(self.tiles.at(x, y))
    }

    fn says(&self, x: usize, y: usize, words: &str) -> bool {
        words.chars().enumerate().all(|(i, character)| self.number(x + i, y) == Some(tile_of(character)))
    }

    /// A number of up to `places` digits with blanks before it.
    fn digits(&self, x: usize, y: usize, places: usize) -> Option<u32> {
        let mut value = None;
        for place in 0..places {
            match self.number(x + place, y)? {
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

fn tile_of(character: char) -> u8 {
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
