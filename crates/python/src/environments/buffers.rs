//! The arrays that games write and Python sees, allocated once.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::lanes::{Arrays, Shape};

/// One array for each kind of figure, all games one after the other.
pub struct Buffers {
    pub observation: Py<PyArray1<u8>>,
    pub last_observation: Py<PyArray1<u8>>,
    pub pieces: Py<PyArray1<i64>>,
    pub last_pieces: Py<PyArray1<i64>>,
    pub mask: Py<PyArray1<i8>>,
    pub last_mask: Py<PyArray1<i8>>,
    pub reward: Py<PyArray1<f64>>,
    pub over: Py<PyArray1<bool>>,
    shape: Shape,
    count: usize,
}

impl Buffers {
    /// Arrays for this many games.
    pub fn new(py: Python<'_>, shape: Shape, count: usize) -> Self {
        let bytes = |size: usize| PyArray1::<u8>::zeros(py, count * size, false).unbind();
        let numbers = |size: usize| PyArray1::<i64>::zeros(py, count * size, false).unbind();
        let flags = |size: usize| PyArray1::<i8>::zeros(py, count * size, false).unbind();
        Self {
            observation: bytes(shape.observation),
            last_observation: bytes(shape.observation),
            pieces: numbers(shape.pieces),
            last_pieces: numbers(shape.pieces),
            mask: flags(shape.actions),
            last_mask: flags(shape.actions),
            reward: PyArray1::zeros(py, count, false).unbind(),
            over: PyArray1::zeros(py, count, false).unbind(),
            shape,
            count,
        }
    }

    /// Where games write. NumPy's table of borrowed arrays is not asked: for one game that took longer than its step.
    ///
    /// # Safety
    /// Only one caller at a time may hold them, and none of them may be what a caller passed.
    #[allow(unsafe_code, reason = "arrays that Python reads and games write")]
    pub unsafe fn arrays<'a>(&'a self, py: Python<'a>) -> PyResult<Arrays<'a>> {
        let Shape { observation, pieces, actions } = self.shape;
        // SAFETY: the caller's promise; each slice belongs to an array of its own.
        unsafe {
            Ok(Arrays {
                observation: whole(self.observation.bind(py), self.count * observation)?,
                last_observation: whole(self.last_observation.bind(py), self.count * observation)?,
                pieces: whole(self.pieces.bind(py), self.count * pieces)?,
                last_pieces: whole(self.last_pieces.bind(py), self.count * pieces)?,
                mask: whole(self.mask.bind(py), self.count * actions)?,
                last_mask: whole(self.last_mask.bind(py), self.count * actions)?,
                reward: whole(self.reward.bind(py), self.count)?,
                over: whole(self.over.bind(py), self.count)?,
            })
        }
    }
}

/// The array's memory, if Python code has left it as it was made.
///
/// # Safety
/// As of [`Buffers::arrays`].
#[allow(unsafe_code, reason = "an array that Python reads and games write")]
#[expect(clippy::mut_from_ref, reason = "NumPy's arrays have inner mutability")]
unsafe fn whole<'a, T: numpy::Element>(
    array: &'a Bound<'_, PyArray1<T>>,
    length: usize,
) -> PyResult<&'a mut [T]> {
    // SAFETY: the caller's promise.
    let slice = unsafe { array.as_slice_mut() }?;
    if slice.len() == length {
        return Ok(slice);
    }
    Err(PyRuntimeError::new_err("an array of these games has been resized"))
}
