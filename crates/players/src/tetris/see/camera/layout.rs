//! What our cartridge's screens always show, tile by tile; and whole screens drawn for tests and measurements.

use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use tetris::board::WIDTH;
use tetris::{Board, Piece};
use vision::register::Template;

use super::super::reader::{BLANK, FIELD_LEFT, FIELD_ROWS, PREVIEW, WALLS, tile_of};
use super::super::tiles::{COLUMNS, KnownTiles, ROWS, TILE};

const WALL: u8 = 0x60;
const FILLER: u8 = 0x63;
/// Corners and sides of a frame: top left, top, top right, left, right, bottom left, bottom, bottom right.
const FRAME: [u8; 8] = [0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B];

/// The first of the tiles that are made of quarters.
const QUARTERS: u8 = 0xA0;
/// The name on the title, as in `rom/src/title.c`.
const NAME: [&str; 6] = [
    "### ### ### ### # # ### ### #   #   ",
    "#    #  # # #   # # #   # # #   #   ",
    "###  #  ### #   ##  ##  ### #   #   ",
    "  #  #  # # #   # # #   # # #   #   ",
    "###  #  # # ### # # #   # # ### ### ",
    "                                    ",
];
/// The heap below it. Pieces fall behind it: the blank cells change.
const HEAP: [&str; 3] = ["....J........ZZ.....", "LLL.JJJ.<==>..ZZ.LLL", "LZZ<==>JJJ.LLL<==>ZZ"];

fn tile_of_heap(cell: char) -> Option<u8> {
    match cell {
        'J' => Some(0x81),
        'Z' => Some(0x82),
        'L' => Some(0x84),
        '<' => Some(0x8A),
        '=' => Some(0x8B),
        '>' => Some(0x8F),
        _ => None,
    }
}

/// A screen of tiles; nothing where it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    tiles: [[Option<u8>; COLUMNS]; ROWS],
}

impl Layout {
    fn blank() -> Layout {
        Layout { tiles: [[Some(BLANK); COLUMNS]; ROWS] }
    }

    /// An A-type game.
    pub fn playing() -> Layout {
        let mut layout = Layout::field();
        layout.frame(13, 0, 7, 3).text(14, 1, "SCORE").text(14, 6, "LEVEL");
        layout.changes(13, 3, 7, 1).changes(14, 7, 5, 1);
        layout
    }

    /// A game of two.
    pub fn versus() -> Layout {
        let mut layout = Layout::field();
        layout.text(14, 1, "WINS").text(14, 4, "THEIRS").text(14, 6, "HEIGHT");
        layout.changes(16, 2, 1, 1).changes(16, 5, 1, 1).changes(14, 7, 5, 1);
        layout
    }

    /// What all games have: walls, the box of the next piece, and the lines.
    fn field() -> Layout {
        let mut layout = Layout::blank();
        for y in 0..ROWS {
            layout.tiles[y][0] = Some(FILLER);
            for x in WALLS {
                layout.tiles[y][x] = Some(WALL + (y % 3) as u8);
            }
        }
        layout.frame(14, 12, 6, 6).text(14, 9, "LINES");
        layout.changes(FIELD_LEFT, 0, WIDTH, FIELD_ROWS).changes(14, 10, 5, 1).changes(15, 13, 4, 4);
        layout
    }

    /// One or two players.
    pub fn title() -> Layout {
        let mut layout = Layout::blank();
        layout.name(1, 1).changes(0, 4, COLUMNS, 6);
        for (y, row) in HEAP.iter().enumerate() {
            for (x, cell) in row.chars().enumerate() {
                layout.tiles[10 + y][x] = tile_of_heap(cell);
            }
        }
        layout.text(2, 14, "1PLAYER").text(12, 14, "2PLAYER").text(3, 16, "FREE AND OPEN");
        layout.changes(1, 14, 1, 1).changes(11, 14, 1, 1);
        layout
    }

    /// A-type or B-type.
    pub fn game_type() -> Layout {
        let mut layout = Layout::blank();
        layout
            .side_walls()
            .frame(1, 1, 18, 7)
            .text(5, 3, "GAME TYPE")
            .text(3, 5, "A-TYPE")
            .text(11, 5, "B-TYPE");
        layout.text(3, 6, "ENDLESS").text(11, 6, "TO 25").changes(2, 5, 1, 1).changes(10, 5, 1, 1);
        layout.frame(1, 9, 18, 8).text(7, 10, "MUSIC").changes(4, 12, 1, 4);
        for (row, name) in ["SUNRISE", "NIGHT TRAIN", "NO MUSIC", "SILENT"].into_iter().enumerate() {
            layout.text(5, 12 + row, name);
        }
        layout
    }

    /// What calibration looks for, the likeliest first. Whoever plays with another one adds [`Layout::versus`].
    pub fn all() -> [Layout; 3] {
        [Layout::playing(), Layout::title(), Layout::game_type()]
    }

    /// The cartridge's name in quarters of tiles.
    fn name(&mut self, left: usize, top: usize) -> &mut Layout {
        for y in 0..NAME.len() / 2 {
            for x in 0..NAME[0].len() / 2 {
                let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let filled = quarters.map(|(right, low)| NAME[2 * y + low].as_bytes()[2 * x + right] == b'#');
                let number = filled.iter().rev().fold(0, |number, filled| number << 1 | u8::from(*filled));
                self.tiles[top + y][left + x] = Some(if number == 0 { BLANK } else { QUARTERS + number });
            }
        }
        self
    }

    fn side_walls(&mut self) -> &mut Layout {
        for y in 0..ROWS {
            self.tiles[y][0] = Some(WALL + (y % 3) as u8);
            self.tiles[y][COLUMNS - 1] = Some(WALL + (y % 3) as u8);
        }
        self
    }

    fn frame(&mut self, left: usize, top: usize, width: usize, height: usize) -> &mut Layout {
        let (right, bottom) = (left + width - 1, top + height - 1);
        for y in top..=bottom {
            for x in left..=right {
                let tile = match (x == left, x == right, y == top, y == bottom) {
                    (true, _, true, _) => FRAME[0],
                    (_, true, true, _) => FRAME[2],
                    (true, _, _, true) => FRAME[5],
                    (_, true, _, true) => FRAME[7],
                    (true, ..) => FRAME[3],
                    (_, true, ..) => FRAME[4],
                    (_, _, true, _) => FRAME[1],
                    (_, _, _, true) => FRAME[6],
                    _ => continue,
                };
                self.tiles[y][x] = Some(tile);
            }
        }
        self
    }

    fn text(&mut self, left: usize, y: usize, words: &str) -> &mut Layout {
        for (x, character) in (left..COLUMNS).zip(words.chars()) {
            self.tiles[y][x] = Some(tile_of(character));
        }
        self
    }

    fn changes(&mut self, left: usize, top: usize, width: usize, height: usize) -> &mut Layout {
        for row in &mut self.tiles[top..top + height] {
            row[left..left + width].fill(None);
        }
        self
    }

    /// The tile at a place that never changes.
    pub fn tile(&self, x: usize, y: usize) -> Option<u8> {
        self.tiles.get(y)?.get(x).copied().flatten()
    }

    /// As grey pixels; what changes is white.
    pub fn draw(&self, known: &KnownTiles) -> Vec<u8> {
        let mut pixels = vec![255; SCREEN_WIDTH * SCREEN_HEIGHT];
        for (y, row) in self.tiles.iter().enumerate() {
            for (x, tile) in row.iter().enumerate() {
                draw_tile(&mut pixels, x, y, known, tile.unwrap_or(BLANK));
            }
        }
        pixels
    }

    /// What registration looks for.
    pub fn template(&self, known: &KnownTiles) -> Option<Template> {
        let pixels = self.draw(known);
        let picture = vision::Gray::new(SCREEN_WIDTH, SCREEN_HEIGHT, &pixels)?;
        let template = Template::of_screens(std::iter::once(picture))?;
        Some(template.only(|x, y| self.tile(x / TILE, y / TILE).is_some()))
    }
}

fn draw_tile(pixels: &mut [u8], x: usize, y: usize, known: &KnownTiles, tile: u8) {
    let Some(luma) = known.luma(tile) else { return };
    for (row, luma) in luma.as_chunks::<TILE>().0.iter().enumerate() {
        let start = (y * TILE + row) * SCREEN_WIDTH + x * TILE;
        if let Some(pixels) = pixels.get_mut(start..start + TILE) {
            pixels.copy_from_slice(luma);
        }
    }
}

/// A piece on the field, as the screen shows it: what falls, or what was drawn for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lying {
    /// Which piece.
    pub piece: Piece,
    /// Its orientation, 0 as it appears.
    pub orientation: usize,
    /// Column of its box's left edge.
    pub x: i32,
    /// Row of its box's lower edge, from the bottom.
    pub row: i32,
}

impl Lying {
    /// Its cells that can be seen: columns, and rows from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (x, row) = (self.x, self.row);
        self.piece.shape(self.orientation).cells().filter_map(move |(column, box_row)| {
            let (column, row) = (x + column as i32, row + box_row as i32);
            let is_seen = (0..WIDTH as i32).contains(&column) && (0..FIELD_ROWS as i32).contains(&row);
            is_seen.then_some((column as usize, row as usize))
        })
    }
}

/// The tile that a piece is made of; the bar's middle for the bar.
pub fn tile_of_piece(piece: Piece) -> u8 {
    match piece {
        Piece::L => 0x84,
        Piece::J => 0x81,
        Piece::I => 0x8B,
        Piece::O => 0x83,
        Piece::Z => 0x82,
        Piece::S => 0x86,
        Piece::T => 0x85,
    }
}

/// A game's screen with this stack (of tiles by `tile_of_cell`), a falling piece and the next one.
pub fn draw_game(
    known: &KnownTiles,
    board: &Board,
    tile_of_cell: impl Fn(usize, usize) -> u8,
    falling: Option<Lying>,
    preview: Option<Piece>,
) -> Vec<u8> {
    let mut pixels = Layout::playing().draw(known);
    let mut draw = |x: usize, row: usize, tile: u8| {
        draw_tile(&mut pixels, FIELD_LEFT + x, FIELD_ROWS - 1 - row, known, tile);
    };
    for x in 0..WIDTH {
        for row in (0..FIELD_ROWS).filter(|row| board.is_filled(x, *row)) {
            draw(x, row, tile_of_cell(x, row));
        }
    }
    if let Some(lying) = falling {
        for (x, row) in lying.cells() {
            draw(x, row, tile_of_piece(lying.piece));
        }
    }
    let (left, top) = PREVIEW;
    if let Some(piece) = preview {
        for (x, row) in piece.shape(0).cells() {
            draw_tile(&mut pixels, left + x, top + 3 - row, known, tile_of_piece(piece));
        }
    }
    pixels
}
