//! Where a player puts a piece, and what it thinks of a board.

use ::tetris::arena::{Player, Rules, UseEvaluator};
use ::tetris::evaluate::{Evaluator, Situation};
use ::tetris::field::Field;
use ::tetris::search::{BestPlacement, Chance, Depth, Keys, OpenDrops, Search};
use ::tetris::{Board, Piece};
use budget::Budget;
use pyo3::prelude::*;

use super::{Board as PyBoard, Placement, piece, player, rules, speed};
use crate::interrupt::with_budget;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(decide, module)?)?;
    module.add_function(wrap_pyfunction!(value, module)?)
}

/// Where a player puts a piece when it knows which one follows: placement, value and nodes; `None` if there is
/// no placement.
///
/// >>> from gamebot.tetris import Board, decide
/// >>> well = Board("#########.\n" * 4)
/// >>> decide(well, "I", "O", player="lee")[0]
/// Placement(1, 8, 0)
#[pyfunction]
#[pyo3(signature = (board, piece, preview, *, player = "ours", rules = "gameboy", level = 9, press_ms = 75.0, rows = 20, nodes = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn decide(
    py: Python<'_>,
    board: &PyBoard,
    piece: &str,
    preview: &str,
    player: &str,
    rules: &str,
    level: u8,
    press_ms: f64,
    rows: u32,
    nodes: Option<u64>,
) -> PyResult<Option<(Placement, f32, u64)>> {
    let speed = speed(level)?;
    let rules = self::rules(rules, level.min(9), false, press_ms, rows, true)?;
    let (player, active, preview) = (self::player(player)?, self::piece(piece)?, self::piece(preview)?);
    let board = board.cells();
    let best = with_budget(py, nodes, |budget| {
        player.with_evaluator(&rules, Decide { board: &board, active, preview, speed, rules, budget })
    })?;
    Ok(best.map(|best| (Placement(best.placement), best.value, best.nodes)))
}

/// What a player's evaluator says about a board, without regard to the move that led to it.
#[pyfunction]
#[pyo3(signature = (board, *, player = "ours", rules = "gameboy", level = 9, press_ms = 75.0, rows = 20))]
fn value(board: &PyBoard, player: &str, rules: &str, level: u8, press_ms: f64, rows: u32) -> PyResult<f32> {
    let speed = speed(level)?;
    let rules = self::rules(rules, level.min(9), false, press_ms, rows, true)?;
    let player: Player = self::player(player)?;
    Ok(player.with_evaluator(&rules, Value { board: &board.cells(), speed, rules }))
}

struct Decide<'a> {
    board: &'a Board,
    active: Piece,
    preview: Piece,
    speed: u8,
    rules: Rules,
    budget: &'a Budget,
}

impl UseEvaluator for Decide<'_> {
    type Output = Option<BestPlacement>;

    fn with<E: Evaluator + Clone + Send + 'static>(self, evaluator: E, depth: Depth) -> Self::Output {
        let Decide { board, active, preview, speed, rules, budget } = self;
        match rules {
            Rules::GameBoy { timing, .. } => {
                let keys = Keys::new(timing);
                let mut search = Search::new(evaluator, keys, Field::GAME_BOY, depth, Chance::GameBoy);
                search.movement.set_speed(speed);
                search.prepare(&Situation { board, active, preview, speed, timing, maxed_out: false });
                search.decide(board, active, preview, budget)
            }
            Rules::Document { .. } | Rules::Classic { .. } => {
                let rows = match rules {
                    Rules::Classic { rows, .. } => rows,
                    Rules::GameBoy { .. } | Rules::Document { .. } => 19,
                };
                let movement = OpenDrops { rows };
                let mut search =
                    Search::new(evaluator, movement, Field::classic(rows), depth, Chance::Uniform);
                search.decide(board, active, preview, budget)
            }
        }
    }
}

struct Value<'a> {
    board: &'a Board,
    speed: u8,
    rules: Rules,
}

impl UseEvaluator for Value<'_> {
    type Output = f32;

    fn with<E: Evaluator + Clone + Send + 'static>(self, mut evaluator: E, _depth: Depth) -> f32 {
        if let Rules::GameBoy { timing, .. } = self.rules {
            let (active, preview) = (Piece::L, Piece::L);
            let (board, speed, maxed_out) = (self.board, self.speed, false);
            let situation = Situation { board, active, preview, speed, timing, maxed_out };
            evaluator.prepare(&situation);
        }
        evaluator.board_value(self.board)
    }
}
