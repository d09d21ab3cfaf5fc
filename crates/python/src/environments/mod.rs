//! Many games stepped in one call: the native half of the Gymnasium environments.
//!
//! ```text
//!  actions ─► lanes, divided among threads ─► observation · pieces · mask · reward · over
//! ```
//!
//! Every array is allocated once and written in place; Python sees views of them.

mod connect_four;
mod lanes;
mod samegame;
mod screen;
mod tetris;

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use rayon::ThreadPool;

use crate::connect_four::check_threads;
use crate::interrupt::caught;
use lanes::{Arrays, AutoReset, Illegal, Lanes, Shape, Task};

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
    shape: Shape,
    count: usize,
    threads: usize,
    observation: Py<PyArray1<u8>>,
    last_observation: Py<PyArray1<u8>>,
    pieces: Py<PyArray1<i64>>,
    last_pieces: Py<PyArray1<i64>>,
    mask: Py<PyArray1<i8>>,
    last_mask: Py<PyArray1<i8>>,
    reward: Py<PyArray1<f64>>,
    over: Py<PyArray1<bool>>,
}

struct State {
    lanes: Box<dyn Lanes>,
    pool: Option<(u32, ThreadPool)>,
}

impl Games {
    fn new(py: Python<'_>, lanes: Box<dyn Lanes>, count: usize, threads: usize) -> PyResult<Self> {
        check_threads(threads)?;
        let shape = lanes.shape();
        let bytes = |size: usize| PyArray1::<u8>::zeros(py, count * size, false).unbind();
        let numbers = |size: usize| PyArray1::<i64>::zeros(py, count * size, false).unbind();
        let flags = |size: usize| PyArray1::<i8>::zeros(py, count * size, false).unbind();
        Ok(Self {
            state: Mutex::new(State { lanes, pool: None }),
            shape,
            count,
            threads,
            observation: bytes(shape.observation),
            last_observation: bytes(shape.observation),
            pieces: numbers(shape.pieces),
            last_pieces: numbers(shape.pieces),
            mask: flags(shape.actions),
            last_mask: flags(shape.actions),
            reward: PyArray1::zeros(py, count, false).unbind(),
            over: PyArray1::zeros(py, count, false).unbind(),
        })
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, py: Python<'_>, task: &Task<'_>) -> PyResult<()> {
        let mut state = self.lock(py);
        let mut observation = writable(self.observation.bind(py))?;
        let mut last_observation = writable(self.last_observation.bind(py))?;
        let mut pieces = writable(self.pieces.bind(py))?;
        let mut last_pieces = writable(self.last_pieces.bind(py))?;
        let mut mask = writable(self.mask.bind(py))?;
        let mut last_mask = writable(self.last_mask.bind(py))?;
        let mut reward = writable(self.reward.bind(py))?;
        let mut over = writable(self.over.bind(py))?;
        let arrays = Arrays {
            observation: observation.as_slice_mut()?,
            last_observation: last_observation.as_slice_mut()?,
            pieces: pieces.as_slice_mut()?,
            last_pieces: last_pieces.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            last_mask: last_mask.as_slice_mut()?,
            reward: reward.as_slice_mut()?,
            over: over.as_slice_mut()?,
        };
        state.keep_pool(self.threads)?;
        let State { lanes, pool } = &mut *state;
        let pool = pool.as_ref().map(|(_, pool)| pool);
        py.detach(|| caught(|| lanes.run(task, arrays, pool)))?.map_err(PyValueError::new_err)
    }
}

impl State {
    /// The threads, made anew in a forked process, which has none of its parent's.
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
            .num_threads(threads)
            .build()
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
        self.pool = Some((process, pool));
        Ok(())
    }
}

#[pymethods]
impl Games {
    /// Starts games anew: all, or those of the mask. Each has a seed of its own.
    #[pyo3(signature = (seeds, chosen = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seeds: PyReadonlyArray1<'_, u64>,
        chosen: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let seeds = self.checked(seeds.as_slice()?, "seeds")?;
        let chosen = chosen.as_ref().map(|chosen| chosen.as_slice()).transpose()?;
        let chosen = chosen.map(|chosen| self.checked(chosen, "reset_mask")).transpose()?;
        self.run(py, &Task::Reset { seeds, chosen })
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
        let actions = self.checked(actions.as_slice()?, "actions")?;
        let autoreset = match autoreset {
            "next_step" => AutoReset::NextStep,
            "same_step" => AutoReset::SameStep,
            "disabled" => AutoReset::Disabled,
            _ => {
                let known = "next_step, same_step, disabled";
                return Err(PyValueError::new_err(format!(
                    "autoreset is {autoreset:?}: choose one of {known}"
                )));
            }
        };
        let illegal = match illegal {
            "raise" => Illegal::Raise,
            "penalty" => Illegal::Penalty,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "illegal is {illegal:?}: choose raise or penalty"
                )));
            }
        };
        self.run(py, &Task::Step { actions, autoreset, illegal })
    }

    /// Draws a legal action for every game; games that are over get 0.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = PyArray1::<i64>::zeros(py, self.count, false);
        {
            let mut state = self.lock(py);
            let mask = self.mask.bind(py).try_readonly().map_err(busy)?;
            let mask = mask.as_slice()?;
            let mut actions = writable(&actions)?;
            let actions = actions.as_slice_mut()?;
            state.keep_pool(self.threads)?;
            let State { lanes, pool } = &mut *state;
            let pool = pool.as_ref().map(|(_, pool)| pool);
            py.detach(|| caught(|| lanes.sample(mask, actions, pool)))?;
        }
        Ok(actions)
    }

    /// The state of one game as text.
    fn picture(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        if index >= self.count {
            return Err(PyValueError::new_err(format!("there is no game {index}: there are {}", self.count)));
        }
        Ok(self.lock(py).lanes.picture(index))
    }

    /// Figures of one game: score, lines, … by name.
    fn figures(&self, py: Python<'_>, index: usize) -> PyResult<Vec<(&'static str, i64)>> {
        if index >= self.count {
            return Err(PyValueError::new_err(format!("there is no game {index}: there are {}", self.count)));
        }
        Ok(self.lock(py).lanes.figures(index))
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

    /// What the games look like, one after the other.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.observation.clone_ref(py)
    }

    /// The last observation of games that were started anew in the step that ended them.
    #[getter]
    fn last_observation(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.last_observation.clone_ref(py)
    }

    /// The pieces in play and to come.
    #[getter]
    fn pieces(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.pieces.clone_ref(py)
    }

    /// The same at the end of games that were started anew.
    #[getter]
    fn last_pieces(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.last_pieces.clone_ref(py)
    }

    /// 1 for every legal action.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.mask.clone_ref(py)
    }

    /// The same at the end of games that were started anew.
    #[getter]
    fn last_mask(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.last_mask.clone_ref(py)
    }

    /// Rewards of the last step.
    #[getter]
    fn reward(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.reward.clone_ref(py)
    }

    /// Whether the last step ended each game.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.over.clone_ref(py)
    }
}

impl Games {
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

fn writable<'py, T: numpy::Element>(array: &Bound<'py, PyArray1<T>>) -> PyResult<PyReadwriteArray1<'py, T>> {
    array.try_readwrite().map_err(busy)
}

fn busy(error: numpy::BorrowError) -> PyErr {
    PyRuntimeError::new_err(format!("the arrays of these games are in use elsewhere: {error}"))
}
