//! `gamebot.tetris`: boards, reachable placements with their keys, search, games, arena, tuning.

mod arena;
mod board;
pub mod game;
mod search;
pub mod tune;
pub mod versus;

use ::tetris::Piece;
use ::tetris::arena::{Player, Rules};
use ::tetris::gameboy::{Buttons, Mode, Setup};
use ::tetris::reach::Timing;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::connect_four::value_error;
pub use board::{Board, Placement};

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("PIECES", Piece::ALL.map(Piece::letter).iter().collect::<String>())?;
    module.add("PLAYERS", PyTuple::new(py, Player::ALL.map(|(name, _)| name))?)?;
    board::fill(module)?;
    game::fill(module)?;
    search::fill(module)?;
    arena::fill(module)?;
    tune::fill(module)?;
    versus::fill(module)
}

/// The piece with this letter.
pub fn piece(letter: &str) -> PyResult<Piece> {
    let mut letters = letter.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err(value_error(format!("{letter:?} is not a piece: choose one of L, J, I, O, Z, S, T"))),
    }
}

/// The player with this name.
pub fn player(name: &str) -> PyResult<Player> {
    Player::named(name).map_err(value_error)
}

/// The rules by name.
pub fn rules(name: &str, level: u8, heart: bool, press_ms: f64, rows: u32, preview: bool) -> PyResult<Rules> {
    let setup = Setup::new(Mode::A, level, heart).map_err(value_error)?;
    if !(4..=28).contains(&rows) {
        return Err(value_error(format!("rows is {rows}: choose 4 to 28")));
    }
    match name {
        "gameboy" => Ok(Rules::GameBoy { setup, timing: timing(press_ms)? }),
        "document" => {
            timing(press_ms)?;
            Ok(Rules::Document { level, press_ms: (press_ms > 0.0).then_some(press_ms) })
        }
        "classic" => Ok(Rules::Classic { rows, preview }),
        _ => Err(value_error(format!("rules are {name:?}: choose gameboy, document or classic"))),
    }
}

/// How fast keys are.
pub fn timing(press_ms: f64) -> PyResult<Timing> {
    if (0.0..=1_000.0).contains(&press_ms) {
        return Ok(Timing::from_ms(press_ms));
    }
    Err(value_error(format!("press_ms is {press_ms}: choose 0 to 1000")))
}

/// A speed level.
pub fn speed(level: u8) -> PyResult<u8> {
    if level <= 20 { Ok(level) } else { Err(value_error(format!("level is {level}: choose 0 to 20"))) }
}

/// Names of buttons in the console's order.
pub const BUTTONS: [&str; 8] = ["right", "left", "up", "down", "a", "b", "select", "start"];

/// The names of held buttons.
pub fn button_names(buttons: Buttons) -> Vec<&'static str> {
    (0..8).filter(|bit| buttons.0 >> bit & 1 == 1).map(|bit| BUTTONS[bit]).collect()
}

/// The buttons with these names.
pub fn buttons(names: &[String]) -> PyResult<Buttons> {
    let mut held = 0;
    for name in names {
        let bit = BUTTONS.iter().position(|known| known == name);
        held |= 1
            << bit.ok_or_else(|| {
                value_error(format!("{name:?} is not a button: choose among {}", BUTTONS.join(", ")))
            })?;
    }
    Ok(Buttons(held))
}
