//! Keys identify boards up to mirroring and renamed colours.

use std::collections::BTreeMap;

use proptest::prelude::*;
use samegame::board::Board;
use samegame::field::{Field, LargeField, SmallField};

use crate::boards::any_board;

fn renamed(board: &Board, names: &[u8]) -> Board {
    let rename = |&c: &u8| if c == 0 { 0 } else { names[usize::from(c) - 1] };
    Board::from_columns(board.columns().iter().map(|column| column.iter().map(rename).collect()).collect())
        .unwrap()
}

proptest! {
    #[test]
    fn renaming_and_mirroring_keep_the_key(
        board in any_board(15, 15, 5), names in Just(vec![1, 2, 3, 4, 5, 6, 7]).prop_shuffle(),
    ) {
        let key = SmallField::from_board(&board).key();
        prop_assert_eq!(SmallField::from_board(&renamed(&board, &names)).key(), key);
        prop_assert_eq!(SmallField::from_board(&board.mirrored()).key(), key);
        let large = LargeField::from_board(&board).key();
        prop_assert_eq!(LargeField::from_board(&renamed(&board, &names).mirrored()).key(), large);
    }
}

#[test]
fn different_boards_have_different_keys() {
    // All 3×3 boards of three colours, told apart by their normal form and its mirror's.
    let mut keys = BTreeMap::new();
    for number in 0..3_u32.pow(9) {
        let cell = |i: u32| (number / 3_u32.pow(i) % 3) as u8 + 1;
        let columns = (0..3).map(|c| (0..3).map(|r| cell(3 * c + r)).collect()).collect();
        let board = Board::from_columns(columns).unwrap();
        let name = board.normal_form().to_string().min(board.mirrored().normal_form().to_string());
        let known = keys.entry(SmallField::from_board(&board).key()).or_insert_with(|| name.clone());
        assert_eq!(*known, name);
    }
    let names: std::collections::BTreeSet<_> = keys.values().collect();
    assert_eq!(names.len(), keys.len());
}
