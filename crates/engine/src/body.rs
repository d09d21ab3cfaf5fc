//! What a body can do: look and act.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::picture::Frame;

/// Takes frames of a game: a camera, a screen, a scanner, or one simulated.
pub trait Eye {
    /// Waits for the next frame and lends it until the next look.
    fn look(&mut self) -> Result<&Frame, Fault>;
}

/// Acts on a game: buttons, a mouse, an arm, or one simulated.
pub trait Hand {
    /// What this hand can do, in device-neutral words ("hold the left button").
    type Action: Serialize;

    /// Starts an action: the button goes down.
    fn begin(&mut self, action: &Self::Action) -> Result<(), Fault>;

    /// Ends it: the button comes up. Nothing for actions without duration.
    fn end(&mut self, action: &Self::Action) -> Result<(), Fault>;

    /// Lets go of everything, whatever was begun. Called at the end of every run.
    fn release_all(&mut self) -> Result<(), Fault>;
}

/// An eye and a hand on the same game.
#[derive(Debug)]
pub struct Body<E, H> {
    /// What it sees with.
    pub eye: E,
    /// What it acts with.
    pub hand: H,
}

/// What went wrong with a device; the engine recovers from all of them or
/// says why it gave up.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
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
}
