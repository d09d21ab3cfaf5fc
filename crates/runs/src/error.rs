//! Why a run cannot be built, recorded or replayed.

use std::path::PathBuf;

use engine::record::RecordingError;
use engine::replay::TapeError;
use thiserror::Error;

use crate::hands::settings::BadRelays;

/// Why a run cannot be built, recorded or replayed.
#[derive(Debug, Error)]
pub enum RunError {
    /// No such game, or no such body for it.
    #[error("no body `{body}` for the game `{game}` in this version; there are: {known}")]
    Unknown {
        /// The game's name.
        game: String,
        /// The body's name.
        body: String,
        /// Every pair there is.
        known: String,
    },
    /// A setting that its own range cannot check.
    #[error("{0}")]
    Setting(String),
    /// A setting out of its range.
    #[error(transparent)]
    Settings(#[from] configuration::Problems),
    /// A file that was named cannot be used.
    #[error("cannot {what} {}: {why}", path.display())]
    File {
        /// "read", "create".
        what: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The recording failed on the way.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording cannot be read.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// A part of the program broke.
    #[error("{0}")]
    Broken(String),
}

impl From<BadRelays> for RunError {
    fn from(bad: BadRelays) -> RunError {
        RunError::Setting(bad.to_string())
    }
}

impl RunError {
    /// Whether the user can mend it by calling or configuring otherwise.
    pub fn is_usage(&self) -> bool {
        match self {
            RunError::Unknown { .. }
            | RunError::Setting(_)
            | RunError::Settings(_)
            | RunError::File { .. } => true,
            RunError::Recording(_) | RunError::Tape(_) | RunError::Broken(_) => false,
        }
    }
}
