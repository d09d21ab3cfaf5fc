//! The loop that turns frames into actions by asking a player (G1, X1).
//!
//! ```text
//! look → rectify → see → verify → decide → plan → act → record
//! ```
//!
//! An [`Eye`] takes frames, a [`Player`] sees, decides and plans, a [`Hand`]
//! acts; the [`Engine`] drives them, checks with the next look whether a plan
//! worked, and recovers when it did not. It names no game and no device, and
//! all of its waiting goes through a [`Clock`], so a player can tell neither
//! a camera from an emulator nor a real hour from a simulated one (G2).

mod body;
mod cancel;
mod clock;
mod picture;
mod plan;
mod player;
mod recovery;
mod state;
mod tick;
mod timing;

pub mod record;
pub mod replay;

pub use body::{Body, Eye, Fault, Hand};
pub use cancel::Cancel;
pub use clock::{Clock, RealClock, SimulatedClock, Time};
pub use picture::{Frame, Picture, PictureError, PixelFormat};
pub use plan::{Edge, EdgeKind, Plan, Step, TimedAction, Verification};
pub use player::{Choice, Player, Rectify, Thinking, Upright, Verdict};
pub use recovery::{Patience, Recovery, Remedy, Trouble};
pub use state::{Event, IllegalTransition, State};
pub use tick::{Counts, Ending, Engine, Limits, Settings};
pub use timing::{StepName, StepTimes, StepTimesSummary, Timings};
