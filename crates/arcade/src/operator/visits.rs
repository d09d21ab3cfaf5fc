//! Who came to the operator's door, and what was changed behind it; the page tells it in the reader's language.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

/// How many are remembered.
const KEPT: usize = 100;

/// What happened at the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Visit {
    /// The first password was set.
    Setup,
    /// The password was right.
    Login,
    /// The password or the code was wrong.
    Wrong,
    /// The operator went.
    Logout,
    /// A setting was changed.
    Setting,
}

/// A visit with its time.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Noted {
    at: String,
    visit: Visit,
    /// The setting's key.
    what: Option<String>,
}

/// The latest visits, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits(Arc<Mutex<VecDeque<Noted>>>);

impl Visits {
    pub(super) fn note(&self, visit: Visit, what: Option<String>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(Noted { at: jiff::Timestamp::now().to_string(), visit, what });
    }

    pub(super) fn latest(&self) -> Vec<Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten() {
        let visits = Visits::default();
        visits.note(Visit::Setup, None);
        for _ in 0..KEPT {
            visits.note(Visit::Wrong, None);
        }
        let latest = visits.latest();
        assert_eq!(latest.len(), KEPT);
        assert!(latest.iter().all(|noted| noted.visit == Visit::Wrong));
    }
}
