//! The points solver, replayed on the plain board (S5).

use std::sync::atomic::{AtomicI32, Ordering};

use budget::Budget;
use samegame::points::{Effort, solve};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::{GroupPoints, Penalty, Scoring};

use crate::boards::{EXAMPLE, standard};

#[test]
fn a_standard_board_is_cleared_for_an_odd_score() {
    let board = &standard()[17];
    let effort = Effort { threads: 2, seed: 4 };
    let reported = AtomicI32::new(0);
    let on_better = |score| _ = reported.fetch_max(score, Ordering::Relaxed);
    let answer =
        solve(board, &Rules::default(), &Scoring::default(), effort, &Budget::nodes(120_000), &on_better);
    let played = replay(board, &answer.moves, &Rules::default(), &Scoring::default()).unwrap();
    assert!(played.cleared());
    // 225 cells are removed in groups: the sum of (n−2)² has the parity of 225.
    assert_eq!(played.score % 2, 1);
    // Published programs of the first years reached 4853 to 5099 in hours.
    assert!(played.score > 4000, "{}", played.score);
    assert_eq!(reported.into_inner(), played.score);
    assert_eq!(answer.nodes, 120_000);
}

#[test]
fn the_same_seed_and_nodes_give_the_same_moves() {
    let board = &standard()[0];
    for threads in [1, 2] {
        let moves = || {
            let budget = Budget::nodes(40_000);
            let effort = Effort { threads, seed: 7 };
            solve(board, &Rules::default(), &Scoring::default(), effort, &budget, &|_| ()).moves
        };
        assert_eq!(moves(), moves());
    }
}

#[test]
fn a_board_without_moves_ends_the_search_at_once() {
    let board = "[[1,2],[2,1]]".parse().unwrap();
    let answer = solve(
        &board,
        &Rules::default(),
        &Scoring::default(),
        Effort::default(),
        &Budget::unlimited(),
        &|_| (),
    );
    assert_eq!((answer.moves, answer.remaining), (vec![], 4));
}

#[test]
fn small_boards_come_within_30_points_of_the_best_under_every_scoring() {
    let board: samegame::board::Board = EXAMPLE.parse().unwrap();
    for group in [GroupPoints::MinusTwoSquared, GroupPoints::TimesMinusOne, GroupPoints::MinusOneSquared] {
        for penalty in [Penalty::None, Penalty::AsOneGroup, Penalty::PerCell(7)] {
            for min_group in [2, 3] {
                let rules = Rules::with_min_group(min_group).unwrap();
                let scoring = Scoring { group, clear_bonus: 50, penalty };
                let answer =
                    solve(&board, &rules, &scoring, Effort::default(), &Budget::nodes(200_000), &|_| ());
                let played = replay(&board, &answer.moves, &rules, &scoring).unwrap();
                assert_eq!(played.remaining, answer.remaining);
                assert!(
                    played.score >= best_score(&board, &rules, &scoring) - 30,
                    "{scoring:?} {min_group}: {} of {}",
                    played.score,
                    best_score(&board, &rules, &scoring)
                );
            }
        }
    }
}

/// The best score of all games, with boards memoised by their text.
fn best_score(board: &samegame::board::Board, rules: &Rules, scoring: &Scoring) -> i32 {
    fn best(
        board: &samegame::board::Board,
        rules: &Rules,
        scoring: &Scoring,
        known: &mut std::collections::BTreeMap<String, i32>,
    ) -> i32 {
        let name = board.to_string();
        if let Some(&score) = known.get(&name) {
            return score;
        }
        let mut top = scoring.end_points(board.colour_counts().map(|count| count as u32));
        let groups = board.groups(rules.min_group());
        if !groups.is_empty() {
            top = i32::MIN;
        }
        for group in groups {
            let rest = best(&board.without(&group, rules.orientation), rules, scoring, known);
            top = top.max(rest + scoring.group.of(group.cells.len() as u32));
        }
        known.insert(name, top);
        top
    }
    best(board, rules, scoring, &mut std::collections::BTreeMap::new())
}
