//! What the hands will do: timed actions that may overlap, in steps that can
//! be verified (G14).

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

/// When a plan is checked against what is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// All steps run back to back; the next look checks the end result.
    #[default]
    Optimistic,
    /// After every step the engine looks, and repeats the step if it failed.
    Pessimistic,
}

/// One action: begins `start` after its step does and is held for `hold`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedAction<A> {
    /// When it begins, counted from the beginning of its step.
    #[serde(rename = "start_us", serialize_with = "as_micros")]
    pub start: Duration,
    /// How long it is held.
    #[serde(rename = "hold_us", serialize_with = "as_micros")]
    pub hold: Duration,
    /// What is done.
    pub action: A,
}

/// Actions that belong together, perhaps at the same time, and what should be
/// seen once they have worked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step<A, X> {
    /// What to do.
    pub actions: Vec<TimedAction<A>>,
    /// How long to leave the hands alone after the last action ends.
    #[serde(rename = "rest_us", serialize_with = "as_micros")]
    pub rest: Duration,
    /// What the player expects to see then.
    pub expectation: X,
}

/// What the hands will do until the next decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan<A, X> {
    /// One after the other.
    pub steps: Vec<Step<A, X>>,
}

/// Whether an action begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// It ends. Sorted first: a button is up before it goes down again at the same moment.
    End,
    /// It begins.
    Begin,
}

/// A moment in a step at which one action begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When, counted from the beginning of the step.
    pub at: Duration,
    /// What happens.
    pub kind: EdgeKind,
    /// Which of the step's actions.
    pub action: usize,
}

impl<A, X> Step<A, X> {
    /// Fills `edges` with all beginnings and ends in order of time.
    pub fn edges_into(&self, edges: &mut Vec<Edge>) {
        edges.clear();
        for (action, timed) in self.actions.iter().enumerate() {
            edges.push(Edge { at: timed.start, kind: EdgeKind::Begin, action });
            edges.push(Edge { at: timed.start + timed.hold, kind: EdgeKind::End, action });
        }
        // An action without duration must begin before it ends; all others end first.
        let instant = |edge: &Edge| self.actions.get(edge.action).is_some_and(|a| a.hold.is_zero());
        edges.sort_by_key(|edge| {
            let order = match (edge.kind, instant(edge)) {
                (EdgeKind::End, false) => 0,
                (EdgeKind::Begin, _) => 1,
                (EdgeKind::End, true) => 2,
            };
            (edge.at, order, edge.action)
        });
    }

    /// How long the step takes with its rest.
    pub fn duration(&self) -> Duration {
        let last_end = self.actions.iter().map(|a| a.start + a.hold).max();
        last_end.unwrap_or_default() + self.rest
    }
}

fn as_micros<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(duration.as_micros() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn edges(actions: &[(u64, u64)]) -> Vec<(u64, EdgeKind, usize)> {
        let actions = actions.iter().map(|&(s, h)| TimedAction { start: ms(s), hold: ms(h), action: () });
        let step = Step { actions: actions.collect(), rest: ms(0), expectation: () };
        let mut edges = Vec::new();
        step.edges_into(&mut edges);
        edges.iter().map(|e| (e.at.as_millis() as u64, e.kind, e.action)).collect()
    }

    #[test]
    fn parallel_actions_interleave() {
        use EdgeKind::{Begin, End};
        // Rotate while shifting twice; the second shift begins as the rotation ends.
        assert_eq!(
            edges(&[(0, 75), (0, 35), (75, 35)]),
            [(0, Begin, 0), (0, Begin, 1), (35, End, 1), (75, End, 0), (75, Begin, 2), (110, End, 2)]
        );
    }

    #[test]
    fn an_action_without_duration_begins_before_it_ends() {
        use EdgeKind::{Begin, End};
        assert_eq!(edges(&[(0, 10), (10, 0)]), [(0, Begin, 0), (10, End, 0), (10, Begin, 1), (10, End, 1)]);
    }
}
