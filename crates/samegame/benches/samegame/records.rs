//! The best solution for each standard board, kept in a file across runs.

use std::fs;
use std::time::{Duration, Instant};

use budget::Budget;
use samegame::points::{Effort, solve};
use samegame::records::Records;
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use serde_json::{Value, json};

use crate::points::standard;

/// How long to search.
#[derive(Clone, Copy)]
pub enum Span {
    /// So many hours, on all cores, with new seeds in each run.
    Hours(f64),
    /// So many turns of so many nodes on each board, on one core, with seeds from this one on: always the same
    /// result, also on many machines (`python -m gamebot.cluster records samegame`).
    Turns { turns: u64, nodes: u64, seed: u64 },
}

/// Sequences to try on a board before moving on to the next.
pub const NODES_A_TURN: u64 = 4_000_000;

pub fn measure(span: Span, file: &str) -> Value {
    let (rules, scoring) = (Rules::default(), Scoring::default());
    let boards = standard();
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut records: Records = text.parse().expect("the file holds records");
    for (number, (score, moves)) in records.iter() {
        let played = replay(&boards[number - 1], moves, &rules, &scoring).expect("recorded moves exist");
        assert_eq!(played.score, *score, "record of board {number}");
    }
    let total = |records: &Records| records.iter().map(|(_, (score, _))| score).sum::<i32>();
    let before = total(&records);
    let start = Instant::now();
    let (hours, turns, nodes, first_seed, threads) = match span {
        Span::Hours(hours) => {
            let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
            // A new seed for each run: the time since 1970.
            let epoch = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
            (hours, u64::MAX, NODES_A_TURN, epoch, threads)
        }
        Span::Turns { turns, nodes, seed } => (1e6, turns, nodes, seed, 1),
    };
    let end = Duration::from_secs_f64(hours * 3600.0);
    'turns: for turn in 0..turns {
        for (number, board) in (1..).zip(&boards) {
            if start.elapsed() > end {
                break 'turns;
            }
            let budget = Budget::nodes(nodes).or_until(move || start.elapsed() > end);
            let effort = Effort { threads, seed: first_seed + turn };
            let answer = solve(board, &rules, &scoring, effort, &budget, &|_| ());
            let played = replay(board, &answer.moves, &rules, &scoring).expect("moves exist");
            if records.offer(number, (played.score, answer.moves)) {
                eprintln!("board {number}: {}", played.score);
                fs::write(file, records.to_string()).expect("the records can be written");
            }
        }
    }
    let scores: Vec<_> = records.iter().map(|(_, (score, _))| score).collect();
    json!({ "hours": start.elapsed().as_secs_f64() / 3600.0, "total": total(&records), "total_before": before, "boards": scores })
}
