//! Why a recording cannot be shown.

use std::io;

use mcap::McapError;
use thiserror::Error;

use super::LARGEST_SIDE;

/// Why a recording cannot be shown.
#[derive(Debug, Error)]
pub enum ReelError {
    /// Not an MCAP file.
    #[error("this is not an MCAP file")]
    NotMcap,
    /// Damaged, or of a kind that we never write.
    #[error("not a readable MCAP file: {0}")]
    Format(#[from] McapError),
    /// An MCAP file of something else.
    #[error("the recording does not say what was played: its metadata record `run` has no valid `{0}`")]
    NotOurs(&'static str),
    /// Something is larger than anything we write.
    #[error("{what} of {found} is more than this viewer takes ({limit})")]
    TooLarge {
        /// What.
        what: &'static str,
        /// How much or how many.
        found: u64,
        /// The most that is taken.
        limit: u64,
    },
    /// There is nothing to look at.
    #[error("the recording has no frames")]
    NoFrames,
    /// The recording is shorter.
    #[error("the recording has {frames} frames; {wanted} is not one of them")]
    NoSuchFrame {
        /// The frame that was asked for, from 0.
        wanted: u32,
        /// How many there are.
        frames: u32,
    },
    /// A frame is not a picture.
    #[error("frame {0} is not a PNG of at most {LARGEST_SIDE} pixels a side")]
    NotAPicture(u32),
    /// The file cannot be read.
    #[error("cannot read the recording: {0}")]
    Read(#[from] io::Error),
}
