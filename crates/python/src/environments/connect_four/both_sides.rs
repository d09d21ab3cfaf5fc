//! Games whose both sides the caller moves: nothing but bits, stepped without a branch that chance decides.
//!
//! Every field of all games lies in an array of its own, so that the rules are applied to several games at once.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor's instructions")]

use ::connect_four::{Position, text};
use budget::Budget;
use processor::{HotLoop, at_full_width};
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

/// Games whose actions are drawn by one loop over numbers and one over the table.
const DRAWN: usize = 64;

/// The n-th set bit of seven; 0 if there is none.
static NTH: [[u8; PLACES]; 1 << COLUMNS] = {
    let mut table = [[0; PLACES]; 1 << COLUMNS];
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

/// A power of two, not less than the columns.
const PLACES: usize = COLUMNS.next_power_of_two();

/// All bits, for a game that goes on; none, for one that is over. As wide as a board, so that the rules need no other type.
const GOES_ON: u64 = u64::MAX;
const OVER: u64 = 0;

/// Many games.
pub struct BothSides {
    /// Discs of the player to move.
    own: Vec<u64>,
    /// Discs of both.
    occupied: Vec<u64>,
    /// [`GOES_ON`], or [`OVER`] also before the beginning.
    live: Vec<u64>,
    /// Draws actions; the games themselves need no chance.
    random: Vec<SplitMix64>,
}

impl BothSides {
    /// Games that have not begun.
    pub fn new(count: usize) -> Self {
        Self {
            own: vec![0; count],
            occupied: vec![0; count],
            live: vec![OVER; count],
            random: vec![SplitMix64::seed_from_u64(0); count],
        }
    }

    fn position(&self, index: usize) -> Option<Position> {
        Some(Position::from_key(self.own.get(index)? + self.occupied.get(index)?))
    }

    /// The message of the first action that must be refused.
    fn check(&self, actions: &[i64], autoreset: AutoReset, illegal: Illegal) -> Result<(), String> {
        let Self { occupied, live, .. } = self;
        // Nearly always there is none: looking for it without a way out is faster.
        if !at_full_width(AnyRefused { occupied, live, actions, autoreset, illegal }) {
            return Ok(());
        }
        let games = occupied.iter().zip(live).zip(actions);
        let mut refused =
            games.map(|((&occupied, &live), &action)| refused(occupied, live, action, autoreset, illegal));
        let index = refused.position(|refused| refused != 0).unwrap_or_default();
        let action = actions[index];
        Err(if live[index] == OVER {
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
        let ends = self.live.chunks_mut(PART).zip(self.random.chunks_mut(PART));
        positions.zip(ends).enumerate().map(|(number, ((own, occupied), (live, random)))| Part {
            first: number * PART,
            own,
            occupied,
            live,
            random,
        })
    }
}

impl Lanes for BothSides {
    fn shape(&self) -> Shape {
        SHAPE
    }

    /// A million of them take a hundredth of a second.
    fn are_slow(&self) -> bool {
        false
    }

    fn run(
        &mut self,
        task: &Task<'_>,
        arrays: Arrays<'_>,
        pool: Option<&ThreadPool>,
        _budget: &Budget,
    ) -> Result<(), String> {
        if let Task::Step { actions, autoreset, illegal } = task {
            self.check(actions, *autoreset, *illegal)?;
        }
        let parts: Vec<_> = self.parts().zip(arrays.divided(SHAPE, PART)).collect();
        spread(pool, parts, |(part, arrays)| match *task {
            Task::Reset { seeds, chosen } => part.restart(seeds, chosen, arrays),
            Task::Step { actions, autoreset, .. } => at_full_width(Step { part, actions, autoreset, arrays }),
        });
        Ok(())
    }

    fn sample(&mut self, _mask: &[i8], actions: &mut [i64], pool: Option<&ThreadPool>) {
        let parts: Vec<_> = self.parts().zip(actions.chunks_mut(PART)).collect();
        spread(pool, parts, |(part, actions)| at_full_width(Draw { part, actions }));
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
    live: &'a mut [u64],
    random: &'a mut [SplitMix64],
}

impl Part<'_> {
    fn restart(self, seeds: &[u64], chosen: Option<&[bool]>, arrays: Arrays<'_>) {
        for index in 0..self.own.len() {
            let number = self.first + index;
            if chosen.is_some_and(|chosen| !chosen[number]) {
                continue;
            }
            (self.own[index], self.occupied[index], self.live[index]) = (0, 0, GOES_ON);
            self.random[index] = SplitMix64::seed_from_u64(seeds[number]);
            (arrays.reward[index], arrays.over[index]) = (0.0, false);
            arrays.observation[index * SHAPE.observation..][..SHAPE.observation].fill(0);
            arrays.mask[index * COLUMNS..][..COLUMNS].fill(1);
        }
    }
}

/// The cell in which a disc would land; 0 in a full column. Of a column that there is not, any cells.
#[inline(always)]
const fn landing(occupied: u64, column: u64) -> u64 {
    let shift = column % PLACES as u64 * Bits::STRIDE as u64;
    (occupied + (1 << shift)) & (Bits::column(0) << shift)
}

/// All bits if this holds.
#[inline(always)]
const fn all_if(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

/// All bits if an action must be refused.
#[inline(always)]
fn refused(occupied: u64, live: u64, action: i64, autoreset: AutoReset, illegal: Illegal) -> u64 {
    let unknown = all_if(action as u64 >= COLUMNS as u64);
    let outside = match illegal {
        Illegal::Raise => all_if(landing(occupied, action as u64) == 0),
        Illegal::Penalty => 0,
    };
    match autoreset {
        AutoReset::NextStep => (unknown | outside) & live,
        AutoReset::SameStep | AutoReset::Disabled => unknown | outside | !live,
    }
}

/// Whether any action must be refused.
struct AnyRefused<'a> {
    occupied: &'a [u64],
    live: &'a [u64],
    actions: &'a [i64],
    autoreset: AutoReset,
    illegal: Illegal,
}

impl HotLoop for AnyRefused<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { occupied, live, actions, autoreset, illegal } = self;
        let games = occupied.iter().zip(live).zip(actions);
        let all = games.fold(0, |any, ((&occupied, &live), &action)| {
            any | refused(occupied, live, action, autoreset, illegal)
        });
        all != 0
    }
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
        let ends = part.live.chunks_mut(BLOCK).zip(actions.chunks(BLOCK));
        let blocks = positions.zip(ends).zip(arrays.divided(SHAPE, BLOCK));
        for (((own, occupied), (live, actions)), arrays) in blocks {
            play(own, occupied, live, actions, arrays.reward);
            for (over, &live) in arrays.over.iter_mut().zip(&*live) {
                *over = live == OVER;
            }
            if autoreset == AutoReset::SameStep {
                for index in (0..own.len()).filter(|&index| arrays.over[index]) {
                    let board = &mut arrays.last_observation[index * SHAPE.observation..];
                    view::write_board(own[index], occupied[index], &mut board[..SHAPE.observation]);
                    arrays.last_mask[index * COLUMNS..][..COLUMNS].fill(0);
                    (own[index], occupied[index], live[index]) = (0, 0, GOES_ON);
                }
            }
            view::write_boards(own, occupied, arrays.observation);
            let masks = arrays.mask.as_chunks_mut::<COLUMNS>().0;
            for ((&occupied, &live), mask) in occupied.iter().zip(&*live).zip(masks) {
                view::write_mask(occupied, live == OVER, mask);
            }
        }
    }
}

/// The rules, without a branch and in one width, so that several games fit into a register. A game that was over starts
/// again; a full column leaves its game as it is.
#[inline(always)]
fn play(own: &mut [u64], occupied: &mut [u64], live: &mut [u64], actions: &[i64], reward: &mut [f64]) {
    let games = own.iter_mut().zip(occupied).zip(live).zip(actions).zip(reward);
    for ((((own, occupied), live), &action), reward) in games {
        let goes_on = *live;
        let cell = landing(*occupied, action as u64);
        let legal = all_if(cell != 0);
        let won = all_if(Bits::has_four(*own | cell)) & legal & goes_on;
        *own = (*own ^ (*occupied & legal)) & goes_on;
        *occupied = (*occupied | cell) & goes_on;
        let full = all_if(*occupied == Bits::BOARD);
        *live = !(won | full);
        *reward = f64::from_bits((won & 1.0_f64.to_bits()) | (!legal & goes_on & PENALTY.to_bits()));
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
        let games = part.occupied.chunks(DRAWN).zip(part.live.chunks(DRAWN));
        let draws = part.random.chunks_mut(DRAWN).zip(actions.chunks_mut(DRAWN));
        for ((occupied, live), (random, actions)) in games.zip(draws) {
            let mut chosen = [0_u16; DRAWN];
            let games = occupied.iter().zip(live).zip(random);
            for (((&occupied, &live), random), chosen) in games.zip(&mut chosen) {
                let room = view::room(occupied) & live;
                // 32 random bits times at most seven: the bias is below 2⁻²⁹.
                let nth = ((random.next_u64() >> 32) * view::count(room)) >> 32;
                *chosen = (view::gathered(room) * PLACES as u64 + nth) as u16;
            }
            for (action, &chosen) in actions.iter_mut().zip(&chosen) {
                *action = i64::from(NTH.as_flattened()[usize::from(chosen) % NTH.as_flattened().len()]);
            }
        }
    }
}
