//! Removal, gravity and closing of the bit boards against the plain board (S1).

use proptest::prelude::*;
use samegame::board::Board;
use samegame::cells::CellSet;
use samegame::field::{Field, LargeField, MiddleField, SmallField, TallField, WideField};
use samegame::rules::{Orientation, Rules};

use crate::boards::{any_board, standard};

/// Plays `choices` on both kinds of board and compares every group and board.
fn check_game<F: Field>(board: &Board, min_group: usize, choices: &[usize]) {
    let mut plain = board.clone();
    let mut field = F::from_board(board);
    for choice in choices {
        let groups = plain.groups(min_group);
        let mut fast = Vec::new();
        field.links().for_each_group(min_group as u32, |group| fast.push(group));
        assert_eq!(fast.len(), groups.len());
        for (fast, plain) in fast.iter().zip(&groups) {
            assert_eq!(fast.size as usize, plain.cells.len());
            assert_eq!(cells_of::<F>(fast.cells), plain.cells);
            assert_eq!(field.colour_at(fast.first), plain.colour);
            let middle = plain.cells[plain.cells.len() / 2];
            assert_eq!(field.links().group_at(F::Cells::at(middle.0, middle.1)), fast.cells);
        }
        let Some(index) = choice.checked_rem(groups.len()) else { break };
        plain = plain.without(&groups[index], Orientation::Left);
        field.remove(&fast[index].cells);
        assert!(field == F::from_board(&plain), "after a move the boards differ: {plain}");
        assert_eq!(field.occupied_count(), plain.cells());
    }
}

fn cells_of<F: Field>(mut cells: F::Cells) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    while !cells.is_empty() {
        let first = cells.first();
        places.push(F::Cells::place(first));
        cells = cells.minus(F::Cells::only(first));
    }
    places
}

fn choices() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 40)
}

proptest! {
    #[test]
    fn small_boards_play_like_plain_ones(board in any_board(16, 15, 4), min in 2..5_usize, choices in choices()) {
        check_game::<SmallField>(&board, min, &choices);
        check_game::<MiddleField>(&board, min, &choices);
        check_game::<WideField>(&board, min, &choices);
    }

    #[test]
    fn wide_and_tall_boards_play_like_plain_ones(
        middle in any_board(20, 15, 7), wide in any_board(50, 15, 9), tall in any_board(24, 31, 3), choices in choices(),
    ) {
        check_game::<MiddleField>(&middle, 2, &choices);
        check_game::<WideField>(&wide, 2, &choices);
        check_game::<TallField>(&tall, 2, &choices);
    }

    #[test]
    fn large_boards_play_like_plain_ones(board in any_board(50, 50, 2), choices in choices()) {
        check_game::<LargeField>(&board, 3, &choices);
    }

    #[test]
    fn no_orientation_loses_a_cell(board in any_board(12, 8, 3), choices in choices()) {
        let mut boards = [Orientation::Left, Orientation::Right, Orientation::Mixed].map(|o| (o, board.clone()));
        for choice in choices {
            let groups = boards[0].1.groups(2);
            let Some(index) = choice.checked_rem(groups.len()) else { break };
            for (orientation, board) in &mut boards {
                let groups = board.groups(2);
                let next = board.without(&groups[index], *orientation);
                prop_assert_eq!(next.cells() + groups[index].cells.len(), board.cells());
                prop_assert!(Board::from_columns(next.columns().to_vec()).is_ok(), "not at rest: {}", next);
                *board = next;
            }
            // The columns are the same, in the same order, wherever they end up.
            let filled = |board: &Board| board.columns().iter().filter(|c| c[0] != 0).cloned().collect::<Vec<_>>();
            prop_assert_eq!(filled(&boards[0].1), filled(&boards[1].1));
            prop_assert_eq!(filled(&boards[0].1), filled(&boards[2].1));
        }
    }
}

#[test]
fn columns_close_to_their_side() {
    let board: Board = "[[1,1],[2,1],[3,3],[2,1],[2,3]]".parse().unwrap();
    let check = |orientation, wanted: &str| {
        let rules = Rules::default().closing(orientation);
        let left = board.after(1, &rules).unwrap().1;
        assert_eq!(left.to_string(), wanted);
    };
    // Move 1 empties the first column and lowers the second.
    check(Orientation::Left, "[[2,0],[3,3],[2,1],[2,3],[0,0]]");
    check(Orientation::Right, "[[0,0],[2,0],[3,3],[2,1],[2,3]]");
    check(Orientation::Mixed, "[[0,0],[2,0],[3,3],[2,1],[2,3]]");
    let middle = board.without(&board.groups(2)[1], Orientation::Mixed);
    assert_eq!(middle.to_string(), "[[1,1],[2,1],[2,1],[2,3],[0,0]]");
}

#[test]
fn the_normal_form_numbers_colours_as_they_appear() {
    let board: Board = "[[0,0],[7,3],[3,5]]".parse().unwrap();
    assert_eq!(board.normal_form().to_string(), "[[0,0],[1,2],[2,3]]");
}

#[test]
fn the_standard_boards_are_full() {
    let boards = standard();
    assert_eq!(boards.len(), 20);
    assert!(boards.iter().all(|board| board.cells() == 225));
    // The first board's bottom row reads 1 0 1 0 1 1 …, top row first in the file.
    assert_eq!(boards[0].columns()[0][..3], [2, 2, 4]);
}
