//! `gamebot.recording`: what happened in a run, note by note.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use engine::PixelFormat;
use engine::notes::Topic;
use engine::replay::{Note as TapeNote, Tape, TapeError};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::arrays::to_python;
use crate::connect_four::value_error;
use crate::interrupt::caught;

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Recording>()?;
    module.add_class::<Notes>()?;
    module.add_class::<Note>()
}

/// A recording on disk; iterating reads it from the beginning, again and again.
#[pyclass(frozen, module = "gamebot.recording")]
pub struct Recording {
    path: PathBuf,
    run: Value,
}

#[pymethods]
impl Recording {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let tape = open(&path)?;
        let run = tape.run();
        let run = json!({
            "program": run.program, "game": run.game, "body": run.body, "seed": run.seed,
            "configuration": run.configuration,
        });
        Ok(Self { path, run })
    }

    /// What was played: program, game, body, seed, configuration.
    #[getter]
    fn run<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.run)
    }

    fn __iter__(&self) -> PyResult<Notes> {
        Ok(Notes { tape: Mutex::new(open(&self.path)?), path: self.path.clone() })
    }

    fn __repr__(&self) -> String {
        format!("Recording({:?})", self.path.display().to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (PathBuf,)) {
        (py.get_type::<Self>().into_any(), (self.path.clone(),))
    }
}

/// The notes of a recording, in order.
#[pyclass(frozen, module = "gamebot.recording")]
pub struct Notes {
    tape: Mutex<Tape<BufReader<File>>>,
    path: PathBuf,
}

#[pymethods]
impl Notes {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Note>> {
        let (note, error) = py.detach(|| {
            let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
            let note = caught(|| tape.next());
            note.map(|note| (note, tape.take_error()))
        })?;
        match (note, error) {
            (_, Some(error)) => Err(failed(&self.path, &error)),
            (note, None) => Ok(note.map(Note)),
        }
    }
}

/// One note: a frame, an observation, a decision, a command, a fault, …
#[pyclass(frozen, module = "gamebot.recording")]
pub struct Note(TapeNote);

#[pymethods]
impl Note {
    /// What it is about: `"frame"`, `"observation"`, `"decision"`, …
    #[getter]
    fn topic(&self) -> &'static str {
        self.0.topic.channel().trim_start_matches('/')
    }

    /// Seconds since the run began.
    #[getter]
    fn time_s(&self) -> f64 {
        self.0.time.elapsed().as_secs_f64()
    }

    /// The note itself; `None` for a frame.
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.0.topic == Topic::Frame {
            return Ok(None);
        }
        let value: Value = serde_json::from_slice(&self.0.bytes).map_err(value_error)?;
        to_python(py, &value).map(Some)
    }

    /// A frame's pixels as an array of uint8, rows × columns for grey and rows × columns × 3 for colours; `None`
    /// for any other note.
    #[getter]
    fn frame<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.0.topic != Topic::Frame {
            return Ok(None);
        }
        let (picture, _) = py.detach(|| caught(|| self.0.picture()))?.map_err(value_error)?;
        let (rows, columns) = (picture.height as usize, picture.width as usize);
        let pixels: Bound<'py, PyArray1<u8>> = picture.pixels.into_pyarray(py);
        Ok(Some(match picture.format {
            PixelFormat::Gray8 => pixels.reshape([rows, columns])?.into_any(),
            PixelFormat::Rgb8 => pixels.reshape([rows, columns, 3])?.into_any(),
        }))
    }

    fn __repr__(&self) -> String {
        format!("<{} at {:.3} s>", self.topic(), self.time_s())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let again = py.get_type::<Self>().getattr("_again")?;
        let bytes = PyBytes::new(py, &self.0.bytes);
        let nanos = self.0.time.as_nanos();
        Ok((again, (self.0.topic.channel(), nanos, bytes)).into_pyobject(py)?.into_any())
    }

    /// The note that was pickled.
    #[staticmethod]
    fn _again(channel: &str, nanos: u64, bytes: &[u8]) -> PyResult<Self> {
        let unknown = || value_error(format!("{channel:?} is not a channel of a recording"));
        let topic = Topic::from_channel(channel).ok_or_else(unknown)?;
        Ok(Self(TapeNote { topic, time: engine::Time::from_nanos(nanos), bytes: bytes.to_vec() }))
    }
}

fn open(path: &PathBuf) -> PyResult<Tape<BufReader<File>>> {
    let file =
        File::open(path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
    caught(|| Tape::open(BufReader::new(file)))?.map_err(|error| failed(path, &error))
}

fn failed(path: &std::path::Path, error: &TapeError) -> PyErr {
    value_error(format!("{}: {error}", path.display()))
}
