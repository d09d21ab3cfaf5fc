//! `gamebot.connect_four`: positions, solver, levels with reasons, games between levels.

use std::sync::{Mutex, PoisonError};

use ::connect_four::arena::{self, Contestant, Seat};
use ::connect_four::{Analyst, Column, Exhausted, Level, Machine, MachineSettings, Outcome, Player, text};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::json;

use crate::BudgetExhausted;
use crate::arrays::{document, grid};
use crate::interrupt::{on_threads, with_budget};

mod book;

const ROWS: usize = ::connect_four::ROWS;
const COLUMNS: usize = ::connect_four::COLUMNS;
/// Most threads of a batch.
const MOST_THREADS: usize = 256;

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Position>()?;
    module.add_class::<Solver>()?;
    module.add_class::<Opponent>()?;
    module.add_function(wrap_pyfunction!(play_game, module)?)?;
    let levels = PyTuple::new(module.py(), Level::ALL.map(Level::name))?;
    module.add("LEVELS", levels)?;
    book::fill(module)
}

/// A position: the discs, which also tell who is to move.
///
/// >>> from gamebot.connect_four import Position
/// >>> position = Position("4453")
/// >>> repr(position).splitlines()[-2:]
/// ['...o...', '..oxx..']
/// >>> position.to_move, position.legal()
/// (1, [1, 2, 3, 4, 5, 6, 7])
#[pyclass(frozen, eq, hash, module = "gamebot.connect_four")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(pub ::connect_four::Position);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (moves = ""))]
    fn new(moves: &str) -> PyResult<Self> {
        moves.parse().map(Self).map_err(value_error)
    }

    /// The position of a 6 × 7 array, top row first: 0 empty, 1 first player, 2 second player.
    #[staticmethod]
    fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let grid = grid(board, "board")?;
        if (grid.rows, grid.columns) != (ROWS, COLUMNS) {
            let message = format!("board must have the shape (6, 7), not ({}, {})", grid.rows, grid.columns);
            return Err(PyValueError::new_err(message));
        }
        let mut drawing = String::new();
        for row in grid.cells.chunks(COLUMNS) {
            for &cell in row {
                drawing.push(match cell {
                    0 => '.',
                    1 => 'x',
                    2 => 'o',
                    _ => {
                        return Err(PyValueError::new_err(format!(
                            "board has a {cell}: cells are 0, 1 and 2"
                        )));
                    }
                });
            }
            drawing.push('\n');
        }
        Self::from_picture(&drawing)
    }

    /// The position of a drawing: `x` first player, `o` second player, `.` empty.
    #[staticmethod]
    fn from_picture(picture: &str) -> PyResult<Self> {
        text::read_picture(picture).map(Self).map_err(value_error)
    }

    /// The position with this key, see `key`.
    #[staticmethod]
    fn from_key(key: u64) -> PyResult<Self> {
        let invalid = || PyValueError::new_err(format!("{key} is the key of no position"));
        if key >= 1 << 49 {
            return Err(invalid());
        }
        let position = ::connect_four::Position::from_key(key);
        // A key that is not one decodes to discs that no drawing has.
        match text::read_picture(&text::picture(&position)) {
            Ok(read) if read.key() == key => Ok(Self(read)),
            _ => Err(invalid()),
        }
    }

    /// The position after a disc in this column, 1 to 7.
    fn play(&self, column: u8) -> PyResult<Self> {
        self.0.play(self::column(column)?).map(Self).map_err(value_error)
    }

    /// The position before the last disc, which was played in this column.
    fn undo(&self, column: u8) -> PyResult<Self> {
        self.0.undo(self::column(column)?).map(Self).map_err(value_error)
    }

    /// The columns that can be played, 1 to 7; none after the end of the game.
    fn legal(&self) -> Vec<u32> {
        self.0.legal().map(number).collect()
    }

    /// Whether the player to move completes four with this column.
    fn wins_with(&self, column: u8) -> PyResult<bool> {
        Ok(self.0.wins_with(self::column(column)?))
    }

    /// The position mirrored left to right.
    fn mirrored(&self) -> Self {
        Self(self.0.mirrored())
    }

    /// `"open"`, `"draw"`, `"first"` or `"second"`: the state of the game, or who has won.
    #[getter]
    fn outcome(&self) -> &'static str {
        match self.0.outcome() {
            Outcome::Open => "open",
            Outcome::Draw => "draw",
            Outcome::Won { winner: Player::First, .. } => "first",
            Outcome::Won { winner: Player::Second, .. } => "second",
        }
    }

    /// The cells of the winning lines as (column, row), both from 1, rows from the bottom.
    #[getter]
    fn winning_cells(&self) -> Vec<(u8, u8)> {
        match self.0.outcome() {
            Outcome::Won { cells, .. } => cells.iter().map(|cell| (cell.column.number(), cell.row)).collect(),
            Outcome::Open | Outcome::Draw => Vec::new(),
        }
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Who is to move: 1 or 2.
    #[getter]
    fn to_move(&self) -> u8 {
        match self.0.to_move() {
            Player::First => 1,
            Player::Second => 2,
        }
    }

    /// Discs on the board.
    #[getter]
    fn discs(&self) -> u32 {
        self.0.discs()
    }

    /// A number unique to the position.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// The board as a 6 × 7 array of int8, top row first: 0 empty, 1 first player, 2 second player.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let cell = |symbol| match symbol {
            'x' => 1,
            'o' => 2,
            _ => 0,
        };
        let cells: Vec<i8> = text::picture(&self.0).lines().flat_map(str::chars).map(cell).collect();
        cells.into_pyarray(py).reshape([ROWS, COLUMNS])
    }

    fn __repr__(&self) -> String {
        text::picture(&self.0).trim_end().to_owned()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        Ok((py.get_type::<Self>().getattr("from_key")?, (self.0.key(),)))
    }
}

/// Solves positions exactly: n for a win with the n-th last disc, 0 for a draw, −n for a loss.
///
/// >>> from gamebot.connect_four import Position, Solver
/// >>> solver = Solver()
/// >>> solver.score(Position())
/// 1
/// >>> solver.scores(Position())
/// [-2, -1, 0, 1, 0, -1, -2]
/// >>> solver.best("434343")
/// (18, 4)
#[pyclass(frozen, module = "gamebot.connect_four")]
pub struct Solver {
    analysts: Mutex<Vec<Analyst>>,
    book: bool,
    threads: usize,
    table_bytes: usize,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (*, book = true, threads = 1, table_bytes = 64 << 20))]
    fn new(book: bool, threads: usize, table_bytes: usize) -> PyResult<Self> {
        check_threads(threads)?;
        check_table(table_bytes)?;
        Ok(Self {
            analysts: Mutex::new(vec![analyst(book, table_bytes, threads)]),
            book,
            threads,
            table_bytes,
        })
    }

    /// The exact score for the player to move; also after the end of the game.
    ///
    /// `nodes` limits the search; `gamebot.BudgetExhausted` is raised when it does not suffice.
    #[pyo3(signature = (position, *, nodes = None))]
    fn score(&self, py: Python<'_>, position: &Bound<'_, PyAny>, nodes: Option<u64>) -> PyResult<i32> {
        let position = self::position(position)?;
        self.with_analyst(py, nodes, |analyst, budget| analyst.score(&position, budget))
    }

    /// The exact score of each column; `None` for a full one.
    #[pyo3(signature = (position, *, nodes = None))]
    fn scores(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        nodes: Option<u64>,
    ) -> PyResult<[Option<i32>; COLUMNS]> {
        let position = self::position(position)?;
        let analysis = self.with_analyst(py, nodes, |analyst, budget| analyst.analyse(&position, budget))?;
        Ok(analysis.columns)
    }

    /// The exact score and one column that reaches it; no column after the end of the game.
    #[pyo3(signature = (position, *, nodes = None))]
    fn best(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        nodes: Option<u64>,
    ) -> PyResult<(i32, Option<u8>)> {
        let position = self::position(position)?;
        let (score, column) =
            self.with_analyst(py, nodes, |analyst, budget| analyst.best(&position, budget))?;
        Ok((score, column.map(Column::number)))
    }

    /// The columns of perfect play by both sides from here.
    #[pyo3(signature = (position, *, nodes = None))]
    fn line(&self, py: Python<'_>, position: &Bound<'_, PyAny>, nodes: Option<u64>) -> PyResult<Vec<u32>> {
        let position = self::position(position)?;
        let line = self.with_analyst(py, nodes, |analyst, budget| analyst.line(&position, budget))?;
        Ok(line.into_iter().map(number).collect())
    }

    /// The exact scores of many positions, on several threads, as an array of int8.
    ///
    /// >>> Solver().score_many(["", "4", "44"]).tolist()
    /// [1, -1, 1]
    #[pyo3(signature = (positions, *, threads = None, nodes = None))]
    fn score_many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        threads: Option<usize>,
        nodes: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let threads = threads.unwrap_or(self.threads);
        check_threads(threads)?;
        let mut batch = Vec::with_capacity(positions.len().unwrap_or(0));
        if positions.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("positions must be a sequence of positions, not one text"));
        }
        for item in positions.try_iter()? {
            batch.push(position(&item?)?);
        }
        let mut analysts = self.lock(py);
        while analysts.len() < threads {
            analysts.push(analyst(self.book, self.table_bytes, 1));
        }
        let analysts = &mut analysts[..threads];
        let mut scores = vec![0; batch.len()];
        let share = batch.len().div_ceil(threads).max(1);
        let solve = |analyst: &mut Analyst, batch: &[_], scores: &mut [i8], budget: &_| {
            for (position, score) in batch.iter().zip(scores) {
                *score = analyst.score(position, budget)? as i8;
            }
            Ok::<(), Exhausted>(())
        };
        if threads == 1 {
            with_budget(py, nodes, |budget| solve(&mut analysts[0], &batch, &mut scores, budget))?
                .map_err(exhausted)?;
        } else {
            let solve = &solve;
            let parts = batch.chunks(share).zip(scores.chunks_mut(share)).zip(analysts);
            let parts = parts.map(|((batch, scores), analyst)| {
                move |budget: &budget::Budget| solve(analyst, batch, scores, budget)
            });
            let ended = on_threads(py, nodes, parts.collect())?;
            ended.into_iter().collect::<Result<(), _>>().map_err(exhausted)?;
        }
        Ok(scores.into_pyarray(py))
    }

    /// Forgets what earlier searches have found.
    fn clear(&self, py: Python<'_>) {
        self.lock(py).iter_mut().for_each(Analyst::clear);
    }

    /// Nodes searched so far.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> u64 {
        self.lock(py).iter().map(Analyst::nodes).sum()
    }

    fn __repr__(&self) -> String {
        let book = if self.book { "True" } else { "False" };
        format!("Solver(book={book}, threads={}, table_bytes={})", self.threads, self.table_bytes)
    }

    /// A copy has the same settings and an empty table.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let settings = PyDict::new(py);
        settings.set_item("book", self.book)?;
        settings.set_item("threads", self.threads)?;
        settings.set_item("table_bytes", self.table_bytes)?;
        reduce_by_keywords(&py.get_type::<Self>(), settings)
    }
}

impl Solver {
    fn lock<'s>(&'s self, py: Python<'_>) -> std::sync::MutexGuard<'s, Vec<Analyst>> {
        self.analysts.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn with_analyst<T: Send>(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        ask: impl FnOnce(&mut Analyst, &budget::Budget) -> Result<T, Exhausted> + Send,
    ) -> PyResult<T> {
        let mut analysts = self.lock(py);
        let analyst = &mut analysts[0];
        with_budget(py, nodes, |budget| ask(analyst, budget))?.map_err(exhausted)
    }
}

/// The machine as an opponent: chooses a column at a level and says why.
///
/// >>> from gamebot.connect_four import Opponent, Position
/// >>> decision = Opponent("perfect").choose(Position("434343"))
/// >>> decision["column"], decision["reason"]["en"]
/// (4, 'completes four in column 4')
#[pyclass(frozen, module = "gamebot.connect_four")]
pub struct Opponent {
    name: Contestant,
    machine: Mutex<Machine>,
    table_bytes: usize,
}

#[pymethods]
impl Opponent {
    #[new]
    #[pyo3(signature = (level = "hard", *, table_bytes = 64 << 20))]
    fn new(level: &str, table_bytes: usize) -> PyResult<Self> {
        let name = contestant(level)?;
        check_table(table_bytes)?;
        Ok(Self { name, machine: Mutex::new(machine(table_bytes)), table_bytes })
    }

    /// Chooses a column; the same position and seed give the same choice.
    ///
    /// The decision is a dictionary: `column`, the value of each column, the expected line, and the reason in
    /// English and German.
    #[pyo3(signature = (position, *, seed = 1, nodes = None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        seed: u64,
        nodes: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self::position(position)?;
        if position.is_over() {
            return Err(PyValueError::new_err("there is nothing to choose: the game is over"));
        }
        let mut machine = self.machine.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let machine = &mut *machine;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let decision = with_budget(py, nodes, |budget| match self.name {
            Contestant::Random => Ok(Err(random_column(&position, &mut random))),
            Contestant::Level(level) => machine.choose(&position, level, &mut random, budget).map(Ok),
            Contestant::Visitor(visitor) => {
                machine.choose_by(&position, &visitor, &mut random, budget).map(Ok)
            }
        })?;
        match decision {
            Ok(Ok(mut decision)) => {
                // Trees are large, and pages are what they are for.
                decision.tree = None;
                document(py, &decision)
            }
            Ok(Err(column)) => document(py, &json!({ "column": column })),
            Err(error) => Err(BudgetExhausted::new_err(error.to_string())),
        }
    }

    /// Its name.
    #[getter]
    fn level(&self) -> String {
        self.name.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Opponent({:?})", self.name.to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let settings = PyDict::new(py);
        settings.set_item("level", self.name.to_string())?;
        settings.set_item("table_bytes", self.table_bytes)?;
        reduce_by_keywords(&py.get_type::<Self>(), settings)
    }
}

/// Plays one game between two opponents by name; returns its moves and who has won: 1, 2 or `None`.
#[pyfunction]
#[pyo3(signature = (first, second, *, seed = 1))]
fn play_game(py: Python<'_>, first: &str, second: &str, seed: u64) -> PyResult<(String, Option<u8>)> {
    let (first, second) = (contestant(first)?, contestant(second)?);
    let game = with_budget(py, None, |budget| {
        let mut seats = [first, second].map(|contestant| Seat::new(contestant, MachineSettings::default()));
        let [first, second] = &mut seats;
        arena::play(first, second, seed, budget)
    })?
    .map_err(|error| BudgetExhausted::new_err(error.to_string()))?;
    let winner = game.winner.map(|winner| match winner {
        Player::First => 1,
        Player::Second => 2,
    });
    Ok((game.moves.iter().map(ToString::to_string).collect(), winner))
}

/// The opponent with this name.
pub fn contestant(name: &str) -> PyResult<Contestant> {
    name.parse().map_err(|_| {
        let known = "random, easy, medium, hard, perfect, adaptive, lego, depth-N and depth-N-slips-P";
        PyValueError::new_err(format!("{name:?} is not an opponent: choose one of {known}"))
    })
}

/// A machine with a table of this size.
pub fn machine(table_bytes: usize) -> Machine {
    Machine::new(MachineSettings { table_bytes, ..MachineSettings::default() })
}

/// Any legal column.
pub fn random_column(position: &::connect_four::Position, random: &mut Xoshiro256PlusPlus) -> Column {
    let count = position.legal().count() as u32;
    let place = samegame::random::below(random, count.max(1)) as usize;
    position.legal().nth(place).unwrap_or(Column::ALL[0])
}

/// A `Position`, or the moves to it as text.
fn position(object: &Bound<'_, PyAny>) -> PyResult<::connect_four::Position> {
    if let Ok(position) = object.cast::<Position>() {
        return Ok(position.get().0);
    }
    if let Ok(moves) = object.cast::<PyString>() {
        return moves.to_cow()?.parse().map_err(value_error);
    }
    let kind = object.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("position must be a Position or its moves as text, not {kind}")))
}

/// A column's number, in a type that makes a list of integers (bytes would become `bytes`).
fn number(column: Column) -> u32 {
    column.number().into()
}

fn column(number: u8) -> PyResult<Column> {
    Column::new(number).map_err(value_error)
}

fn analyst(book: bool, table_bytes: usize, threads: usize) -> Analyst {
    let analyst = Analyst::new(table_bytes).with_threads(threads);
    if book { analyst } else { analyst.without_book() }
}

/// A number of threads that makes sense.
pub fn check_threads(threads: usize) -> PyResult<()> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("threads is {threads}: choose 1 to {MOST_THREADS}")))
}

fn check_table(bytes: usize) -> PyResult<()> {
    if (1 << 12..=1 << 36).contains(&bytes) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("table_bytes is {bytes}: choose 4096 to 2**36")))
}

fn exhausted(error: Exhausted) -> PyErr {
    BudgetExhausted::new_err(error.to_string())
}

/// An error of the rules as Python's `ValueError`.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// How an object that is made by keywords is pickled.
pub fn reduce_by_keywords<'py>(
    class: &Bound<'py, PyType>,
    keywords: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let partial = py.import("functools")?.getattr("partial")?.call((class,), Some(&keywords))?;
    Ok((partial, PyTuple::empty(py)).into_pyobject(py)?.into_any())
}
