//! Nested rollout policy adaptation (Rosin 2011) with a selective policy
//! (Cazenave 2016): the most frequent colour is played only when there is nothing
//! else. Kept for comparison: [`crate::points`] is far stronger.
//!
//! Level `n` repeats level `n − 1` and shifts its policy towards the best game so
//! far after each repetition; level 0 plays one game by the policy.

use budget::{Budget, Meter};
use rand_xoshiro::rand_core::SeedableRng;

use crate::answer::{Answer, Best, Goal, OnBetter};
use crate::board::{Board, Colour};
use crate::cells::CellSet;
use crate::field::{Field, Group, colour_counts, with_field};
use crate::random::{Random, unit};
use crate::rules::Rules;
use processor::{HotLoop, at_full_speed};

/// Levels of nesting, and repetitions per level; runs are repeated until the
/// budget ends.
const LEVELS: u32 = 3;
const REPETITIONS: u32 = 100;

/// Moves whose codes agree modulo this number share a weight; few do.
const WEIGHTS: usize = 1 << 15;

/// Searches until the budget ends, or the goal is [`Goal::Clear`] and the board is
/// cleared. A node is one game played.
pub fn solve(
    board: &Board,
    rules: &Rules,
    goal: Goal,
    seed: u64,
    budget: &Budget,
    on_better: OnBetter<'_>,
) -> Answer {
    with_field!(board, F => {
        let start = F::from_board(board);
        at_full_speed(Runs { start: &start, min_group: rules.min_group() as u32, goal, seed, budget, on_better })
    })
}

struct Runs<'a, F: Field> {
    start: &'a F,
    min_group: u32,
    goal: Goal,
    seed: u64,
    budget: &'a Budget,
    on_better: OnBetter<'a>,
}

impl<F: Field> HotLoop for Runs<'_, F> {
    type Output = Answer;

    #[inline(always)]
    fn run(self) -> Answer {
        let counts = colour_counts(self.start);
        let mut search = Nested {
            start: self.start,
            min_group: self.min_group,
            goal: self.goal,
            target: (1..F::COLOURS).max_by_key(|&colour| counts[usize::from(colour)]).unwrap_or(1),
            random: Random::seed_from_u64(self.seed),
            meter: self.budget.meter(),
            moves: Vec::new(),
        };
        let even = vec![0.0; WEIGHTS];
        let mut best = Best::nothing(self.start.occupied_count());
        while !self.budget.is_exhausted() && !self.goal.is_reached(best.remaining) {
            let Some(found) = search.level(LEVELS, &even) else { break };
            if found.value > best.value {
                (self.on_better)(found.value);
                best = found;
            }
        }
        best.answer(search.meter.spent())
    }
}

struct Nested<'a, F: Field> {
    start: &'a F,
    min_group: u32,
    goal: Goal,
    target: Colour,
    random: Random,
    meter: Meter<'a>,
    moves: Vec<(Group<F::Cells>, usize)>,
}

impl<F: Field> Nested<'_, F> {
    /// The best game of one level; `None` if the budget allowed none.
    fn level(&mut self, level: u32, policy: &[f32]) -> Option<Best> {
        if level == 0 {
            return self.play(policy);
        }
        let mut policy = policy.to_vec();
        let mut best: Option<Best> = None;
        for _ in 0..REPETITIONS {
            let Some(found) = self.level(level - 1, &policy) else { break };
            if best.as_ref().is_none_or(|best| found.value >= best.value) {
                best = Some(found);
            }
            if let Some(best) = &best {
                if self.goal.is_reached(best.remaining) {
                    break;
                }
                self.adapt(&mut policy, &best.moves);
            }
        }
        best
    }

    /// One game; the odds of a move are the exponential of its weight.
    #[inline(always)]
    fn play(&mut self, policy: &[f32]) -> Option<Best> {
        if !self.meter.spend_node() {
            return None;
        }
        let mut field = self.start.clone();
        let (mut moves, mut gained) = (Vec::new(), 0);
        loop {
            let numbers = self.list_moves(&field);
            if numbers == 0 {
                break;
            }
            let odds: Vec<f32> = self.moves.iter().map(|&(_, code)| policy[code].exp()).collect();
            let mut drawn = unit(&mut self.random) as f32 * odds.iter().sum::<f32>();
            let chosen = odds.iter().position(|odd| {
                drawn -= odd;
                drawn < 0.0
            });
            let (group, _) = self.moves[chosen.unwrap_or(odds.len() - 1)];
            moves.push(number_of(&field, self.min_group, group.first));
            gained += self.goal.gain(group.size);
            field.remove(&group.cells);
        }
        let left = colour_counts(&field);
        let value = gained + self.goal.end(&left);
        Some(Best { moves, value, remaining: field.occupied_count() })
    }

    /// Shifts the policy towards these moves (learning rate 1).
    #[inline(always)]
    fn adapt(&mut self, policy: &mut [f32], moves: &[usize]) {
        let before = policy.to_vec();
        let mut field = self.start.clone();
        for &number in moves {
            self.list_moves(&field);
            let mut first = 0;
            let mut at = 0;
            field.links().for_each_group(self.min_group, |group| {
                at += 1;
                if at == number {
                    first = group.first;
                }
            });
            let Some(&(group, code)) = self.moves.iter().find(|(group, _)| group.first == first) else {
                break;
            };
            let sum: f32 = self.moves.iter().map(|&(_, code)| before[code].exp()).sum();
            for &(_, other) in &self.moves {
                policy[other] -= before[other].exp() / sum;
            }
            policy[code] += 1.0;
            field.remove(&group.cells);
        }
    }

    /// Fills `moves` with the playable groups and their codes.
    #[inline(always)]
    fn list_moves(&mut self, field: &F) -> usize {
        let links = field.links();
        self.moves.clear();
        let mut of_target = 0;
        let (moves, target) = (&mut self.moves, self.target);
        links.for_each_group(self.min_group, |group| {
            let colour = field.colour_at(group.first);
            of_target += usize::from(colour == target);
            moves.push((group, group.cells.mixed(colour.into()) as usize % WEIGHTS));
        });
        if of_target < moves.len() {
            moves.retain(|(group, _)| field.colour_at(group.first) != target);
        }
        moves.len()
    }
}

/// The number of the group that starts at `first`.
#[inline(always)]
fn number_of<F: Field>(field: &F, min_group: u32, first: usize) -> usize {
    let mut number = 0;
    field.links().for_each_group(min_group, |group| number += usize::from(group.first <= first));
    number
}
