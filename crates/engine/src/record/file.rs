//! The recording: an MCAP file that Foxglove, Rerun and every MCAP reader open.
//!
//! Chunks are written whole, at least once a second of the run, so a run that
//! is killed leaves all but its last chunk. They are packed with Zstandard,
//! which stores what two frames have in common once.

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::time::Duration;

use mcap::records::{MessageHeader, Metadata};
use prost::Message;
use thiserror::Error;

use super::{CompressedImage, NoteTypes, RunDescription, WallClock, shades};
use crate::clock::Time;
use crate::notes::{NoteReader, Topic};
use crate::picture::{Frame, Picture, PictureError};

/// A chunk is closed when it is this large …
const CHUNK_BYTES: u64 = 512 * 1024;
/// … or this old on the run's clock.
const CHUNK_AGE: Duration = Duration::from_secs(1);
/// How messages are encoded; notes of version 0.1 were bare JSON.
pub(crate) const PROTOBUF: &str = "protobuf";
/// How hard chunks are packed: the quickest level, so that the run hardly notices.
const PACKING: u32 = 1;

/// Why a recording cannot be written.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file or its format refused.
    #[error("cannot write the recording: {0}")]
    File(#[from] mcap::McapError),
    /// A frame cannot be stored.
    #[error("cannot record frame {sequence}: {source}")]
    Frame {
        /// Which one.
        sequence: u64,
        /// Why.
        source: PictureError,
    },
    /// The measured times cannot be written as JSON.
    #[error("cannot record the measured times: {0}")]
    Times(serde_json::Error),
}

/// A recording that is being written.
///
/// A failure to write (a full disk) does not stop the run: it is logged once,
/// nothing more is recorded, and [`Recording::finish`] returns the error.
pub struct Recording<W: Write + Seek> {
    writer: mcap::Writer<W>,
    types: NoteTypes,
    channels: [u16; Topic::ALL.len()],
    sequence: u32,
    flushed: Time,
    image: CompressedImage,
    /// The picture in `image`: most frames of a game look like the one before.
    encoded: Option<Picture>,
    buffer: Vec<u8>,
    /// Bytes of messages that may still come.
    room: u64,
    failure: Option<RecordingError>,
}

impl<W: Write + Seek> Recording<W> {
    /// Begins a recording with the description of its run and of its notes.
    pub fn begin(out: W, run: &RunDescription, types: NoteTypes) -> Result<Self, RecordingError> {
        let mut writer = mcap::WriteOptions::new()
            .library(&run.program)
            .chunk_size(Some(CHUNK_BYTES))
            // Without seeking a chunk is written in one piece, never half filled in.
            .disable_seeking(true)
            .compression(Some(mcap::Compression::Zstd))
            .compression_level(PACKING)
            // On the run's own thread: equal runs give equal bytes.
            .compression_threads(0)
            .create(out)?;
        writer.write_metadata(&Metadata {
            name: RunDescription::RECORD.to_owned(),
            metadata: run.to_metadata(),
        })?;
        let mut channels = [0; Topic::ALL.len()];
        for (channel, topic) in channels.iter_mut().zip(Topic::ALL) {
            *channel = add_channel(&mut writer, &types, topic)?;
        }
        writer.flush()?;
        let image = CompressedImage { format: "png".to_owned(), ..Default::default() };
        let (sequence, flushed) = (0, Time::START);
        Ok(Self {
            writer,
            types,
            channels,
            sequence,
            flushed,
            image,
            encoded: None,
            buffer: Vec::new(),
            room: u64::MAX,
            failure: None,
        })
    }

    /// Records no more once the messages have this many bytes; the run goes on, and the file ends as if it was cut off.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.room = bytes;
        self
    }

    /// Ends the recording; the wall-clock figures are left out where equal
    /// runs must give equal bytes.
    pub fn finish(mut self, wall_clock: Option<&WallClock>) -> Result<W, RecordingError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if let Some(wall_clock) = wall_clock {
            let times = serde_json::to_string(&wall_clock.times).map_err(RecordingError::Times)?;
            let entries = [("started", wall_clock.started.clone()), ("step_times", times)];
            self.writer.write_metadata(&Metadata {
                name: WallClock::RECORD.to_owned(),
                metadata: entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            })?;
        }
        self.writer.finish()?;
        Ok(self.writer.into_inner())
    }

    fn write_frame(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        let elapsed = frame.captured.elapsed();
        self.image.timestamp = Some(prost_types::Timestamp {
            seconds: elapsed.as_secs() as i64,
            nanos: elapsed.subsec_nanos() as i32,
        });
        self.encode(&frame.picture)
            .map_err(|source| RecordingError::Frame { sequence: frame.sequence, source })?;
        self.image.set_origin(frame.origin);
        let mut message = std::mem::take(&mut self.buffer);
        message.clear();
        self.image.encode_raw(&mut message);
        let written = self.write(Topic::Frame, frame.captured, &message);
        self.buffer = message;
        written
    }

    fn write_note(&mut self, topic: Topic, time: Time, json: &[u8]) -> Result<(), RecordingError> {
        let mut message = std::mem::take(&mut self.buffer);
        message.clear();
        if let Err(error) = self.types.of_topic(topic).write(json, &mut message) {
            tracing::warn!(%error, topic = topic.channel(), "a note does not fit its type; viewers get its JSON alone");
        }
        let written = self.write(topic, time, &message);
        self.buffer = message;
        written
    }

    fn encode(&mut self, picture: &Picture) -> Result<(), PictureError> {
        if self.encoded.as_ref() == Some(picture) {
            return Ok(());
        }
        self.image.data.clear();
        shades::write_png(picture, &mut self.image.data)?;
        match &mut self.encoded {
            // The same room again; a new picture would take new memory for every frame.
            Some(encoded) if encoded.pixels.len() == picture.pixels.len() => {
                let Picture { width, height, format, pixels } = picture;
                (encoded.width, encoded.height, encoded.format) = (*width, *height, *format);
                encoded.pixels.copy_from_slice(pixels);
            }
            encoded => *encoded = Some(picture.clone()),
        }
        Ok(())
    }

    fn write(&mut self, topic: Topic, time: Time, message: &[u8]) -> Result<(), RecordingError> {
        let header = MessageHeader {
            channel_id: self.channels[topic as usize],
            sequence: self.sequence,
            log_time: time.as_nanos(),
            publish_time: time.as_nanos(),
        };
        self.sequence = self.sequence.wrapping_add(1);
        self.room = self.room.saturating_sub(message.len() as u64);
        self.writer.write_to_known_channel(&header, message)?;
        if time.since(self.flushed) >= CHUNK_AGE {
            self.flushed = time;
            self.writer.flush()?;
        }
        Ok(())
    }

    fn keep_first_failure(&mut self, result: Result<(), RecordingError>) {
        if let Err(error) = result {
            tracing::error!(%error, "recording stopped; the run goes on");
            self.failure = Some(error);
        }
    }
}

fn add_channel<W: Write + Seek>(
    writer: &mut mcap::Writer<W>,
    types: &NoteTypes,
    topic: Topic,
) -> Result<u16, mcap::McapError> {
    let (name, schema) = if topic == Topic::Frame {
        (CompressedImage::SCHEMA_NAME.to_owned(), CompressedImage::schema())
    } else {
        (format!("gamebot.{}", topic.name()), types.of_topic(topic).schema("gamebot", topic.name()))
    };
    let schema = writer.add_schema(&name, PROTOBUF, &schema)?;
    writer.add_channel(schema, topic.channel(), PROTOBUF, &BTreeMap::new())
}

impl<W: Write + Seek> NoteReader for Recording<W> {
    fn wants(&self, topic: Topic) -> bool {
        self.failure.is_none() && self.room > 0 && !topic.is_of_the_machine()
    }

    fn frame(&mut self, frame: &Frame) {
        let result = self.write_frame(frame);
        self.keep_first_failure(result);
    }

    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        let result = self.write_note(topic, time, json);
        self.keep_first_failure(result);
    }
}

impl<W: Write + Seek> std::fmt::Debug for Recording<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("messages", &self.sequence)
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}
