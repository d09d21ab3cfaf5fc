//! What the hands will do: timed actions that may overlap, in steps that can
//! be verified (G14).

use std::time::Duration;

use schemars::JsonSchema;
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

/// One action: begins `start` after its step does, and lasts.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TimedAction<A> {
    /// When it begins, counted from the beginning of its step.
    #[serde(rename = "start_us", serialize_with = "as_micros")]
    #[schemars(with = "u64")]
    pub start: Duration,
    /// How long it takes.
    #[serde(flatten)]
    pub lasts: Lasts,
    /// What is done.
    pub action: A,
}

impl<A> TimedAction<A> {
    /// An action that is held for a fixed time: a button.
    pub fn held(start: Duration, hold: Duration, action: A) -> Self {
        Self { start, lasts: Lasts::For(hold), action }
    }

    /// An action that a hand which keeps time holds and ends by itself: the run looks again meanwhile.
    pub fn left_to_hand(start: Duration, hold: Duration, action: A) -> Self {
        Self { start, lasts: Lasts::ByItself(hold), action }
    }

    /// An action that takes as long as it takes: a motor drives until it arrives or stalls. It begins
    /// with its step, and the step waits for it.
    pub fn until_done(at_most: Duration, action: A) -> Self {
        Self { start: Duration::ZERO, lasts: Lasts::UntilDone { at_most }, action }
    }
}

/// How long an action lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub enum Lasts {
    /// A fixed time; the engine ends it.
    #[serde(rename = "hold_us", serialize_with = "as_micros")]
    #[schemars(with = "u64")]
    For(Duration),
    /// A fixed time that the hand keeps ([`BodyPace::hand_keeps_time`](crate::BodyPace)); nobody waits for its end.
    #[serde(rename = "hold_by_itself_us", serialize_with = "as_micros")]
    #[schemars(with = "u64")]
    ByItself(Duration),
    /// Until the hand says that it is done.
    #[serde(rename = "until_done")]
    UntilDone {
        /// After this time it counts as a fault.
        #[serde(rename = "at_most_us", serialize_with = "as_micros")]
        #[schemars(with = "u64")]
        at_most: Duration,
    },
}

impl Lasts {
    /// The fixed time after which the engine ends it; `None` if the hand does.
    pub const fn fixed(self) -> Option<Duration> {
        match self {
            Lasts::For(hold) => Some(hold),
            Lasts::ByItself(_) | Lasts::UntilDone { .. } => None,
        }
    }
}

/// Actions that belong together, perhaps at the same time, and what should be
/// seen once they have worked.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Step<A, X> {
    /// What to do.
    pub actions: Vec<TimedAction<A>>,
    /// How long to leave the hands alone after the last action ends.
    #[serde(rename = "rest_us", serialize_with = "as_micros")]
    #[schemars(with = "u64")]
    pub rest: Duration,
    /// What the player expects to see then.
    pub expectation: X,
}

/// What the hands will do until the next decision.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Plan<A, X> {
    /// One after the other.
    pub steps: Vec<Step<A, X>>,
}

/// Whether an action begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
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
    /// Fills `edges` with all beginnings and all ends known beforehand, in order of time.
    pub fn edges_into(&self, edges: &mut Vec<Edge>) {
        edges.clear();
        for (action, timed) in self.actions.iter().enumerate() {
            edges.push(Edge { at: timed.start, kind: EdgeKind::Begin, action });
            if let Some(hold) = timed.lasts.fixed() {
                edges.push(Edge { at: timed.start + hold, kind: EdgeKind::End, action });
            }
        }
        // An action without duration must begin before it ends; all others end first.
        let instant = |edge: &Edge| {
            self.actions.get(edge.action).is_some_and(|a| a.lasts == Lasts::For(Duration::ZERO))
        };
        edges.sort_by_key(|edge| {
            let order = match (edge.kind, instant(edge)) {
                (EdgeKind::End, false) => 0,
                (EdgeKind::Begin, _) => 1,
                (EdgeKind::End, true) => 2,
            };
            (edge.at, order, edge.action)
        });
    }

    /// How long the actions with a fixed end take.
    pub fn fixed_duration(&self) -> Duration {
        let last_end = self.actions.iter().map(|a| a.start + a.lasts.fixed().unwrap_or_default()).max();
        last_end.unwrap_or_default()
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
        let actions = actions.iter().map(|&(s, h)| TimedAction::held(ms(s), ms(h), ()));
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
    fn an_action_that_reports_its_end_has_no_planned_one() {
        let actions = vec![TimedAction::until_done(ms(900), 'd'), TimedAction::held(ms(5), ms(10), 'b')];
        let step = Step { actions, rest: ms(0), expectation: () };
        let mut edges = Vec::new();
        step.edges_into(&mut edges);
        let ends: Vec<_> = edges.iter().filter(|e| e.kind == EdgeKind::End).map(|e| e.action).collect();
        assert_eq!((edges.len(), ends), (3, vec![1]));
        let json = serde_json::to_string(&step.actions).unwrap();
        assert_eq!(
            json,
            r#"[{"start_us":0,"until_done":{"at_most_us":900000},"action":"d"},{"start_us":5000,"hold_us":10000,"action":"b"}]"#
        );
    }

    #[test]
    fn an_action_without_duration_begins_before_it_ends() {
        use EdgeKind::{Begin, End};
        assert_eq!(edges(&[(0, 10), (10, 0)]), [(0, Begin, 0), (10, End, 0), (10, Begin, 1), (10, End, 1)]);
    }
}
