//! Connect Four as an environment: against an opponent by name, or both sides moved by the caller.

mod against;
mod both_sides;
mod view;

use pyo3::prelude::*;

use super::lanes::{Lanes, Many, Shape};
use super::{Games, checked_count};
use crate::connect_four::contestant;
use against::Against;
use both_sides::BothSides;

const ROWS: usize = ::connect_four::ROWS;
const COLUMNS: usize = ::connect_four::COLUMNS;
/// What one game writes: a byte for each cell and player.
const SHAPE: Shape = Shape { observation: 2 * ROWS * COLUMNS, pieces: 0, actions: COLUMNS };

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
    let others = checked_count(count)? - 1;
    let lanes: Box<dyn Lanes> = match opponent.map(contestant).transpose()? {
        None => Box::new(BothSides::new(count)),
        Some(opponent) => {
            let game = || Against::new(opponent, first);
            Box::new(Many::new(game(), std::iter::repeat_with(game).take(others)))
        }
    };
    Games::new(py, lanes, vec![ROWS, COLUMNS, 2], count, threads)
}
