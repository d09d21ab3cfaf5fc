//! What weights are tuned for.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arena::play_classic;
use crate::evaluate::{Lee, Linear};
use crate::search::Depth;

/// The game to be good at, and the evaluator whose weights are tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// Lines on a classic ten-column field, one piece known, uniform pieces: [`Linear`].
    Lines {
        /// Rows of the field.
        rows: u32,
        /// Pieces after which a game is stopped.
        pieces: u32,
    },
    /// The fitness of the source of G13: lines from a fixed number of pieces with [`Lee`]'s four
    /// features, depth 2.
    RobotLines {
        /// Pieces per game.
        pieces: u32,
    },
}

impl Objective {
    /// Weights to start from.
    pub fn start(self) -> Vec<f64> {
        match self {
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
            Objective::Lines { rows, pieces } => {
                let lines = play_classic(&linear(weights, rows), rows, Depth::One, seed, pieces).lines;
                // Lines grow exponentially with strength; their logarithm is less noisy.
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

fn linear(weights: &[f64], rows: u32) -> Linear {
    let mut array = [0.0; Linear::WEIGHTS];
    for (to, from) in array.iter_mut().zip(weights) {
        *to = *from as f32;
    }
    Linear::new(rows, array)
}

/// Where the search for lines starts: DT-10.
const START_LINEAR: [f64; Linear::WEIGHTS] = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
