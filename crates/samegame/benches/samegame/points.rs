//! Points on the 20 standard boards, two threads, a fixed CPU time each.

use std::ops::RangeInclusive;
use std::time::Duration;

use budget::Budget;
use samegame::board::Board;
use samegame::notation::read_standard;
use samegame::points::{Effort, solve};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use serde_json::{Value, json};

use crate::cpu_time;

pub fn standard() -> Vec<Board> {
    read_standard(include_str!("../../../../fixtures/samegame/standard20.txt")).expect("the fixture is good")
}

pub fn measure(time: Duration, seed: u64, numbers: RangeInclusive<usize>) -> Value {
    let (mut scores, mut nodes) = (Vec::new(), 0);
    for (number, board) in (1..).zip(standard()).filter(|(number, _)| numbers.contains(number)) {
        // Each board's threads are new, so their CPU time starts at 0.
        let budget = Budget::until(move || cpu_time() > time);
        let effort = Effort { threads: 2, seed };
        let answer = solve(&board, &Rules::default(), &Scoring::default(), effort, &budget, &|_| ());
        let played =
            replay(&board, &answer.moves, &Rules::default(), &Scoring::default()).expect("moves exist");
        eprintln!("board {number}: {}{}", played.score, if played.cleared() { "" } else { ", not cleared" });
        scores.push(played.score);
        nodes += answer.nodes;
    }
    let total: i32 = scores.iter().sum();
    eprintln!("total {total}");
    json!({ "seconds_per_board": time.as_secs_f64(), "threads": 2, "seed": seed, "total": total, "boards": scores, "nodes": nodes })
}
