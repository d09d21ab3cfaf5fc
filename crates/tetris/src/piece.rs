//! The seven pieces in the Nintendo rotation system, left-handed.
//!
//! A piece lives in a 4 × 4 box; rows count from the bottom, so the box row 3
//! is the uppermost. A shape is stored as four columns of four bits:
//!
//! ```text
//!   row 3  . . . .
//!   row 2  . . . .      L as it spawns: columns
//!   row 1  # # # .      [0b0011, 0b0010, 0b0010, 0b0000]
//!   row 0  # . . .
//! ```

use serde::{Deserialize, Serialize};

/// A piece, numbered as the Game Boy numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Piece {
    /// Three in a row, foot left.
    L = 0,
    /// Three in a row, foot right.
    J = 1,
    /// The bar.
    I = 2,
    /// The square.
    O = 3,
    /// The zigzag that starts high on the left.
    Z = 4,
    /// The zigzag that starts low on the left.
    S = 5,
    /// Three in a row, foot in the middle.
    T = 6,
}

impl Piece {
    /// Number of pieces.
    pub const COUNT: usize = 7;

    /// All pieces in the order of their numbers.
    pub const ALL: [Piece; Piece::COUNT] =
        [Piece::L, Piece::J, Piece::I, Piece::O, Piece::Z, Piece::S, Piece::T];

    /// The piece with this number modulo seven.
    pub fn from_index(index: usize) -> Piece {
        Piece::ALL[index % Piece::COUNT]
    }

    /// The piece's number, 0 to 6.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The guideline's letter for the piece.
    pub fn letter(self) -> char {
        ['L', 'J', 'I', 'O', 'Z', 'S', 'T'][self.index()]
    }

    /// The piece with this letter, if there is one.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// Number of different orientations: 1, 2 or 4.
    pub fn orientations(self) -> usize {
        match self {
            Piece::O => 1,
            Piece::I | Piece::Z | Piece::S => 2,
            Piece::L | Piece::J | Piece::T => 4,
        }
    }

    /// The shape in `orientation`: quarter turns counter-clockwise from the spawn shape, modulo four.
    ///
    /// ```
    /// use tetris::Piece;
    ///
    /// // . # .
    /// // . # #    T, turned once
    /// // . # .
    /// let cells: Vec<_> = Piece::T.shape(1).cells().collect();
    /// assert_eq!(cells, [(1, 0), (1, 1), (1, 2), (2, 1)]);
    /// ```
    pub fn shape(self, orientation: usize) -> &'static Shape {
        &SHAPES[self.index()][orientation % 4]
    }
}

/// One piece in one orientation, with values precomputed for the hot loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The four columns of the box; bit 0 is the box's lowest row.
    pub columns: [u32; 4],
    /// First box column with a cell.
    pub left: usize,
    /// Number of box columns with a cell; they are adjacent.
    pub width: usize,
    /// Lowest box row with a cell.
    pub bottom: usize,
    /// Number of rows the shape spans.
    pub height: usize,
    /// For each used column, counted from `left`: the lowest box row with a cell.
    pub contour: [u32; 4],
    /// The used columns, lowered to the floor, starting at the middle: sixteen consecutive lanes of
    /// these are the shape on a board; where they start decides its column.
    pub lanes: [u32; Shape::LANES],
}

impl Shape {
    /// Twice the lanes of a board.
    pub const LANES: usize = 32;

    /// The cells as (column, row) in the box, column by column from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..4).flat_map(move |column| {
            (0..4).filter(move |row| self.columns[column] >> row & 1 == 1).map(move |row| (column, row))
        })
    }
}

/// Cells (box column, box row from the top) of every piece and orientation, as in the game's sprites.
const CELLS: [[[(u32, u32); 4]; 4]; Piece::COUNT] = [
    [
        [(0, 2), (1, 2), (2, 2), (0, 3)],
        [(1, 1), (1, 2), (1, 3), (2, 3)],
        [(2, 1), (0, 2), (1, 2), (2, 2)],
        [(0, 1), (1, 1), (1, 2), (1, 3)],
    ],
    [
        [(0, 2), (1, 2), (2, 2), (2, 3)],
        [(1, 1), (2, 1), (1, 2), (1, 3)],
        [(0, 1), (0, 2), (1, 2), (2, 2)],
        [(1, 1), (1, 2), (0, 3), (1, 3)],
    ],
    [
        [(0, 2), (1, 2), (2, 2), (3, 2)],
        [(1, 0), (1, 1), (1, 2), (1, 3)],
        [(0, 2), (1, 2), (2, 2), (3, 2)],
        [(1, 0), (1, 1), (1, 2), (1, 3)],
    ],
    [[(1, 2), (2, 2), (1, 3), (2, 3)]; 4],
    [
        [(0, 2), (1, 2), (1, 3), (2, 3)],
        [(1, 1), (0, 2), (1, 2), (0, 3)],
        [(0, 2), (1, 2), (1, 3), (2, 3)],
        [(1, 1), (0, 2), (1, 2), (0, 3)],
    ],
    [
        [(1, 2), (2, 2), (0, 3), (1, 3)],
        [(0, 1), (0, 2), (1, 2), (1, 3)],
        [(1, 2), (2, 2), (0, 3), (1, 3)],
        [(0, 1), (0, 2), (1, 2), (1, 3)],
    ],
    [
        [(0, 2), (1, 2), (2, 2), (1, 3)],
        [(1, 1), (1, 2), (2, 2), (1, 3)],
        [(1, 1), (0, 2), (1, 2), (2, 2)],
        [(1, 1), (0, 2), (1, 2), (1, 3)],
    ],
];

static SHAPES: [[Shape; 4]; Piece::COUNT] = all_shapes();

const fn all_shapes() -> [[Shape; 4]; Piece::COUNT] {
    let blank = Shape {
        columns: [0; 4],
        left: 0,
        width: 0,
        bottom: 0,
        height: 0,
        contour: [0; 4],
        lanes: [0; Shape::LANES],
    };
    let mut shapes = [[blank; 4]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut orientation = 0;
        while orientation < 4 {
            shapes[piece][orientation] = shape_of(CELLS[piece][orientation]);
            orientation += 1;
        }
        piece += 1;
    }
    shapes
}

const fn shape_of(cells: [(u32, u32); 4]) -> Shape {
    let mut columns = [0u32; 4];
    let mut i = 0;
    while i < 4 {
        columns[cells[i].0 as usize] |= 1 << (3 - cells[i].1);
        i += 1;
    }
    let mut left = 0;
    while columns[left] == 0 {
        left += 1;
    }
    let mut width = 0;
    let mut all_rows = 0;
    let mut contour = [0; 4];
    while left + width < 4 && columns[left + width] != 0 {
        contour[width] = columns[left + width].trailing_zeros();
        all_rows |= columns[left + width];
        width += 1;
    }
    let bottom = all_rows.trailing_zeros() as usize;
    let height = (32 - all_rows.leading_zeros()) as usize - bottom;
    let mut lanes = [0; Shape::LANES];
    let mut i = 0;
    while i < width {
        lanes[Shape::LANES / 2 + i] = columns[left + i] >> bottom;
        i += 1;
    }
    Shape { columns, left, width, bottom, height, contour, lanes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_are_inverse() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::from_index(index), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('X'), None);
    }

    #[test]
    fn every_shape_has_four_cells_and_the_stated_number_of_orientations() {
        for piece in Piece::ALL {
            let mut distinct: Vec<Vec<_>> = Vec::new();
            for orientation in 0..4 {
                let cells: Vec<_> = piece.shape(orientation).cells().collect();
                assert_eq!(cells.len(), 4);
                if !distinct.contains(&cells) {
                    distinct.push(cells);
                }
            }
            assert_eq!(distinct.len(), piece.orientations(), "{piece:?}");
        }
    }

    #[test]
    fn flat_pieces_spawn_with_the_nub_down() {
        let t = Piece::T.shape(0);
        assert_eq!(t.cells().collect::<Vec<_>>(), [(0, 1), (1, 0), (1, 1), (2, 1)]);
        assert_eq!((t.left, t.width, t.bottom, t.height), (0, 3, 0, 2));
        let upright = Piece::I.shape(1);
        assert_eq!((upright.left, upright.width, upright.bottom, upright.height), (1, 1, 0, 4));
    }
}
