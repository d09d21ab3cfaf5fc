//! Every page is an open connection, every connection an open file, and systems allow few of them unless asked.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Allows this process as many open files as the system lets it have; gives back how many that are.
pub fn allow_many() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let allowed = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    // No figure means no limit.
    allowed.unwrap_or(u64::MAX)
}
