//! SameGame in any window (S2, S3, S6, S7): looked at, solved, clicked.

mod player;
mod round;
pub mod see;

pub use player::{Goal, Observation, SamegamePlayer, Wishes};
pub use round::{Round, RoundEnd};
