//! Waiting times for answers with the book: exact scores of all columns of random
//! positions, and the perfect player's own moves.
//!
//! Options: `--json`, `--positions N` (10,000), `--games N` (200), `--threads N` (2).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures"
)]
#![allow(clippy::disallowed_methods, reason = "it measures real time")]

use std::time::Instant;

use budget::Budget;
use connect_four::book::Book;
use connect_four::{Analyst, CELLS, Column, Level, Machine, MachineSettings, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

const TABLE_BYTES: usize = 64 << 20;

fn main() {
    let number = |name: &str, default: u32| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
        arguments.next().map_or(default, |value| value.parse().expect("a number"))
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let columns = all_columns(number("--positions", 10_000), number("--threads", 2), &mut rng);
    let perfect = perfect_moves(number("--games", 200), &mut rng);
    let book = Book::embedded();
    let (full, lines) = book.len();
    let figures = json!({
        "book": {
            "full_plies": book.full_plies(),
            "line_plies": book.lines().map(|(position, _)| position.discs()).max(),
            "full_positions": full,
            "line_positions": lines,
            "bytes": book.to_bytes().len(),
        },
        "columns_ms": quantiles(columns),
        "perfect_move_ms": quantiles(perfect),
        "peak_mb": peak_mb(),
    });
    println!("{figures}");
}

/// Random games stopped at a depth drawn uniformly from 0 to 41; games that end earlier are drawn again.
fn random_position(rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let discs = rng.random_range(0..CELLS);
        let mut position = Position::EMPTY;
        while position.discs() < discs && !position.is_over() {
            position = random_move(&position, rng);
        }
        if position.discs() == discs && !position.is_over() {
            return position;
        }
    }
}

fn random_move(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Position {
    let open: Vec<Column> = position.legal().collect();
    position.play(open[rng.random_range(0..open.len())]).expect("a legal column")
}

fn all_columns(count: u32, threads: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut analyst = Analyst::new(TABLE_BYTES).with_threads(threads as usize);
    let one = |_| {
        let position = random_position(rng);
        analyst.clear();
        let start = Instant::now();
        analyst.analyse(&position, &Budget::unlimited()).expect("no limit was set");
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..count).map(one).collect()
}

/// Times of the machine's moves, half of the games as first player. Opponents
/// play at random, so that all lines occur, bad ones too.
fn perfect_moves(games: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut times = Vec::new();
    for game in 0..games {
        // A new machine has an empty table, as for the first game of the day.
        let mut machine =
            Machine::new(MachineSettings { table_bytes: TABLE_BYTES, ..MachineSettings::default() });
        let mut position = Position::EMPTY;
        while !position.is_over() {
            if position.discs() % 2 == game % 2 {
                let start = Instant::now();
                let decision = machine
                    .choose(&position, Level::Perfect, rng, &Budget::unlimited())
                    .expect("the game goes on");
                times.push(start.elapsed().as_secs_f64() * 1e3);
                position = position.play(decision.column).expect("a legal column");
            } else {
                position = random_move(&position, rng);
            }
        }
    }
    times
}

fn quantiles(mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    json!({ "count": times.len(), "p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "max": at(1.0) })
}

/// Peak memory of this process, in megabytes.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok().map(|kb| kb / 1e3)
}
