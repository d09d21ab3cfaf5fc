//! The genetic algorithm of the source of G13, with all its parameters.
//!
//! Tournaments choose parents, some pairs mix their genes, single genes mutate,
//! and the fittest survive unchanged. The defaults are the published parameters.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneticSettings {
    /// Individuals.
    pub population: usize,
    /// Probability that two parents mix their genes.
    pub crossover: f64,
    /// Probability that a gene mutates.
    pub mutation: f64,
    /// Individuals in a tournament.
    pub tournament: usize,
    /// Fittest individuals that survive unchanged.
    pub elite: usize,
}

impl Default for GeneticSettings {
    fn default() -> Self {
        Self { population: 100, crossover: 0.3, mutation: 0.02, tournament: 2, elite: 2 }
    }
}

/// A population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    settings: GeneticSettings,
    population: Vec<Vec<f64>>,
}

impl Genetic {
    /// A random first population; every gene is between −1 and 1.
    pub fn new<R: Rng>(settings: GeneticSettings, genes: usize, random: &mut R) -> Genetic {
        let settings = GeneticSettings {
            population: settings.population.max(2),
            tournament: settings.tournament.max(1),
            ..settings
        };
        let population = (0..settings.population)
            .map(|_| (0..genes).map(|_| random.random_range(-1.0..1.0)).collect())
            .collect();
        Genetic { settings, population }
    }

    /// The individuals.
    pub fn population(&self) -> &[Vec<f64>] {
        &self.population
    }

    /// Replaces the population with its children.
    pub fn breed<R: Rng>(&mut self, fitness: &[f64], random: &mut R) {
        let mut order: Vec<usize> = (0..self.population.len()).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let mut children: Vec<Vec<f64>> =
            order.iter().take(self.settings.elite).map(|&i| self.population[i].clone()).collect();
        while children.len() < self.population.len() {
            let mut child = self.population[self.tournament(fitness, random)].clone();
            if random.random_bool(self.settings.crossover) {
                let other = &self.population[self.tournament(fitness, random)];
                let cut = random.random_range(0..child.len());
                child[cut..].copy_from_slice(&other[cut..]);
            }
            for gene in &mut child {
                if random.random_bool(self.settings.mutation) {
                    *gene = random.random_range(-1.0..1.0);
                }
            }
            children.push(child);
        }
        self.population = children;
    }

    fn tournament<R: Rng>(&self, fitness: &[f64], random: &mut R) -> usize {
        let mut winner = random.random_range(0..self.population.len());
        for _ in 1..self.settings.tournament {
            let rival = random.random_range(0..self.population.len());
            if fitness[rival] > fitness[winner] {
                winner = rival;
            }
        }
        winner
    }
}
