//! Arrays and JSON documents between Python and us.

use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use serde_json::Value;

/// A two-dimensional array of small integers, row by row, whatever its dtype, order and strides.
pub struct Grid {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Cells row by row.
    pub cells: Vec<i64>,
}

/// Reads an array of integers or booleans; `name` is the argument's name in messages.
pub fn grid(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Grid> {
    let untyped = array.cast::<PyUntypedArray>().map_err(|_| {
        let kind = array.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{name} must be a NumPy array, not {kind}"))
    })?;
    let kind = untyped.dtype().kind();
    if !matches!(kind, b'i' | b'u' | b'b') {
        let message = format!("{name} must be an array of integers, not of {}", untyped.dtype());
        return Err(PyTypeError::new_err(message));
    }
    if untyped.ndim() != 2 {
        let message = format!("{name} must have 2 dimensions, not {}", untyped.ndim());
        return Err(PyValueError::new_err(message));
    }
    let (rows, columns) = (untyped.shape()[0], untyped.shape()[1]);
    if rows * columns > 1 << 20 {
        return Err(PyValueError::new_err(format!("{name} has {rows} × {columns} cells: too many")));
    }
    let plain = array.call_method1("astype", ("int64",))?;
    let plain = plain.cast::<PyArray2<i64>>()?.readonly();
    Ok(Grid { rows, columns, cells: plain.as_array().iter().copied().collect() })
}

/// A JSON document as Python objects.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, entry) in entries {
                dict.set_item(key, to_python(py, entry)?)?;
            }
            dict.into_any()
        }
    })
}

/// What serde can write, as Python objects.
pub fn document<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    to_python(py, &value)
}
