//! Every page is an open connection, every connection an open file, and systems allow few of them unless asked.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::SignalKind;

/// Allows this process as many open files as the system lets it have; returns how many that are.
pub fn allow_many() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    // No figure means no limit.
    allowed.unwrap_or(u64::MAX)
}

/// SIGXFSZ on Linux, on every processor but MIPS.
const FILE_TOO_LARGE: i32 = 25;

/// A limit on the size of files (`ulimit -f`) is an error to be handled, not the end of the process.
pub fn survive_limits() {
    // Whoever listens to a signal is not ended by it; nobody needs to hear it.
    if let Err(error) = tokio::signal::unix::signal(SignalKind::from_raw(FILE_TOO_LARGE)) {
        tracing::warn!(%error, "a limit on the size of files would end the hall");
    }
}
