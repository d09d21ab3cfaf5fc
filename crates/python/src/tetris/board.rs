//! Boards, placements and the keys that lead to them.

use ::tetris::Board as Cells;
use ::tetris::board::{MAX_ROWS, WIDTH};
use ::tetris::field::{Field, settle};
use ::tetris::moves::drops as straight_drops;
use ::tetris::reach::Reach;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::json;

use super::{button_names, piece, speed, timing};
use crate::arrays::{grid, to_python};
use crate::connect_four::value_error;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Board>()?;
    module.add_class::<Placement>()?;
    module.add_function(wrap_pyfunction!(drops, module)?)?;
    module.add_function(wrap_pyfunction!(reachable, module)?)?;
    module.add_function(wrap_pyfunction!(plan, module)?)
}

/// A stack of locked cells, ten columns wide; as text `#` is filled and `.` is empty.
///
/// >>> from gamebot.tetris import Board
/// >>> board = Board("#.........\n##########")
/// >>> board.height, board.cells
/// (2, 11)
/// >>> after, lines = board.settled()
/// >>> after, lines
/// (#........., 1)
#[pyclass(frozen, eq, hash, module = "gamebot.tetris")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// A board fills a cache line; Python aligns its objects to less.
    columns: [u32; WIDTH],
}

impl Board {
    /// The board for Python.
    pub fn new(board: &Cells) -> Self {
        Self { columns: board.columns() }
    }

    /// The board for us.
    pub fn cells(&self) -> Cells {
        Cells::from_columns(self.columns)
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (drawing = ""))]
    fn parse(drawing: &str) -> PyResult<Self> {
        Cells::parse(drawing).map(|board| Self::new(&board)).map_err(value_error)
    }

    /// The board of an array with ten columns, top row first; anything but 0 is filled.
    #[staticmethod]
    fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let grid = grid(board, "board")?;
        if grid.columns != WIDTH || grid.rows > MAX_ROWS {
            let message = format!(
                "board must have 10 columns and at most {MAX_ROWS} rows, not the shape ({}, {})",
                grid.rows, grid.columns
            );
            return Err(value_error(message));
        }
        let mut filled = Cells::EMPTY;
        for (line, row) in grid.cells.chunks(WIDTH).enumerate() {
            for x in (0..WIDTH).filter(|&x| row[x] != 0) {
                filled.fill(x, grid.rows - 1 - line);
            }
        }
        Ok(Self::new(&filled))
    }

    /// The lowest rows as an array of uint8, top row first.
    #[pyo3(signature = (rows = 18))]
    fn to_array<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Bound<'py, PyArray2<u8>>> {
        if rows > MAX_ROWS {
            return Err(value_error(format!("rows is {rows}: a board has at most {MAX_ROWS}")));
        }
        let cells = (0..rows).rev().flat_map(|row| self.columns.map(|column| (column >> row & 1) as u8));
        let cells: Vec<u8> = cells.collect();
        cells.into_pyarray(py).reshape([rows, WIDTH])
    }

    /// The board with a piece locked at a placement, before rows are cleared.
    fn place(&self, piece: &str, placement: &Placement) -> PyResult<Self> {
        let (piece, at) = (self::piece(piece)?, placement.0);
        let shape = piece.shape(at.orientation());
        if at.row() > MAX_ROWS as i32 - 4 || self.cells().collides(shape, at.x(), at.row()) {
            return Err(value_error(format!(
                "there is no room for {} at {}",
                piece.letter(),
                placement.__repr__()
            )));
        }
        let mut after = self.cells();
        after.place(shape, at.x(), at.row());
        Ok(Self::new(&after))
    }

    /// The board after complete rows are cleared by the Game Boy's rules, and their number.
    fn settled(&self) -> (Self, u32) {
        let mut after = self.cells();
        let lines = settle(&mut after, Field::GAME_BOY);
        (Self::new(&after), lines)
    }

    /// The height of the highest column.
    #[getter]
    fn height(&self) -> u32 {
        self.cells().height()
    }

    /// The heights of the columns.
    #[getter]
    fn heights(&self) -> Vec<u32> {
        (0..WIDTH).map(|x| self.cells().column_height(x)).collect()
    }

    /// Number of filled cells.
    #[getter(cells)]
    fn filled(&self) -> u32 {
        self.cells().cells()
    }

    /// The board mirrored left to right.
    fn mirrored(&self) -> Self {
        Self::new(&self.cells().mirrored())
    }

    fn __repr__(&self) -> String {
        let rows = (0..self.height().max(1)).rev();
        let line =
            |row| self.columns.iter().map(|column| if column >> row & 1 == 1 { '#' } else { '.' }).collect();
        rows.map(line).collect::<Vec<String>>().join("\n")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.__repr__(),))
    }
}

/// Where a piece comes to rest: quarter turns, and column and row of its 4 × 4 box.
#[pyclass(frozen, eq, hash, ord, module = "gamebot.tetris")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd)]
pub struct Placement(pub ::tetris::Placement);

#[pymethods]
impl Placement {
    #[new]
    fn new(orientation: usize, x: i32, row: i32) -> PyResult<Self> {
        if orientation > 3 || !(-3..WIDTH as i32).contains(&x) || !(-3..MAX_ROWS as i32).contains(&row) {
            let message = format!("no piece can rest at orientation {orientation}, x {x}, row {row}");
            return Err(value_error(message));
        }
        Ok(Self(::tetris::Placement::new(orientation, x, row)))
    }

    /// Quarter turns counter-clockwise.
    #[getter]
    fn orientation(&self) -> usize {
        self.0.orientation()
    }

    /// Column of the box's left column.
    #[getter]
    fn x(&self) -> i32 {
        self.0.x()
    }

    /// Row of the box's lowest row, from the bottom.
    #[getter]
    fn row(&self) -> i32 {
        self.0.row()
    }

    fn __repr__(&self) -> String {
        format!("Placement({}, {}, {})", self.0.orientation(), self.0.x(), self.0.row())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (usize, i32, i32)) {
        (py.get_type::<Self>().into_any(), (self.0.orientation(), self.0.x(), self.0.row()))
    }
}

/// Every pose of a piece, dropped straight down, that stays below row `ceiling`.
///
/// >>> from gamebot.tetris import Board, drops
/// >>> len(drops(Board(), "O"))
/// 9
#[pyfunction]
#[pyo3(signature = (board, piece, *, ceiling = 18))]
fn drops(board: &Board, piece: &str, ceiling: i32) -> PyResult<Vec<Placement>> {
    let mut placements = Vec::new();
    straight_drops(&board.cells(), self::piece(piece)?, ceiling.clamp(0, MAX_ROWS as i32), &mut placements);
    Ok(placements.into_iter().map(Placement).collect())
}

/// Where keys can bring a piece before it has fallen too far, slides under overhangs included.
#[pyfunction]
#[pyo3(signature = (board, piece, *, level = 9, press_ms = 75.0))]
fn reachable(board: &Board, piece: &str, level: u8, press_ms: f64) -> PyResult<Vec<Placement>> {
    let mut placements = Vec::new();
    searched(board, piece, level, press_ms)?.placements(&mut placements);
    Ok(placements.into_iter().map(Placement).collect())
}

/// The keys that bring a piece to a placement, as early as possible: `presses` as pairs of frame and buttons,
/// `down_from`, `soft_drop_rows`; `None` if no keys do.
///
/// >>> from gamebot.tetris import Board, plan, reachable
/// >>> keys = plan(Board(), "O", reachable(Board(), "O")[0])
/// >>> keys["presses"][0]
/// [0, ['left']]
#[pyfunction]
#[pyo3(signature = (board, piece, placement, *, level = 9, press_ms = 75.0))]
fn plan<'py>(
    py: Python<'py>,
    board: &Board,
    piece: &str,
    placement: &Placement,
    level: u8,
    press_ms: f64,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let reach = searched(board, piece, level, press_ms)?;
    let mut placements = Vec::new();
    reach.placements(&mut placements);
    if !placements.contains(&placement.0) {
        return Ok(None);
    }
    let Some(plan) = reach.plan(placement.0) else { return Ok(None) };
    let presses: Vec<_> =
        plan.presses.iter().map(|press| json!([press.frame, button_names(press.buttons)])).collect();
    let plan = json!({
        "presses": presses,
        "down_from": plan.down_from,
        "soft_drop_rows": plan.soft_drop_rows,
    });
    to_python(py, &plan).map(Some)
}

fn searched(board: &Board, piece: &str, level: u8, press_ms: f64) -> PyResult<Reach> {
    let mut reach = Reach::new(timing(press_ms)?);
    reach.search(&board.cells(), self::piece(piece)?, speed(level)?);
    Ok(reach)
}
