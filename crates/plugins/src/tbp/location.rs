//! Converts moves and boards between the protocol's coordinates and ours.

use serde::{Deserialize, Serialize};
use tetris::board::WIDTH;
use tetris::{Board, Piece, Placement};

/// Rows of a board in the protocol.
const PROTOCOL_ROWS: usize = 40;

/// A move: where a piece comes to rest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Move {
    /// Piece, orientation and position of its centre.
    pub location: Location,
    /// `none`, `mini` or `full`.
    #[serde(default = "no_spin")]
    pub spin: String,
}

fn no_spin() -> String {
    "none".to_owned()
}

/// Where a piece comes to rest; the centre is that of the guideline's rotation system.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Location {
    /// The piece's letter.
    #[serde(rename = "type")]
    pub piece: char,
    /// Its rotation.
    pub orientation: Orientation,
    /// Column of its centre.
    pub x: i32,
    /// Row of its centre, counted from the bottom.
    pub y: i32,
}

/// The four rotations of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// As it spawns.
    North,
    /// A quarter turn clockwise.
    East,
    /// A half turn.
    South,
    /// A quarter turn counter-clockwise.
    West,
}

impl Location {
    /// The four cells, sorted; `None` if the letter names no piece.
    pub fn cells(&self) -> Option<[(i32, i32); 4]> {
        let offsets: [(i32, i32); 4] = match self.piece {
            'I' => [(-1, 0), (0, 0), (1, 0), (2, 0)],
            'O' => [(0, 0), (1, 0), (0, 1), (1, 1)],
            'T' => [(-1, 0), (0, 0), (1, 0), (0, 1)],
            'L' => [(-1, 0), (0, 0), (1, 0), (1, 1)],
            'J' => [(-1, 0), (0, 0), (1, 0), (-1, 1)],
            'S' => [(-1, 0), (0, 0), (0, 1), (1, 1)],
            'Z' => [(-1, 1), (0, 1), (0, 0), (1, 0)],
            _ => return None,
        };
        let mut cells = offsets.map(|(x, y)| {
            let (x, y) = match self.orientation {
                Orientation::North => (x, y),
                Orientation::East => (y, -x),
                Orientation::South => (-x, -y),
                Orientation::West => (-y, x),
            };
            // A bot may send any number; a cell far outside matches no placement.
            (self.x.saturating_add(x), self.y.saturating_add(y))
        });
        cells.sort_unstable();
        Some(cells)
    }
}

/// The cells of one of our placements, sorted.
pub fn cells_of(piece: Piece, placement: Placement) -> [(i32, i32); 4] {
    let mut cells = [(0, 0); 4];
    for (to, (x, row)) in cells.iter_mut().zip(piece.shape(placement.orientation()).cells()) {
        *to = (placement.x() + x as i32, placement.row() + row as i32);
    }
    cells.sort_unstable();
    cells
}

/// One of our placements as a location of the protocol.
pub fn location_of(piece: Piece, placement: Placement) -> Option<Location> {
    let cells = cells_of(piece, placement);
    [Orientation::North, Orientation::East, Orientation::South, Orientation::West].into_iter().find_map(
        |orientation| {
            let at_origin = Location { piece: piece.letter(), orientation, x: 0, y: 0 };
            let first = at_origin.cells()?[0];
            let (x, y) = (cells[0].0 - first.0, cells[0].1 - first.1);
            let location = Location { piece: piece.letter(), orientation, x, y };
            (location.cells()? == cells).then_some(location)
        },
    )
}

/// Our board as the protocol writes it; every filled cell is garbage (`G`).
pub fn protocol_board(board: &Board) -> Vec<Vec<Option<char>>> {
    let cell = |x, row| (row < 32 && board.is_filled(x, row)).then_some('G');
    (0..PROTOCOL_ROWS).map(|row| (0..WIDTH).map(|x| cell(x, row)).collect()).collect()
}
