//! Ctrl-C ends a run cleanly: buttons released, files closed, exit code 130.

use engine::Cancel;

/// A switch that the first Ctrl-C or SIGTERM sets. May be called once per process.
pub fn on_interrupt() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let thrown = cancel.clone();
    ctrlc::set_handler(move || thrown.cancel())?;
    Ok(cancel)
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
