//! Boards shared by the tests.

use proptest::prelude::*;
use samegame::board::Board;

/// The example in the source of S4.
pub const EXAMPLE: &str = "[[1,3,2,2],[3,1,1,2],[1,3,2,3],[1,2,3,2],[1,2,3,2]]";

/// Any valid board: columns of any height, none empty between filled ones.
pub fn any_board(width: usize, height: usize, colours: u8) -> impl Strategy<Value = Board> {
    (1..=width, 1..=height).prop_flat_map(move |(width, height)| {
        let column = prop::collection::vec(1..=colours, 1..=height).prop_map(move |mut cells| {
            cells.resize(height, 0);
            cells
        });
        prop::collection::vec(column, width).prop_map(|columns| Board::from_columns(columns).unwrap())
    })
}

/// The 20 standard boards of the literature.
pub fn standard() -> Vec<Board> {
    samegame::notation::read_standard(include_str!("../../../../fixtures/samegame/standard20.txt")).unwrap()
}
