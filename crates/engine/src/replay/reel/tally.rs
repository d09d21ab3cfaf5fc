//! Counting what happened in a recording up to a moment.

use serde::Serialize;

use crate::notes::Topic;
use crate::player::Verdict;

/// How often things happened up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "each field is named after what it counts")]
pub struct Tally {
    pub decisions: u32,
    pub confirmed: u32,
    pub diverged: u32,
    pub unclear: u32,
    pub faults: u32,
    pub games: u32,
}

impl Tally {
    pub(super) fn count(&mut self, topic: Topic, json: &[u8]) {
        let more = |count: &mut u32| *count = count.saturating_add(1);
        match topic {
            Topic::Decision => more(&mut self.decisions),
            Topic::Unclear => more(&mut self.unclear),
            Topic::Fault => more(&mut self.faults),
            Topic::GameOver => more(&mut self.games),
            Topic::Verdict => match serde_json::from_slice(json) {
                Ok(Verdict::Confirmed) => more(&mut self.confirmed),
                Ok(Verdict::Diverged { .. }) => more(&mut self.diverged),
                Ok(Verdict::Pending) | Err(_) => {}
            },
            Topic::Frame
            | Topic::Observation
            | Topic::Thinking
            | Topic::Plan
            | Topic::Command
            | Topic::Remedy
            | Topic::Ending
            | Topic::Body
            | Topic::Screen
            | Topic::Candidates
            | Topic::Order
            | Topic::Times => {}
        }
    }
}
