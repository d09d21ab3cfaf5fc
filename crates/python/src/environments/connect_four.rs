//! Connect Four as an environment: against an opponent by name, or both sides moved by the caller.

use ::connect_four::arena::Contestant;
use ::connect_four::{Column, Machine, Position, text};
use budget::Budget;
use pyo3::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::Games;
use super::lanes::{Game, Many, Shape};
use crate::connect_four::{contestant, machine, random_column};

const ROWS: usize = ::connect_four::ROWS;
const COLUMNS: usize = ::connect_four::COLUMNS;
const CELLS: usize = ROWS * COLUMNS;
/// Bits of a column of the position, the one above the top row included.
const STRIDE: usize = ROWS + 1;
/// The lowest cell of every column.
const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (column * STRIDE);
        column += 1;
    }
    bits
};
/// Multiplying by it gathers the seven cells of a row, `STRIDE` bits apart, into neighbouring bits.
const GATHER: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << ((COLUMNS - 1) * (STRIDE - 1) - column * (STRIDE - 1));
        column += 1;
    }
    bits
};
const GATHERED: usize = (COLUMNS - 1) * (STRIDE - 1);
/// For seven bits: seven pairs of bytes, the first of each pair set.
static PAIRS: [[u8; 16]; 128] = {
    let mut table = [[0; 16]; 128];
    let mut row = 0;
    while row < 128 {
        let mut column = 0;
        while column < COLUMNS {
            table[row][2 * column] = (row >> column & 1) as u8;
            column += 1;
        }
        row += 1;
    }
    table
};
/// Table of a machine that shares the memory with many others.
const SMALL_TABLE_BYTES: usize = 1 << 22;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(connect_four_games, module)?)
}

/// Games of Connect Four. Without an opponent the caller moves both sides; `first` says whether the caller
/// begins, `None` for either by chance.
#[pyfunction]
#[pyo3(signature = (count, *, opponent = None, first = None, threads = 1))]
fn connect_four_games(
    py: Python<'_>,
    count: usize,
    opponent: Option<&str>,
    first: Option<bool>,
    threads: usize,
) -> PyResult<Games> {
    let opponent = opponent.map(contestant).transpose()?;
    let game = || ConnectFour {
        position: Position::EMPTY,
        opponent: opponent.map(|contestant| {
            let machine = match contestant {
                Contestant::Random => None,
                Contestant::Level(_) | Contestant::Visitor(_) => Some(Box::new(machine(SMALL_TABLE_BYTES))),
            };
            Opponent { contestant, machine, random: Xoshiro256PlusPlus::seed_from_u64(0) }
        }),
        first,
    };
    let others = super::checked_count(count)? - 1;
    let lanes = Many::new(game(), std::iter::repeat_with(game).take(others));
    Games::new(py, Box::new(lanes), count, threads)
}

struct ConnectFour {
    position: Position,
    opponent: Option<Opponent>,
    first: Option<bool>,
}

struct Opponent {
    contestant: Contestant,
    machine: Option<Box<Machine>>,
    random: Xoshiro256PlusPlus,
}

impl Opponent {
    fn choose(&mut self, position: &Position) -> Column {
        let decided = match (self.contestant, self.machine.as_deref_mut()) {
            (Contestant::Level(level), Some(machine)) => {
                machine.choose(position, level, &mut self.random, &Budget::unlimited()).ok()
            }
            (Contestant::Visitor(visitor), Some(machine)) => {
                machine.choose_by(position, &visitor, &mut self.random, &Budget::unlimited()).ok()
            }
            _ => None,
        };
        decided.map_or_else(|| random_column(position, &mut self.random), |decision| decision.column)
    }
}

impl ConnectFour {
    /// Plays a column that is known to be legal.
    fn play(&mut self, column: Column) {
        self.position = self.position.play(column).unwrap_or(self.position);
    }
}

impl Game for ConnectFour {
    fn shape(&self) -> Shape {
        Shape { observation: 2 * CELLS, pieces: 0, actions: COLUMNS }
    }

    fn restart(&mut self, seed: u64) {
        self.position = Position::EMPTY;
        let Some(opponent) = &mut self.opponent else { return };
        opponent.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let caller_begins = self.first.unwrap_or_else(|| opponent.random.next_u64() & 1 == 0);
        if !caller_begins {
            let column = opponent.choose(&Position::EMPTY);
            self.play(column);
        }
    }

    #[inline]
    fn step(&mut self, action: usize) -> (f64, bool) {
        self.play(Column::ALL[action % COLUMNS]);
        if self.position.is_won() {
            return (1.0, true);
        }
        if self.position.is_over() {
            return (0.0, true);
        }
        let Some(opponent) = &mut self.opponent else { return (0.0, false) };
        let column = opponent.choose(&self.position);
        self.play(column);
        if self.position.is_won() { (-1.0, true) } else { (0.0, self.position.is_over()) }
    }

    #[inline]
    fn write(&self, observation: &mut [u8], _pieces: &mut [i64], mask: &mut [i8]) {
        let (own, occupied) = (self.position.own(), self.position.occupied());
        let theirs = own ^ occupied;
        for (line, pairs) in observation.chunks_exact_mut(2 * COLUMNS).enumerate() {
            let row = ROWS - 1 - line;
            let (own, theirs) = (PAIRS[gather(own, row)], PAIRS[gather(theirs, row)]);
            let both = u128::from_le_bytes(own) | u128::from_le_bytes(theirs) << 8;
            pairs.copy_from_slice(&both.to_le_bytes()[..2 * COLUMNS]);
        }
        if !self.position.is_won() {
            let full = gather(occupied, ROWS - 1);
            for (column, flag) in mask.iter_mut().enumerate() {
                *flag = i8::from(full >> column & 1 == 0);
            }
        }
    }

    fn picture(&self) -> String {
        text::picture(&self.position)
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![("discs", i64::from(self.position.discs()))]
    }
}

/// The seven cells of a row as neighbouring bits.
#[inline]
fn gather(discs: u64, row: usize) -> usize {
    ((discs >> row & BOTTOM).wrapping_mul(GATHER) >> GATHERED) as usize & 127
}
