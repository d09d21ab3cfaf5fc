//! How often visitors of ten strengths win against ADAPTIVE, game by game (X4).
//!
//! Options: `--json`, `--visitors N` (1,000 over all strengths), `--games N` (13 each), `--threads N` (2),
//! `--weakest N` (10: all strengths).

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures"
)]

use std::sync::Mutex;

use budget::Budget;
use connect_four::arena::{self, Contestant, Seat};
use connect_four::{Level, MachineSettings, Player};
use serde_json::{Value, json};

const TABLE_BYTES: usize = 16 << 20;
/// Games in which the machine gets to know its visitor.
const GETTING_TO_KNOW: usize = 3;

fn main() {
    let number = |name: &str, default: u64| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
        arguments.next().map_or(default, |value| value.parse().expect("a number"))
    };
    let strengths = &Contestant::STRENGTHS[..(number("--weakest", 10) as usize).clamp(1, 10)];
    let visitors = number("--visitors", 1000).div_ceil(Contestant::STRENGTHS.len() as u64);
    let games = number("--games", 13);
    let waiting = Mutex::new(strengths.iter().enumerate().collect::<Vec<_>>());
    let results = Mutex::new(vec![Value::Null; strengths.len()]);
    let work = || {
        // The strongest think longest, so they are taken first.
        while let Some((place, name)) = waiting.lock().expect("no panic").pop() {
            let result = strength(name, visitors, games);
            eprintln!("{name}: {}", result["share"]);
            results.lock().expect("no panic")[place] = result;
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..number("--threads", 2) {
            scope.spawn(work);
        }
        work();
    });
    let results = results.into_inner().expect("no panic");
    println!(
        "{}",
        json!({ "visitors": visitors * strengths.len() as u64, "games": games, "strengths": results })
    );
}

/// A visitor's points of one game: 2 for a win, 1 for a draw.
fn strength(name: &str, visitors: u64, games: u64) -> Value {
    let settings = MachineSettings { table_bytes: TABLE_BYTES, ..MachineSettings::default() };
    let mut visitor = Seat::new(name.parse().expect("a contestant"), settings);
    let mut machine = Seat::new(Contestant::Level(Level::Adaptive), settings);
    let mut points = vec![vec![0_u64; games as usize]; visitors as usize];
    let mut discs = 0;
    for (person, results) in points.iter_mut().enumerate() {
        machine.meet_another();
        for (game, points) in results.iter_mut().enumerate() {
            // In the hall the visitor begins, and a rematch exchanges the colours.
            let visitor_is = if game % 2 == 0 { Player::First } else { Player::Second };
            let (first, second) = match visitor_is {
                Player::First => (&mut visitor, &mut machine),
                Player::Second => (&mut machine, &mut visitor),
            };
            let seed = (person as u64) << 32 | game as u64;
            let played = arena::play(first, second, seed, &Budget::unlimited()).expect("no limit was set");
            discs += played.moves.len() as u64;
            *points = match played.winner {
                Some(winner) if winner == visitor_is => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }
    let later = |results: &Vec<u64>| {
        let later = &results[GETTING_TO_KNOW.min(results.len() - 1)..];
        later.iter().sum::<u64>() as f64 / (2 * later.len()) as f64
    };
    let shares: Vec<f64> = points.iter().map(later).collect();
    let share = shares.iter().sum::<f64>() / shares.len() as f64;
    let within = shares.iter().filter(|share| (0.4..=0.6).contains(*share)).count();
    let by_game: Vec<f64> = (0..games as usize)
        .map(|game| points.iter().map(|results| results[game]).sum::<u64>() as f64 / (2 * visitors) as f64)
        .collect();
    let draws = points.iter().flatten().filter(|points| **points == 1).count();
    json!({
        "strength": name,
        "share": share,
        "least": shares.iter().copied().fold(1.0, f64::min),
        "most": shares.iter().copied().fold(0.0, f64::max),
        "within": within as f64 / shares.len() as f64,
        "draws": draws as f64 / (visitors * games) as f64,
        "discs": discs as f64 / (visitors * games) as f64,
        "by_game": by_game,
    })
}
