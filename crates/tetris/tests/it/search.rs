//! The search against simple loops that try everything.

use budget::Budget;
use tetris::evaluate::{Evaluator, Lee, Linear};
use tetris::features::lock;
use tetris::field::Field;
use tetris::gameboy::draw_probabilities;
use tetris::moves::drops;
use tetris::search::{Chance, Depth, Drops, LOST, Search};
use tetris::{Board, Piece, Placement};

const CEILING: i32 = 18;

fn boards() -> [Board; 3] {
    [
        Board::EMPTY,
        Board::parse("#.........\n##...#...#\n###.##.###\n##########\n#######.##").unwrap(),
        Board::parse(".#########\n.#########\n.#########\n.#########").unwrap(),
    ]
}

fn outcomes<E: Evaluator>(board: &Board, piece: Piece, evaluator: &E) -> Vec<(Placement, Board, f32)> {
    let mut placements = Vec::new();
    drops(board, piece, CEILING, &mut placements);
    let outcome = |placement: Placement| {
        let (after, placed) = lock(board, piece.shape(placement.orientation()), placement, Field::GAME_BOY);
        (placement, after, evaluator.move_value(&placed))
    };
    placements.into_iter().map(outcome).collect()
}

/// The best value of a line of known pieces, and its first placement.
fn best_line<E: Evaluator>(board: &Board, pieces: &[Piece], evaluator: &E) -> (f32, Option<Placement>) {
    let Some((piece, rest)) = pieces.split_first() else { return (evaluator.board_value(board), None) };
    let mut best = (LOST, None);
    for (placement, after, moved) in outcomes(board, *piece, evaluator) {
        let value = moved + best_line(&after, rest, evaluator).0;
        if value > best.0 {
            best = (value, Some(placement));
        }
    }
    best
}

fn search<E: Evaluator + Clone + Send>(evaluator: E, depth: Depth) -> Search<E, Drops> {
    Search::new(evaluator, Drops { ceiling: CEILING }, Field::GAME_BOY, depth, Chance::GameBoy)
}

#[test]
fn depths_one_and_two_find_the_best_line() {
    for board in boards() {
        for (piece, preview) in [(Piece::L, Piece::S), (Piece::I, Piece::T), (Piece::O, Piece::Z)] {
            let one = search(Lee::PUBLISHED, Depth::One)
                .decide(&board, piece, preview, &Budget::unlimited())
                .unwrap();
            assert_eq!(best_line(&board, &[piece], &Lee::PUBLISHED), (one.value, Some(one.placement)));
            let evaluator = Linear::bcts(18);
            let two =
                search(evaluator, Depth::Two).decide(&board, piece, preview, &Budget::unlimited()).unwrap();
            let (value, placement) = best_line(&board, &[piece, preview], &evaluator);
            assert!((value - two.value).abs() < 0.01, "{value} {}", two.value);
            assert_eq!(placement, Some(two.placement));
        }
    }
}

#[test]
fn a_chance_level_is_the_exact_expectation() {
    let evaluator = Linear::dellacherie(18);
    let board = boards()[1];
    let (piece, preview) = (Piece::O, Piece::I);
    let probabilities = draw_probabilities(piece, preview);
    let mut best = f64::NEG_INFINITY;
    for (_, first, moved) in outcomes(&board, piece, &evaluator) {
        for (_, second, moved_too) in outcomes(&first, preview, &evaluator) {
            let mean: f64 = Piece::ALL
                .iter()
                .map(|&unseen| {
                    probabilities[unseen.index()] * f64::from(best_line(&second, &[unseen], &evaluator).0)
                })
                .sum();
            best = best.max(f64::from(moved + moved_too) + mean);
        }
    }
    let mut full = search(evaluator, Depth::Chance { pairs: 0 });
    let decision = full.decide(&board, piece, preview, &Budget::unlimited()).unwrap();
    assert!((best - f64::from(decision.value)).abs() < 0.01, "{best} {}", decision.value);
    // Table and threads change the time, not the answer.
    let again = full.decide(&board, piece, preview, &Budget::unlimited()).unwrap();
    assert_eq!((again.placement, again.value.to_bits()), (decision.placement, decision.value.to_bits()));
    let mut threads = search(evaluator, Depth::Chance { pairs: 0 }).with_threads(3);
    let shared = threads.decide(&board, piece, preview, &Budget::unlimited()).unwrap();
    assert_eq!((shared.placement, shared.value.to_bits()), (decision.placement, decision.value.to_bits()));
}

#[test]
fn without_a_preview_the_best_on_average_is_chosen() {
    let evaluator = Linear::bcts(18);
    let mut shallow = 0;
    for board in boards() {
        for piece in Piece::ALL {
            // The same search by its definition; the Game Boy's randomiser knows only the piece itself here.
            let chances = draw_probabilities(piece, piece);
            let expected = |board: &Board| -> f64 {
                let chances = Piece::ALL.iter().zip(chances);
                chances
                    .map(|(&next, chance)| chance * f64::from(best_line(board, &[next], &evaluator).0))
                    .sum()
            };
            let values = outcomes(&board, piece, &evaluator).into_iter();
            let values =
                values.map(|(placement, after, moved)| (placement, f64::from(moved) + expected(&after)));
            let best = values.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let mut search = search(evaluator, Depth::Expected { roots: 0 });
            // What is said to follow is not looked at.
            let decisions = [Piece::I, Piece::S]
                .map(|preview| search.decide(&board, piece, preview, &Budget::unlimited()).unwrap());
            assert_eq!(decisions[0].placement, decisions[1].placement);
            assert!((best.1 - f64::from(decisions[0].value)).abs() < 0.01, "{best:?} {decisions:?}");
            shallow += usize::from(best_line(&board, &[piece], &evaluator).1 == Some(decisions[0].placement));
        }
    }
    assert!(shallow < boards().len() * Piece::COUNT, "looking ahead changed nothing");
}

#[test]
fn a_node_budget_ends_the_search_with_an_answer_and_always_the_same() {
    let board = boards()[1];
    let depth = Depth::TwoChances { pairs: 64, replies: 4 };
    for nodes in [0, 100, 5_000, 50_000] {
        let decide = || {
            let budget = Budget::nodes(nodes);
            search(Linear::bcts(18), depth).decide(&board, Piece::T, Piece::J, &budget).unwrap()
        };
        let decision = decide();
        assert_eq!(decision, decide());
        assert!(decision.nodes <= nodes, "{} of {nodes}", decision.nodes);
    }
    let unlimited =
        search(Linear::bcts(18), depth).decide(&board, Piece::T, Piece::J, &Budget::unlimited()).unwrap();
    assert!(unlimited.nodes > 50_000);
}

#[test]
fn without_room_there_is_no_decision() {
    let full = Board::from_columns([0x3_FFFE; 10]);
    let mut search = search(Lee::PUBLISHED, Depth::Two);
    assert_eq!(search.decide(&full, Piece::T, Piece::O, &Budget::unlimited()), None);
}
