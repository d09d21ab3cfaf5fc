//! The rules against a slow, independent board, and invariants of every game.

use connect_four::text::{picture, read_picture};
use connect_four::{Cell, Column, Outcome, Player, Position, RuleError};
use proptest::prelude::*;

/// A board of characters, without bits.
#[derive(Clone)]
struct SlowBoard {
    columns: [Vec<u8>; 7],
    discs: usize,
}

impl SlowBoard {
    fn at(&self, column: i32, row: i32) -> Option<u8> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    /// Drops a disc; returns whether it completed four.
    fn drop(&mut self, column: usize) -> bool {
        let player = (self.discs % 2) as u8;
        self.columns[column].push(player);
        self.discs += 1;
        let (c, r) = (column as i32, self.columns[column].len() as i32 - 1);
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dc, dr)| {
            let run = |sign: i32| {
                (1..4).take_while(|i| self.at(c + sign * i * dc, r + sign * i * dr) == Some(player)).count()
            };
            run(1) + run(-1) >= 3
        })
    }

    fn lift(&mut self, column: usize) {
        self.columns[column].pop();
        self.discs -= 1;
    }
}

fn slow_perft(board: &mut SlowBoard, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for column in 0..7 {
        if board.columns[column].len() == 6 {
            continue;
        }
        let won = board.drop(column);
        if depth == 1 {
            leaves += 1;
        } else if !won {
            leaves += slow_perft(board, depth - 1);
        }
        board.lift(column);
    }
    leaves
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal().map(|column| perft(&position.play(column).unwrap(), depth - 1)).sum()
}

#[test]
fn perft_to_depth_8_agrees_with_a_slow_board() {
    let mut slow = SlowBoard { columns: Default::default(), discs: 0 };
    for depth in 1..=8 {
        assert_eq!(perft(&Position::EMPTY, depth), slow_perft(&mut slow, depth), "depth {depth}");
    }
    assert_eq!(perft(&Position::EMPTY, 7), 823_536);
    assert_eq!(perft(&Position::EMPTY, 8), 5_673_234);
}

fn refused(moves: &str) -> String {
    moves.parse::<Position>().unwrap_err().to_string()
}

#[test]
fn illegal_moves_are_refused_with_place_and_reason() {
    assert_eq!(refused("44444444"), "move 7: column 4 is full");
    assert_eq!(refused("12121212"), "move 8: no disc can be played in column 2: the game is over");
    assert_eq!(refused("48"), "move 2: there is no column 8: columns are 1 to 7");
    assert_eq!(refused("0"), "move 1: there is no column 0: columns are 1 to 7");
    assert_eq!(refused("4x"), "move 2: 'x' is not a column: columns are 1 to 7");
    assert_eq!(refused("4٣"), "move 2: '٣' is not a column: columns are 1 to 7");
}

#[test]
fn impossible_boards_are_refused_with_the_reason() {
    let refused = |text: &str| read_picture(text).unwrap_err();
    let rows = |bottom: &str| format!("{}{bottom}", ".......\n".repeat(5));
    assert_eq!(refused("..."), RuleError::BoardLines(1));
    assert_eq!(refused(&rows("..x...")), RuleError::BoardSize { line: 6, cells: 6 });
    assert_eq!(refused(&rows("..z....")), RuleError::UnknownDisc { symbol: 'z', column: 3, row: 1 });
    assert_eq!(refused(&rows("..xx...")), RuleError::DiscCounts { first: 2, second: 0 });
    assert_eq!(refused(&rows("..o....")), RuleError::DiscCounts { first: 0, second: 1 });
    let floating = ".......\n.......\n.......\n.......\n...x...\n.......";
    assert_eq!(refused(floating), RuleError::FloatingDisc { column: 4, row: 2 });
    // Both have four: the game went on after its end.
    let both = ".......\n.......\n.......\n.......\noooo...\nxxxx...";
    assert_eq!(refused(both), RuleError::PlayedOn);
}

fn check_outcome(moves: &str, winner: Player, cells: [(u8, u8); 4]) {
    let cells = cells.map(|(column, row)| Cell { column: Column::new(column).unwrap(), row });
    let position: Position = moves.parse().unwrap();
    assert_eq!(position.outcome(), Outcome::Won { winner, cells: cells.to_vec() }, "{moves}");
    assert_eq!(position.legal().count(), 0);
}

#[test]
fn wins_are_found_with_their_cells() {
    check_outcome("1122334", Player::First, [(1, 1), (2, 1), (3, 1), (4, 1)]);
    check_outcome("1212121", Player::First, [(1, 1), (1, 2), (1, 3), (1, 4)]);
    check_outcome("12233434474", Player::First, [(1, 1), (2, 2), (3, 3), (4, 4)]);
    check_outcome("76655454414", Player::First, [(4, 4), (5, 3), (6, 2), (7, 1)]);
    check_outcome("71122334", Player::Second, [(1, 1), (2, 1), (3, 1), (4, 1)]);
}

/// A game of random columns; full ones are skipped.
fn random_game() -> impl Strategy<Value = Vec<Column>> {
    proptest::collection::vec(0_usize..7, 0..42).prop_map(|columns| {
        let (mut position, mut game) = (Position::EMPTY, Vec::new());
        for index in columns {
            let column = Column::from_index(index).unwrap();
            if let Ok(next) = position.play(column) {
                position = next;
                game.push(column);
            }
        }
        game
    })
}

fn play(game: &[Column]) -> Position {
    game.iter().fold(Position::EMPTY, |position, &column| position.play(column).unwrap())
}

proptest! {
    #[test]
    fn a_mirrored_game_is_the_mirrored_position(game in random_game()) {
        let mirrored: Vec<Column> = game.iter().map(|column| column.mirrored()).collect();
        prop_assert_eq!(play(&mirrored), play(&game).mirrored());
        prop_assert_eq!(play(&game).mirrored().mirrored(), play(&game));
    }

    #[test]
    fn undo_leads_back(game in random_game()) {
        for len in 1..=game.len() {
            let (before, after) = (play(&game[..len - 1]), play(&game[..len]));
            prop_assert_eq!(after.undo(game[len - 1]), Ok(before));
        }
    }

    #[test]
    fn a_key_leads_back_to_its_only_position(game in random_game()) {
        let position = play(&game);
        prop_assert_eq!(Position::from_key(position.key()), position);
    }

    #[test]
    fn different_positions_have_different_keys(one in random_game(), other in random_game()) {
        let (one, other) = (play(&one), play(&other));
        prop_assert_eq!(one == other, one.key() == other.key());
    }

    #[test]
    fn a_picture_is_read_back(game in random_game()) {
        let position = play(&game);
        prop_assert_eq!(read_picture(&picture(&position)), Ok(position));
    }

    #[test]
    fn text_never_panics(moves in "\\PC{0,50}") {
        let _ = moves.parse::<Position>();
        let _ = read_picture(&moves);
    }
}
