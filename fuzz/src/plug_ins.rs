//! Evaluators in WebAssembly, binary or text.

use plugins::wasm::WasmEvaluator;
use tetris::Board;
use tetris::evaluate::Evaluator;

/// Loads the module and lets it value two boards; values are finite, whatever it does.
pub fn load(bytes: &[u8]) {
    let Ok(evaluator) = WasmEvaluator::new("fuzz", bytes) else { return };
    let drawn = Board::parse("#.#.#.#.#.\n##########").unwrap_or(Board::EMPTY);
    for board in [Board::EMPTY, drawn] {
        assert!(evaluator.board_value(&board).is_finite());
    }
}
