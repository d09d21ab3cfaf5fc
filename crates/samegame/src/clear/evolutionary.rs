//! A population of move lists that breed and mutate (S4).
//!
//! The source of S4 names the parameters; the operators are ours: tournaments of
//! two, one-point crossover, single-gene mutation, and the best individual
//! survives. A gene is a number; modulo the number of groups, it is the group to
//! remove.

#![allow(clippy::disallowed_types, reason = "the cache is queried by key, never iterated")]

use std::collections::HashMap;

use budget::{Budget, Meter};
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::answer::{Answer, Proof};
use crate::board::Board;
use crate::cells::CellSet;
use crate::field::{Field, colour_counts, with_field};
use crate::random::{Random, below};
use crate::rules::Rules;
use crate::scoring::Scoring;
use processor::{HotLoop, at_full_speed};

/// What makes an individual fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// Few cells left (`finished` in the source of S4).
    Finished,
    /// Many points.
    Points(Scoring),
}

/// When to stop before the last generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At the first cleared board (`first` in the source of S4).
    First,
    /// Never.
    LastGeneration,
}

/// Whether boards reached before are looked up rather than computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Keep boards (`history` in the source of S4).
    On,
    /// Compute every board.
    Off,
}

/// The parameters of the evolution.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// Individuals in a generation.
    pub population: usize,
    /// Most generations.
    pub generations: usize,
    /// What makes an individual fit.
    pub fitness: Fitness,
    /// When to stop early.
    pub stop: Stop,
    /// Whether boards are kept.
    pub cache: Cache,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for Parameters {
    /// As in the source of S4: 100 individuals, 40,000 generations, until the first
    /// cleared board, with the cache.
    fn default() -> Self {
        Self {
            population: 100,
            generations: 40_000,
            fitness: Fitness::Finished,
            stop: Stop::First,
            cache: Cache::On,
            seed: 1,
        }
    }
}

/// Breeds move lists until the board is cleared, the last generation is reached or
/// the budget ends. A node is one game played. It never proves that a board is impossible.
pub fn solve(board: &Board, rules: &Rules, parameters: &Parameters, budget: &Budget) -> Answer {
    with_field!(board, F => {
        let start = F::from_board(board);
        at_full_speed(Breeding { start: &start, min_group: rules.min_group() as u32, parameters, budget })
    })
}

/// Chance in percent of a mutation, and of one more after each.
const MUTATION_PERCENT: u32 = 60;

/// Most boards in the cache; a full cache is emptied.
const MOST_CACHED: usize = 1 << 18;

struct Breeding<'a, F: Field> {
    start: &'a F,
    min_group: u32,
    parameters: &'a Parameters,
    budget: &'a Budget,
}

#[derive(Clone)]
struct Individual {
    genes: Vec<u32>,
    moves: Vec<usize>,
    remaining: usize,
    fitness: i32,
}

impl<F: Field> HotLoop for Breeding<'_, F> {
    type Output = Answer;

    #[inline(always)]
    fn run(self) -> Answer {
        let Parameters { population: size, generations, stop, seed, .. } = *self.parameters;
        let mut random = Random::seed_from_u64(seed);
        let mut meter = self.budget.meter();
        let mut cache = HashMap::new();
        let genes = self.start.occupied_count() / self.min_group as usize;
        let mut population: Vec<Individual> = Vec::new();
        for _ in 0..size.max(2) {
            let genes = (0..genes).map(|_| random.next_u64() as u32).collect();
            population.extend(self.play(genes, &mut meter, &mut cache));
        }
        let mut best = fittest(&population).cloned();
        for _ in 0..generations {
            let Some(elite) = best.clone() else { break };
            if stop == Stop::First && elite.remaining == 0 {
                break;
            }
            let mut next = vec![elite];
            while next.len() < population.len() {
                let genes = child(&population, &mut random);
                let Some(born) = self.play(genes, &mut meter, &mut cache) else { break };
                next.push(born);
            }
            if next.len() < population.len() {
                break;
            }
            population = next;
            best = fittest(&population).cloned();
        }
        let best = best.unwrap_or(Individual {
            genes: Vec::new(),
            moves: Vec::new(),
            remaining: self.start.occupied_count(),
            fitness: 0,
        });
        let proof = if best.remaining == 0 { Proof::Cleared } else { Proof::Open };
        Answer { moves: best.moves, remaining: best.remaining, proof, nodes: meter.spent() }
    }
}

impl<F: Field> Breeding<'_, F> {
    /// Plays the game that the genes describe; `None` when the budget is used up.
    #[inline(always)]
    fn play(
        &self,
        genes: Vec<u32>,
        meter: &mut Meter<'_>,
        cache: &mut HashMap<(u64, usize), F>,
    ) -> Option<Individual> {
        if !meter.spend_node() {
            return None;
        }
        let mut field = self.start.clone();
        let mut moves = Vec::with_capacity(genes.len());
        let mut points = 0;
        let mut groups = Vec::new();
        for gene in &genes {
            groups.clear();
            field.links().for_each_group(self.min_group, |group| groups.push(group));
            if groups.is_empty() {
                break;
            }
            let index = *gene as usize % groups.len();
            let group = &groups[index];
            moves.push(index + 1);
            if let Fitness::Points(scoring) = self.parameters.fitness {
                points += scoring.group.of(group.size);
            }
            match self.parameters.cache {
                Cache::Off => field.remove(&group.cells),
                Cache::On => {
                    if cache.len() > MOST_CACHED {
                        cache.clear();
                    }
                    let after = cache.entry((field.hash(), index)).or_insert_with(|| {
                        let mut after = field.clone();
                        after.remove(&group.cells);
                        after
                    });
                    field.clone_from(after);
                }
            }
        }
        let left = colour_counts(&field);
        let remaining = field.occupied().count() as usize;
        let fitness = match self.parameters.fitness {
            Fitness::Finished => -(remaining as i32),
            Fitness::Points(scoring) => points + scoring.end_points(left.iter().copied()),
        };
        Some(Individual { genes, moves, remaining, fitness })
    }
}

fn fittest(population: &[Individual]) -> Option<&Individual> {
    population.iter().max_by_key(|individual| individual.fitness)
}

/// The genes of a child of two tournament winners.
fn child(population: &[Individual], random: &mut Random) -> Vec<u32> {
    let mother = tournament(population, random);
    let father = tournament(population, random);
    let mut genes = mother.genes.clone();
    // Only genes that were used matter.
    let played = mother.moves.len().max(1) as u32;
    let cut = below(random, played) as usize;
    if below(random, 2) == 0 {
        genes[cut..].copy_from_slice(&father.genes[cut..]);
    }
    while below(random, 100) < MUTATION_PERCENT {
        if let Some(gene) = genes.get_mut(below(random, played) as usize) {
            *gene = random.next_u64() as u32;
        }
    }
    genes
}

fn tournament<'a>(population: &'a [Individual], random: &mut Random) -> &'a Individual {
    let first = &population[below(random, population.len() as u32) as usize];
    let second = &population[below(random, population.len() as u32) as usize];
    if first.fitness >= second.fitness { first } else { second }
}
