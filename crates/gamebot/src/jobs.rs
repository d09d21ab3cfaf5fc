//! Independent jobs on several threads, until all are done or somebody presses Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use engine::Cancel;

/// How soon an interrupt is noticed.
const INTERRUPT_NOTICED: Duration = Duration::from_millis(50);

/// Does the jobs; `done` gets each result as soon as there is one. A job may take hours: one that is interrupted is left
/// alone and ends with the program.
pub fn each<J, T>(
    jobs: Vec<J>,
    threads: u16,
    cancel: &Cancel,
    work: impl Fn(&J) -> T + Send + Sync + 'static,
    mut done: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()>
where
    J: Send + Sync + 'static,
    T: Send + 'static,
{
    let mut left = jobs.len();
    let results = begin(jobs, threads, work);
    while !cancel.is_cancelled() {
        match results.recv_timeout(INTERRUPT_NOTICED) {
            Ok(result) => {
                left -= 1;
                done(result)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                anyhow::ensure!(left == 0, "a game crashed");
                break;
            }
        }
    }
    Ok(())
}

fn begin<J, T>(jobs: Vec<J>, threads: u16, work: impl Fn(&J) -> T + Send + Sync + 'static) -> Receiver<T>
where
    J: Send + Sync + 'static,
    T: Send + 'static,
{
    let (sender, results) = channel();
    let shared = Arc::new((jobs, AtomicUsize::new(0), work));
    for _ in 0..threads {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        std::thread::spawn(move || {
            let (jobs, next, work) = &*shared;
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Nobody waits for it any more after an error or an interrupt.
                if sender.send(work(job)).is_err() {
                    return;
                }
            }
        });
    }
    results
}
