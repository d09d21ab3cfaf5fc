//! The embedded opening book against the solver.

use budget::Budget;
use connect_four::book::Book;
use connect_four::{Position, Solver};

#[test]
fn the_embedded_book_is_read_and_small() {
    let book = Book::embedded();
    assert!(!book.is_empty());
    let bytes = book.to_bytes();
    assert!(bytes.len() <= 8 << 20, "{} bytes", bytes.len());
    assert_eq!(Book::from_bytes(&bytes).as_ref(), Ok(book));
}

/// Every position of the lines is open, its move is legal, and the book continues
/// after every reply up to the end of its lines.
#[test]
fn lines_go_on_whatever_the_opponent_plays() {
    let book = Book::embedded();
    let deepest =
        |parity: u32| book.lines().map(|(p, _)| p.discs()).filter(|d| d % 2 == parity).max().unwrap_or(0);
    let last = [deepest(0), deepest(1)];
    // The line from the start for each side.
    let mut open = vec![Position::EMPTY];
    open.extend(Position::EMPTY.legal().map(|c| Position::EMPTY.play(c).unwrap()));
    let mut seen = std::collections::BTreeSet::new();
    while let Some(position) = open.pop() {
        if position.is_over() || position.discs() > last[position.discs() as usize % 2] {
            continue;
        }
        if !seen.insert(position) {
            continue;
        }
        let found = book.line_move(&position).unwrap_or_else(|| panic!("not in the book: {position:?}"));
        let moved = position.play(found.column).unwrap();
        open.extend(moved.legal().map(|answer| moved.play(answer).unwrap()));
    }
}

/// Some of the deeper entries are solved again.
#[test]
fn scores_of_the_book_are_the_solvers() {
    let book = Book::embedded();
    let mut solver = Solver::new(1 << 24);
    let deep: Vec<_> = book.lines().filter(|(position, _)| position.discs() >= 10).collect();
    assert!(deep.len() > 20, "{}", deep.len());
    for (position, entry) in deep.iter().step_by(deep.len() / 20) {
        assert_eq!(solver.score(position, &Budget::unlimited()), Ok(entry.score), "{position:?}");
        let moved = position.play(entry.column).unwrap();
        if !moved.is_over() {
            assert_eq!(solver.score(&moved, &Budget::unlimited()), Ok(-entry.score), "{position:?}");
        }
    }
}

/// The published values of the seven first moves.
#[test]
fn the_empty_board_has_its_published_score() {
    let book = Book::embedded();
    let found = book.line_move(&Position::EMPTY).unwrap();
    assert_eq!((found.column.number(), found.score), (4, 1));
    let answers = ["1", "2", "3", "4"].map(|moves| book.score(&moves.parse().unwrap()).unwrap());
    assert_eq!(answers, [2, 1, 0, -1]);
}
