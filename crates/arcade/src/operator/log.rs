//! The newest lines of the log, for the operator's page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The newest lines of the log, for the operator's page.
#[derive(Clone, Debug, Default)]
pub struct RecentLog(Arc<Mutex<VecDeque<String>>>);

impl RecentLog {
    const LINES: usize = 2000;

    /// Adds a line and forgets the oldest.
    pub fn add(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == Self::LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    pub(super) fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
