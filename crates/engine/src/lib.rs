//! The loop that turns frames into actions by asking a player (G1, X1).
//!
//! ```text
//! look → rectify → see → verify → decide → plan → act
//! ```
//!
//! An [`Eye`] takes frames where the player wants to look, a [`Rectify`] finds
//! the screen in them, a [`Player`] sees, decides and plans, a [`Hand`] acts;
//! the [`Engine`] drives them, checks with the next look whether a plan worked,
//! and recovers when it did not. It names no game and no device, and all of its
//! waiting goes through a [`Clock`], so a player can tell neither a camera from
//! an emulator nor a real hour from a simulated one (G2).
//!
//! Everything that happens is one stream of [`notes`]: [`record`] writes them
//! to a file, [`replay`] compares them with one, [`broadcast`] sends them to
//! live viewers.

mod body;
pub mod broadcast;
mod cancel;
mod clock;
mod engine;
mod fault;
mod focus;
mod mapping;
pub mod notes;
pub mod operator;
mod picture;
mod plan;
mod player;
mod pointer;
pub mod record;
mod recovery;
mod rectify;
pub mod replay;
mod run;
mod state;
mod steering;
mod timing;

pub use body::{Body, BodyPace, Eye, EyePace, Hand, Latency, Progress};
pub use cancel::Cancel;
pub use clock::{AnyClock, Clock, RealClock, SimulatedClock, Time};
pub use engine::Engine;
pub use fault::Fault;
pub use focus::Focus;
pub use mapping::{Mapping, Point, Region};
pub use picture::{Frame, Picture, PictureError, PixelFormat};
pub use plan::{Edge, EdgeKind, Lasts, Plan, Step, TimedAction, Verification};
pub use player::{Candidate, Choice, Player, Thinking, Verdict};
pub use pointer::{Key, Pointing};
pub use recovery::{Patience, Recovery, Remedy, Trouble};
pub use rectify::{NoScreen, NoScreenReason, Rectified, Rectify, Upright};
pub use run::{Counts, Limits, RunEnding, RunSettings};
pub use state::{Event, IllegalTransition, State};
pub use steering::Steering;
pub use timing::{StepName, StepTimes, StepTimesSummary, Timings};
