//! Tasks of `gamebot.cluster book connect-four`: positions to solve, and the book that they make.

use ::connect_four::book::{Answer, Solved, write_lines};
use ::connect_four::{Position, Solver};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::value_error;
use crate::BudgetExhausted;
use crate::interrupt::{on_a_thread, with_budget};

/// Deepest ply that can be listed in reasonable memory.
const DEEPEST: u32 = 12;
/// As `generate_book` does: small tables stay in a core's cache, shallow positions need more.
const TABLE_BYTES: usize = 4 << 20;
const SHALLOW: u32 = 6;
const SHALLOW_TABLE_BYTES: usize = 64 << 20;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(book_open, module)?)?;
    module.add_function(wrap_pyfunction!(book_solve, module)?)?;
    module.add_function(wrap_pyfunction!(book_write, module)?)
}

/// The keys of the positions of a ply, up to mirroring, that the checkpoint does not have yet.
#[pyfunction]
#[pyo3(signature = (ply, checkpoint = ""))]
fn book_open<'py>(py: Python<'py>, ply: u32, checkpoint: &str) -> PyResult<Bound<'py, PyArray1<u64>>> {
    check_ply(ply)?;
    let solved = read(checkpoint);
    let open = on_a_thread(py, move |_| solved.open(ply))?;
    Ok(open.into_pyarray(py))
}

/// Solves positions by their keys; returns their lines of the checkpoint.
#[pyfunction]
fn book_solve(py: Python<'_>, keys: Vec<u64>) -> PyResult<String> {
    let positions = keys.iter().map(|&key| super::Position::from_key(key).map(|position| position.0));
    let positions: Vec<Position> = positions.collect::<PyResult<_>>()?;
    let answers = with_budget(py, None, |budget| {
        let shallow = positions.iter().any(|position| position.discs() <= SHALLOW);
        let mut solver = Solver::new(if shallow { SHALLOW_TABLE_BYTES } else { TABLE_BYTES });
        let solve = |position: &Position| {
            let score = solver.score(position, budget)?;
            Ok((position.key(), Answer { score, column: None }))
        };
        positions.iter().map(solve).collect::<Result<Vec<_>, ::connect_four::Exhausted>>()
    })?;
    Ok(write_lines(answers.map_err(|error| BudgetExhausted::new_err(error.to_string()))?))
}

/// The bytes of a book of every position up to a ply and of the lines up to another.
#[pyfunction]
#[pyo3(signature = (ply, checkpoint, *, lines = 0))]
fn book_write<'py>(py: Python<'py>, ply: u32, checkpoint: &str, lines: u32) -> PyResult<Bound<'py, PyBytes>> {
    check_ply(ply)?;
    let solved = read(checkpoint);
    let book = on_a_thread(py, move |_| solved.book(ply, lines))?.map_err(value_error)?;
    Ok(PyBytes::new(py, &book.to_bytes()))
}

fn check_ply(ply: u32) -> PyResult<()> {
    if ply <= DEEPEST { Ok(()) } else { Err(value_error(format!("ply is {ply}: choose 0 to {DEEPEST}"))) }
}

fn read(checkpoint: &str) -> Solved {
    let mut solved = Solved::known();
    checkpoint.lines().for_each(|line| solved.add_line(line));
    solved
}
