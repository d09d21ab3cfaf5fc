//! Speed of WebAssembly evaluators; run by `cargo xtask bench tetris`.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::time::Duration;

use plugins::wasm::WasmEvaluator;
use tetris::Board;
use tetris::evaluate::Evaluator;

const LOW: &[u8] = include_bytes!("../../../fixtures/tetris/plugins/low.wat");

fn main() {
    let evaluator = WasmEvaluator::new("low", LOW).unwrap();
    let board = Board::parse("#...#.....\n##..##...#\n###.######\n##.#######").unwrap();
    let evaluations = fastest(|| evaluator.board_value(&board));
    assert_eq!(evaluator.failure(), None);
    #[expect(clippy::print_stdout, reason = "the measurement is this program's output")]
    {
        println!("{}", serde_json::json!({ "wasm_evaluations_per_s": evaluations }));
    }
}

/// Calls per second in the best of several short rounds, so that other load on the machine counts least.
fn fastest(mut call: impl FnMut() -> f32) -> f64 {
    const CALLS: u32 = 20_000;
    let round = |_| {
        let start = cpu_time();
        for _ in 0..CALLS {
            std::hint::black_box(call());
        }
        cpu_time().saturating_sub(start)
    };
    let best = (0..50).map(round).min().unwrap_or(Duration::MAX);
    f64::from(CALLS) / best.as_secs_f64()
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}
