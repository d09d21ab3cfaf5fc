//! What can go wrong with a device.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What went wrong with a device; the engine recovers from all of them or
/// says why it gave up.
#[derive(Clone, Debug, PartialEq, Eq, Error, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "fault")]
pub enum Fault {
    /// No answer in time.
    #[error("{part} did not answer within {after:?}")]
    Silent {
        /// Which part of the body.
        part: String,
        /// How long we waited.
        after: Duration,
    },
    /// It is gone: unplugged, closed, out of reach.
    #[error("{part} is lost: {why}")]
    Lost {
        /// Which part of the body.
        part: String,
        /// What the system said.
        why: String,
    },
    /// It answered that it cannot.
    #[error("{part} refused: {why}")]
    Refused {
        /// Which part of the body.
        part: String,
        /// Its reason.
        why: String,
    },
    /// It began to move and stopped before it arrived.
    #[error("{part} stalled: {why}")]
    Stalled {
        /// Which part of the body.
        part: String,
        /// Where, and what it was doing.
        why: String,
    },
}
