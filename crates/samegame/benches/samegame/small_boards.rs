//! Checks that `auto`, both exhaustive searches and a naive one agree on all 4×4
//! boards of two and three colours, up to mirroring and renamed colours.

use budget::Budget;
use samegame::answer::Proof;
use samegame::board::Board;
use samegame::clear::auto;
use samegame::clear::exhaustive::{self, Pruning};
use samegame::points::Effort;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use serde_json::{Value, json};

pub fn measure() -> Value {
    [2, 3].into_iter().map(compare_all).collect()
}

fn compare_all(colours: u32) -> Value {
    let rules = Rules::default();
    let (mut boards, mut solvable, mut disagreements) = (0_u64, 0_u64, 0_u64);
    for number in 0..colours.pow(16) {
        let cell = |i: u32| (number / colours.pow(i) % colours) as u8 + 1;
        // The cheap test first: the first colour is 1.
        if cell(0) != 1 {
            continue;
        }
        let columns = (0..4).map(|c| (0..4).map(|r| cell(4 * c + r)).collect()).collect();
        let board = Board::from_columns(columns).expect("a full board");
        if board != board.normal_form() || board.columns() > board.mirrored().normal_form().columns() {
            continue;
        }
        boards += 1;
        let wanted = if can_be_cleared(&board) { Proof::Cleared } else { Proof::Impossible };
        solvable += u64::from(wanted == Proof::Cleared);
        let unlimited = Budget::unlimited();
        let answers = [
            exhaustive::solve(&board, &rules, Pruning::None, &unlimited),
            exhaustive::solve(&board, &rules, Pruning::Failed, &unlimited),
            auto::solve(&board, &rules, Effort::default(), &unlimited, &|_| ()),
        ];
        for answer in answers {
            let played = samegame::replay::replay(&board, &answer.moves, &rules, &Scoring::default());
            let right = answer.proof == wanted
                && played.is_ok_and(|played| played.cleared() == (wanted == Proof::Cleared));
            disagreements += u64::from(!right);
        }
    }
    eprintln!("{colours} colours: {boards} boards, {solvable} solvable, {disagreements} disagreements");
    json!({ "colours": colours, "boards": boards, "solvable": solvable, "disagreements": disagreements })
}

fn can_be_cleared(board: &Board) -> bool {
    let left = Rules::default().orientation;
    board.cells() == 0 || board.groups(2).iter().any(|group| can_be_cleared(&board.without(group, left)))
}
