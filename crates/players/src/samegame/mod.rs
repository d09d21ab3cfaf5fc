//! SameGame in any window (S2, S3, S6, S7): looked at, solved, clicked.

mod belief;
mod change;
mod course;
mod intent;
mod player;
mod round;
pub mod see;
mod weigh;
mod wishes;

pub use change::Supply;
pub use intent::Observation;
pub use player::SamegamePlayer;
pub use round::{Round, RoundEnd};
pub use wishes::{Goal, Known, NextRound, Wishes};
