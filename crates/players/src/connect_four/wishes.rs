//! What the player is asked to be.

use connect_four::Level;
use serde::Serialize;

use super::scan::{Calibration, Sight};

/// A disc's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscColor {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl DiscColor {
    pub(super) const fn sight(self) -> Sight {
        match self {
            Self::Red => Sight::Red,
            Self::Yellow => Sight::Yellow,
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Red => Self::Yellow,
            Self::Yellow => Self::Red,
        }
    }
}

/// Who plays the first disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginner {
    /// Whoever: the board tells.
    Look,
    /// The robot.
    Robot,
    /// The other.
    Other,
}

/// What the player is asked to be.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// The discs in the magazine.
    pub color: DiscColor,
    /// Who begins.
    pub beginner: Beginner,
    /// How strong it plays.
    pub level: Level,
    /// How colours look to the sensor.
    pub calibration: Calibration,
    /// Random seed.
    pub seed: u64,
}
