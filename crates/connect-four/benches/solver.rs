//! Solving the six benchmark sets: one thread, an empty table before each
//! position, no book, CPU time of the solving call alone.
//!
//! Options: `--json`, `--all` (every position instead of some of each set), `--empty` (the empty board, too), `--positions` (list every
//! position measured, for a peer to solve).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures"
)]

use budget::Budget;
use connect_four::{Position, Solver};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

/// Name of the set, and the number of positions, evenly spread, measured without `--all`.
const SETS: [(&str, usize); 6] =
    [("L3_R1", 100), ("L2_R1", 100), ("L2_R2", 100), ("L1_R1", 200), ("L1_R2", 50), ("L1_R3", 20)];
/// Number of positions in a set.
const WHOLE: usize = 1000;
/// The table's largest size; it uses what a position needs.
const TABLE_BYTES: usize = 256 << 20;

fn main() {
    let given = |name: &str| std::env::args().any(|argument| argument == name);
    let mut solver = Solver::new(TABLE_BYTES);
    let mut sets = Vec::new();
    for (set, few) in SETS {
        let positions = benchmark(set, if given("--all") { WHOLE } else { few });
        let measured = measure(&mut solver, &positions);
        if !given("--json") {
            println!(
                "{set}: {} positions, {} wrong, {:.0} nodes, {:.1} µs on average",
                positions.len(),
                measured.wrong,
                measured.nodes,
                measured.cpu_us
            );
        }
        let moves: Vec<&str> = positions.iter().map(|position| position.moves.as_str()).collect();
        sets.push(json!({
            "set": set,
            "positions": positions.len(),
            "wrong": measured.wrong,
            "nodes_mean": measured.nodes,
            "cpu_us_mean": measured.cpu_us,
            "moves": if given("--positions") { moves } else { Vec::new() },
        }));
    }
    let empty = given("--empty").then(|| {
        solver.clear();
        let (nodes, start) = (solver.nodes(), cpu_us());
        let score = solver.score(&Position::EMPTY, &Budget::unlimited()).expect("no limit was set");
        json!({ "score": score, "nodes": solver.nodes() - nodes, "cpu_s": (cpu_us() - start) / 1e6 })
    });
    if given("--json") {
        println!("{}", json!({ "sets": sets, "empty_board": empty }));
    } else if let Some(empty) = empty {
        println!("empty board: {empty}");
    }
}

struct Solved {
    moves: String,
    position: Position,
    score: i32,
}

fn benchmark(set: &str, count: usize) -> Vec<Solved> {
    let path = format!("{}/../../fixtures/connect-four/Test_{set}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the benchmark sets lie under fixtures/");
    let solved = |line: &str| {
        let (moves, score) = line.split_once(' ')?;
        Some(Solved {
            moves: moves.to_owned(),
            position: moves.parse().ok()?,
            score: score.trim().parse().ok()?,
        })
    };
    text.lines().step_by(WHOLE / count).map(|line| solved(line).expect("a line is moves and score")).collect()
}

/// Means over the positions of a set.
struct Measured {
    wrong: usize,
    nodes: f64,
    cpu_us: f64,
}

fn measure(solver: &mut Solver, positions: &[Solved]) -> Measured {
    // The system allocates the table's pages on first use; that is not part of solving.
    for solved in positions.iter().take(3) {
        solver.score(&solved.position, &Budget::unlimited()).expect("no limit was set");
    }
    let (mut wrong, mut cpu) = (0, 0.0);
    let nodes = solver.nodes();
    for solved in positions {
        solver.clear();
        let start = cpu_us();
        let score = solver.score(&solved.position, &Budget::unlimited()).expect("no limit was set");
        cpu += cpu_us() - start;
        wrong += usize::from(score != solved.score);
    }
    let count = positions.len() as f64;
    Measured { wrong, nodes: (solver.nodes() - nodes) as f64 / count, cpu_us: cpu / count }
}

/// CPU time of this thread, so that other load on the machine does not count.
fn cpu_us() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
