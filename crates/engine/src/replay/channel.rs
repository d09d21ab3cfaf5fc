//! The channels of a recording, of this version and of earlier ones.

use prost::Message;

use crate::notes::Topic;
use crate::record::{NoteMessage, PROTOBUF};

/// A channel: what it is about, and how its notes are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) topic: Topic,
    /// Whether a note's JSON is inside a typed message; version 0.1 wrote it bare.
    is_typed: bool,
}

impl Channel {
    /// The channel of this name, if it is one of ours.
    pub(super) fn named(name: &str, encoding: &str) -> Option<Self> {
        let topic = Topic::from_channel(name)?;
        Some(Self { topic, is_typed: topic != Topic::Frame && encoding == PROTOBUF })
    }

    /// What was noted: JSON, or for frames the message itself. A message that is none of ours holds nothing.
    pub(super) fn content(self, message: Vec<u8>) -> Vec<u8> {
        if self.is_typed { NoteMessage::decode(message.as_slice()).unwrap_or_default().json } else { message }
    }
}
