//! Ending a run from outside: Ctrl-C, an operator's stop button.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A switch that many may hold and any may throw; it never goes back.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    shared: Arc<(Mutex<bool>, Condvar)>,
}

impl Cancel {
    /// A switch not yet thrown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Throws the switch and wakes everyone who waits on it.
    pub fn cancel(&self) {
        let (cancelled, changed) = &*self.shared;
        *cancelled.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
    }

    /// Whether the switch was thrown.
    pub fn is_cancelled(&self) -> bool {
        *self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for `duration`, or less if the switch is thrown meanwhile.
    pub fn wait(&self, duration: Duration) {
        let (cancelled, changed) = &*self.shared;
        let guard = cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        // A poisoned lock still holds a valid flag: nothing panics while holding it.
        drop(changed.wait_timeout_while(guard, duration, |cancelled| !*cancelled));
    }
}
