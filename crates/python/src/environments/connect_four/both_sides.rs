//! Games whose both sides the caller moves: nothing but bits, stepped without a branch that chance decides.
//!
//! Every field of all games lies in an array of its own, so that the rules are applied to several games at once.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor's instructions")]

use ::connect_four::{Position, text};
use processor::{HotLoop, at_full_speed};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::ThreadPool;

use super::view::{self, Bits};
use super::{COLUMNS, SHAPE};
use crate::environments::lanes::{Arrays, AutoReset, Illegal, Lanes, PENALTY, Shape, Task};
use crate::environments::spread::spread;

/// Games of a part of the work. A thread that sleeps is woken in the time of a few thousand steps.
const PART: usize = 4_096;
/// Games whose steps are taken before they are written: they stay in the nearest cache.
const BLOCK: usize = 256;

/// The n-th set bit of seven; 0 if there is none.
static NTH: [[u8; 8]; 1 << COLUMNS] = {
    let mut table = [[0; 8]; 1 << COLUMNS];
    let mut bits = 0;
    while bits < 1 << COLUMNS {
        let (mut column, mut found) = (0, 0);
        while column < COLUMNS {
            if bits >> column & 1 == 1 {
                table[bits][found] = column as u8;
                found += 1;
            }
            column += 1;
        }
        bits += 1;
    }
    table
};

/// Many games.
pub struct BothSides {
    /// Discs of the player to move.
    own: Vec<u64>,
    /// Discs of both.
    occupied: Vec<u64>,
    /// Whether the game is over, or has not begun.
    is_over: Vec<bool>,
    /// Draws actions; the games themselves need no chance.
    random: Vec<SplitMix64>,
}

impl BothSides {
    /// Games that have not begun.
    pub fn new(count: usize) -> Self {
        Self {
            own: vec![0; count],
            occupied: vec![0; count],
            is_over: vec![true; count],
            random: vec![SplitMix64::seed_from_u64(0); count],
        }
    }

    fn position(&self, index: usize) -> Option<Position> {
        Some(Position::from_key(self.own.get(index)? + self.occupied.get(index)?))
    }

    /// The message of the first action that must be refused.
    fn check(&self, actions: &[i64], autoreset: AutoReset, illegal: Illegal) -> Result<(), String> {
        let games = || self.occupied.iter().zip(&self.is_over).zip(actions);
        let refused = |occupied: u64, is_over: bool, action: i64| match autoreset {
            AutoReset::NextStep if is_over => false,
            AutoReset::NextStep | AutoReset::SameStep | AutoReset::Disabled => {
                let known = (action as u64) < COLUMNS as u64;
                is_over || !known || (illegal == Illegal::Raise && landing(occupied, action as u64) == 0)
            }
        };
        // Nearly always there is none: looking for it without a way out is faster.
        let any = games()
            .fold(false, |any, ((&occupied, &is_over), &action)| any | refused(occupied, is_over, action));
        if !any {
            return Ok(());
        }
        let found = games().position(|((&occupied, &is_over), &action)| refused(occupied, is_over, action));
        let index = found.unwrap_or_default();
        let action = actions[index];
        Err(if self.is_over[index] {
            format!("game {index} is over: reset it first")
        } else if (action as u64) < COLUMNS as u64 {
            format!("action {action} of game {index} is not in its action mask")
        } else {
            let last = COLUMNS - 1;
            format!("there is no action {action} (game {index}): choose 0 to {last}")
        })
    }

    fn parts(&mut self) -> impl Iterator<Item = Part<'_>> {
        let positions = self.own.chunks_mut(PART).zip(self.occupied.chunks_mut(PART));
        let ends = self.is_over.chunks_mut(PART).zip(self.random.chunks_mut(PART));
        positions.zip(ends).enumerate().map(|(number, ((own, occupied), (is_over, random)))| Part {
            first: number * PART,
            own,
            occupied,
            is_over,
            random,
        })
    }
}

impl Lanes for BothSides {
    fn shape(&self) -> Shape {
        SHAPE
    }

    fn run(&mut self, task: &Task<'_>, arrays: Arrays<'_>, pool: Option<&ThreadPool>) -> Result<(), String> {
        if let Task::Step { actions, autoreset, illegal } = task {
            self.check(actions, *autoreset, *illegal)?;
        }
        let parts: Vec<_> = self.parts().zip(arrays.divided(SHAPE, PART)).collect();
        spread(pool, parts, |(part, arrays)| match *task {
            Task::Reset { seeds, chosen } => part.restart(seeds, chosen, arrays),
            Task::Step { actions, autoreset, .. } => at_full_speed(Step { part, actions, autoreset, arrays }),
        });
        Ok(())
    }

    fn sample(&mut self, _mask: &[i8], actions: &mut [i64], pool: Option<&ThreadPool>) {
        let parts: Vec<_> = self.parts().zip(actions.chunks_mut(PART)).collect();
        spread(pool, parts, |(part, actions)| at_full_speed(Draw { part, actions }));
    }

    fn picture(&self, index: usize) -> String {
        self.position(index).map_or_else(String::new, |position| text::picture(&position))
    }

    fn figures(&self, index: usize) -> Vec<(&'static str, i64)> {
        let position = self.position(index);
        position.map_or_else(Vec::new, |position| vec![("discs", i64::from(position.discs()))])
    }
}

/// Neighbouring games, beginning with number `first`.
struct Part<'a> {
    first: usize,
    own: &'a mut [u64],
    occupied: &'a mut [u64],
    is_over: &'a mut [bool],
    random: &'a mut [SplitMix64],
}

impl Part<'_> {
    fn restart(self, seeds: &[u64], chosen: Option<&[bool]>, arrays: Arrays<'_>) {
        for index in 0..self.own.len() {
            let number = self.first + index;
            if chosen.is_some_and(|chosen| !chosen[number]) {
                continue;
            }
            (self.own[index], self.occupied[index], self.is_over[index]) = (0, 0, false);
            self.random[index] = SplitMix64::seed_from_u64(seeds[number]);
            (arrays.reward[index], arrays.over[index]) = (0.0, false);
            arrays.observation[index * SHAPE.observation..][..SHAPE.observation].fill(0);
            arrays.mask[index * COLUMNS..][..COLUMNS].fill(1);
        }
    }
}

/// The cell in which a disc would land; 0 in a full column.
#[inline(always)]
const fn landing(occupied: u64, column: u64) -> u64 {
    let shift = column % COLUMNS as u64 * Bits::STRIDE as u64;
    (occupied + (1 << shift)) & (Bits::column(0) << shift)
}

/// An action in every game; whether there is such an action was checked before.
struct Step<'a> {
    part: Part<'a>,
    actions: &'a [i64],
    autoreset: AutoReset,
    arrays: Arrays<'a>,
}

impl HotLoop for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { part, actions, autoreset, arrays } = self;
        let actions = &actions[part.first..][..part.own.len()];
        let positions = part.own.chunks_mut(BLOCK).zip(part.occupied.chunks_mut(BLOCK));
        let ends = part.is_over.chunks_mut(BLOCK).zip(actions.chunks(BLOCK));
        let blocks = positions.zip(ends).zip(arrays.divided(SHAPE, BLOCK));
        for (((own, occupied), (is_over, actions)), arrays) in blocks {
            play(own, occupied, is_over, actions, arrays.reward);
            arrays.over.copy_from_slice(is_over);
            if autoreset == AutoReset::SameStep {
                for index in (0..own.len()).filter(|&index| arrays.over[index]) {
                    let board = &mut arrays.last_observation[index * SHAPE.observation..];
                    view::write_board(own[index], occupied[index], &mut board[..SHAPE.observation]);
                    arrays.last_mask[index * COLUMNS..][..COLUMNS].fill(0);
                    (own[index], occupied[index], is_over[index]) = (0, 0, false);
                }
            }
            view::write_boards(own, occupied, arrays.observation);
            let masks = arrays.mask.as_chunks_mut::<COLUMNS>().0;
            for ((&occupied, &is_over), mask) in occupied.iter().zip(&*is_over).zip(masks) {
                view::write_mask(occupied, is_over, mask);
            }
        }
    }
}

/// The rules, without a branch. A game that was over starts again; a full column leaves its game as it is.
#[inline(always)]
fn play(own: &mut [u64], occupied: &mut [u64], is_over: &mut [bool], actions: &[i64], reward: &mut [f64]) {
    let games = own.iter_mut().zip(occupied).zip(is_over).zip(actions).zip(reward);
    for ((((own, occupied), is_over), &action), reward) in games {
        let goes_on = u64::from(*is_over).wrapping_sub(1);
        let cell = landing(*occupied, action as u64);
        let legal = u64::from(cell == 0).wrapping_sub(1);
        let won = u64::from(Bits::has_four(*own | cell)) & legal & goes_on;
        *own = (*own ^ (*occupied & legal)) & goes_on;
        *occupied = (*occupied | cell) & goes_on;
        let full = u64::from(*occupied == Bits::BOARD);
        *is_over = won | full != 0;
        *reward = if !legal & goes_on == 0 { won as f64 } else { PENALTY };
    }
}

/// A legal action for every game, each with the same probability; 0 for games that are over.
struct Draw<'a> {
    part: Part<'a>,
    actions: &'a mut [i64],
}

impl HotLoop for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { part, actions } = self;
        let games = part.occupied.iter().zip(&*part.is_over).zip(part.random).zip(actions);
        for (((&occupied, &is_over), random), action) in games {
            let open = view::open_columns(occupied, is_over);
            // 32 random bits times at most seven: the bias is below 2⁻²⁹.
            let nth = ((random.next_u64() >> 32) * u64::from(open.count_ones())) >> 32;
            *action = i64::from(NTH[open][nth as usize % 8]);
        }
    }
}
