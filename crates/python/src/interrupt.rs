//! Long calls: without the interpreter lock, ended by Ctrl-C, panics as exceptions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use budget::Budget;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between two looks for Ctrl-C: a fifth of what a person notices.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Nodes after which work asks whether to go on.
const NODES_BETWEEN_LOOKS: u64 = 128;

/// Runs `work` in this thread without the interpreter lock. Its budget has at most `nodes` nodes and ends
/// when a signal handler raises, as Python's own does on Ctrl-C.
pub fn with_budget<T: Send>(
    py: Python<'_>,
    nodes: Option<u64>,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    let raised = Arc::new(Mutex::new(None));
    let budget = limited(nodes).or_until(signals(Arc::clone(&raised)));
    let result = py.detach(|| caught(|| work(&budget)))?;
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or(Ok(result), Err)
}

/// Runs every part of some work on a thread of its own, all with the same budget as in [`with_budget`], while
/// this thread looks for Ctrl-C; the results in the order of the parts.
pub fn on_threads<T: Send, W: FnOnce(&Budget) -> T + Send>(
    py: Python<'_>,
    nodes: Option<u64>,
    parts: Vec<W>,
) -> PyResult<Vec<T>> {
    let stop = Stop::default();
    let theirs = stop.clone();
    let budget = limited(nodes).or_until(move || theirs.is_set());
    py.detach(|| {
        let caller = &thread::current();
        let mut raised = None;
        let results: Vec<PyResult<T>> = thread::scope(|scope| {
            let budget = &budget;
            let work = |part: W| {
                scope.spawn(move || {
                    let result = caught(|| part(budget));
                    caller.unpark();
                    result
                })
            };
            let threads: Vec<_> = parts.into_iter().map(work).collect();
            while threads.iter().any(|thread| !thread.is_finished()) {
                thread::park_timeout(BETWEEN_LOOKS);
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.0.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            let join = |thread: thread::ScopedJoinHandle<'_, PyResult<T>>| {
                thread.join().unwrap_or_else(|payload| Err(defect(payload.as_ref())))
            };
            threads.into_iter().map(join).collect()
        });
        raised.map_or_else(|| results.into_iter().collect(), Err)
    })
}

/// Runs work that divides itself among this many threads. If they are several, it runs apart from this thread, which
/// looks for Ctrl-C also while the others are not done.
pub fn with_threads<T: Send>(
    py: Python<'_>,
    nodes: Option<u64>,
    threads: usize,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    if threads == 1 {
        return with_budget(py, nodes, work);
    }
    let done = on_threads(py, nodes, vec![work])?.pop();
    done.ok_or_else(|| PyRuntimeError::new_err("the working thread ended without a result"))
}

/// Some nodes take long: those of a large board of SameGame a tenth of a millisecond.
fn limited(nodes: Option<u64>) -> Budget {
    nodes.map_or_else(Budget::unlimited, Budget::nodes).in_batches(NODES_BETWEEN_LOOKS)
}

/// Whether work must stop because a handler raised; only the calling thread can run handlers.
#[expect(clippy::disallowed_methods, reason = "how often a user's Ctrl-C is looked for is wall time")]
fn signals(raised: Arc<Mutex<Option<PyErr>>>) -> impl Fn() -> bool + Send + Sync + 'static {
    let (caller, start) = (thread::current().id(), Instant::now());
    let (stop, next_look) = (AtomicBool::new(false), AtomicU64::new(BETWEEN_LOOKS.as_micros() as u64));
    move || {
        let now = start.elapsed().as_micros() as u64;
        if now >= next_look.load(Ordering::Relaxed) && thread::current().id() == caller {
            next_look.store(now + BETWEEN_LOOKS.as_micros() as u64, Ordering::Relaxed);
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
        stop.load(Ordering::Relaxed)
    }
}

/// Says to work on another thread that its result is no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs work that knows no budget on a thread of its own while this one looks for Ctrl-C. After Ctrl-C the
/// call returns at once; the work ends when it next asks whether to [`Stop`].
pub fn on_a_thread<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    let stop = Stop::default();
    let theirs = stop.clone();
    thread::spawn(move || {
        // Nobody listens after Ctrl-C.
        let _ = send.send(caught(|| work(&theirs)));
    });
    let receive = Mutex::new(receive);
    loop {
        let answer =
            py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(BETWEEN_LOOKS));
        match answer {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the working thread ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    stop.0.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    }
}

/// A panic is a defect of ours, but a notebook must survive it.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| defect(payload.as_ref()))
}

fn defect(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("no reason given");
    PyRuntimeError::new_err(format!("defect in gamebot, please report it: {message}"))
}
