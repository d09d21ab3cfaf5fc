//! What weights are tuned for.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arena::{GameRecord, Limits, play_classic, play_with_keys};
use crate::evaluate::{Lee, Linear, Stack, StackWeights, ours};
use crate::gameboy::{Mode, Setup};
use crate::reach::Timing;
use crate::search::Depth;

/// A game to be good at, and the evaluator whose weights are tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// 999,999 points with few lines: [`Stack`] on the Game Boy, keys of 75 ms.
    Score {
        /// Column of the well.
        well: usize,
        /// Start level.
        level: u8,
        /// Ten levels faster.
        heart: bool,
    },
    /// Lines on a classic ten-column field, one piece known, uniform pieces: [`Linear`].
    Lines {
        /// Rows of the field.
        rows: u32,
        /// Pieces after which a game is broken off.
        pieces: u32,
    },
    /// The robot document's fitness: lines from a fixed number of pieces with [`Lee`]'s four
    /// features, depth 2.
    RobotLines {
        /// Pieces of a game.
        pieces: u32,
    },
}

/// Key press of the robot, in milliseconds.
const PRESS_MS: f64 = 75.0;
/// Lines after which a game for points counts as one that never gets there.
const HOPELESS_LINES: u32 = 700;

impl Objective {
    /// Weights to start from.
    pub fn start(self) -> Vec<f64> {
        match self {
            Objective::Score { .. } => START_STACK.to_vec(),
            Objective::Lines { .. } => START_LINEAR.to_vec(),
            Objective::RobotLines { .. } => vec![-0.5, 0.5, -0.5, -0.5],
        }
    }

    /// Mean fitness over games with these seeds; higher is better.
    pub fn fitness(self, weights: &[f64], seeds: Range<u64>) -> f64 {
        let games = (seeds.end - seeds.start).max(1) as f64;
        seeds.map(|seed| self.fitness_of_game(weights, seed)).sum::<f64>() / games
    }

    fn fitness_of_game(self, weights: &[f64], seed: u64) -> f64 {
        match self {
            Objective::Score { well, level, heart } => {
                let evaluator = Stack::new(stack_weights(weights), well);
                // A level that does not exist is tuned as the highest that does.
                let Ok(setup) = Setup::new(Mode::A, level.min(9), heart) else { return 0.0 };
                let limits = Limits { lines: HOPELESS_LINES, stop_at_max_out: true };
                let timing = Timing::from_ms(PRESS_MS);
                points_fitness(&play_with_keys(evaluator, ours::DEPTH, timing, setup, seed, limits))
            }
            Objective::Lines { rows, pieces } => {
                let lines = play_classic(&linear(weights, rows), rows, Depth::One, seed, pieces).lines;
                // Lines grow exponentially with strength; their logarithm is a calmer guide.
                f64::from(lines + 1).ln()
            }
            Objective::RobotLines { pieces } => {
                let lee = Lee {
                    height: weights[0] as f32,
                    lines: weights[1] as f32,
                    holes: weights[2] as f32,
                    bumpiness: weights[3] as f32,
                };
                f64::from(play_classic(&lee, 18, Depth::Two, seed, pieces).lines)
            }
        }
    }
}

/// One death in a hundred weighs as much as ten lines more in every game.
fn points_fitness(record: &GameRecord) -> f64 {
    match record.lines_to_max_out {
        Some(lines) => 1.5 + (330.0 - f64::from(lines)) / 1_000.0,
        None => 0.5 * f64::from(record.score) / 1_000_000.0,
    }
}

fn stack_weights(weights: &[f64]) -> StackWeights {
    let mut array = [0.0; StackWeights::COUNT];
    for (to, from) in array.iter_mut().zip(weights) {
        *to = *from as f32;
    }
    StackWeights::from_array(array)
}

fn linear(weights: &[f64], rows: u32) -> Linear {
    let mut array = [0.0; Linear::WEIGHTS];
    for (to, from) in array.iter_mut().zip(weights) {
        *to = *from as f32;
    }
    Linear::new(rows, array)
}

/// Where the search for points starts: what an earlier run at depth 2 had found, with the clears
/// and the limits set by hand for a search that looks further.
const START_STACK: [f64; StackWeights::COUNT] = [
    -8.4, -26.04, -18.57, -7.43, -1.85, -21.6, -16.86, -4.31, // stacking
    -9.73, 2.14, 0.06, 2.4, // well height, ready and spare rows, diversity
    -60.0, -60.0, -60.0, 94.12, // clears
    -9.51, -17.24, -12.98, -10.43, -1.01, -21.97, -12.26, -15.0, // burning
    9.04, 9.5, 9.0, 7.0, 1.31, // eroded, limits, bonus for a bar
];

/// Where the search for lines starts: DT-10.
const START_LINEAR: [f64; Linear::WEIGHTS] = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
