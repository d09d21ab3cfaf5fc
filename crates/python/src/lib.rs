//! The native half of the Python package `gamebot`: every module here is `gamebot._native.NAME`, and
//! `python/gamebot/NAME.py` shows it to users.
//!
//! Rules of the house: no global state; the interpreter lock is released during work; every long call ends
//! within 100 ms of Ctrl-C ([`interrupt`]); bad input is a `TypeError` or `ValueError` with our message.

#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    clippy::needless_pass_by_value,
    clippy::redundant_closure_for_method_calls,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps,
    clippy::used_underscore_items,
    clippy::wrong_self_convention,
    reason = "doc comments are Python's docstrings, and PyO3 decides what functions take and return"
)]

mod arrays;
mod connect_four;
mod environments;
mod gameboy;
mod interrupt;
mod recording;
mod samegame;
mod tetris;

use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

create_exception!(gamebot, BudgetExhausted, PyRuntimeError, "The nodes did not suffice for an answer.");

/// Python aligns its objects to 16 bytes; what wants more must be boxed.
macro_rules! fits_into_an_object {
    ($($class:ty),+ $(,)?) => { $(const _: () = assert!(align_of::<$class>() <= 16);)+ };
}
fits_into_an_object!(
    connect_four::Opponent,
    connect_four::Position,
    connect_four::Solver,
    environments::Games,
    gameboy::Console,
    recording::Note,
    recording::Notes,
    recording::Recording,
    samegame::Board,
    tetris::Board,
    tetris::Placement,
    tetris::game::Game,
    tetris::tune::Learner,
    tetris::tune::Tuner,
    tetris::versus::Versus,
);

type Fill = fn(&Bound<'_, PyModule>) -> PyResult<()>;

const MODULES: [(&str, Fill); 6] = [
    ("connect_four", connect_four::fill),
    ("environments", environments::fill),
    ("gameboy", gameboy::fill),
    ("recording", recording::fill),
    ("samegame", samegame::fill),
    ("tetris", tetris::fill),
];

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("BudgetExhausted", py.get_type::<BudgetExhausted>())?;
    module.add_function(wrap_pyfunction!(_defect, module)?)?;
    let known = py.import("sys")?.getattr("modules")?;
    for (name, fill) in MODULES {
        let full_name = format!("gamebot._native.{name}");
        let part = PyModule::new(py, &full_name)?;
        fill(&part)?;
        module.add(name, &part)?;
        known.set_item(full_name, part)?;
    }
    Ok(())
}

/// Fails as a defect of ours would, so that tests see what becomes of it.
#[pyfunction]
#[expect(clippy::panic, reason = "a panic is what it is for")]
fn _defect(py: Python<'_>, way: &str) -> PyResult<()> {
    let fail = || std::panic::panic_any("on purpose");
    match way {
        "here" => interrupt::with_budget(py, None, |_| fail()),
        "a thread" => interrupt::on_a_thread(py, move |_| fail()),
        "threads" => interrupt::on_threads(py, None, vec![|_: &budget::Budget| fail()]).map(|_| ()),
        _ => Err(connect_four::value_error("choose here, a thread or threads")),
    }
}
