//! What goes wrong with the robot, in types for programs and words for people.

use std::time::Duration;

use serde::Serialize;
use thiserror::Error;
use tokio::time::Instant;

use super::parts::{Cell, Column, Disc};

/// What is wrong with the robot or its line. The driver goes on trying whatever it is.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case", tag = "fault")]
pub enum RobotFault {
    /// The driver has just started.
    #[error("not reached yet")]
    NotYetReached,
    /// The serial port cannot be opened.
    #[error("cannot open {path}: {why}")]
    CannotOpen {
        /// The port.
        path: String,
        /// What the system said.
        why: String,
    },
    /// The line broke while it was open: an adapter was unplugged.
    #[error("the line broke: {why}")]
    Unplugged {
        /// What the system said.
        why: String,
    },
    /// No answer in time: the cable is cut, the robot is off, or it did not hear.
    #[error("no answer to `{request}` within {after:?}")]
    Silent {
        /// The character that was sent.
        request: char,
        /// How long we waited.
        after: Duration,
    },
    /// Not an answer: noise, a wrong baud rate, another device.
    #[error("answered `{request}` with {}", byte_in_words(*answer))]
    WrongAnswer {
        /// The character that was sent.
        request: char,
        /// The byte that came back.
        answer: u8,
    },
    /// It received a command and did not begin to move.
    #[error("received `{request}` and did not move within {after:?}")]
    NotMoving {
        /// The character that was sent.
        request: char,
        /// How long we waited.
        after: Duration,
    },
    /// It says busy for longer than any movement takes.
    #[error("busy for more than {after:?}")]
    StuckBusy {
        /// How long we waited.
        after: Duration,
    },
    /// It says that it needs help: a disc is jammed, a magazine is empty.
    #[error("in its error state")]
    ErrorState,
}

impl RobotFault {
    /// What a visitor is told, in plain words (C10).
    pub fn for_visitor(&self) -> &'static str {
        match self {
            Self::NotYetReached => "The robot is being called. One moment, please.",
            Self::CannotOpen { .. } | Self::Unplugged { .. } | Self::Silent { .. } => {
                "The robot cannot be reached. We keep calling it; the game goes on when it answers."
            }
            Self::WrongAnswer { .. } => {
                "The robot cannot be understood. We keep asking; the game goes on when it answers clearly."
            }
            Self::NotMoving { .. } | Self::StuckBusy { .. } => {
                "The robot is stuck. Please wait, or call an attendant; the game goes on afterwards."
            }
            Self::ErrorState => {
                "The robot needs a hand. Please call an attendant; the game goes on afterwards."
            }
        }
    }
}

/// A byte as people can read it.
pub(super) fn byte_in_words(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", char::from(byte)) } else { format!("byte 0x{byte:02x}") }
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case", tag = "error")]
pub enum RobotError {
    /// A fault has lasted longer than [`super::Timing::patience`]. The wish stands: the driver makes up for it
    /// when the robot is back, unless a new game begins.
    #[error("the robot is not back yet: {0}")]
    Fault(RobotFault),
    /// The column holds six discs.
    #[error("column {column} is full")]
    ColumnFull {
        /// The column.
        column: Column,
    },
    /// All 21 discs of this colour are on the board.
    #[error("no {disc} disc is left")]
    NoDiscLeft {
        /// The colour.
        disc: Disc,
    },
    /// The game's end has been announced; only a new game can follow.
    #[error("the game is over; a new game must begin first")]
    GameOver,
    /// A winning four must be four different cells with discs of the winner.
    #[error("{cell} does not belong to four {disc} discs")]
    NotAFour {
        /// The winner.
        disc: Disc,
        /// The first cell that is wrong.
        cell: Cell,
    },
    /// A new game began before this was done.
    #[error("a new game began before this was done")]
    Superseded,
    /// The driver was stopped.
    #[error("the robot's driver was stopped")]
    Stopped,
}

/// How the robot is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RobotStatus {
    /// No robot is configured, or its driver was stopped: whatever is asked for is done at once, on paper.
    Off,
    /// It waits for us.
    Ready,
    /// It moves.
    Busy,
    /// It answers, and cannot go on.
    Error {
        /// What is wrong.
        why: RobotFault,
        /// Since when.
        since: Instant,
    },
    /// It does not answer.
    Lost {
        /// What is wrong.
        why: RobotFault,
        /// Since when.
        since: Instant,
    },
}

impl RobotStatus {
    /// What is wrong, and since when; `None` if all is well.
    pub fn fault(&self) -> Option<(&RobotFault, Instant)> {
        match self {
            Self::Off | Self::Ready | Self::Busy => None,
            Self::Error { why, since } | Self::Lost { why, since } => Some((why, *since)),
        }
    }

    /// One word for pages and programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Ready => "ready",
            Self::Busy => "busy",
            Self::Error { .. } => "error",
            Self::Lost { .. } => "lost",
        }
    }
}
