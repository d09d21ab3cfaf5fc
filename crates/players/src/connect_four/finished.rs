//! Games that have ended, as the robot believes they were.

use serde::Serialize;

use super::action::GameEnd;

/// One finished game, as the robot believes it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegoGame {
    /// Columns 1 to 7 in order, from the near side.
    pub moves: String,
    /// Whether the robot began.
    pub first: bool,
    /// How it ended for the robot.
    pub end: GameEnd,
    /// The robot's turns.
    pub turns: Vec<LegoTurn>,
    /// What went wrong on the way.
    pub troubles: Vec<String>,
}

/// One turn of the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LegoTurn {
    /// Discs on the board before.
    pub discs: u32,
    /// From the press to the order to leave.
    pub milliseconds: u64,
    /// Looks at cells.
    pub looks: u32,
}
