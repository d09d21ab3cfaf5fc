//! SameGame as an environment: an action is a click on a cell.

use ::samegame::cells::CellSet;
use ::samegame::field::{Field, LargeField, MiddleField, colour_counts};
use ::samegame::random::{Random, random_board};
use ::samegame::scoring::Scoring;
use budget::Budget;
use pyo3::prelude::*;
use rand_xoshiro::rand_core::SeedableRng;

use super::Games;
use super::lanes::{Game, Lanes, Many, Shape};
use crate::connect_four::value_error;

const MIN_GROUP: u32 = 2;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(samegame_games, module)?)
}

/// Games of SameGame on random full boards of this size; scored as in the literature.
#[pyfunction]
#[pyo3(signature = (count, *, columns = 15, rows = 15, colours = 5, threads = 1))]
fn samegame_games(
    py: Python<'_>,
    count: usize,
    columns: usize,
    rows: usize,
    colours: u8,
    threads: usize,
) -> PyResult<Games> {
    if !(1..=9).contains(&colours) {
        return Err(value_error(format!("colours is {colours}: choose 1 to 9")));
    }
    random_board(columns, rows, colours, &mut Random::seed_from_u64(0)).map_err(value_error)?;
    let size = Size { columns, rows, colours };
    let others = super::checked_count(count)? - 1;
    let lanes: Box<dyn Lanes> = if columns <= 20 && rows <= 15 && colours <= 7 {
        let game = || SameGame::<MiddleField>::new(size);
        Box::new(Many::new(game(), std::iter::repeat_with(game).take(others)))
    } else {
        let game = || SameGame::<LargeField>::new(size);
        Box::new(Many::new(game(), std::iter::repeat_with(game).take(others)))
    };
    Games::new(py, lanes, vec![rows, columns], count, threads)
}

#[derive(Clone, Copy)]
struct Size {
    columns: usize,
    rows: usize,
    colours: u8,
}

struct SameGame<F: Field> {
    size: Size,
    field: F,
    score: i64,
}

impl<F: Field> SameGame<F> {
    fn new(size: Size) -> Self {
        let mut game = Self { size, field: F::from_board(&full_board(size, 0)), score: 0 };
        game.begin(0);
        game
    }

    fn begin(&mut self, seed: u64) {
        self.field = F::from_board(&full_board(self.size, seed));
        self.score = 0;
    }

    /// The cell of an action, which counts rows from the top as the observation does.
    fn position(&self, action: usize) -> usize {
        let (line, column) = (action / self.size.columns, action % self.size.columns);
        F::Cells::at(column, self.size.rows - 1 - line.min(self.size.rows - 1))
    }
}

fn full_board(size: Size, seed: u64) -> ::samegame::board::Board {
    let board = random_board(size.columns, size.rows, size.colours, &mut Random::seed_from_u64(seed));
    // The size was checked when the games were made.
    board.unwrap_or_else(|error| unreachable!("a checked size: {error}"))
}

impl<F: Field> Game for SameGame<F> {
    fn shape(&self) -> Shape {
        let cells = self.size.columns * self.size.rows;
        Shape { observation: cells, pieces: 0, actions: cells }
    }

    fn restart(&mut self, seed: u64, _budget: &Budget) {
        self.begin(seed);
    }

    fn step(&mut self, action: usize, _budget: &Budget) -> (f64, bool) {
        let scoring = Scoring::default();
        let group = self.field.links().group_at(self.position(action));
        let mut gain = scoring.group.of(group.count());
        self.field.remove(&group);
        let over = self.field.links().removable(MIN_GROUP).is_empty();
        if over {
            gain += scoring.end_points(colour_counts(&self.field));
        }
        self.score += i64::from(gain);
        (f64::from(gain), over)
    }

    fn write(&self, observation: &mut [u8], _pieces: &mut [i64], mask: &mut [i8]) {
        let removable = self.field.links().removable(MIN_GROUP);
        for (action, (cell, flag)) in observation.iter_mut().zip(mask).enumerate() {
            let position = self.position(action);
            *cell = self.field.colour_at(position);
            *flag = i8::from(!removable.and(F::Cells::only(position)).is_empty());
        }
    }

    fn picture(&self) -> String {
        let mut text = String::new();
        for action in 0..self.size.columns * self.size.rows {
            let colour = self.field.colour_at(self.position(action));
            text.push(if colour == 0 { '.' } else { char::from(b'0' + colour) });
            if (action + 1) % self.size.columns == 0 {
                text.push('\n');
            }
        }
        text
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![("score", self.score), ("remaining", self.field.occupied_count() as i64)]
    }
}
