//! What guides a run from outside: nothing in a live one, the tape in a replay.

use std::fmt;

use crate::clock::Time;
use crate::operator::Order;

/// Guides a replay along its tape.
pub trait Steering {
    /// Whether the run should end: the tape is at its end, or something was different.
    fn has_ended(&self) -> bool;

    /// The time to use for what was just noted: that of the recorded run.
    fn time_of_last_note(&self) -> Option<Time>;

    /// Nodes that the recorded run spent on the decision to come.
    fn recorded_thinking(&self) -> Option<u64>;

    /// The order that the recorded run was given here.
    fn recorded_order(&self) -> Option<Order>;
}

/// The steering of a run, if it has one.
#[derive(Default)]
pub(crate) struct Helm(Option<Box<dyn Steering>>);

impl Helm {
    pub(crate) fn steered_by(steering: impl Steering + 'static) -> Self {
        Self(Some(Box::new(steering)))
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.0.as_ref().is_some_and(|steering| steering.has_ended())
    }

    pub(crate) fn is_steered(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn recorded_order(&self) -> Option<Order> {
        self.0.as_ref()?.recorded_order()
    }

    /// The time to use for what was just noted at `now`.
    pub(crate) fn time(&self, now: Time) -> Time {
        self.0.as_ref().and_then(|steering| steering.time_of_last_note()).unwrap_or(now)
    }

    pub(crate) fn recorded_thinking(&self) -> Option<u64> {
        self.0.as_ref()?.recorded_thinking()
    }
}

impl fmt::Debug for Helm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Helm(steered)" } else { "Helm(live)" })
    }
}
