//! Tuning and learning cut into pure tasks; what is kept is what `gamebot tune tetris` reads and writes.

use ::tetris::tune::{self, GeneticSettings, LearnerSettings, Lesson, Objective};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::de::DeserializeOwned;
use std::sync::{Mutex, PoisonError};

use crate::arrays::document;
use crate::connect_four::{check_threads, value_error};
use crate::interrupt::on_a_thread;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Tuner>()?;
    module.add_class::<Learner>()?;
    module.add_function(wrap_pyfunction!(fitness, module)?)?;
    module.add_function(wrap_pyfunction!(study, module)?)
}

/// A tuning run between two generations.
///
/// >>> from gamebot.tetris import Tuner, fitness
/// >>> tuner = Tuner("lines", rows=6, pieces=20, population=4, games=2)
/// >>> first, games = tuner.seeds
/// >>> tuner.learn([fitness(tuner.objective, w, first, games) for w in tuner.candidates()])
/// >>> tuner.generation
/// 1
#[pyclass(frozen, module = "gamebot.tetris")]
pub struct Tuner(Mutex<tune::Tuner>);

#[pymethods]
impl Tuner {
    #[new]
    #[pyo3(signature = (objective = "lines", *, method = "cma-es", rows = 10, pieces = 100_000, population = 16, games = 24, sigma = 0.15, crossover = 0.3, mutation = 0.02, tournament = 2, seed = 1))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        objective: &str,
        method: &str,
        rows: u32,
        pieces: u32,
        population: usize,
        games: usize,
        sigma: f64,
        crossover: f64,
        mutation: f64,
        tournament: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let objective = match objective {
            "lines" if (6..=24).contains(&rows) => Objective::Lines { rows, pieces },
            "lines" => return Err(value_error(format!("rows is {rows}: choose 6 to 24"))),
            "robot-lines" => Objective::RobotLines { pieces: pieces.min(100) },
            _ => return Err(value_error(format!("objective is {objective:?}: choose lines or robot-lines"))),
        };
        for (name, value, least) in
            [("population", population, 4), ("games", games, 1), ("tournament", tournament, 1)]
        {
            if !(least..=10_000).contains(&value) {
                return Err(value_error(format!("{name} is {value}: choose {least} to 10000")));
            }
        }
        if seed >= 1 << 32 {
            return Err(value_error(format!("seed is {seed}: choose 0 to 2**32 - 1")));
        }
        if !(sigma > 0.0 && sigma <= 10.0) {
            return Err(value_error(format!("sigma is {sigma}: choose more than 0 and at most 10")));
        }
        let settings = GeneticSettings {
            population,
            crossover: share("crossover", crossover)?,
            mutation: share("mutation", mutation)?,
            tournament,
            ..GeneticSettings::default()
        };
        let tuner = match method {
            "cma-es" => tune::Tuner::cma_es(objective, population, sigma, games, seed),
            "genetic" => tune::Tuner::genetic(objective, settings, games, seed),
            _ => return Err(value_error(format!("method is {method:?}: choose cma-es or genetic"))),
        };
        Ok(Self(Mutex::new(tuner)))
    }

    /// The run of a checkpoint.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        read(text).map(|tuner| Self(Mutex::new(tuner)))
    }

    /// The checkpoint, byte for byte as `gamebot tune tetris` writes it.
    fn to_json(&self) -> PyResult<String> {
        self.with(|tuner| serde_json::to_string(tuner)).map_err(value_error)
    }

    /// What is optimised, for `fitness`.
    #[getter]
    fn objective(&self) -> PyResult<String> {
        self.with(|tuner| serde_json::to_string(tuner.objective())).map_err(value_error)
    }

    /// The weights to try in the next generation.
    fn candidates(&self) -> Vec<Vec<f64>> {
        self.with(|tuner| tuner.candidates())
    }

    /// The first seed of the next generation's games, and their number.
    #[getter]
    fn seeds(&self) -> (u64, u64) {
        let seeds = self.with(|tuner| tuner.seeds());
        (seeds.start, seeds.end - seeds.start)
    }

    /// Ends a generation with the fitness of its candidates, in their order.
    fn learn(&self, fitness: Vec<f64>) -> PyResult<()> {
        if let Some(bad) = fitness.iter().find(|value| !value.is_finite()) {
            return Err(value_error(format!("a fitness is {bad}: it must be a finite number")));
        }
        self.with(|tuner| {
            let expected = tuner.candidates().len();
            if fitness.len() != expected {
                return Err(value_error(format!("{} values for {expected} candidates", fitness.len())));
            }
            tuner.learn(&fitness);
            Ok(())
        })
    }

    /// Runs one generation on this machine.
    #[pyo3(signature = (threads = 1))]
    fn step(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        check_threads(threads)?;
        let mut next = self.with(|tuner| tuner.clone());
        let next = on_a_thread(py, move |_| {
            next.step(threads);
            next
        })?;
        self.with(|tuner| *tuner = next);
        Ok(())
    }

    /// Generations so far.
    #[getter]
    fn generation(&self) -> usize {
        self.with(|tuner| tuner.history().len())
    }

    /// The best guess so far.
    #[getter]
    fn weights(&self) -> Vec<f64> {
        self.with(|tuner| tuner.weights())
    }

    /// Number, best and mean fitness of every generation.
    #[getter]
    fn history(&self) -> Vec<(u64, f64, f64)> {
        self.with(|tuner| tuner.history().iter().map(|g| (g.number, g.best, g.mean)).collect())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json()?,)))
    }
}

impl Tuner {
    fn with<T>(&self, work: impl FnOnce(&mut tune::Tuner) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The mean fitness of weights over games with these seeds: a pure function.
#[pyfunction]
fn fitness(py: Python<'_>, objective: &str, weights: Vec<f64>, first_seed: u64, games: u64) -> PyResult<f64> {
    let objective: Objective = read(objective)?;
    if weights.len() != objective.start().len() {
        let expected = objective.start().len();
        return Err(value_error(format!("{} weights; this objective has {expected}", weights.len())));
    }
    if !(1..=1_000_000).contains(&games) {
        return Err(value_error(format!("games is {games}: choose 1 to 1000000")));
    }
    let seeds = first_seed..first_seed.checked_add(games).ok_or_else(|| value_error("seeds beyond 2**64"))?;
    on_a_thread(py, move |stop| {
        // Game by game, so that Ctrl-C ends it; the sum is the same.
        let games = (seeds.end - seeds.start).max(1) as f64;
        let mut sum = 0.0;
        for seed in seeds {
            if stop.is_set() {
                break;
            }
            sum += objective.fitness(&weights, seed..seed + 1);
        }
        sum / games
    })
}

/// A learning run between two rounds.
#[pyclass(frozen, module = "gamebot.tetris")]
pub struct Learner(Mutex<tune::Learner>);

#[pymethods]
impl Learner {
    #[new]
    #[pyo3(signature = (*, death = 20.0, caution = 0.5, seed = 1, moves = 100_000))]
    fn new(death: f32, caution: f32, seed: u64, moves: u32) -> PyResult<Self> {
        if !death.is_finite() || !caution.is_finite() {
            return Err(value_error("death and caution must be finite numbers"));
        }
        let settings = LearnerSettings { death, caution, seed, moves, ..LearnerSettings::default() };
        Ok(Self(Mutex::new(tune::Learner::new(settings))))
    }

    /// The run of a checkpoint.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        read(text).map(|learner| Self(Mutex::new(learner)))
    }

    /// The checkpoint, byte for byte as `gamebot tune tetris --objective score` writes it.
    fn to_json(&self) -> PyResult<String> {
        self.with(|learner| serde_json::to_string(learner)).map_err(value_error)
    }

    /// The next round, one task for each pace, for `study`.
    fn lessons(&self) -> PyResult<Vec<String>> {
        self.with(|learner| {
            learner.lessons().map(|lesson| serde_json::to_string(&lesson)).collect::<Result<_, _>>()
        })
        .map_err(value_error)
    }

    /// Takes over what was learned, in any order.
    fn learn(&self, lessons: Vec<String>) -> PyResult<()> {
        let lessons: Vec<Lesson> = lessons.iter().map(|text| read(text)).collect::<PyResult<_>>()?;
        self.with(|learner| lessons.into_iter().for_each(|lesson| learner.learn(lesson)));
        Ok(())
    }

    /// Plays and learns one round on this machine.
    #[pyo3(signature = (threads = 1))]
    fn step(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        check_threads(threads)?;
        let mut next = self.with(|learner| learner.clone());
        let next = on_a_thread(py, move |_| {
            next.step(threads);
            next
        })?;
        self.with(|learner| *learner = next);
        Ok(())
    }

    /// Rounds so far.
    #[getter]
    fn rounds(&self) -> usize {
        self.with(|learner| learner.rounds())
    }

    /// The results of all rounds, by pace.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let history = self.with(|learner| learner.history().map(<[_]>::to_vec).collect::<Vec<_>>());
        document(py, &history)
    }

    /// The learned tables, as a file that works as a plug-in.
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(|learner| learner.tables().to_bytes()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json()?,)))
    }
}

impl Learner {
    fn with<T>(&self, work: impl FnOnce(&mut tune::Learner) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Studies one lesson: a pure function.
#[pyfunction]
fn study(py: Python<'_>, lesson: &str) -> PyResult<String> {
    let mut lesson: Lesson = read(lesson)?;
    on_a_thread(py, move |_| {
        lesson.study();
        serde_json::to_string(&lesson)
    })?
    .map_err(value_error)
}

fn share(name: &str, value: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(value_error(format!("{name} is {value}: choose 0 to 1")))
    }
}

fn read<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| value_error(format!("not a run of this kind: {error}")))
}
