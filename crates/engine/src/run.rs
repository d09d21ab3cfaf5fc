//! How a run is driven, why it ends, and what is counted on the way.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::Verification;
use crate::player::Thinking;
use crate::recovery::Patience;

/// How a run is driven.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// When plans are checked.
    pub verification: Verification,
    /// How long a plan's effect may stay invisible before it counts as diverged.
    pub visible_within: Duration,
    /// How long the player may think about one decision.
    pub thinking: Thinking,
    /// How much is tried before giving up.
    pub patience: Patience,
    /// When the run ends by itself.
    pub limits: Limits,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            verification: Verification::default(),
            visible_within: Duration::from_secs(1),
            thinking: Thinking::Unlimited,
            patience: Patience::default(),
            limits: Limits::default(),
        }
    }
}

/// When a run ends by itself; without limits it runs for days.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// After this many games.
    pub games: Option<u32>,
    /// After this much time on the run's clock.
    pub time: Option<Duration>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnding {
    /// All games were played.
    GamesPlayed,
    /// The time was up.
    TimeUp,
    /// It was stopped from outside: Ctrl-C, an operator.
    Cancelled,
    /// No remedy helped.
    GaveUp {
        /// The trouble that remained.
        reason: String,
    },
    /// A replay reached the end of its tape, or a difference.
    ReplayEnded,
}

/// How often things happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is named after what it counts")]
pub struct Counts {
    pub ticks: u64,
    pub games: u32,
    pub decisions: u64,
    pub commands: u64,
    pub confirmed: u64,
    pub pending: u64,
    pub diverged: u64,
    pub unclear: u64,
    pub faults: u64,
}
