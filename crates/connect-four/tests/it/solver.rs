//! Exact scores against the public benchmark sets.

use budget::Budget;
use connect_four::{Analyst, Column, Exhausted, Position, Solver};

/// Positions and scores of one set, every `stride`-th line.
fn benchmark(set: &str, stride: usize) -> Vec<(Position, i32)> {
    let path = format!("{}/../../fixtures/connect-four/Test_{set}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let (moves, score) = line.split_once(' ').unwrap();
        (moves.parse().unwrap(), score.trim().parse().unwrap())
    };
    text.lines().step_by(stride).map(line).collect()
}

#[test]
fn scores_of_the_six_sets_are_right() {
    let mut solver = Solver::new(1 << 26);
    // All of them are solved by `cargo xtask bench connect-four --all`.
    for (set, stride) in
        [("L3_R1", 1), ("L2_R1", 1), ("L2_R2", 4), ("L1_R1", 2), ("L1_R2", 25), ("L1_R3", 250)]
    {
        for (position, score) in benchmark(set, stride) {
            assert_eq!(solver.score(&position, &Budget::unlimited()), Ok(score), "{set} {position:?}");
        }
    }
}

#[test]
fn every_column_and_the_line_agree_with_the_score() {
    let budget = Budget::unlimited();
    let mut one = Analyst::new(1 << 24).without_book();
    let mut two = Analyst::new(1 << 24).without_book().with_threads(2);
    for (position, score) in benchmark("L2_R1", 20).into_iter().chain(benchmark("L3_R1", 20)) {
        let analysis = one.analyse(&position, &budget).unwrap();
        assert_eq!(analysis.score, score);
        assert_eq!(two.analyse(&position, &budget).unwrap().columns, analysis.columns);
        assert_eq!(two.score(&position, &budget), Ok(score));
        let (best_score, best) = one.best(&position, &budget).unwrap();
        assert_eq!(best_score, score);
        assert!(analysis.best.contains(&best.unwrap()), "{best:?} is not among {:?}", analysis.best);

        // Along the line the score only changes sign, and the game ends as predicted.
        let line = one.line(&position, &budget).unwrap();
        let mut last = position;
        for &column in &line {
            last = last.play(column).unwrap();
        }
        let discs_of_the_winner = (last.discs() as i32 + 1) / 2;
        match score {
            0 => assert_eq!(last.discs(), 42),
            _ => assert_eq!(22 - discs_of_the_winner, score.abs(), "{position:?} {line:?}"),
        }
    }
}

#[test]
fn a_mirrored_position_has_the_same_score() {
    let mut solver = Solver::new(1 << 24);
    for (position, score) in benchmark("L2_R2", 100) {
        assert_eq!(solver.score(&position.mirrored(), &Budget::unlimited()), Ok(score));
    }
}

#[test]
fn a_spent_budget_is_an_error_and_nothing_is_forgotten() {
    let mut solver = Solver::new(1 << 24);
    let position: Position = "44".parse().unwrap();
    assert_eq!(solver.score(&position, &Budget::nodes(1000)), Err(Exhausted { nodes: 1000 }));
    let (position, score) = benchmark("L2_R2", 1)[0];
    assert!(solver.score(&position, &Budget::nodes(10)).is_err());
    assert_eq!(solver.score(&position, &Budget::unlimited()), Ok(score));
}

#[test]
fn the_same_question_costs_the_same_nodes() {
    let (position, _) = benchmark("L2_R2", 1)[1];
    let nodes = || {
        let mut solver = Solver::new(1 << 24);
        solver.score(&position, &Budget::unlimited()).unwrap();
        solver.nodes()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_finished_game_has_its_score() {
    let mut analyst = Analyst::new(1 << 20);
    let won: Position = "1212121".parse().unwrap();
    // The first player won with the 4th disc, the 18th last.
    assert_eq!(analyst.score(&won, &Budget::unlimited()), Ok(-18));
    assert_eq!(analyst.best(&won, &Budget::unlimited()), Ok((-18, None)));
    let before = won.undo(Column::new(1).unwrap()).unwrap();
    assert_eq!(analyst.score(&before, &Budget::unlimited()), Ok(18));
}
