//! The clearing solvers, each solution replayed on the plain board (S4, S5).

use budget::Budget;
use proptest::prelude::*;
use samegame::answer::{Answer, Proof};
use samegame::board::Board;
use samegame::clear::evolutionary::{Cache, Fitness, Parameters, Stop};
use samegame::clear::exhaustive::Pruning;
use samegame::clear::{auto, evolutionary, exhaustive};
use samegame::points::Effort;
use samegame::random::{Random, SolvableError, random_board, solvable_board};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;

use rand_xoshiro::rand_core::SeedableRng;

use crate::boards::{EXAMPLE, any_board};

/// Replays an answer: its moves are legal and leave as many cells as it says.
fn check(board: &Board, rules: &Rules, answer: &Answer) {
    let played = replay(board, &answer.moves, rules, &Scoring::default()).unwrap();
    assert_eq!(played.remaining, answer.remaining, "on {board}");
    assert_eq!(answer.remaining == 0, answer.proof == Proof::Cleared, "on {board}");
}

fn automatic(board: &Board, rules: &Rules) -> Answer {
    auto::solve(board, rules, Effort::default(), &Budget::unlimited(), &|_| ())
}

/// The simplest possible solver.
fn can_be_cleared(board: &Board, min_group: usize) -> bool {
    let left = Rules::default().orientation;
    board.cells() == 0
        || board.groups(min_group).iter().any(|group| can_be_cleared(&board.without(group, left), min_group))
}

fn check_all_agree(board: &Board, min_group: usize) {
    let rules = Rules::with_min_group(min_group).unwrap();
    let wanted = if can_be_cleared(board, min_group) { Proof::Cleared } else { Proof::Impossible };
    let unlimited = Budget::unlimited();
    let unpruned = exhaustive::solve(board, &rules, Pruning::None, &unlimited);
    let pruned = exhaustive::solve(board, &rules, Pruning::Failed, &unlimited);
    let auto = automatic(board, &rules);
    for answer in [&unpruned, &pruned, &auto] {
        assert_eq!(answer.proof, wanted, "on {board}");
        check(board, &rules, answer);
    }
    if wanted == Proof::Cleared {
        assert_eq!(unpruned.moves, pruned.moves, "on {board}");
    }
}

#[test]
fn exhaustive_search_gives_the_documents_answer() {
    let board = EXAMPLE.parse().unwrap();
    for pruning in [Pruning::None, Pruning::Failed] {
        let answer = exhaustive::solve(&board, &Rules::default(), pruning, &Budget::unlimited());
        assert_eq!(answer.moves, [6, 5, 4, 3, 2, 1, 2, 2, 1]);
        check(&board, &Rules::default(), &answer);
    }
}

#[test]
fn the_documents_other_answer_clears_too() {
    let board = EXAMPLE.parse().unwrap();
    let played = replay(&board, &[3, 6, 2, 2, 1, 1, 1], &Rules::default(), &Scoring::default()).unwrap();
    assert!(played.cleared());
}

#[test]
fn evolution_clears_the_documents_example() {
    let board = EXAMPLE.parse().unwrap();
    for cache in [Cache::On, Cache::Off] {
        let parameters = Parameters { cache, ..Parameters::default() };
        let answer = evolutionary::solve(&board, &Rules::default(), &parameters, &Budget::nodes(1_000_000));
        assert_eq!(answer.proof, Proof::Cleared);
        check(&board, &Rules::default(), &answer);
    }
}

#[test]
fn evolution_for_points_runs_to_its_last_generation() {
    let board = EXAMPLE.parse().unwrap();
    let parameters = Parameters {
        population: 10,
        generations: 20,
        fitness: Fitness::Points(Scoring::default()),
        stop: Stop::LastGeneration,
        ..Parameters::default()
    };
    let answer = evolutionary::solve(&board, &Rules::default(), &parameters, &Budget::unlimited());
    check(&board, &Rules::default(), &answer);
    assert_eq!(answer.nodes, 10 + 20 * 9);
}

#[test]
fn all_solvers_agree_on_every_4x4_board_of_two_colours() {
    each_board(2, 1, |board| check_all_agree(board, 2));
}

#[test]
fn all_solvers_agree_on_a_sample_of_4x4_boards_of_three_colours() {
    // For all boards: `cargo bench -p samegame --bench samegame -- small-boards`.
    each_board(3, 4999, |board| check_all_agree(board, 2));
    each_board(3, 49_999, |board| check_all_agree(board, 3));
}

/// Every `step`-th 4×4 board with this many colours, one for each class of boards
/// that are equal up to mirroring and renamed colours.
fn each_board(colours: u32, step: usize, check: impl Fn(&Board)) {
    for number in (0..colours.pow(16)).step_by(step) {
        let cell = |i: u32| (number / colours.pow(i) % colours) as u8 + 1;
        let columns = (0..4).map(|c| (0..4).map(|r| cell(4 * c + r)).collect()).collect();
        let board = Board::from_columns(columns).unwrap();
        let normal = board.normal_form();
        if step > 1 || (board == normal && normal.columns() <= board.mirrored().normal_form().columns()) {
            check(&board);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn all_solvers_agree_on_small_boards(board in any_board(5, 3, 3), min in 2..4_usize) {
        check_all_agree(&board, min);
    }
}

#[test]
fn auto_clears_large_boards() {
    let mut random = Random::seed_from_u64(11);
    for (columns, rows, colours, min) in
        [(15, 15, 3, 2), (20, 10, 5, 2), (15, 15, 3, 3), (18, 16, 4, 2), (30, 35, 3, 2)]
    {
        let board = random_board(columns, rows, colours, &mut random).unwrap();
        let rules = Rules::with_min_group(min).unwrap();
        let answer = automatic(&board, &rules);
        assert_eq!(answer.proof, Proof::Cleared);
        check(&board, &rules, &answer);
    }
}

#[test]
fn boards_made_to_be_solvable_are() {
    let mut random = Random::seed_from_u64(3);
    for _ in 0..20 {
        let (board, moves) = solvable_board(7, 6, 4, &Rules::default(), &mut random).unwrap();
        assert_eq!(board.cells(), 42);
        let played = replay(&board, &moves, &Rules::default(), &Scoring::default()).unwrap();
        assert!(played.cleared(), "{board}");
    }
}

#[test]
fn boards_that_cannot_be_made_solvable_are_refused() {
    let made = solvable_board(1, 2, 9, &Rules::with_min_group(3).unwrap(), &mut Random::seed_from_u64(3));
    assert_eq!(made, Err(SolvableError::NoneFound { tries: 1000 }));
}

#[test]
fn a_budget_that_ends_leaves_the_best_remainder() {
    let board = random_board(20, 10, 5, &mut Random::seed_from_u64(5)).unwrap();
    let rules = Rules::default();
    let few = auto::solve(&board, &rules, Effort::default(), &Budget::nodes(20), &|_| ());
    assert_eq!((few.proof, few.nodes), (Proof::Open, 20));
    check(&board, &rules, &few);
    let dfs = exhaustive::solve(&board, &rules, Pruning::None, &Budget::nodes(500));
    assert_eq!((dfs.proof, dfs.nodes), (Proof::Open, 500));
    check(&board, &rules, &dfs);
}

#[test]
fn the_same_seed_and_nodes_give_the_same_answer() {
    let board = random_board(20, 10, 5, &mut Random::seed_from_u64(6)).unwrap();
    for threads in [1, 3] {
        let solve = || {
            let effort = Effort { threads, seed: 9 };
            let answer = auto::solve(&board, &Rules::default(), effort, &Budget::nodes(300_000), &|_| ());
            (answer.moves, answer.proof)
        };
        assert_eq!(solve(), solve());
    }
}
