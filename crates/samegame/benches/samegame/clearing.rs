//! Clearing random boards with `auto`, one thread.

use std::time::Duration;

use budget::Budget;
use rand_xoshiro::rand_core::SeedableRng;
use samegame::answer::Proof;
use samegame::clear::auto;
use samegame::points::Effort;
use samegame::random::{Random, random_board};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use serde_json::{Value, json};

use crate::cpu_time;

/// Columns, rows, colours, minimum group, seconds allowed.
const SETS: [(usize, usize, u8, usize, u64); 5] =
    [(15, 10, 3, 2, 5), (15, 15, 3, 2, 5), (20, 10, 5, 2, 5), (15, 15, 5, 2, 10), (15, 15, 3, 3, 1)];

pub fn measure(boards: u32, seed: u64) -> Value {
    SETS.into_iter().map(|set| measure_set(set, boards, seed)).collect()
}

fn measure_set(
    (columns, rows, colours, min_group, allowed_s): (usize, usize, u8, usize, u64),
    boards: u32,
    seed: u64,
) -> Value {
    let mut random = Random::seed_from_u64(seed);
    let rules = Rules::with_min_group(min_group).expect("the sets are allowed");
    let (mut cleared, mut impossible) = (0, 0);
    let mut times_ms = Vec::new();
    for _ in 0..boards {
        let board = random_board(columns, rows, colours, &mut random).expect("the sets are allowed");
        let start = cpu_time();
        let allowed = Duration::from_secs(allowed_s);
        let budget = Budget::until(move || cpu_time().saturating_sub(start) > allowed);
        let answer = auto::solve(&board, &rules, Effort::default(), &budget, &|_| ());
        times_ms.push(cpu_time().saturating_sub(start).as_secs_f64() * 1e3);
        let played = replay(&board, &answer.moves, &rules, &Scoring::default()).expect("moves exist");
        assert_eq!(played.cleared(), answer.proof == Proof::Cleared);
        cleared += u32::from(answer.proof == Proof::Cleared);
        impossible += u32::from(answer.proof == Proof::Impossible);
    }
    times_ms.sort_by(f64::total_cmp);
    let at = |share: f64| times_ms[((times_ms.len() as f64 * share) as usize).min(times_ms.len() - 1)];
    let set = format!("{columns}x{rows}x{colours}, minimum {min_group}");
    eprintln!("{set}: {cleared} of {boards} cleared");
    json!({
        "set": set, "boards": boards, "cleared": cleared, "impossible": impossible, "allowed_s": allowed_s,
        "median_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1.0),
    })
}
