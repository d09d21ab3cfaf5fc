//! `gamebot.samegame`: boards, moves, clearing with proof, points.

use ::samegame::answer::{Answer, Proof};
use ::samegame::board::Board as Cells;
use ::samegame::clear::auto;
use ::samegame::notation::read_standard;
use ::samegame::points::{Effort, solve as solve_for_points};
use ::samegame::random::{Random, random_board as draw_board};
use ::samegame::records::Records;
use ::samegame::replay::replay as replayed;
use ::samegame::rules::Rules;
use ::samegame::scoring::Scoring;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::json;

use crate::arrays::{grid, to_python};
use crate::connect_four::{check_threads, value_error};
use crate::interrupt::with_threads;

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Board>()?;
    module.add_function(wrap_pyfunction!(random_board, module)?)?;
    module.add_function(wrap_pyfunction!(standard_boards, module)?)?;
    module.add_function(wrap_pyfunction!(clear, module)?)?;
    module.add_function(wrap_pyfunction!(points, module)?)?;
    module.add_function(wrap_pyfunction!(replay, module)?)?;
    module.add_function(wrap_pyfunction!(read_records, module)?)?;
    module.add_function(wrap_pyfunction!(write_records, module)?)
}

/// A board at rest, in the notation of the normal form: columns from left to right, each from the bottom up.
///
/// >>> from gamebot.samegame import Board
/// >>> board = Board("[[1,2],[1,2],[1,1]]")
/// >>> board
/// 221
/// 111
/// >>> board.groups()
/// [[(0, 0), (1, 0), (2, 0), (2, 1)], [(0, 1), (1, 1)]]
/// >>> str(board.play(1))
/// '[[2,0],[2,0],[0,0]]'
#[pyclass(frozen, eq, hash, module = "gamebot.samegame")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board(Cells);

#[pymethods]
impl Board {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(value_error)
    }

    /// The board of an array, top row first; 0 is background.
    #[staticmethod]
    fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let grid = grid(board, "board")?;
        let mut columns = vec![Vec::with_capacity(grid.rows); grid.columns];
        for row in grid.cells.chunks(grid.columns.max(1)).rev() {
            for (column, &cell) in columns.iter_mut().zip(row) {
                let colour = u8::try_from(cell).ok().filter(|colour| *colour <= 9);
                let unknown =
                    || value_error(format!("board has a {cell}: colours are 1 to 9, 0 is background"));
                column.push(colour.ok_or_else(unknown)?);
            }
        }
        Cells::from_columns(columns).map(Self).map_err(value_error)
    }

    /// The board as an array of uint8, top row first.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (columns, rows) = (self.0.width(), self.0.height());
        let cells = (0..rows).rev().flat_map(|row| self.0.columns().iter().map(move |column| column[row]));
        cells.collect::<Vec<u8>>().into_pyarray(py).reshape([rows, columns])
    }

    /// The removable groups in the order of their numbers; cells are (column, row) from 0, rows from the bottom.
    #[pyo3(signature = (min_group = 2))]
    fn groups(&self, min_group: usize) -> PyResult<Vec<Vec<(usize, usize)>>> {
        let rules = Rules::with_min_group(min_group).map_err(value_error)?;
        Ok(self.0.groups(rules.min_group()).into_iter().map(|group| group.cells).collect())
    }

    /// The board after group `number`, counted from 1, is removed.
    #[pyo3(signature = (number, *, min_group = 2))]
    fn play(&self, number: usize, min_group: usize) -> PyResult<Self> {
        let rules = Rules::with_min_group(min_group).map_err(value_error)?;
        let count = || self.0.groups(rules.min_group()).len();
        let missing = || value_error(format!("there is no group {number}: the board has {}", count()));
        self.0.after(number, &rules).map(|(_, board)| Self(board)).ok_or_else(missing)
    }

    /// The same board with its colours numbered in order of appearance.
    fn normal_form(&self) -> Self {
        Self(self.0.normal_form())
    }

    /// The board mirrored left to right.
    fn mirrored(&self) -> Self {
        Self(self.0.mirrored())
    }

    /// Number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.0.width()
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.height()
    }

    /// Cells that are not background.
    #[getter]
    fn cells(&self) -> usize {
        self.0.cells()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let symbol = |colour: u8| if colour == 0 { '.' } else { char::from(b'0' + colour) };
        let line = |row: usize| self.0.columns().iter().map(|column| symbol(column[row])).collect::<String>();
        (0..self.0.height()).rev().map(line).collect::<Vec<_>>().join("\n")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }
}

/// A full board with colours drawn uniformly.
#[pyfunction]
#[pyo3(signature = (columns = 15, rows = 10, colours = 3, *, seed = 1))]
fn random_board(columns: usize, rows: usize, colours: u8, seed: u64) -> PyResult<Board> {
    if !(1..=9).contains(&colours) {
        return Err(value_error(format!("colours is {colours}: choose 1 to 9")));
    }
    if columns > 50 || rows > 50 {
        return Err(value_error(format!("the board is {columns}x{rows}; at most 50x50 is allowed")));
    }
    draw_board(columns, rows, colours, &mut Random::seed_from_u64(seed)).map(Board).map_err(value_error)
}

/// The literature's 20 standard boards.
#[pyfunction]
fn standard_boards() -> PyResult<Vec<Board>> {
    let boards = read_standard(include_str!("../../../fixtures/samegame/standard20.txt"));
    Ok(boards.map_err(value_error)?.into_iter().map(Board).collect())
}

/// Clears a board, proves that it cannot be cleared, or leaves as few cells as the nodes allow.
///
/// The answer is a dictionary: `moves`, `cleared`, `proof` (`"cleared"`, `"impossible"`, `"open"`), `remaining`,
/// `score`, `nodes`.
///
/// >>> from gamebot.samegame import Board, clear
/// >>> clear(Board("[[2,1],[1,2]]"))["proof"]
/// 'impossible'
#[pyfunction]
#[pyo3(signature = (board, *, nodes = None, seed = 1, threads = 1, min_group = 2))]
fn clear<'py>(
    py: Python<'py>,
    board: &Board,
    nodes: Option<u64>,
    seed: u64,
    threads: usize,
    min_group: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (rules, effort) = task(min_group, threads, seed)?;
    let answer =
        with_threads(py, nodes, threads, |budget| auto::solve(&board.0, &rules, effort, budget, &|_| ()))?;
    report(py, board, &answer, &rules)
}

/// The highest score found with this many nodes; the same answer as in `clear`.
///
/// >>> from gamebot.samegame import Board, points
/// >>> points(Board("[[1,2],[1,2],[1,1]]"), nodes=1000)["score"]
/// 1004
#[pyfunction]
#[pyo3(signature = (board, *, nodes = 1_000_000, seed = 1, threads = 1, min_group = 2))]
fn points<'py>(
    py: Python<'py>,
    board: &Board,
    nodes: Option<u64>,
    seed: u64,
    threads: usize,
    min_group: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (rules, effort) = task(min_group, threads, seed)?;
    let scoring = Scoring::default();
    let answer = with_threads(py, nodes, threads, |budget| {
        solve_for_points(&board.0, &rules, &scoring, effort, budget, &|_| ())
    })?;
    report(py, board, &answer, &rules)
}

/// What a solver is asked for, once it is checked.
fn task(min_group: usize, threads: usize, seed: u64) -> PyResult<(Rules, Effort)> {
    check_threads(threads)?;
    let rules = Rules::with_min_group(min_group).map_err(value_error)?;
    Ok((rules, Effort { threads: threads as u32, seed }))
}

/// Plays moves with an independent checker; returns the score and the cells left.
#[pyfunction]
#[pyo3(signature = (board, moves, *, min_group = 2))]
fn replay(board: &Board, moves: Vec<usize>, min_group: usize) -> PyResult<(i32, usize)> {
    let rules = Rules::with_min_group(min_group).map_err(value_error)?;
    let replay = replayed(&board.0, &moves, &rules, &Scoring::default()).map_err(value_error)?;
    Ok((replay.score, replay.remaining))
}

/// Reads the table of best solutions: board, score and moves of each.
#[pyfunction]
fn read_records(text: &str) -> PyResult<Vec<(usize, i32, Vec<usize>)>> {
    let records: Records = text.parse().map_err(value_error)?;
    Ok(records.iter().map(|(board, (score, moves))| (board, *score, moves.clone())).collect())
}

/// Writes the table of best solutions, of several for a board the first of the best.
#[pyfunction]
fn write_records(records: Vec<(usize, i32, Vec<usize>)>) -> String {
    let mut best = Records::default();
    for (board, score, moves) in records {
        best.offer(board, (score, moves));
    }
    best.to_string()
}

fn report<'py>(
    py: Python<'py>,
    board: &Board,
    answer: &Answer,
    rules: &Rules,
) -> PyResult<Bound<'py, PyAny>> {
    let replay = replayed(&board.0, &answer.moves, rules, &Scoring::default()).map_err(value_error)?;
    let proof = match answer.proof {
        Proof::Cleared => "cleared",
        Proof::Impossible => "impossible",
        Proof::Open => "open",
    };
    let report = json!({
        "moves": answer.moves, "cleared": replay.cleared(), "proof": proof, "remaining": answer.remaining,
        "score": replay.score, "nodes": answer.nodes,
    });
    to_python(py, &report)
}
