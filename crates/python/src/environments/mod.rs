//! Many games stepped in one call: the native half of the Gymnasium environments.
//!
//! ```text
//!  actions ─► lanes, divided among threads ─► observation · pieces · mask · reward · over
//! ```
//!
//! Every array is allocated once and written in place; Python sees views of them.

mod buffers;
mod connect_four;
mod lanes;
mod samegame;
mod screen;
mod spread;
mod tetris;

use std::sync::{Mutex, MutexGuard, PoisonError};

use budget::Budget;
use numpy::ndarray::{ArrayView1, ArrayViewD};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};
use rayon::ThreadPool;

use crate::connect_four::{check_threads, value_error};
use crate::interrupt::{caught, with_threads};
use buffers::Buffers;
use lanes::{AutoReset, Illegal, Lanes, Shape, Task};

/// Most games of one batch.
const MOST_GAMES: usize = 1 << 20;

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Games>()?;
    connect_four::fill(module)?;
    samegame::fill(module)?;
    screen::fill(module)?;
    tetris::fill(module)
}

/// Games of one kind in step.
#[pyclass(frozen, module = "gamebot._native.environments")]
pub struct Games {
    state: Mutex<State>,
    buffers: Buffers,
    shape: Shape,
    /// Of one observation.
    dimensions: Vec<usize>,
    count: usize,
    threads: usize,
}

struct State {
    lanes: Box<dyn Lanes>,
    /// Threads beside the caller's, and the process they belong to.
    pool: Option<(u32, ThreadPool)>,
    /// Actions are copied: the caller may pass an array that games write.
    actions: Vec<i64>,
    /// Whether Ctrl-C has left some games a step behind the others.
    interrupted: bool,
}

/// What a step of one game gives in Gymnasium: observation, reward, over, cut short, info.
type Stepped<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

impl Games {
    fn new(
        py: Python<'_>,
        lanes: Box<dyn Lanes>,
        dimensions: Vec<usize>,
        count: usize,
        threads: usize,
    ) -> PyResult<Self> {
        check_threads(threads)?;
        let shape = lanes.shape();
        let actions = Vec::with_capacity(count);
        let state = State { lanes, pool: None, actions, interrupted: false };
        let buffers = Buffers::new(py, shape, count);
        Ok(Self { state: Mutex::new(state), buffers, shape, dimensions, count, threads })
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Does a task, none of whose slices is one of our arrays.
    #[allow(unsafe_code, reason = "arrays that Python reads and games write")]
    fn run(&self, py: Python<'_>, state: &mut State, task: &Task<'_>) -> PyResult<()> {
        // SAFETY: whoever has the state holds the lock, and the task has copies of what was passed.
        let arrays = unsafe { self.buffers.arrays(py) }?;
        state.keep_pool(self.threads)?;
        match task {
            Task::Reset { chosen: None, .. } => state.interrupted = false,
            Task::Reset { .. } | Task::Step { .. } if state.interrupted => {
                return Err(PyRuntimeError::new_err("the last call was interrupted: reset all games first"));
            }
            Task::Reset { .. } | Task::Step { .. } => {}
        }
        let State { lanes, pool, interrupted, .. } = state;
        let pool = pool.as_ref().map(|(_, pool)| pool);
        let is_slow = lanes.are_slow();
        let work = |budget: &Budget| lanes.run(task, arrays, pool, budget);
        let done = if is_slow {
            with_threads(py, None, self.threads, work)
        } else {
            py.detach(|| caught(|| work(&Budget::unlimited())))
        };
        *interrupted = done.is_err();
        done?.map_err(PyValueError::new_err)
    }

    /// What a single game shows, as arrays of its own.
    #[allow(unsafe_code, reason = "arrays that Python reads and games write")]
    fn shown<'py>(&self, py: Python<'py>, state: &State) -> PyResult<Stepped<'py>> {
        // SAFETY: whoever has the state holds the lock.
        let arrays = unsafe { self.buffers.arrays(py) }?;
        let board = &arrays.observation[..self.shape.observation];
        let board = ArrayViewD::from_shape(&*self.dimensions, board).map_err(value_error)?.to_pyarray(py);
        let observation = if self.shape.pieces == 0 {
            board.into_any()
        } else {
            let both = PyDict::new(py);
            both.set_item(intern!(py, "board"), board)?;
            let pieces = &arrays.pieces[..self.shape.pieces];
            both.set_item(intern!(py, "pieces"), ArrayView1::from(pieces).to_pyarray(py))?;
            both.into_any()
        };
        let info = PyDict::new(py);
        let mask = &arrays.mask[..self.shape.actions];
        info.set_item(intern!(py, "action_mask"), ArrayView1::from(mask).to_pyarray(py))?;
        for (name, figure) in state.lanes.figures(0) {
            info.set_item(name, figure)?;
        }
        Ok((observation, arrays.reward[0], arrays.over[0], false, info))
    }
}

impl State {
    /// The threads, recreated in a forked process, which has none of its parent's.
    fn keep_pool(&mut self, threads: usize) -> PyResult<()> {
        if threads == 1 {
            return Ok(());
        }
        let process = std::process::id();
        if self.pool.as_ref().is_some_and(|(owner, _)| *owner == process) {
            return Ok(());
        }
        if let Some(foreign) = self.pool.take() {
            // Ending threads that do not exist here would wait for them.
            std::mem::forget(foreign);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads - 1)
            .build()
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
        self.pool = Some((process, pool));
        Ok(())
    }
}

#[pymethods]
impl Games {
    /// Restarts games: all, or those of the mask. Each has a seed of its own.
    #[pyo3(signature = (seeds, chosen = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seeds: PyReadonlyArray1<'_, u64>,
        chosen: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let seeds = self.checked(seeds.as_slice()?, "seeds")?.to_vec();
        let chosen = chosen.as_ref().map(|chosen| chosen.as_slice()).transpose()?;
        let chosen =
            chosen.map(|chosen| self.checked(chosen, "reset_mask")).transpose()?.map(<[bool]>::to_vec);
        self.run(py, &mut self.lock(py), &Task::Reset { seeds: &seeds, chosen: chosen.as_deref() })
    }

    /// One action in every game. Actions outside the mask are refused before any game is changed (`"raise"`), or
    /// leave their game as it is with a reward of −1 (`"penalty"`).
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        autoreset: &str,
        illegal: &str,
    ) -> PyResult<()> {
        let passed = self.checked(actions.as_slice()?, "actions")?;
        let (autoreset, illegal) = (autoreset_named(autoreset)?, illegal_named(illegal)?);
        let mut state = self.lock(py);
        let mut actions = std::mem::take(&mut state.actions);
        actions.clear();
        actions.extend_from_slice(passed);
        let done = self.run(py, &mut state, &Task::Step { actions: &actions, autoreset, illegal });
        state.actions = actions;
        done
    }

    /// One action in the only game, and what Gymnasium wants to know after it, all of it the caller's to keep.
    fn step_one<'py>(&self, py: Python<'py>, action: i64, illegal: &str) -> PyResult<Stepped<'py>> {
        let actions = [action];
        self.checked(&actions, "action")?;
        let (autoreset, illegal) = (AutoReset::Disabled, illegal_named(illegal)?);
        let mut state = self.lock(py);
        self.run(py, &mut state, &Task::Step { actions: &actions, autoreset, illegal })?;
        self.shown(py, &state)
    }

    /// What `step_one` gives, without a step.
    fn look_at_one<'py>(&self, py: Python<'py>) -> PyResult<Stepped<'py>> {
        self.shown(py, &self.lock(py))
    }

    /// Draws a legal action for every game; games that are over get 0.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(self.drawn(py)?.into_pyarray(py))
    }

    /// Draws a legal action for the first game.
    fn sample_one(&self, py: Python<'_>) -> PyResult<i64> {
        Ok(self.drawn(py)?[0])
    }

    /// The state of one game as text.
    fn picture(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        if index >= self.count {
            return Err(PyValueError::new_err(format!("there is no game {index}: there are {}", self.count)));
        }
        Ok(self.lock(py).lanes.picture(index))
    }

    /// Number of games.
    #[getter]
    fn count(&self) -> usize {
        self.count
    }

    /// Number of actions.
    #[getter]
    fn actions(&self) -> usize {
        self.shape.actions
    }

    /// The dimensions of one observation.
    #[getter]
    fn dimensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.dimensions)
    }

    /// What the games look like, one after the other.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.buffers.observation.clone_ref(py)
    }

    /// The last observation of games that were restarted in the step that ended them.
    #[getter]
    fn last_observation(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.buffers.last_observation.clone_ref(py)
    }

    /// The pieces in play and to come.
    #[getter]
    fn pieces(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.buffers.pieces.clone_ref(py)
    }

    /// The same at the end of games that were restarted.
    #[getter]
    fn last_pieces(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.buffers.last_pieces.clone_ref(py)
    }

    /// 1 for every legal action.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.buffers.mask.clone_ref(py)
    }

    /// The same at the end of games that were restarted.
    #[getter]
    fn last_mask(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.buffers.last_mask.clone_ref(py)
    }

    /// Rewards of the last step.
    #[getter]
    fn reward(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.buffers.reward.clone_ref(py)
    }

    /// Whether the last step ended each game.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.buffers.over.clone_ref(py)
    }
}

impl Games {
    #[allow(unsafe_code, reason = "arrays that Python reads and games write")]
    fn drawn(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        let mut actions = vec![0; self.count];
        let mut state = self.lock(py);
        // SAFETY: the lock is held.
        let mask = &*unsafe { self.buffers.arrays(py) }?.mask;
        state.keep_pool(self.threads)?;
        let State { lanes, pool, .. } = &mut *state;
        let pool = pool.as_ref().map(|(_, pool)| pool);
        py.detach(|| caught(|| lanes.sample(mask, &mut actions, pool)))?;
        Ok(actions)
    }

    fn checked<'a, T>(&self, values: &'a [T], name: &str) -> PyResult<&'a [T]> {
        if values.len() == self.count {
            return Ok(values);
        }
        let message = format!("{name} has {} entries for {} games", values.len(), self.count);
        Err(PyValueError::new_err(message))
    }
}

/// A number of games that makes sense.
fn checked_count(count: usize) -> PyResult<usize> {
    if (1..=MOST_GAMES).contains(&count) {
        return Ok(count);
    }
    Err(PyValueError::new_err(format!("{count} games: choose 1 to {MOST_GAMES}")))
}

fn autoreset_named(name: &str) -> PyResult<AutoReset> {
    match name {
        "next_step" => Ok(AutoReset::NextStep),
        "same_step" => Ok(AutoReset::SameStep),
        "disabled" => Ok(AutoReset::Disabled),
        _ => {
            let known = "next_step, same_step, disabled";
            Err(value_error(format!("autoreset is {name:?}: choose one of {known}")))
        }
    }
}

fn illegal_named(name: &str) -> PyResult<Illegal> {
    match name {
        "raise" => Ok(Illegal::Raise),
        "penalty" => Ok(Illegal::Penalty),
        _ => Err(value_error(format!("illegal is {name:?}: choose raise or penalty"))),
    }
}
