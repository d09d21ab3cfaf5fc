//! Covariance matrix adaptation, after Hansen, "The CMA Evolution Strategy: A Tutorial" (2016).
//!
//! Our own, because a run must be able to stop and resume: its whole state is
//! plain numbers that can be stored.

#![allow(
    clippy::many_single_char_names,
    clippy::needless_range_loop,
    reason = "matrices are written as in the tutorial"
)]

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The state of a run that maximises fitness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    mean: Vec<f64>,
    sigma: f64,
    /// Covariance, row by row.
    covariance: Vec<Vec<f64>>,
    path_sigma: Vec<f64>,
    path_covariance: Vec<f64>,
    generation: u64,
    population: usize,
}

impl CmaEs {
    /// Starts around `mean` with steps of `sigma` and `population` candidates per generation.
    pub fn new(mean: Vec<f64>, sigma: f64, population: usize) -> CmaEs {
        let n = mean.len();
        let mut covariance = vec![vec![0.0; n]; n];
        for (i, row) in covariance.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        CmaEs {
            mean,
            sigma,
            covariance,
            path_sigma: vec![0.0; n],
            path_covariance: vec![0.0; n],
            generation: 0,
            population: population.max(4),
        }
    }

    /// The centre of the search: the best guess so far.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The overall step size.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Generations so far.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Draws the next candidates.
    pub fn ask<R: Rng>(&self, random: &mut R) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let (values, vectors) = eigen(&self.covariance);
        let draw = |random: &mut R| {
            let z: Vec<f64> = values.iter().map(|v| v.max(1e-20).sqrt() * normal(random)).collect();
            (0..n)
                .map(|i| self.mean[i] + self.sigma * (0..n).map(|j| vectors[i][j] * z[j]).sum::<f64>())
                .collect()
        };
        (0..self.population).map(|_| draw(random)).collect()
    }

    /// Learns from the fitness of the candidates, in the order in which they were drawn.
    pub fn tell(&mut self, candidates: &[Vec<f64>], fitness: &[f64]) {
        let n = self.mean.len() as f64;
        let dim = self.mean.len();
        let lambda = candidates.len();
        let mu = lambda / 2;
        let mut order: Vec<usize> = (0..lambda).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));

        let raw: Vec<f64> = (0..mu).map(|i| (mu as f64 + 0.5).ln() - (i as f64 + 1.0).ln()).collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
        let c_1 = 2.0 / ((n + 1.3).powi(2) + mu_eff);
        let c_mu = (1.0 - c_1).min(2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0).powi(2) + mu_eff));
        let chi = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));

        let old = self.mean.clone();
        let step = |candidate: &[f64], i: usize| (candidate[i] - old[i]) / self.sigma;
        let y: Vec<f64> = (0..dim)
            .map(|i| weights.iter().zip(&order).map(|(w, &k)| w * step(&candidates[k], i)).sum())
            .collect();
        for i in 0..dim {
            self.mean[i] = old[i] + self.sigma * y[i];
        }

        let whitened = inverse_root_times(&self.covariance, &y);
        let keep = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for i in 0..dim {
            self.path_sigma[i] = (1.0 - c_sigma) * self.path_sigma[i] + keep * whitened[i];
        }
        let length = self.path_sigma.iter().map(|p| p * p).sum::<f64>().sqrt();
        self.generation += 1;
        let decay = 1.0 - (1.0 - c_sigma).powi(2 * self.generation.min(1_000) as i32);
        let is_moving = length / decay.sqrt() < (1.4 + 2.0 / (n + 1.0)) * chi;
        let moving = if is_moving { 1.0 } else { 0.0 };
        let keep = moving * (c_c * (2.0 - c_c) * mu_eff).sqrt();
        for i in 0..dim {
            self.path_covariance[i] = (1.0 - c_c) * self.path_covariance[i] + keep * y[i];
        }
        let stall = (1.0 - moving) * c_c * (2.0 - c_c);
        for i in 0..dim {
            for j in 0..dim {
                let rank_one =
                    self.path_covariance[i] * self.path_covariance[j] + stall * self.covariance[i][j];
                let rank_mu: f64 = weights
                    .iter()
                    .zip(&order)
                    .map(|(w, &k)| w * step(&candidates[k], i) * step(&candidates[k], j))
                    .sum();
                self.covariance[i][j] =
                    (1.0 - c_1 - c_mu) * self.covariance[i][j] + c_1 * rank_one + c_mu * rank_mu;
            }
        }
        self.sigma *= ((c_sigma / d_sigma) * (length / chi - 1.0)).exp();
    }
}

/// A standard normal number (Box and Muller).
fn normal<R: Rng>(random: &mut R) -> f64 {
    let u: f64 = 1.0 - random.random::<f64>();
    let v: f64 = random.random();
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// C^(-1/2) · y for a symmetric C.
fn inverse_root_times(matrix: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
    let (values, vectors) = eigen(matrix);
    let n = y.len();
    let projected: Vec<f64> = (0..n)
        .map(|j| (0..n).map(|i| vectors[i][j] * y[i]).sum::<f64>() / values[j].max(1e-20).sqrt())
        .collect();
    (0..n).map(|i| (0..n).map(|j| vectors[i][j] * projected[j]).sum()).collect()
}

/// Eigenvalues and eigenvectors (in columns) of a symmetric matrix, by Jacobi rotations.
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut vectors = vec![vec![0.0; n]; n];
    for (i, row) in vectors.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-24 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), vectors)
}

fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q].abs() < 1e-300 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
    for k in 0..a.len() {
        let (x, y) = (a[p][k], a[q][k]);
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    for row in vectors.iter_mut() {
        let (x, y) = (row[p], row[q]);
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn finds_the_bottom_of_rosenbrocks_valley() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut search = CmaEs::new(vec![-1.0; 4], 0.5, 12);
        let fitness = |x: &Vec<f64>| {
            -(0..3).map(|i| 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2)).sum::<f64>()
        };
        for _ in 0..400 {
            let candidates = search.ask(&mut random);
            let values: Vec<f64> = candidates.iter().map(fitness).collect();
            search.tell(&candidates, &values);
        }
        assert!(search.mean().iter().all(|x| (x - 1.0).abs() < 1e-3), "{:?}", search.mean());
    }

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -0.2], vec![0.5, -0.2, 2.0]];
        let (values, vectors) = eigen(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let rebuilt: f64 = (0..3).map(|k| vectors[i][k] * values[k] * vectors[j][k]).sum();
                assert!((rebuilt - matrix[i][j]).abs() < 1e-10);
            }
        }
    }
}
