//! What the arm can be asked for, and what it tells of itself.

use engine::Fault;

use super::board::{Columns, DiscDrop};
use super::plea::Plea;

/// What the arm is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// An empty board. Whatever was asked for before is pointless now.
    NewGame,
    /// One more disc.
    Drop(DiscDrop),
    /// Tell how the game ended, with sound and light: somebody won, or nobody.
    Announce {
        /// Whether somebody has four in a line.
        is_won: bool,
    },
    /// The board of a game that goes on. Whatever was asked for before is pointless now.
    Restore(Vec<DiscDrop>),
    /// Find the stop on the right.
    FindStop,
}

/// A task, and whom to tell when it is done or has become pointless.
pub struct Job {
    /// What to do.
    pub task: Task,
    /// Called once.
    pub done: Box<dyn FnOnce() + Send>,
}

/// How the arm is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It has nothing to do.
    Ready,
    /// It moves.
    Busy,
    /// It waits for a person.
    Asks(Plea),
    /// Something is wrong with it; it is tried again.
    Failed(Fault),
}

/// What others may know of the arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CroupierState {
    /// How it is.
    pub condition: Condition,
    /// The board as far as it knows; `None` while it must look first.
    pub board: Option<Columns>,
    /// The column in front of which it stands, from the left as visitors see it; `None` beside the board.
    pub column: Option<usize>,
}
