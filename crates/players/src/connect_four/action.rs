//! What the robot can be asked to do, and why it asks a person.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// One thing for the hand; all of them report their end.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegoAction {
    /// Drive to a column and push one disc.
    Drop {
        /// Counted from the near side.
        column: usize,
    },
    /// Leave the board to the right and find the stop.
    Leave,
    /// Show the board on the lights.
    Show {
        /// Five rows of five, the top one first, 0 to 100.
        lights: Vec<u8>,
    },
    /// Call a person, with sound, light and words.
    Call(Help),
    /// Tell how the game ended, with sound and light.
    Announce(GameEnd),
}

/// How a game ended for the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// The robot has four in a line.
    Win,
    /// The other has.
    Loss,
    /// The board is full.
    Draw,
}

/// Why the robot needs a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Help {
    /// Somebody pressed, but no disc is new.
    NoNewDisc,
    /// A disc that the robot pushed is not where it belongs.
    DiscMissing {
        /// The column, counted from the near side.
        column: usize,
    },
    /// A disc where none can be, or of the wrong colour.
    WrongDisc {
        /// The column, counted from the near side.
        column: usize,
    },
    /// A disc of earlier is gone or has another colour.
    BoardChanged {
        /// The column, counted from the near side.
        column: usize,
    },
}

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNewDisc => {
                f.write_str("I cannot find your new disc. Please check the board, then press.")
            }
            Self::DiscMissing { column } => {
                write!(f, "My disc is not in column {}. Please free the slide, then press.", column + 1)
            }
            Self::WrongDisc { column } => {
                write!(
                    f,
                    "There is a disc in column {} that cannot be. Please take it out, then press.",
                    column + 1
                )
            }
            Self::BoardChanged { column } => {
                write!(f, "A disc in column {} has changed. Please put it right, then press.", column + 1)
            }
        }
    }
}
