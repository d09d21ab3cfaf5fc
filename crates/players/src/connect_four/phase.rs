//! Where the player is in its turn.

use engine::Time;

use super::action::{GameEnd, Help};
use super::votes::Votes;

/// Where the player is in its turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    /// For somebody to press; a press counts after a release.
    Waiting { was_released: bool },
    /// Looks at the first free cell of a column; this is the n-th time around.
    Scanning { column: usize, pass: u32 },
    /// Every column was looked at.
    Scanned { pass: u32 },
    /// Something was seen: looks aside and back until enough looks agree.
    Confirming { column: usize, pass: u32, votes: Votes, is_away: bool },
    /// Must find the stop again before it goes on.
    Lost { then: Box<Phase> },
    /// Knows the position and must move.
    Thinking,
    /// A disc was pushed, this is the n-th; looks whether it is there.
    Dropping { column: usize, push: u32, votes: Votes, is_away: bool },
    /// The turn is done.
    Leaving,
    /// On its way out.
    Left { after: After },
    /// For a person who helps and presses; when one was called last.
    Asking { help: Help, called: Option<Time>, was_released: bool, then: Box<Phase> },
}

/// What comes after leaving the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// The other's turn.
    Wait,
    /// The end of the game.
    Over(GameEnd),
}

impl Default for Phase {
    fn default() -> Self {
        Self::Waiting { was_released: false }
    }
}

impl Phase {
    /// The same, with what was seen so far forgotten.
    pub(super) fn looked_again(self) -> Self {
        match self {
            Self::Dropping { column, push, .. } => {
                Self::Dropping { column, push, votes: Votes::default(), is_away: false }
            }
            other => other,
        }
    }

    /// The column that the robot is in front of; nothing at its stop or on its way there.
    pub(super) fn column(&self) -> Option<usize> {
        match self {
            Self::Scanning { column, .. }
            | Self::Confirming { column, .. }
            | Self::Dropping { column, .. }
            // It waits where the disc should fall.
            | Self::Asking { help: Help::DiscMissing { column }, .. } => Some(*column),
            Self::Waiting { .. }
            | Self::Scanned { .. }
            | Self::Lost { .. }
            | Self::Thinking
            | Self::Leaving
            | Self::Left { .. }
            | Self::Asking { .. } => None,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Waiting { .. } => "waiting for its turn",
            Self::Scanning { .. } | Self::Scanned { .. } => "looking for the new disc",
            Self::Confirming { .. } => "looking twice",
            Self::Lost { .. } => "finding the stop",
            Self::Thinking => "thinking",
            Self::Dropping { .. } => "dropping a disc",
            Self::Leaving | Self::Left { .. } => "leaving the board",
            Self::Asking { .. } => "waiting for help",
        }
    }
}
