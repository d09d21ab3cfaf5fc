//! The best solution for each standard board, kept in a file across runs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use budget::Budget;
use samegame::notation::write_moves;
use samegame::points::{Effort, solve};
use samegame::replay::replay;
use samegame::rules::Rules;
use samegame::scoring::Scoring;
use serde_json::{Value, json};

use crate::points::standard;

/// Sequences to try on a board before moving on to the next.
const NODES_A_TURN: u64 = 4_000_000;

/// Board number → score and moves.
type Records = BTreeMap<usize, (i32, Vec<usize>)>;

pub fn measure(hours: f64, file: &str) -> Value {
    let (rules, scoring) = (Rules::default(), Scoring::default());
    let boards = standard();
    let mut records = read(file);
    for (number, (score, moves)) in &records {
        let played = replay(&boards[number - 1], moves, &rules, &scoring).expect("recorded moves exist");
        assert_eq!(played.score, *score, "record of board {number}");
    }
    let before: i32 = records.values().map(|(score, _)| score).sum();
    let start = Instant::now();
    let end = Duration::from_secs_f64(hours * 3600.0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    // A new seed for each run: the time since 1970.
    let epoch = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
    'turns: for turn in 0.. {
        for (number, board) in (1..).zip(&boards) {
            if start.elapsed() > end {
                break 'turns;
            }
            let budget = Budget::nodes(NODES_A_TURN).or_until(move || start.elapsed() > end);
            let effort = Effort { threads, seed: epoch + turn };
            let answer = solve(board, &rules, &scoring, effort, &budget, &|_| ());
            let played = replay(board, &answer.moves, &rules, &scoring).expect("moves exist");
            if records.get(&number).is_none_or(|(score, _)| played.score > *score) {
                eprintln!("board {number}: {}", played.score);
                records.insert(number, (played.score, answer.moves));
                write(file, &records);
            }
        }
    }
    let total: i32 = records.values().map(|(score, _)| score).sum();
    let scores: Vec<_> = records.values().map(|(score, _)| score).collect();
    json!({ "hours": hours, "total": total, "total_before": before, "boards": scores })
}

/// Reads the Markdown table that [`write`] makes; a missing file holds no records.
fn read(file: &str) -> Records {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut records = Records::new();
    for line in text.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let moves = cells[2].trim_matches(['[', ']', '`']).split(',');
        let moves = moves.map(|number| number.parse().expect("a move is a number")).collect();
        let number = cells[0].parse().expect("a board is a number");
        records.insert(number, (cells[1].parse().expect("a score is a number"), moves));
    }
    records
}

fn write(file: &str, records: &Records) {
    let mut text = String::from("# Best SameGame solutions found\n\n");
    text += "Standard boards, (n−2)² a move, 1000 for clearing; moves are group numbers.\n";
    text += "Kept by `cargo xtask bench samegame --records --hours H`, which checks all of them at its start.\n\n";
    text += "| board | score | moves |\n|---|---|---|\n";
    for (number, (score, moves)) in records {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {number} | {score} | `{}` |", write_moves(moves));
    }
    fs::write(file, text).expect("the records can be written");
}
