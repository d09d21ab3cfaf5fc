//! Reading a whole file once to make its index.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::time::Duration;

use mcap::records::op;
use mcap::{MAGIC, McapError};

use super::bytes::{Walker, at_most};
use super::walk::MessageHead;
use super::{HELD, LARGEST_CHUNK, LARGEST_FRAME, LARGEST_NOTE, Mark, ReelError, Stretch, Tally};
use crate::clock::Time;
use crate::notes::Topic;
use crate::record::{RunDescription, WallClock};
use crate::replay::channel::Channel;
use crate::replay::tape::read_wall_clock;
use crate::replay::unpack::{Packing, unpack};
use crate::run::RunEnding;

/// Things worth a mark on the time line.
const MOST_MARKS: usize = 2_000;
/// Channels of one recording.
const MOST_CHANNELS: usize = 1_000;
/// Chunks of one recording; ours are at least a second long, so that is a day.
const MOST_STRETCHES: usize = 100_000;
/// The largest record that describes: a channel, the configuration.
const LARGEST_DESCRIPTION: u64 = 1 << 20;
/// Reads a file from its beginning to its end, or to where it was cut off.
pub(super) fn read<R: Read>(input: R) -> Result<Reading, ReelError> {
    let mut file = Walker::new(input);
    if file.take(MAGIC.len() as u64)? != MAGIC {
        return Err(ReelError::NotMcap);
    }
    let mut reading = Reading::default();
    match reading.file(&mut file) {
        Ok(()) => {}
        Err(ReelError::Read(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
            reading.cut_off = true;
            reading.forget_open_chunk();
        }
        Err(error) => return Err(error),
    }
    Ok(reading)
}

/// What was read of a file so far.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) run: Option<RunDescription>,
    pub(super) wall_clock: Option<WallClock>,
    pub(super) channels: BTreeMap<u16, Channel>,
    pub(super) stretches: Vec<Stretch>,
    pub(super) marks: Vec<Mark>,
    latest: [Option<u32>; HELD.len()],
    /// Frames, tally and marks before the chunk that is being read.
    before_chunk: Option<(u32, Tally, usize)>,
    pub(super) frames: u32,
    pub(super) duration: Duration,
    pub(super) tally: Tally,
    pub(super) ending: Option<RunEnding>,
    pub(super) cut_off: bool,
}

impl Reading {
    fn file<R: Read>(&mut self, file: &mut Walker<R>) -> Result<(), ReelError> {
        loop {
            let (opcode, length) = file.head()?;
            match opcode {
                op::CHUNK => self.chunk(file, length)?,
                op::CHANNEL | op::METADATA => self.description(file, opcode, length)?,
                // Indexes follow; everything they say is known.
                op::DATA_END | op::FOOTER => return Ok(()),
                _ => file.skip(length)?,
            }
        }
    }

    /// A chunk without its end has no checksum and is not shown: what was counted in it does not count.
    fn forget_open_chunk(&mut self) {
        if let Some((frames, tally, marks)) = self.before_chunk.take() {
            (self.frames, self.tally) = (frames, tally);
            self.marks.truncate(marks);
        }
    }

    fn chunk<R: Read>(&mut self, file: &mut Walker<R>, length: u64) -> Result<(), ReelError> {
        self.before_chunk = Some((self.frames, self.tally, self.marks.len()));
        // Start time, end time, size, checksum, name of the packing.
        let _times: [u8; 16] = file.array()?;
        let unpacked = u64::from_le_bytes(file.array()?);
        let saved = u32::from_le_bytes(file.array()?);
        let name = u64::from(u32::from_le_bytes(file.array()?));
        let packing = file.limited(name, "a name", 64)?;
        let packing = Packing::named(&String::from_utf8_lossy(&packing))?;
        let inside = u64::from_le_bytes(file.array()?);
        if inside.saturating_add(40).saturating_add(name) != length {
            return Err(McapError::UnexpectedEoc.into());
        }
        let stretch = Stretch {
            offset: file.position,
            length: inside,
            packing,
            unpacked,
            began: Time::START,
            frames_before: self.frames,
            tally_before: self.tally,
            latest: self.latest,
        };
        match packing {
            Packing::None => self.records(file, inside, stretch, saved)?,
            Packing::Zstd => {
                let packed = file.limited(inside, "a chunk in bytes", LARGEST_CHUNK)?;
                let records = unpack(&packed, unpacked, LARGEST_CHUNK)?;
                self.records(&mut Walker::new(records.as_slice()), unpacked, stretch, saved)?;
            }
        }
        self.before_chunk = None;
        Ok(())
    }

    /// The records of a chunk, and whether their checksum is the saved one.
    fn records<R: Read>(
        &mut self,
        file: &mut Walker<R>,
        length: u64,
        mut stretch: Stretch,
        saved: u32,
    ) -> Result<(), ReelError> {
        let end = file.position.saturating_add(length);
        let place = u32::try_from(self.stretches.len()).unwrap_or(u32::MAX);
        let mut messages = 0u32;
        file.sum = Some(crc32fast::Hasher::new());
        while file.position < end {
            if end - file.position < 9 {
                return Err(McapError::UnexpectedEoc.into());
            }
            let (opcode, length) = file.head()?;
            if length > end - file.position {
                return Err(McapError::UnexpectedEoc.into());
            }
            match opcode {
                op::MESSAGE if length >= MessageHead::BYTES => {
                    if let Some(time) = self.message(file, length, place)?
                        && messages == 0
                    {
                        stretch.began = time;
                        messages += 1;
                    }
                }
                op::CHANNEL | op::METADATA => self.description(file, opcode, length)?,
                _ => file.skip(length)?,
            }
        }
        let calculated = file.sum.take().map_or(0, crc32fast::Hasher::finalize);
        if saved != 0 && saved != calculated {
            return Err(McapError::BadChunkCrc { saved, calculated }.into());
        }
        if messages > 0 {
            at_most("a recording in chunks", self.stretches.len() as u64 + 1, MOST_STRETCHES as u64)?;
            stretch.latest = self.latest;
            self.stretches.push(stretch);
        }
        Ok(())
    }

    /// The time of a message that is ours.
    fn message<R: Read>(
        &mut self,
        file: &mut Walker<R>,
        length: u64,
        place: u32,
    ) -> Result<Option<Time>, ReelError> {
        let head = MessageHead::parse(&file.array()?);
        let length = length - MessageHead::BYTES;
        let Some(&channel) = self.channels.get(&head.channel) else {
            file.skip(length)?;
            return Ok(None);
        };
        let topic = channel.topic;
        self.duration = self.duration.max(head.time.elapsed());
        if let Some(held) = HELD.iter().position(|held| *held == topic) {
            self.latest[held] = Some(place);
        }
        match topic {
            Topic::Frame => {
                at_most("a frame in bytes", length, LARGEST_FRAME)?;
                file.skip(length)?;
                self.frames = self.frames.checked_add(1).ok_or(ReelError::TooLarge {
                    what: "a number of frames",
                    found: u64::from(u32::MAX) + 1,
                    limit: u64::from(u32::MAX),
                })?;
            }
            Topic::Verdict | Topic::Fault | Topic::Remedy | Topic::GameOver | Topic::Ending => {
                let json = channel.content(file.limited(length, "a note in bytes", LARGEST_NOTE)?);
                let before = self.tally;
                self.tally.count(topic, &json);
                if topic == Topic::Ending {
                    self.ending = serde_json::from_slice(&json).ok();
                }
                let stands_out = topic != Topic::Verdict || self.tally.diverged > before.diverged;
                if stands_out && self.marks.len() < MOST_MARKS {
                    let frame = self.frames.saturating_sub(1);
                    self.marks.push(Mark { topic, time_ms: milliseconds(head.time), frame });
                }
            }
            Topic::Observation
            | Topic::Unclear
            | Topic::Thinking
            | Topic::Decision
            | Topic::Plan
            | Topic::Command
            | Topic::Body
            | Topic::Screen
            | Topic::Candidates
            | Topic::Order
            | Topic::Times => {
                at_most("a note in bytes", length, LARGEST_NOTE)?;
                file.skip(length)?;
                self.tally.count(topic, &[]);
            }
        }
        Ok(Some(head.time))
    }

    fn description<R: Read>(
        &mut self,
        file: &mut Walker<R>,
        opcode: u8,
        length: u64,
    ) -> Result<(), ReelError> {
        let bytes = file.limited(length, "a description in bytes", LARGEST_DESCRIPTION)?;
        let mut fields = Fields(&bytes);
        if opcode == op::CHANNEL {
            let (id, _schema) = (fields.number()?, fields.number()?);
            if let Some(channel) = Channel::named(&fields.text()?, &fields.text()?) {
                at_most("a recording in channels", self.channels.len() as u64 + 1, MOST_CHANNELS as u64)?;
                self.channels.insert(id, channel);
            }
            return Ok(());
        }
        let name = fields.text()?;
        if name == RunDescription::RECORD {
            let run = RunDescription::from_metadata(&fields.map()?).map_err(ReelError::NotOurs)?;
            self.run = Some(run);
        } else if name == WallClock::RECORD {
            self.wall_clock = read_wall_clock(&fields.map()?);
        }
        Ok(())
    }
}

/// A time on the run's clock in whole milliseconds.
fn milliseconds(time: Time) -> u64 {
    u64::try_from(time.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The fields of a record. The crate's own reading takes as much memory as a length inside claims, up to 4 GB.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], ReelError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(McapError::UnexpectedEoc)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u16, ReelError> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn length(&mut self) -> Result<usize, ReelError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn text(&mut self) -> Result<String, ReelError> {
        let length = self.length()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn map(&mut self) -> Result<BTreeMap<String, String>, ReelError> {
        let length = self.length()?;
        let mut entries = Fields(self.take(length)?);
        let mut map = BTreeMap::new();
        while !entries.0.is_empty() {
            map.insert(entries.text()?, entries.text()?);
        }
        Ok(map)
    }
}
