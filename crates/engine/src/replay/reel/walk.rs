//! Walking through the messages of one chunk, packed or not.

use std::io::{self, Read, Seek};

use mcap::McapError;
use mcap::records::op;

use super::bytes::{Seeker, Take};
use super::{LARGEST_CHUNK, LARGEST_NOTE, Reel, ReelError, Stretch};
use crate::clock::Time;
use crate::notes::Topic;
use crate::replay::channel::Channel;
use crate::replay::tape::Note;
use crate::replay::unpack::{Packing, unpack};

impl Reel {
    /// Calls `each` for the messages of a stretch.
    pub(super) fn walk<R: Read + Seek>(
        &self,
        seeker: &mut Seeker<R>,
        place: usize,
        each: impl FnMut(&Found, &mut dyn Take) -> Result<Go, ReelError>,
    ) -> Result<(), ReelError> {
        let Stretch { offset, length, packing, unpacked, .. } = self.stretches[place];
        match packing {
            Packing::None => self.walk_records(seeker, offset, length, each),
            Packing::Zstd => {
                seeker.go(offset)?;
                let packed = seeker.take(length, "a chunk in bytes", LARGEST_CHUNK)?;
                let records = unpack(&packed, unpacked, LARGEST_CHUNK)?;
                self.walk_records(&mut Seeker::new(io::Cursor::new(records)), 0, unpacked, each)
            }
        }
    }

    fn walk_records<R: Read + Seek>(
        &self,
        seeker: &mut Seeker<R>,
        offset: u64,
        length: u64,
        mut each: impl FnMut(&Found, &mut dyn Take) -> Result<Go, ReelError>,
    ) -> Result<(), ReelError> {
        let end = offset.saturating_add(length);
        let mut position = offset;
        while position.saturating_add(9) <= end {
            seeker.go(position)?;
            let (opcode, length) = seeker.head()?;
            let next = position.saturating_add(9).saturating_add(length);
            if next > end {
                return Err(McapError::UnexpectedEoc.into());
            }
            position = next;
            if opcode != op::MESSAGE || length < MessageHead::BYTES {
                continue;
            }
            let head = MessageHead::parse(&seeker.array()?);
            let Some(&channel) = self.channels.get(&head.channel) else { continue };
            let found =
                Found { topic: channel.topic, channel, time: head.time, length: length - MessageHead::BYTES };
            match each(&found, seeker)? {
                Go::On => {}
                Go::Stop => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Whether a walk goes on.
pub(super) enum Go {
    On,
    Stop,
}

/// A message on the way through a stretch; its content is read where it is wanted.
pub(super) struct Found {
    pub topic: Topic,
    channel: Channel,
    pub time: Time,
    pub length: u64,
}

impl Found {
    pub fn note(&self, seeker: &mut dyn Take) -> Result<Note, ReelError> {
        let bytes = self.channel.content(seeker.take(self.length, "a note", LARGEST_NOTE)?);
        Ok(Note { topic: self.topic, time: self.time, bytes })
    }
}

/// The fixed part of a message: channel, sequence, the two times.
pub(super) struct MessageHead {
    pub channel: u16,
    pub time: Time,
}

impl MessageHead {
    pub const BYTES: u64 = 22;

    pub fn parse(bytes: &[u8; 22]) -> Self {
        let [c0, c1, _, _, _, _, t0, t1, t2, t3, t4, t5, t6, t7, ..] = *bytes;
        let time = u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]);
        Self { channel: u16::from_le_bytes([c0, c1]), time: Time::from_nanos(time) }
    }
}
