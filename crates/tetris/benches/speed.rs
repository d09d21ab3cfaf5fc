//! Speed of evaluating placements, deciding and finding reachable moves, on one thread.
//!
//! `cargo bench -p tetris --bench speed [-- --json]`

#![allow(clippy::expect_used, reason = "a measurement that cannot start says so")]

use std::time::Duration;

use budget::Budget;
use tetris::evaluate::{Evaluator, Learned, Lee, Linear, ours};
use tetris::field::Field;
use tetris::gameboy::{IdealDiv, Mode, PlacementGame, PlacementOutcome, Setup};
use tetris::moves::drops;
use tetris::reach::{Reach, Timing};
use tetris::search::{Chance, Depth, Drops, Keys, Movement, Search, Task};
use tetris::{Board, Piece, Placement};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const FIELD: Field = Field::GAME_BOY;
const DROPS: Drops = Drops { ceiling: 18 };

/// A board with its pieces.
type Sample = (Board, Piece, Piece);

fn main() {
    let json = std::env::args().any(|arg| arg == "--json");
    let samples = boards_from_play();
    let lee = Lee::PUBLISHED;
    let bcts = Linear::bcts(18);
    let figures = [
        ("lee_placements_per_s", placements_per_s(&samples, &lee)),
        ("bcts_placements_per_s", placements_per_s(&samples, &bcts)),
        ("lee_depth_2_us", decision_us(&samples, lee, DROPS, Depth::Two)),
        ("bcts_depth_2_us", decision_us(&samples, bcts, DROPS, Depth::Two)),
        (
            "bcts_one_chance_full_width_us",
            decision_us(&samples[..64], bcts, DROPS, Depth::Chance { pairs: 0 }),
        ),
        (
            "bcts_one_chance_64_pairs_us",
            decision_us(&samples[..256], bcts, DROPS, Depth::Chance { pairs: 64 }),
        ),
        (
            "bcts_one_chance_16_pairs_us",
            decision_us(&samples[..256], bcts, DROPS, Depth::Chance { pairs: 16 }),
        ),
        (
            "bcts_two_chances_16_pairs_3_replies_us",
            decision_us(&samples[..64], bcts, DROPS, Depth::TwoChances { pairs: 16, replies: 3 }),
        ),
        ("reach_level_9_us", reach_us(&samples, 9)),
        ("reach_level_20_us", reach_us(&samples, 20)),
        ("reach_mean_us", (0..=20).map(|speed| reach_us(&samples, speed)).sum::<f64>() / 21.0),
        ("bcts_depth_2_with_keys_level_9_us", decision_us(&samples, bcts, keys(9), Depth::Two)),
        (
            "ours_with_keys_level_9_ms",
            decision_us(&samples[..256], Learned::ours(), keys(9), ours::DEPTH) / 1_000.0,
        ),
    ];
    if json {
        let fields: Vec<_> = figures.iter().map(|(name, value)| format!("\"{name}\":{value:.3}")).collect();
        #[expect(clippy::print_stdout, reason = "the measurement is this program's output")]
        {
            println!("{{{}}}", fields.join(","));
        }
        return;
    }
    for (name, value) in figures {
        #[expect(clippy::print_stdout, reason = "the measurement is this program's output")]
        {
            println!("{name:45} {value:>16.3}");
        }
    }
}

fn keys(speed: u8) -> Keys {
    let mut keys = Keys::new(Timing::from_ms(75.0));
    keys.set_speed(speed);
    keys
}

/// Boards from 2,000 moves of Lee's player: typical for evaluators.
fn boards_from_play() -> Vec<Sample> {
    let mut dealer = IdealDiv(Xoshiro256PlusPlus::seed_from_u64(1));
    let setup = Setup::new(Mode::A, 9, false).expect("level 9 exists");
    let mut game = PlacementGame::new(setup, &mut dealer);
    let mut search = Search::new(Lee::PUBLISHED, DROPS, FIELD, Depth::Two, Chance::GameBoy);
    let mut samples = Vec::new();
    for _ in 0..2_000 {
        samples.push((game.board, game.pieces.active, game.pieces.preview));
        let decision =
            search.decide(&game.board, game.pieces.active, game.pieces.preview, &Budget::unlimited());
        let placed = decision.map(|d| game.place(d.placement, 0, &mut dealer));
        if !matches!(placed, Some(PlacementOutcome::Cleared(_))) {
            game = PlacementGame::new(setup, &mut dealer);
        }
    }
    samples
}

fn placements_per_s<E: Evaluator>(samples: &[Sample], evaluator: &E) -> f64 {
    let mut count = 0usize;
    let cases: Vec<(Board, Piece, Vec<Placement>)> = samples
        .iter()
        .flat_map(|&(board, ..)| Piece::ALL.map(|piece| (board, piece)))
        .map(|(board, piece)| {
            let mut out = Vec::new();
            drops(&board, piece, 18, &mut out);
            count += out.len();
            (board, piece, out)
        })
        .collect();
    let seconds = fastest(|| {
        let mut sum = 0.0;
        for (board, piece, placements) in &cases {
            let task = Task { board, piece: *piece, field: FIELD, evaluator };
            sum += task.best_value(placements, |_, _| 0.0);
        }
        sum
    });
    count as f64 / seconds
}

fn decision_us<E: Evaluator + Clone + Send, M: Movement>(
    samples: &[Sample],
    evaluator: E,
    movement: M,
    depth: Depth,
) -> f64 {
    let mut search = Search::new(evaluator, movement, FIELD, depth, Chance::GameBoy);
    let seconds = fastest(|| {
        let mut sum = 0.0;
        for &(board, piece, preview) in samples {
            sum += search.decide(&board, piece, preview, &Budget::unlimited()).map_or(0.0, |d| d.value);
        }
        sum
    });
    seconds * 1e6 / samples.len() as f64
}

fn reach_us(samples: &[Sample], speed: u8) -> f64 {
    let mut reach = Reach::new(Timing::from_ms(75.0));
    let mut out = Vec::new();
    let seconds = fastest(|| {
        let mut count = 0usize;
        for &(board, piece, _) in samples {
            reach.search(&board, piece, speed);
            out.clear();
            reach.placements(&mut out);
            count += out.len();
        }
        count as f32
    });
    seconds * 1e6 / samples.len() as f64
}

/// CPU seconds of one run in the best of several rounds, so that other load on the machine counts least.
fn fastest(mut run: impl FnMut() -> f32) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let (start, mut runs) = (cpu_time(), 0);
        // The kernel counts in steps of milliseconds; a round is much longer.
        while cpu_time().saturating_sub(start) < Duration::from_millis(300) {
            std::hint::black_box(run());
            runs += 1;
        }
        best = best.min(cpu_time().saturating_sub(start).as_secs_f64() / f64::from(runs));
    }
    best
}

/// CPU time of this process, as counted by the kernel.
fn cpu_time() -> Duration {
    // The first number of schedstat is the time on the processor in nanoseconds.
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanoseconds)
}
