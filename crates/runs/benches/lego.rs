//! Games of the simulated LEGO robot in simulated time: results, seconds a turn, beliefs, memory. Prints one JSON
//! document; `cargo xtask bench lego` makes a report of several.

#![allow(clippy::print_stdout, reason = "a measuring program prints its figures")]

mod arguments;

use arguments::Arguments;
use configuration::Values;
use engine::Cancel;
use engine::notes::NoReader;
use players::connect_four::LegoGame;
use runs::connect_four::{SimulatedLego, play_tournament, simulate_alone};
use runs::{Request, RunError, Setup};
use serde_json::json;
use simulators::hub::{GameSeen, Table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::read();
    let games: u32 = arguments.number("--games", 2)?;
    let seed: u64 = arguments.number("--seed", 1)?;
    let values = arguments.values()?;
    let figures = match arguments.value("--kind").unwrap_or("host") {
        "alone" => alone(&values, games, seed)?,
        "tournament" => tournament(&values, games, seed)?,
        _ => host(values, games, seed)?,
    };
    println!("{figures}");
    Ok(())
}

fn host(values: Values, games: u32, seed: u64) -> Result<serde_json::Value, RunError> {
    let request = Request::games(values, seed, games);
    let played = runs::play::<SimulatedLego, _>(request, NoReader, |_, _| ())?;
    let seen = played.witness.table.games();
    let believed = played.player.games();
    let troubles: usize = believed.iter().map(|game| game.troubles.len()).sum();
    let mut figures = results(&seen[..seen.len().min(games as usize)]);
    figures["wrong_beliefs"] = wrong_beliefs(believed, &seen).into();
    figures["troubles"] = troubles.into();
    figures["calls"] = calls(&played.witness.table).into();
    figures["ending"] = json!(played.ending);
    Ok(figures)
}

fn alone(values: &Values, games: u32, seed: u64) -> Result<serde_json::Value, RunError> {
    let mut depths = Vec::new();
    let (heard, witness) = simulate_alone(&Setup::new(values, seed), games, &Cancel::new(), |line| {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["me:", _, "depth", depth, ..] = words.as_slice() {
            depths.extend(depth.parse::<u32>());
        }
    })?;
    let seen = witness.table.games();
    let mut figures = results(&seen);
    figures["wrong_beliefs"] = wrong_beliefs(heard.ended(), &seen).into();
    figures["calls"] = calls(&witness.table).into();
    figures["heap_bytes"] = witness.hub.heap_bytes().into();
    figures["depth_mean"] = (f64::from(depths.iter().sum::<u32>()) / depths.len().max(1) as f64).into();
    Ok(figures)
}

fn tournament(values: &Values, games: u32, seed: u64) -> Result<serde_json::Value, RunError> {
    let (players, table) = play_tournament(&Setup::new(values, seed), games, &Cancel::new())?;
    let seen = table.games();
    let mut figures = results(&seen);
    figures["wrong_beliefs"] = wrong_beliefs(players[0].games(), &seen).into();
    figures["calls"] = calls(&table).into();
    Ok(figures)
}

/// What somebody beside the table saw; the robot of seat 1 counts.
fn results(seen: &[GameSeen]) -> serde_json::Value {
    let count = |wanted: &dyn Fn(&GameSeen) -> bool| seen.iter().filter(|game| wanted(game)).count();
    let turns: Vec<f64> = seen.iter().flat_map(|game| &game.turns).map(|turn| turn.seconds).collect();
    json!({
        "games": seen.len(),
        "wins": count(&|game| game.winner == Some(0)),
        "draws": count(&|game| game.winner.is_none()),
        "losses": count(&|game| game.winner == Some(1)),
        "losses_as_first": count(&|game| game.winner == Some(1) && game.first == 0),
        "turns": turns.len(),
        "mean_s": turns.iter().sum::<f64>() / turns.len().max(1) as f64,
        "longest_s": turns.iter().copied().fold(0.0, f64::max),
    })
}

/// Games that the robot believes to have gone otherwise than they did.
fn wrong_beliefs(believed: &[LegoGame], seen: &[GameSeen]) -> usize {
    let differing =
        believed.iter().zip(seen).filter(|(believed, seen)| believed.moves != moves(seen)).count();
    differing + seen.len().abs_diff(believed.len())
}

/// How often a person had to help.
fn calls(table: &Table) -> usize {
    table.log().iter().filter(|(_, what)| what == "the person helps").count()
}

fn moves(seen: &GameSeen) -> String {
    seen.columns.iter().map(|&column| char::from(b'1' + column as u8)).collect()
}
