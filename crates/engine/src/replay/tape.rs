//! Reading a recording from its beginning, whole or cut off.

use std::collections::BTreeMap;
use std::io::Read;

use mcap::McapError;
use mcap::records::{Record, op};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use prost::Message;
use thiserror::Error;

use super::channel::Channel;
use super::unpack::{Packing, unpack};
use crate::clock::Time;
use crate::notes::Topic;
use crate::picture::{Picture, PictureError};
use crate::record::{CompressedImage, RunDescription, WallClock};
use crate::timing::StepTimesSummary;

/// No record or chunk we write is larger; a junk file may claim so.
const LARGEST_RECORD: usize = 64 * 1024 * 1024;

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum TapeError {
    /// Not an MCAP file, or a damaged one.
    #[error("not a readable MCAP file: {0}")]
    Format(#[from] McapError),
    /// An MCAP file, but not one of ours.
    #[error("the recording does not say what was played: its metadata record `run` has no valid `{0}`")]
    NotOurs(&'static str),
    /// The file could not be read.
    #[error("cannot read the recording: {0}")]
    Read(#[from] std::io::Error),
    /// A frame cannot be decoded.
    #[error("cannot decode the frame at {time}: {source}")]
    Frame {
        /// When it was taken.
        time: Time,
        /// Why.
        source: PictureError,
    },
}

/// One message of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub topic: Topic,
    /// When it was written, on the run's clock.
    pub time: Time,
    /// Its content: JSON, or for frames an encoded image.
    pub bytes: Vec<u8>,
}

impl Note {
    /// The PNG file inside a frame.
    pub fn png(&self) -> Option<Vec<u8>> {
        CompressedImage::decode(self.bytes.as_slice()).ok().map(|image| image.data)
    }

    /// The picture of a frame, and the place of its upper left pixel in the eye's whole view.
    pub fn picture(&self) -> Result<(Picture, (u32, u32)), TapeError> {
        let image = CompressedImage::decode(self.bytes.as_slice()).unwrap_or_default();
        let picture =
            Picture::read_png(&image.data).map_err(|source| TapeError::Frame { time: self.time, source })?;
        Ok((picture, image.origin()))
    }
}

/// A recording that is being read, note by note.
pub struct Tape<R> {
    records: Records<R>,
    run: RunDescription,
    ahead: Option<Note>,
    passed_over: Option<Topic>,
    error: Option<TapeError>,
}

impl<R: Read> Tape<R> {
    /// Opens a recording and reads what was played.
    pub fn open(input: R) -> Result<Self, TapeError> {
        let mut records = Records::new(input);
        loop {
            match records.next()? {
                Some(Found::Run(run)) => {
                    return Ok(Self { records, run, ahead: None, passed_over: None, error: None });
                }
                Some(Found::Note(_) | Found::Other) => {}
                None => return Err(TapeError::NotOurs("record")),
            }
        }
    }

    /// What was played.
    pub fn run(&self) -> &RunDescription {
        &self.run
    }

    /// Leaves out the notes of a topic from now on.
    pub(super) fn pass_over(&mut self, topic: Topic) {
        self.passed_over = Some(topic);
    }

    /// The wall-clock figures; known once the tape has been read to its end.
    pub fn wall_clock(&self) -> Option<&WallClock> {
        self.records.wall_clock.as_ref()
    }

    /// Whether the end of the file is missing; known once it has been read to its end.
    pub fn is_cut_off(&self) -> bool {
        self.records.cut_off
    }

    /// The error that ended the reading, if one did.
    pub fn take_error(&mut self) -> Option<TapeError> {
        self.error.take()
    }

    /// The next note, left on the tape.
    pub fn peek(&mut self) -> Option<&Note> {
        if self.ahead.is_none() {
            self.ahead = self.read_note();
        }
        self.ahead.as_ref()
    }

    fn read_note(&mut self) -> Option<Note> {
        while self.error.is_none() {
            match self.records.next() {
                Ok(Some(Found::Note(note))) if self.passed_over == Some(note.topic) => {}
                Ok(Some(Found::Note(note))) => return Some(note),
                Ok(Some(Found::Run(_) | Found::Other)) => {}
                Ok(None) => return None,
                Err(error) => self.error = Some(error),
            }
        }
        None
    }
}

impl<R: Read> Iterator for Tape<R> {
    type Item = Note;
    fn next(&mut self) -> Option<Note> {
        self.peek();
        self.ahead.take()
    }
}

impl<R> std::fmt::Debug for Tape<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape").field("run", &self.run).finish_non_exhaustive()
    }
}

/// The records of an MCAP file, as far as we use them.
///
/// The crate reads the file; chunks are opened here. Its own way through a
/// chunk trusts the lengths inside and its reading of attachments trusts
/// theirs, and a mutated file brings either to panic.
struct Records<R> {
    input: R,
    reader: LinearReader,
    chunk: Chunk,
    channels: BTreeMap<u16, Channel>,
    wall_clock: Option<WallClock>,
    cut_off: bool,
}

enum Found {
    Run(RunDescription),
    Note(Note),
    Other,
}

impl<R: Read> Records<R> {
    fn new(input: R) -> Self {
        let options =
            LinearReaderOptions::default().with_emit_chunks(true).with_record_length_limit(LARGEST_RECORD);
        let reader = LinearReader::new_with_options(options);
        let (chunk, channels) = (Chunk::default(), BTreeMap::new());
        Self { input, reader, chunk, channels, wall_clock: None, cut_off: false }
    }

    /// The next record; none at the end of the file or where it was cut off.
    fn next(&mut self) -> Result<Option<Found>, TapeError> {
        loop {
            if let Some((opcode, data)) = self.chunk.next()? {
                return understand(opcode, data, &mut self.channels, &mut self.wall_clock).map(Some);
            }
            match self.reader.next_event() {
                None => return Ok(None),
                Some(Err(McapError::UnexpectedEof)) => {
                    self.cut_off = true;
                    return Ok(None);
                }
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(LinearReadEvent::ReadRequest(wanted))) => {
                    let read = self.input.read(self.reader.insert(wanted))?;
                    self.reader.notify_read(read);
                }
                Some(Ok(LinearReadEvent::Record { data, opcode: op::CHUNK })) => {
                    self.chunk = Chunk::open(data)?;
                }
                Some(Ok(LinearReadEvent::Record { data, opcode })) => {
                    return understand(opcode, data, &mut self.channels, &mut self.wall_clock).map(Some);
                }
            }
        }
    }
}

/// The records of one chunk, read up to a position.
#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    position: usize,
}

impl Chunk {
    /// Opens a chunk whose checksum is right.
    fn open(record: &[u8]) -> Result<Self, McapError> {
        let Record::Chunk { header, data } = mcap::parse_record(op::CHUNK, record)? else {
            return Err(McapError::UnexpectedEoc);
        };
        let bytes = match Packing::named(&header.compression)? {
            Packing::None => data.into_owned(),
            Packing::Zstd => unpack(&data, header.uncompressed_size, LARGEST_RECORD as u64)?,
        };
        let (saved, calculated) = (header.uncompressed_crc, crc32fast::hash(&bytes));
        if saved != 0 && saved != calculated {
            return Err(McapError::BadChunkCrc { saved, calculated });
        }
        Ok(Self { bytes, position: 0 })
    }

    fn next(&mut self) -> Result<Option<(u8, &[u8])>, McapError> {
        let rest = &self.bytes[self.position..];
        let Some((&opcode, rest)) = rest.split_first() else { return Ok(None) };
        let (length, rest) = rest.split_first_chunk().ok_or(McapError::UnexpectedEoc)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let data = rest.get(..length).ok_or(McapError::UnexpectedEoc)?;
        self.position = self.bytes.len() - rest.len() + length;
        Ok(Some((opcode, data)))
    }
}

fn understand(
    opcode: u8,
    data: &[u8],
    channels: &mut BTreeMap<u16, Channel>,
    wall_clock: &mut Option<WallClock>,
) -> Result<Found, TapeError> {
    if !matches!(opcode, op::CHANNEL | op::MESSAGE | op::METADATA) {
        return Ok(Found::Other); // Indexes, and records that other programs added.
    }
    match mcap::parse_record(opcode, data)? {
        Record::Channel(channel) => {
            if let Some(ours) = Channel::named(&channel.topic, &channel.message_encoding) {
                channels.insert(channel.id, ours);
            }
        }
        Record::Message { header, data } => {
            if let Some(channel) = channels.get(&header.channel_id) {
                let (topic, time) = (channel.topic, Time::from_nanos(header.log_time));
                return Ok(Found::Note(Note { topic, time, bytes: channel.content(data.into_owned()) }));
            }
        }
        Record::Metadata(record) if record.name == RunDescription::RECORD => {
            let run = RunDescription::from_metadata(&record.metadata).map_err(TapeError::NotOurs)?;
            return Ok(Found::Run(run));
        }
        Record::Metadata(record) if record.name == WallClock::RECORD => {
            *wall_clock = read_wall_clock(&record.metadata);
        }
        _ => {}
    }
    Ok(Found::Other)
}

pub(super) fn read_wall_clock(metadata: &BTreeMap<String, String>) -> Option<WallClock> {
    let times: StepTimesSummary = serde_json::from_str(metadata.get("step_times")?).ok()?;
    Some(WallClock { started: metadata.get("started")?.clone(), times })
}
