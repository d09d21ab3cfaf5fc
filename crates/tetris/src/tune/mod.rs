//! Tunes weights with an evolution strategy or a genetic algorithm under equal conditions (G13), and
//! learns the tables of our player for points with the [`Learner`].
//!
//! A run is a [`Tuner`]: plain numbers that can be stored after any generation and
//! resumed later. Every generation derives its candidates and games from the run's
//! seed and its own number, so a resumed run gives the same result.

mod cma_es;
mod genetic;
mod learner;
mod objective;

use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

pub use cma_es::CmaEs;
pub use genetic::{Genetic, GeneticSettings};
pub use learner::{Learner, LearnerSettings, Lesson, Round};
pub use objective::Objective;

/// A tuning run between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuner {
    objective: Objective,
    method: Method,
    seed: u64,
    games: usize,
    generation: u64,
    history: Vec<Generation>,
}

/// How candidates are bred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Method {
    /// Covariance matrix adaptation.
    CmaEs(CmaEs),
    /// The genetic algorithm of the source of G13.
    Genetic(Genetic),
}

/// The result of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, counted from 1.
    pub number: u64,
    /// Highest fitness of a candidate.
    pub best: f64,
    /// Mean fitness of the candidates.
    pub mean: f64,
    /// The weights of the best candidate.
    pub weights: Vec<f64>,
}

impl Tuner {
    /// A run of the evolution strategy.
    pub fn cma_es(objective: Objective, population: usize, sigma: f64, games: usize, seed: u64) -> Tuner {
        let start = vec![0.0; objective.start().len()];
        let method = Method::CmaEs(CmaEs::new(start, sigma, population));
        Tuner { objective, method, seed, games, generation: 0, history: Vec::new() }
    }

    /// A run of the genetic algorithm.
    pub fn genetic(objective: Objective, settings: GeneticSettings, games: usize, seed: u64) -> Tuner {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let genes = objective.start().len();
        let method = Method::Genetic(Genetic::new(settings, genes, &mut random));
        Tuner { objective, method, seed, games, generation: 0, history: Vec::new() }
    }

    /// Runs one generation on `threads` threads.
    pub fn step(&mut self, threads: usize) -> &Generation {
        let fitness = self.play(&self.candidates(), self.seeds(), threads);
        self.learn(&fitness)
    }

    /// The weights to try in the next generation. Their fitness is [`Objective::fitness`] with
    /// [`Tuner::seeds`]; whoever computes it, on however many machines, [`Tuner::learn`] goes on from there.
    ///
    /// ```
    /// use tetris::tune::{Objective, Tuner};
    ///
    /// let objective = Objective::Lines { rows: 6, pieces: 20 };
    /// let mut whole = Tuner::cma_es(objective, 6, 0.3, 2, 1);
    /// let mut parts = whole.clone();
    /// whole.step(1);
    /// let fitness: Vec<f64> =
    ///     parts.candidates().iter().map(|weights| objective.fitness(weights, parts.seeds())).collect();
    /// parts.learn(&fitness);
    /// assert_eq!(whole, parts);
    /// ```
    pub fn candidates(&self) -> Vec<Vec<f64>> {
        self.draw().0.iter().map(|candidate| self.weights_of(candidate)).collect()
    }

    /// The seeds of the next generation's games.
    pub fn seeds(&self) -> Range<u64> {
        // Tuning uses high seeds; low ones are reserved for measuring.
        let first = (1 << 40) + self.seed * 1_000_000_007 + (self.generation + 1) * self.games as u64;
        first..first + self.games as u64
    }

    /// Ends a generation with the fitness of its candidates, in their order. Missing values count as the worst.
    pub fn learn(&mut self, fitness: &[f64]) -> &Generation {
        let (candidates, mut random) = self.draw();
        let weights = self.candidates();
        let mut fitness = fitness.to_vec();
        fitness.resize(candidates.len(), f64::MIN);
        self.generation += 1;
        match &mut self.method {
            Method::CmaEs(search) => search.tell(&candidates, &fitness),
            Method::Genetic(search) => search.breed(&fitness, &mut random),
        }
        let best = (0..fitness.len()).max_by(|&a, &b| fitness[a].total_cmp(&fitness[b])).unwrap_or(0);
        self.history.push(Generation {
            number: self.generation,
            best: fitness[best],
            mean: fitness.iter().sum::<f64>() / fitness.len() as f64,
            weights: weights[best].clone(),
        });
        &self.history[self.history.len() - 1]
    }

    /// The next generation's candidates as the method sees them, and its random numbers after drawing them.
    fn draw(&self) -> (Vec<Vec<f64>>, Xoshiro256PlusPlus) {
        let number = self.generation + 1;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number.wrapping_mul(0x9E37_79B9));
        let candidates = match &self.method {
            Method::CmaEs(search) => search.ask(&mut random),
            Method::Genetic(search) => search.population().to_vec(),
        };
        (candidates, random)
    }

    fn play(&self, weights: &[Vec<f64>], seeds: Range<u64>, threads: usize) -> Vec<f64> {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let mut fitness = vec![0.0; weights.len()];
        let results: Vec<Vec<(usize, f64)>> = std::thread::scope(|scope| {
            let work = || {
                let mut done = Vec::new();
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(candidate) = weights.get(index) else { return done };
                    done.push((index, self.objective.fitness(candidate, seeds.clone())));
                }
            };
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_default()).collect()
        });
        for (index, value) in results.into_iter().flatten() {
            fitness[index] = value;
        }
        fitness
    }

    /// The evolution strategy works on offsets in units of each weight's size, the genetic
    /// algorithm on the weights themselves.
    fn weights_of(&self, candidate: &[f64]) -> Vec<f64> {
        match &self.method {
            Method::CmaEs(_) => {
                let start = self.objective.start();
                start.iter().zip(candidate).map(|(w, x)| w + x * w.abs().max(0.5)).collect()
            }
            Method::Genetic(_) => candidate.to_vec(),
        }
    }

    /// The best guess: the centre of the strategy, or the best candidate of the latest generation.
    pub fn weights(&self) -> Vec<f64> {
        match &self.method {
            Method::CmaEs(search) => self.weights_of(search.mean()),
            Method::Genetic(_) => {
                self.history.last().map_or_else(|| self.objective.start(), |g| g.weights.clone())
            }
        }
    }

    /// All generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }

    /// The objective.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_gone_on_with_is_the_same_run() {
        let objective = Objective::Lines { rows: 6, pieces: 30 };
        let mut whole = Tuner::cma_es(objective, 6, 0.3, 2, 1);
        let mut first = whole.clone();
        for _ in 0..3 {
            whole.step(2);
        }
        first.step(1);
        let mut second = first.clone();
        second.step(2);
        second.step(1);
        assert_eq!(whole, second);
    }

    #[test]
    fn the_genetic_algorithm_gets_better_on_short_games() {
        let objective = Objective::RobotLines { pieces: 60 };
        let settings = GeneticSettings { population: 20, ..GeneticSettings::default() };
        let mut tuner = Tuner::genetic(objective, settings, 4, 3);
        let first = tuner.step(2).mean;
        for _ in 0..8 {
            tuner.step(2);
        }
        assert!(tuner.history()[8].mean > first + 1.0, "{:?}", tuner.history());
    }
}
