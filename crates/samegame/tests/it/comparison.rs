//! NRPA and beam search, replayed on the plain board.

use budget::Budget;
use samegame::answer::{Goal, Proof};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use samegame::{beam, nrpa};

use crate::boards::{EXAMPLE, standard};

#[test]
fn both_clear_the_documents_example() {
    let board = EXAMPLE.parse().unwrap();
    let (rules, budget) = (Rules::default(), Budget::nodes(100_000));
    for answer in [
        nrpa::solve(&board, &rules, Goal::Clear, 1, &budget, &|_| ()),
        beam::solve(&board, &rules, Goal::Clear, &budget, &|_| ()),
    ] {
        assert_eq!((answer.proof, answer.remaining), (Proof::Cleared, 0));
        assert!(replay(&board, &answer.moves, &rules, &Scoring::default()).unwrap().cleared());
    }
}

#[test]
fn both_collect_points_and_stop_with_their_budget() {
    let board = &standard()[8];
    let (rules, scoring) = (Rules::default(), Scoring::default());
    let check = |answer: samegame::answer::Answer, nodes, at_least| {
        let played = replay(board, &answer.moves, &rules, &scoring).unwrap();
        assert_eq!(played.remaining, answer.remaining);
        assert_eq!(answer.nodes, nodes);
        assert!(played.score >= at_least, "{}", played.score);
    };
    let goal = Goal::Points(scoring);
    check(nrpa::solve(board, &rules, goal, 1, &Budget::nodes(2_000), &|_| ()), 2_000, 1500);
    check(beam::solve(board, &rules, goal, &Budget::nodes(150_000), &|_| ()), 150_000, 1500);
}
