//! Placements: where a piece can come to rest.

use crate::board::{Board, WIDTH};
use crate::piece::Piece;

/// A resting place of a piece: orientation, and column and row of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    orientation: u8,
    x: i8,
    row: i8,
}

impl Placement {
    /// A placement from its parts.
    #[inline(always)]
    pub fn new(orientation: usize, x: i32, row: i32) -> Placement {
        Placement { orientation: orientation as u8, x: x as i8, row: row as i8 }
    }

    /// Quarter turns counter-clockwise from the spawn shape.
    #[inline(always)]
    pub fn orientation(self) -> usize {
        usize::from(self.orientation)
    }

    /// Column of the box's left column.
    #[inline(always)]
    pub fn x(self) -> i32 {
        i32::from(self.x)
    }

    /// Row of the box's lowest row.
    #[inline(always)]
    pub fn row(self) -> i32 {
        i32::from(self.row)
    }
}

/// The columns in which a shape's box can stand: first and one past the last.
#[inline(always)]
pub fn box_columns(piece: Piece, orientation: usize) -> std::ops::Range<i32> {
    let shape = piece.shape(orientation);
    -(shape.left as i32)..(WIDTH - shape.width - shape.left) as i32 + 1
}

/// All poses of a piece on an empty field: orientation and box column (162 for all pieces, G11).
pub fn poses(piece: Piece) -> impl Iterator<Item = (usize, i32)> {
    (0..piece.orientations())
        .flat_map(move |orientation| box_columns(piece, orientation).map(move |x| (orientation, x)))
}

/// Fills `out` with every pose, dropped straight down, that stays below row `ceiling`.
///
/// ```
/// use tetris::{Board, Piece, moves};
///
/// let mut placements = Vec::new();
/// moves::drops(&Board::EMPTY, Piece::O, 18, &mut placements);
/// assert_eq!(placements.len(), 9); // the square fits into nine pairs of columns
/// ```
pub fn drops(board: &Board, piece: Piece, ceiling: i32, out: &mut Vec<Placement>) {
    out.clear();
    let heights: [i32; WIDTH] = std::array::from_fn(|x| board.column_height(x) as i32);
    for orientation in 0..piece.orientations() {
        let shape = piece.shape(orientation);
        let top = (shape.bottom + shape.height) as i32;
        for (first, under) in heights.windows(shape.width).enumerate() {
            let mut row = -(shape.bottom as i32);
            for (height, contour) in under.iter().zip(shape.contour) {
                row = row.max(height - contour as i32);
            }
            if row + top <= ceiling {
                out.push(Placement::new(orientation, first as i32 - shape.left as i32, row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_those_of_the_document() {
        let poses_of = |piece| poses(piece).count();
        let by_piece: Vec<_> = "OISZLJT".chars().map(|c| poses_of(Piece::from_letter(c).unwrap())).collect();
        assert_eq!(by_piece, [9, 17, 17, 17, 34, 34, 34]);
        assert_eq!(by_piece.iter().sum::<usize>(), 162);
    }

    #[test]
    fn drops_stay_below_the_ceiling() {
        let mut out = Vec::new();
        drops(&Board::EMPTY, Piece::I, 18, &mut out);
        assert_eq!(out.len(), 17);
        let tower = Board::from_columns([0, 0, 0, 0, 0xFFFF, 0, 0, 0, 0, 0]);
        drops(&tower, Piece::I, 18, &mut out);
        // The upright bar does not fit on the tower, and flat ones over it lie on row 16.
        assert_eq!(out.len(), 16);
    }
}
