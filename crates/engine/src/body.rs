//! What a body can do, look and act, and how long that takes it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::fault::Fault;
use crate::focus::Focus;
use crate::mapping::Mapping;
use crate::picture::Frame;

/// Takes frames of a game: a camera, a screen, a sensor on an arm, or one simulated.
pub trait Eye {
    /// Waits for the next frame and lends it until the next look. The focus, in coordinates of the
    /// frame, says what the player wants to see; an eye that cannot be directed shows everything.
    fn look(&mut self, focus: &Focus) -> Result<&Frame, Fault>;

    /// How its frames arrive.
    fn pace(&self) -> EyePace {
        EyePace::default()
    }
}

/// Acts on a game: buttons, a mouse, an arm, or one simulated.
pub trait Hand {
    /// What this hand can do, in device-neutral words ("hold the left button", "click here on the screen").
    type Action: Serialize;

    /// Starts an action: the button goes down, the motor starts. A hand whose actions name places on
    /// the screen finds them in the frame with the mapping of the last look.
    fn begin(&mut self, action: &Self::Action, mapping: &Mapping) -> Result<(), Fault>;

    /// Starts an action that is planned to last for a fixed time. A hand with a timer of its own starts
    /// that, so that the end is exact and comes even if this program dies; `end` is called all the same.
    fn begin_for(&mut self, action: &Self::Action, hold: Duration, mapping: &Mapping) -> Result<(), Fault> {
        let _ = hold;
        self.begin(action, mapping)
    }

    /// Whether [`Hand::begin_for`] starts a timer that ends the action even if nobody calls `end`.
    fn keeps_time(&self) -> bool {
        false
    }

    /// Waits until an action that reports its end has ended, at most until the given moment. Called
    /// only for actions planned as [`Lasts::UntilDone`](crate::Lasts); others end when the plan says so.
    fn wait(&mut self, action: &Self::Action, until: Time) -> Result<Progress, Fault> {
        let _ = (action, until);
        Ok(Progress::Done)
    }

    /// Ends it: the button comes up. Does nothing for actions without duration and for those that end on their own.
    fn end(&mut self, action: &Self::Action) -> Result<(), Fault>;

    /// Lets go of everything and stops every motor, whatever was begun. Called at the end of every run.
    fn release_all(&mut self) -> Result<(), Fault>;

    /// From a command to its effect.
    fn latency(&self) -> Latency {
        Latency::NONE
    }
}

/// Progress of an action that reports its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It goes on.
    Underway,
    /// It has ended.
    Done,
}

/// An eye and a hand on the same game.
#[derive(Debug)]
pub struct Body<E, H> {
    /// What it sees with.
    pub eye: E,
    /// What it acts with.
    pub hand: H,
}

impl<E: Eye, H: Hand> Body<E, H> {
    /// How long looking and acting takes this body.
    pub fn pace(&self) -> BodyPace {
        let EyePace { frame_period, latency } = self.eye.pace();
        BodyPace {
            frame_period,
            shown_to_captured: latency,
            commanded_to_done: self.hand.latency(),
            hand_keeps_time: self.hand.keeps_time(),
        }
    }
}

/// How long something takes: usually `typical`, give or take `spread`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Latency {
    /// The middle.
    pub typical: Duration,
    /// The most it deviates, either way.
    pub spread: Duration,
}

impl Latency {
    /// No time at all.
    pub const NONE: Latency = Latency { typical: Duration::ZERO, spread: Duration::ZERO };

    /// The shortest it takes.
    pub fn least(self) -> Duration {
        self.typical.saturating_sub(self.spread)
    }

    /// The longest it takes.
    pub fn most(self) -> Duration {
        self.typical + self.spread
    }
}

/// How the frames of an eye arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyePace {
    /// Time between two frames; `None` for an eye that looks only when asked.
    pub frame_period: Option<Duration>,
    /// From a moment on the screen to the time stamp of the frame that shows it.
    pub latency: Latency,
}

/// What a body declares of its times. A player plans with them: what a frame shows is
/// `shown_to_captured` old, and a command works after `commanded_to_done`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BodyPace {
    /// Time between two frames; `None` for an eye that looks only when asked.
    pub frame_period: Option<Duration>,
    /// From a moment on the screen to the time stamp of the frame that shows it.
    pub shown_to_captured: Latency,
    /// From a command to its effect.
    pub commanded_to_done: Latency,
    /// Whether the hand ends actions of a fixed time by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hand_keeps_time: bool,
}
