//! Plans hold whichever way the columns close.

use budget::Budget;
use proptest::prelude::*;
use samegame::board::Board;
use samegame::clear::auto;
use samegame::plan::{Next, Plan};
use samegame::points::Effort;
use samegame::replay::replay;
use samegame::rules::{Orientation, Rules};
use samegame::scoring::Scoring;

use crate::boards::any_board;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
    #[test]
    fn a_plan_holds_under_every_orientation(board in any_board(8, 5, 3)) {
        let answer = auto::solve(&board, &Rules::default(), Effort::default(), &Budget::nodes(2000), &|_| ());
        let plan = Plan::new(&board, &answer.moves, &Rules::default()).unwrap();
        let boards = [Orientation::Left, Orientation::Right, Orientation::Mixed].map(|orientation| {
            let rules = Rules::default().closing(orientation);
            let played = replay(&board, &answer.moves, &rules, &Scoring::default()).unwrap();
            prop_assert_eq!(played.remaining, answer.remaining);
            let places: Vec<_> = (0..answer.moves.len()).map(|i| plan.clicks(i, orientation).to_vec()).collect();
            let groups: Vec<_> = played.steps.iter().map(|step| step.group.cells.clone()).collect();
            prop_assert_eq!(places, groups);
            Ok(played)
        });
        // Before the plan depends on the orientation, all screens look the same; from then on they do not.
        let [left, right, mixed] = boards.map(Result::unwrap);
        for index in 0..answer.moves.len() {
            let same = left.steps[index].board == right.steps[index].board
                && left.steps[index].board == mixed.steps[index].board;
            let known = plan.depends_after.is_none_or(|after| index + 1 < after);
            prop_assert!(!known || same, "move {} of {}", index + 1, board);
        }
    }
}

#[test]
fn a_plan_says_after_which_move_the_orientation_matters() {
    let board: Board = "[[1,2,1],[2,2,1],[3,3,1]]".parse().unwrap();
    // 3s go first and empty nothing, then 2s, which leave all columns filled; 1s end it.
    let plan = Plan::new(&board, &[3, 1, 1], &Rules::default()).unwrap();
    assert_eq!(plan.depends_after, None);
    // A column becomes empty in the middle of the game.
    let board: Board = "[[1,2],[3,3],[2,1],[2,1]]".parse().unwrap();
    let plan = Plan::new(&board, &[1, 1], &Rules::default()).unwrap();
    assert_eq!(plan.depends_after, Some(1));
    assert_eq!(plan.clicks(1, Orientation::Left), [(1, 0), (2, 0)]);
    assert_eq!(plan.clicks(1, Orientation::Right), [(2, 0), (3, 0)]);
    assert!(Plan::new(&board, &[9], &Rules::default()).is_err());
}

#[test]
fn a_look_at_the_board_is_enough_to_go_on_or_to_plan_again() {
    let board: Board = "[[1,2],[3,3],[2,1],[2,1]]".parse().unwrap();
    let plan = Plan::new(&board, &[1, 1], &Rules::default()).unwrap();
    assert_eq!(plan.next(0, &board), Next::Move(1));
    // Seen after move 1, closed to the right or the left; colours have new numbers.
    for seen in ["[[0,0],[1,2],[2,1],[2,1]]", "[[5,1],[1,5],[1,5],[0,0]]"] {
        assert_eq!(plan.next(1, &seen.parse().unwrap()), Next::Move(1));
    }
    assert_eq!(plan.next(1, &board), Next::PlanAgain);
    assert_eq!(plan.next(2, &"[[1,2],[1,0],[1,0]]".parse().unwrap()), Next::Done);
    assert_eq!(plan.next(3, &board), Next::PlanAgain);
}
