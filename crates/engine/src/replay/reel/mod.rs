//! A recording that is looked at in any order: frame by frame, forwards and backwards, by people (X3).
//!
//! The file is read once to make an index, a few bytes for every chunk, and then at the places that are asked for. It may
//! be anybody's: nothing in it is believed, and no more of it is held in memory than one chunk and the index.

mod bytes;
mod error;
mod index;
mod tally;
mod walk;

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::time::Duration;

use prost::Message;
use serde::Serialize;

use super::channel::Channel;
use super::tape::Note;
use super::unpack::Packing;
use crate::clock::Time;
use crate::notes::Topic;
use crate::record::{CompressedImage, RunDescription, WallClock};
use crate::run::RunEnding;
use bytes::Seeker;
pub use error::ReelError;
pub use tally::Tally;
use walk::Go;

/// The largest packed chunk that is opened, and the most that may come out of it.
const LARGEST_CHUNK: u64 = 16 << 20;
/// The largest encoded frame that is shown.
const LARGEST_FRAME: u64 = 12 << 20;
/// The largest note that is shown.
const LARGEST_NOTE: u64 = 1 << 20;
/// The largest side of a frame, in pixels.
const LARGEST_SIDE: u32 = 8192;
/// Notes in the answer for one moment, and their bytes.
const MOST_NOTES: usize = 4_000;
const MOST_NOTE_BYTES: usize = 4 << 20;

/// What holds until the next note of its topic, so that a moment needs the latest of each.
const HELD: [Topic; 7] = [
    Topic::Observation,
    Topic::Decision,
    Topic::Plan,
    Topic::Body,
    Topic::Screen,
    Topic::Thinking,
    Topic::Candidates,
];

/// Something that a viewer may want to jump to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// What happened.
    pub topic: Topic,
    /// When, in milliseconds on the run's clock.
    pub time_ms: u64,
    /// The frame before it.
    pub frame: u32,
}

/// One moment of a recording: a frame, and what was made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The frame's number, from 0.
    pub frame: u32,
    /// When it was taken.
    pub time: Time,
    /// What holds at that moment, what was done in the seconds before, and what follows until the next frame; in order.
    pub notes: Vec<Note>,
    /// How often things had happened by then.
    pub tally: Tally,
}

/// The index of a recording.
#[derive(Clone, Debug)]
pub struct Reel {
    run: RunDescription,
    wall_clock: Option<WallClock>,
    channels: BTreeMap<u16, Channel>,
    stretches: Vec<Stretch>,
    marks: Vec<Mark>,
    frames: u32,
    duration: Duration,
    tally: Tally,
    ending: Option<RunEnding>,
    cut_off: bool,
}

/// The records of one chunk.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Where they begin in the file, and how long they are.
    offset: u64,
    length: u64,
    packing: Packing,
    /// Their length without packing.
    unpacked: u64,
    /// Time of the first message.
    began: Time,
    /// What came before.
    frames_before: u32,
    tally_before: Tally,
    /// For each topic of [`HELD`], the last stretch up to this one that has it.
    latest: [Option<u32>; HELD.len()],
}

impl Reel {
    /// Reads a recording from its beginning to its end, or to where it was cut off.
    pub fn read<R: Read>(input: R) -> Result<Self, ReelError> {
        let reading = index::read(input)?;
        let run = reading.run.ok_or(ReelError::NotOurs("record"))?;
        if reading.frames == 0 {
            return Err(ReelError::NoFrames);
        }
        Ok(Self {
            run,
            wall_clock: reading.wall_clock,
            channels: reading.channels,
            stretches: reading.stretches,
            marks: reading.marks,
            frames: reading.frames,
            duration: reading.duration,
            tally: reading.tally,
            ending: reading.ending,
            cut_off: reading.cut_off,
        })
    }

    /// What was played.
    pub fn run(&self) -> &RunDescription {
        &self.run
    }

    /// The wall-clock figures, if they were recorded.
    pub fn wall_clock(&self) -> Option<&WallClock> {
        self.wall_clock.as_ref()
    }

    /// How many frames there are; at least one.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Its length on the run's clock.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// What happened in all of it.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// What stands out.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Why the run ended; `None` if the end is missing.
    pub fn ending(&self) -> Option<&RunEnding> {
        self.ending.as_ref()
    }

    /// Whether the end of the file is missing.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// A frame as PNG.
    pub fn png<R: Read + Seek>(&self, input: R, wanted: u32) -> Result<Vec<u8>, ReelError> {
        let place = self.stretch_of(wanted)?;
        let mut frame = self.stretches[place].frames_before;
        let mut found = None;
        self.walk(&mut Seeker::new(input), place, |message, seeker| {
            if message.topic != Topic::Frame {
                return Ok(Go::On);
            }
            if frame == wanted {
                found = Some(seeker.take(message.length, "a frame", LARGEST_FRAME)?);
                return Ok(Go::Stop);
            }
            frame += 1;
            Ok(Go::On)
        })?;
        let bytes = found.ok_or(ReelError::NotAPicture(wanted))?;
        let image = CompressedImage::decode(bytes.as_slice()).map_err(|_| ReelError::NotAPicture(wanted))?;
        if is_modest_png(&image.data) { Ok(image.data) } else { Err(ReelError::NotAPicture(wanted)) }
    }

    /// A frame and what was made of it, with the actions of the time `before` it.
    pub fn moment<R: Read + Seek>(
        &self,
        input: R,
        wanted: u32,
        before: Duration,
    ) -> Result<Moment, ReelError> {
        let here = self.stretch_of(wanted)?;
        let mut seeker = Seeker::new(input);
        let stretch = &self.stretches[here];
        let since = Time::from_nanos(
            stretch.began.as_nanos().saturating_sub(u64::try_from(before.as_nanos()).unwrap_or(u64::MAX)),
        );
        let first = self.stretches[..here].partition_point(|other| other.began < since).min(here);
        // A mutated file may have its times in any order; the nearest stretches are enough.
        let first = first.max(here.saturating_sub(60));
        let mut notes = Vec::new();
        for (index, topic) in HELD.into_iter().enumerate() {
            let latest = here.checked_sub(1).and_then(|before| self.stretches[before].latest[index]);
            if let Some(place) = latest
                && let Some(note) = self.last_of(&mut seeker, place as usize, topic)?
            {
                notes.push(note);
            }
        }
        let mut moment = Moment { frame: wanted, time: stretch.began, notes, tally: stretch.tally_before };
        let mut frame = self.stretches[first].frames_before;
        let mut bytes = 0;
        for place in first..self.stretches.len() {
            let mut over = false;
            self.walk(&mut seeker, place, |message, seeker| {
                if message.topic == Topic::Frame {
                    over = frame > wanted;
                    if frame == wanted {
                        moment.time = message.time;
                    }
                    frame = frame.saturating_add(1);
                    return Ok(if over { Go::Stop } else { Go::On });
                }
                // In the seconds before, what was done matters; what was seen, only the last of it, which is known.
                if place < here && HELD.contains(&message.topic) {
                    return Ok(Go::On);
                }
                let note = message.note(seeker)?;
                if place >= here {
                    moment.tally.count(message.topic, &note.bytes);
                }
                if HELD.contains(&message.topic) {
                    moment.notes.retain(|other| other.topic != message.topic);
                }
                bytes += note.bytes.len();
                if moment.notes.len() < MOST_NOTES && bytes < MOST_NOTE_BYTES {
                    moment.notes.push(note);
                }
                Ok(Go::On)
            })?;
            if over {
                break;
            }
        }
        Ok(moment)
    }

    /// Reads the notes on a topic one by one, from the beginning up to what was made of a frame.
    pub fn notes_until<R: Read + Seek>(
        &self,
        input: R,
        wanted: u32,
        topic: Topic,
        mut each: impl FnMut(&Note),
    ) -> Result<(), ReelError> {
        self.stretch_of(wanted)?;
        let mut seeker = Seeker::new(input);
        let mut frames: u32 = 0;
        for place in 0..self.stretches.len() {
            if frames > wanted.saturating_add(1) {
                break;
            }
            self.walk(&mut seeker, place, |message, seeker| {
                if message.topic == Topic::Frame {
                    frames = frames.saturating_add(1);
                    // The next frame begins something new.
                    return Ok(if frames > wanted.saturating_add(1) { Go::Stop } else { Go::On });
                }
                if message.topic == topic {
                    each(&message.note(seeker)?);
                }
                Ok(Go::On)
            })?;
        }
        Ok(())
    }

    /// The frame that was taken last before a time.
    pub fn frame_at<R: Read + Seek>(&self, input: R, time: Time) -> Result<u32, ReelError> {
        let place = self.stretches.partition_point(|stretch| stretch.began <= time).saturating_sub(1);
        let mut frame = self.stretches[place].frames_before;
        self.walk(&mut Seeker::new(input), place, |message, _| {
            if message.topic != Topic::Frame {
                return Ok(Go::On);
            }
            if message.time > time {
                return Ok(Go::Stop);
            }
            frame = frame.saturating_add(1);
            Ok(Go::On)
        })?;
        Ok(frame.saturating_sub(1).min(self.frames - 1))
    }

    fn stretch_of(&self, frame: u32) -> Result<usize, ReelError> {
        if frame >= self.frames {
            return Err(ReelError::NoSuchFrame { wanted: frame, frames: self.frames });
        }
        Ok(self.stretches.partition_point(|stretch| stretch.frames_before <= frame).saturating_sub(1))
    }

    fn last_of<R: Read + Seek>(
        &self,
        seeker: &mut Seeker<R>,
        place: usize,
        topic: Topic,
    ) -> Result<Option<Note>, ReelError> {
        let mut last = None;
        self.walk(seeker, place, |message, seeker| {
            if message.topic == topic {
                last = Some(message.note(seeker)?);
            }
            Ok(Go::On)
        })?;
        Ok(last)
    }
}

/// Whether these are the first bytes of a PNG whose sides are not absurd: a page will unpack it.
fn is_modest_png(bytes: &[u8]) -> bool {
    let side = |at: usize| {
        let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_be_bytes).is_some_and(|side| (1..=LARGEST_SIDE).contains(&side))
    };
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") && side(16) && side(20)
}
