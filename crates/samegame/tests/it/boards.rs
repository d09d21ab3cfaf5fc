//! Boards the tests share.

use proptest::prelude::*;
use samegame::board::Board;

/// The document's example (S4).
pub const EXAMPLE: &str = "[[1,3,2,2],[3,1,1,2],[1,3,2,3],[1,2,3,2],[1,2,3,2]]";

/// Any board at rest: heights fall as they like, but no column in between is empty.
pub fn any_board(width: usize, height: usize, colours: u8) -> impl Strategy<Value = Board> {
    (1..=width, 1..=height).prop_flat_map(move |(width, height)| {
        let column = prop::collection::vec(1..=colours, 1..=height).prop_map(move |mut cells| {
            cells.resize(height, 0);
            cells
        });
        prop::collection::vec(column, width).prop_map(|columns| Board::from_columns(columns).unwrap())
    })
}

/// The literature's 20 boards.
pub fn standard() -> Vec<Board> {
    samegame::notation::read_standard(include_str!("../../../../fixtures/samegame/standard20.txt")).unwrap()
}
