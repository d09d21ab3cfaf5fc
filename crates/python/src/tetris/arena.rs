//! Games between players on the same piece sequences.

use ::tetris::arena::{Contest, GameRecord, Limits, Player, Rules, Summary};
use pyo3::prelude::*;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{player, rules};
use crate::arrays::{document, to_python};
use crate::connect_four::{check_threads, value_error};
use crate::interrupt::on_a_thread;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(play, module)?)?;
    module.add_function(wrap_pyfunction!(summary, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)
}

/// Plays game number `index` of a contest: a dictionary with `lines`, `score`, `pieces`, `died`, …
///
/// >>> from gamebot.tetris import play
/// >>> play("clever", lines=10)["lines"] >= 10
/// True
#[pyfunction]
#[pyo3(signature = (player, index = 0, *, seed = 1, rules = "gameboy", level = 9, heart = false, press_ms = 75.0, rows = 20, preview = false, until = None, lines = 1_000_000))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn play<'py>(
    py: Python<'py>,
    player: &str,
    index: u64,
    seed: u64,
    rules: &str,
    level: u8,
    heart: bool,
    press_ms: f64,
    rows: u32,
    preview: bool,
    until: Option<&str>,
    lines: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let player = self::player(player)?;
    let rules = self::rules(rules, level, heart, press_ms, rows, preview)?;
    let contest = contest(rules, until, lines, seed)?;
    let record = on_a_thread(py, move |_| player.play(&contest, index))?;
    document(py, &record)
}

/// The statistics of games that `play` gave.
#[pyfunction]
fn summary<'py>(py: Python<'py>, games: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text: String = py.import("json")?.call_method1("dumps", (games,))?.extract()?;
    let games: Vec<GameRecord> = serde_json::from_str(&text)
        .map_err(|error| value_error(format!("games must be a list of what play() gives: {error}")))?;
    document(py, &Summary::of(&games))
}

/// Compares players on the same piece sequences; the document that `gamebot compare tetris --json` prints,
/// without times.
///
/// >>> from gamebot.tetris import compare
/// >>> report = compare(["clever", "lee"], games=2, lines=20)
/// >>> [player["name"] for player in report["players"]]
/// ['clever', 'lee']
#[pyfunction]
#[pyo3(signature = (players, *, games = 100, seed = 1, rules = "gameboy", level = 9, heart = false, press_ms = 75.0, rows = 20, preview = false, until = None, lines = 1_000_000, threads = 2))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn compare<'py>(
    py: Python<'py>,
    players: Vec<String>,
    games: u64,
    seed: u64,
    rules: &str,
    level: u8,
    heart: bool,
    press_ms: f64,
    rows: u32,
    preview: bool,
    until: Option<&str>,
    lines: u32,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    check_threads(threads)?;
    if !(1..=10_000_000).contains(&games) {
        return Err(value_error(format!("games is {games}: choose 1 to 10000000")));
    }
    let contest = contest(self::rules(rules, level, heart, press_ms, rows, preview)?, until, lines, seed)?;
    let players: Vec<Player> = players.iter().map(|name| player(name)).collect::<PyResult<_>>()?;
    let jobs: Vec<(usize, u64)> =
        (0..games).flat_map(|index| (0..players.len()).map(move |player| (player, index))).collect();
    let named = players.clone();
    let records = on_a_thread(py, move |stop| {
        let (next, records) = (AtomicUsize::new(0), Arc::new(Mutex::new(Vec::new())));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(&(player, index)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.is_set() {
                            break;
                        }
                        let record = players[player].play(&contest, index);
                        let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
                        records.push((player, index, record));
                    }
                });
            }
        });
        let mut records = std::mem::take(&mut *records.lock().unwrap_or_else(PoisonError::into_inner));
        records.sort_by_key(|&(player, index, _)| (player, index));
        records
    })?;
    let report = |(number, player): (usize, &Player)| {
        let own = records.iter().filter(|(player, ..)| *player == number).map(|(.., record)| *record);
        let mut report = json!(Summary::of(&own.collect::<Vec<_>>()));
        report["name"] = json!(player.name());
        report
    };
    let players: Vec<_> = named.iter().enumerate().map(report).collect();
    let report = json!({
        "rules": rules, "level": level, "heart": heart, "press_ms": press_ms, "seed": seed, "players": players,
    });
    to_python(py, &report)
}

fn contest(rules: Rules, until: Option<&str>, lines: u32, seed: u64) -> PyResult<Contest> {
    let stop_at_max_out = match until {
        None => matches!(rules, Rules::GameBoy { .. }),
        Some("max-out") => true,
        Some("death") => false,
        Some(other) => return Err(value_error(format!("until is {other:?}: choose max-out or death"))),
    };
    Ok(Contest { rules, limits: Limits { lines, stop_at_max_out }, seed })
}
