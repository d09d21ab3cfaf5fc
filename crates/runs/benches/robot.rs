//! Games of the simulated Tetris robot, on all cores: points, lines, presses, processor time. Prints one JSON
//! document; `cargo xtask bench robot` makes a report of several.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a measuring program prints its figures")]

mod arguments;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use arguments::Arguments;
use configuration::Values;
use engine::notes::NoReader;
use runs::Request;
use runs::tetris::OnSimulatedRobot;
use serde_json::json;
use tetris::gameboy::{FRAMES_PER_SECOND, MAX_SCORE};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::read();
    let games: u64 = arguments.number("--games", 2)?;
    let each: u32 = arguments.number("--each", 1)?;
    let seed: u64 = arguments.number("--seed", 1)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads: usize = arguments.number("--threads", cores)?;
    if arguments.has("--log") {
        tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_writer(std::io::stderr)
            .without_time()
            .with_ansi(false)
            .init();
    }
    let values = arguments.values()?;
    let (next, rows) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let row = play(values.clone(), seed + game, each);
                    eprintln!("{row}");
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push((game, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(game, _)| *game);
    // The emulator writes to standard output as well; the document is its last line.
    println!("\n{}", json!(rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>()));
    Ok(())
}

/// One run of this many games.
fn play(values: Values, seed: u64, games: u32) -> serde_json::Value {
    let request = Request::games(values, seed, games);
    let began = cpu_time();
    let played = match runs::play::<OnSimulatedRobot, _>(request, NoReader, |_, _| ()) {
        Ok(played) => played,
        Err(error) => return json!({ "seed": seed, "error": error.to_string() }),
    };
    let cpu_s = cpu_time().saturating_sub(began).as_secs_f64();
    let row = |game: &players::tetris::GameLog| {
        json!({
            "score": game.score,
            "lines": game.lines,
            "max_out": game.score == MAX_SCORE,
            "lines_to_max_out": game.lines_to_max_out,
            "pieces": game.pieces.len(),
            "presses": game.presses,
            "missed_presses": game.missed_presses,
            "read_again": game.diverged_plans,
            "unclear_looks": game.unclear_looks,
            "name_seen": game.name_seen,
            "game_s": (game.last_period - game.first_period) as f64 / FRAMES_PER_SECOND,
        })
    };
    json!({
        "seed": seed,
        "games": played.player.games().iter().map(row).collect::<Vec<_>>(),
        "faults": played.counts.faults,
        "ending": played.ending,
        "run_s": played.time.elapsed().as_secs_f64(),
        "cpu_s": cpu_s,
    })
}

/// Processor time of this thread: a run on simulated time has no other.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
