//! One thread's annealing runs, divided among the target colours.

use budget::{Budget, Meter};

use crate::anneal::{Annealer, Cooling, Objective, Sequence};
use crate::answer::OnBetter;
use crate::board::Colour;
use crate::cells::CellSet;
use crate::field::{Counts, Field, colour_counts};
use crate::random::{Random, below};
use crate::rules::Rules;
use crate::scoring::Scoring;
use processor::HotLoop;

/// A thread's search for points.
pub struct Portfolio<'a, F: Field> {
    pub start: &'a F,
    pub rules: Rules,
    pub scoring: &'a Scoring,
    pub random: Random,
    pub budget: &'a Budget,
    pub on_better: OnBetter<'a>,
}

/// The best a thread has found.
pub struct Found {
    pub moves: Vec<usize>,
    pub score: i32,
    pub remaining: usize,
    pub nodes: u64,
}

/// Shortest and longest run, and the share of all steps so far that a run may take.
const FEWEST_STEPS: u64 = 30_000;
const MOST_STEPS: u64 = 2_000_000;
const SHARE_OF_SPENT: u64 = 10;

/// The first part of a run keeps the target and cools over this range; it is one
/// part in this many of the run. Temperatures are in points, found by experiment.
const SHAPING: (f64, f64) = (50.0, 20.0);
const SHAPING_SHARE: u64 = 5;

/// The rest of the run may click anything.
const FREE: (f64, f64) = (25.0, 5.0);

/// Points that each cell left over costs beyond the lost bonus: guides runs towards clearing.
const LEFT_COST: i32 = 10;

#[derive(Clone, Copy)]
struct CollectPoints {
    scoring: Scoring,
}

impl Objective for CollectPoints {
    #[inline(always)]
    fn gain(&self, size: u32) -> i32 {
        self.scoring.group.of(size)
    }

    #[inline(always)]
    fn end(&self, left: &Counts) -> i32 {
        let cells: u32 = left.iter().sum();
        self.scoring.end_points(left.iter().copied()) - LEFT_COST * cells as i32
    }

    #[inline(always)]
    fn is_reached(&self, _left: u32) -> bool {
        false
    }
}

struct Arm {
    target: Colour,
    best: i32,
}

impl<F: Field> HotLoop for Portfolio<'_, F> {
    type Output = Found;

    #[inline(always)]
    fn run(mut self) -> Found {
        let mut meter = self.budget.meter();
        let mut found =
            Found { moves: Vec::new(), score: i32::MIN, remaining: self.start.occupied_count(), nodes: 0 };
        let mut arms = self.arms();
        let mut next = 0;
        while !self.budget.is_exhausted() && !arms.is_empty() {
            let arm = if next < arms.len() { next } else { draw_arm(&mut arms, &mut self.random) };
            next += 1;
            let best = self.anneal(arms[arm].target, &mut meter);
            arms[arm].best = arms[arm].best.max(best.value);
            // The objective's value without the extra cost of cells left.
            let score = best.value.saturating_add(LEFT_COST * best.left as i32);
            if score > found.score && best.value > i32::MIN {
                (self.on_better)(score);
                found.score = score;
                found.remaining = best.left as usize;
                found.moves = best.moves(self.rules.min_group() as u32);
            }
        }
        found.nodes = meter.spent();
        found
    }
}

impl<F: Field> Portfolio<'_, F> {
    /// One arm per colour on the board, the most frequent first; none when there is no move.
    fn arms(&self) -> Vec<Arm> {
        if self.start.links().removable(self.rules.min_group() as u32).is_empty() {
            return Vec::new();
        }
        let counts = colour_counts(self.start);
        let present = (1..F::COLOURS).filter(|&colour| counts[usize::from(colour)] > 0);
        let mut arms: Vec<_> = present.map(|target| Arm { target, best: i32::MIN }).collect();
        arms.sort_by_key(|arm| std::cmp::Reverse(counts[usize::from(arm.target)]));
        arms
    }

    #[inline(always)]
    fn anneal(&mut self, target: Colour, meter: &mut Meter<'_>) -> Sequence<F> {
        let steps = (meter.spent() / SHARE_OF_SPENT).clamp(FEWEST_STEPS, MOST_STEPS);
        let shaping_steps = steps / SHAPING_SHARE;
        let mut now = Sequence::new(self.start, Some(target));
        let mut best = now.clone();
        let objective = CollectPoints { scoring: *self.scoring };
        let mut annealer = Annealer::new(objective, self.rules.min_group() as u32, &mut self.random);
        for (steps, (from, to)) in [(shaping_steps, SHAPING), (steps - shaping_steps, FREE)] {
            annealer.run(&mut now, &mut best, Cooling { from, to, steps }, meter);
            now.free_target();
        }
        best
    }
}

/// Draws an arm: the best so far half of the time, the next best a quarter of the time, …
fn draw_arm(arms: &mut [Arm], random: &mut Random) -> usize {
    arms.sort_by_key(|arm| std::cmp::Reverse(arm.best));
    let mut arm = 0;
    while arm + 1 < arms.len() && below(random, 2) == 1 {
        arm += 1;
    }
    arm
}
