//! Games against an opponent, which answers within the caller's step.

use ::connect_four::arena::Contestant;
use ::connect_four::{Column, Machine, Position, text};
use budget::Budget;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{COLUMNS, SHAPE, view};
use crate::connect_four::{machine, random_column};
use crate::environments::lanes::{Game, Shape};

/// Table of a machine that shares the memory with many others.
const SMALL_TABLE_BYTES: usize = 1 << 22;

/// A game against an opponent.
pub struct Against {
    position: Position,
    opponent: Opponent,
    first: Option<bool>,
}

struct Opponent {
    contestant: Contestant,
    machine: Option<Box<Machine>>,
    random: Xoshiro256PlusPlus,
}

impl Opponent {
    /// When the budget ends, any column.
    fn choose(&mut self, position: &Position, budget: &Budget) -> Column {
        let decided = match (self.contestant, self.machine.as_deref_mut()) {
            (Contestant::Level(level), Some(machine)) => {
                machine.choose(position, level, &mut self.random, budget).ok()
            }
            (Contestant::Visitor(visitor), Some(machine)) => {
                machine.choose_by(position, &visitor, &mut self.random, budget).ok()
            }
            _ => None,
        };
        decided.map_or_else(|| random_column(position, &mut self.random), |decision| decision.column)
    }
}

impl Against {
    /// A game that has not begun; `first` says whether the caller begins, `None` for either by chance.
    pub fn new(contestant: Contestant, first: Option<bool>) -> Self {
        let machine = match contestant {
            Contestant::Random => None,
            Contestant::Level(_) | Contestant::Visitor(_) => Some(Box::new(machine(SMALL_TABLE_BYTES))),
        };
        let random = Xoshiro256PlusPlus::seed_from_u64(0);
        Self { position: Position::EMPTY, opponent: Opponent { contestant, machine, random }, first }
    }

    /// Plays a column that is known to be legal.
    fn play(&mut self, column: Column) {
        self.position = self.position.play(column).unwrap_or(self.position);
    }
}

impl Game for Against {
    fn shape(&self) -> Shape {
        SHAPE
    }

    fn is_slow(&self) -> bool {
        self.opponent.machine.is_some()
    }

    fn restart(&mut self, seed: u64, budget: &Budget) {
        self.position = Position::EMPTY;
        self.opponent.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let caller_begins = self.first.unwrap_or_else(|| self.opponent.random.next_u64() & 1 == 0);
        if !caller_begins {
            let column = self.opponent.choose(&Position::EMPTY, budget);
            self.play(column);
        }
    }

    fn step(&mut self, action: usize, budget: &Budget) -> (f64, bool) {
        self.play(Column::ALL[action % COLUMNS]);
        if self.position.is_won() {
            return (1.0, true);
        }
        if self.position.is_over() {
            return (0.0, true);
        }
        let column = self.opponent.choose(&self.position, budget);
        self.play(column);
        if self.position.is_won() { (-1.0, true) } else { (0.0, self.position.is_over()) }
    }

    fn write(&self, observation: &mut [u8], _pieces: &mut [i64], mask: &mut [i8]) {
        let (own, occupied) = (self.position.own(), self.position.occupied());
        view::write_board(own, occupied, observation);
        if let Some(mask) = mask.first_chunk_mut() {
            view::write_mask(occupied, self.position.is_won(), mask);
        }
    }

    fn picture(&self) -> String {
        text::picture(&self.position)
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![("discs", i64::from(self.position.discs()))]
    }
}
