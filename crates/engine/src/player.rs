//! The agent interface: one for every game and every body.

use std::fmt::Display;

use budget::Budget;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::BodyPace;
use crate::clock::Time;
use crate::focus::Focus;
use crate::picture::Picture;
use crate::plan::Plan;

/// Plays one game. It is called by the engine and never drives it (G1): it
/// reads no clock, touches no device, and with the same seed it answers the
/// same screens with the same plans.
pub trait Player {
    /// What one screen shows.
    type Observation: Serialize + JsonSchema;
    /// Why a screen could not be read, with the evidence.
    type Unclear: Display + Serialize + JsonSchema;
    /// What to do, with its value and explanation.
    type Decision: Serialize + JsonSchema;
    /// What the hands can do.
    type Action: Serialize + JsonSchema;
    /// What will be seen if a step works.
    type Expectation: Serialize + JsonSchema;

    /// Learns, before the first look, how long looking and acting takes the body.
    fn meet(&mut self, body: &BodyPace) {
        let _ = body;
    }

    /// What it wants to see next, in coordinates of the screen.
    fn focus(&self) -> Focus {
        Focus::Everything
    }

    /// Reads a screen. A screen that cannot be read is an answer, not an error.
    fn see(&mut self, screen: &Picture, captured: Time) -> Result<Self::Observation, Self::Unclear>;

    /// Whether what was expected has come true.
    fn verify(&self, expectation: &Self::Expectation, observation: &Self::Observation) -> Verdict;

    /// Chooses what to do now, within the budget.
    fn decide(&mut self, observation: &Self::Observation, budget: &Budget) -> Choice<Self::Decision>;

    /// What the last decision was chosen from, best first, for people who watch; asked for only while somebody does.
    fn candidates(&mut self) -> Vec<Candidate> {
        Vec::new()
    }

    /// How to do it with these hands.
    fn plan(&mut self, decision: &Self::Decision) -> Plan<Self::Action, Self::Expectation>;

    /// What to do at once when the eye fails, before the wait for its recovery: somebody who cannot see stops
    /// a game that can be stopped. What comes of it is not verified.
    fn lost_sight(&mut self) -> Option<Plan<Self::Action, Self::Expectation>> {
        None
    }

    /// Hears what a person wants, in words of the player's own; what it does about it at once, or why nothing.
    fn hear(
        &mut self,
        words: &serde_json::Value,
    ) -> Result<Option<Plan<Self::Action, Self::Expectation>>, String> {
        let _ = words;
        Err("this player takes no orders".to_owned())
    }

    /// Forgets what it believed and trusts only the next look.
    fn resynchronise(&mut self);
}

/// One of the things that a player could do.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Candidate {
    /// Which, in a word or two.
    pub name: String,
    /// What it is worth to the player; more is better.
    pub value: f64,
}

/// A player's answer to "what now?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice<D> {
    /// Do this.
    Act(D),
    /// Nothing to do yet; look again.
    Wait,
    /// The game has ended.
    GameOver,
    /// Nothing can be done here, for this reason: the run ends.
    GiveUp(String),
}

/// What the next look says about a plan.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It worked.
    Confirmed,
    /// It cannot be told yet: still moving, not yet visible.
    Pending,
    /// It did not work.
    Diverged {
        /// What is different, in words for a person.
        why: String,
    },
}

/// How long a player may think about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// A number of nodes: the same answer on every machine.
    Nodes(u64),
    /// A time on the run's clock. Needs a real clock: simulated time stands still while a player thinks.
    Deadline(std::time::Duration),
    /// As long as it takes.
    Unlimited,
}
