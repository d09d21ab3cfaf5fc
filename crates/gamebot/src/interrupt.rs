//! Ctrl-C ends a run cleanly: buttons released, files closed, exit code 130.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use engine::Cancel;

/// A switch that the first Ctrl-C or SIGTERM sets. May be called once per process.
pub fn on_interrupt() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let thrown = cancel.clone();
    ctrlc::set_handler(move || thrown.cancel())?;
    Ok(cancel)
}

/// Does the work, unless the user interrupts it; then it is left alone and ends with the program.
pub fn unless_interrupted<T: Send + 'static>(
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<Option<T>> {
    /// How soon an interrupt is noticed.
    const PATIENCE: Duration = Duration::from_millis(50);
    let (done, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || drop(done.send(work())));
    while !cancel.is_cancelled() {
        match waiting.recv_timeout(PATIENCE) {
            Ok(result) => return Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the work ended without a result"),
        }
    }
    Ok(None)
}

/// The same for tokio: completes on Ctrl-C or SIGTERM.
pub async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}
