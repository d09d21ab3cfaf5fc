//! The recording: an MCAP file that Foxglove, Rerun and every MCAP reader open.
//!
//! Chunks are written whole, at least once a second of the run, so a run that
//! is killed leaves all but its last chunk.

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::time::Duration;

use mcap::records::{MessageHeader, Metadata};
use prost::Message;
use thiserror::Error;

use super::{CompressedImage, RunDescription, WallClock};
use crate::clock::Time;
use crate::notes::{NoteReader, Topic};
use crate::picture::{Frame, PictureError};

/// A chunk is closed when it is this large …
const CHUNK_BYTES: u64 = 256 * 1024;
/// … or this old on the run's clock.
const CHUNK_AGE: Duration = Duration::from_secs(1);

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
    channels: [u16; Topic::ALL.len()],
    sequence: u32,
    flushed: Time,
    image: CompressedImage,
    buffer: Vec<u8>,
    failure: Option<RecordingError>,
}

impl<W: Write + Seek> Recording<W> {
    /// Begins a recording with the description of its run.
    pub fn begin(out: W, run: &RunDescription) -> Result<Self, RecordingError> {
        let mut writer = mcap::WriteOptions::new()
            .library(&run.program)
            .chunk_size(Some(CHUNK_BYTES))
            // Without seeking a chunk is written in one piece, never half filled in.
            .disable_seeking(true)
            .create(out)?;
        writer.write_metadata(&Metadata {
            name: RunDescription::RECORD.to_owned(),
            metadata: run.to_metadata(),
        })?;
        let mut channels = [0; Topic::ALL.len()];
        for (channel, topic) in channels.iter_mut().zip(Topic::ALL) {
            *channel = add_channel(&mut writer, topic)?;
        }
        writer.flush()?;
        let image = CompressedImage { format: "png".to_owned(), ..Default::default() };
        let (sequence, flushed) = (0, Time::START);
        Ok(Self { writer, channels, sequence, flushed, image, buffer: Vec::new(), failure: None })
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
        self.image.data.clear();
        frame
            .picture
            .write_png(&mut self.image.data)
            .map_err(|source| RecordingError::Frame { sequence: frame.sequence, source })?;
        self.image.set_origin(frame.origin);
        let mut message = std::mem::take(&mut self.buffer);
        message.clear();
        self.image.encode_raw(&mut message);
        let written = self.write(Topic::Frame, frame.captured, &message);
        self.buffer = message;
        written
    }

    fn write(&mut self, topic: Topic, time: Time, message: &[u8]) -> Result<(), RecordingError> {
        let header = MessageHeader {
            channel_id: self.channels[topic as usize],
            sequence: self.sequence,
            log_time: time.as_nanos(),
            publish_time: time.as_nanos(),
        };
        self.sequence = self.sequence.wrapping_add(1);
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

fn add_channel<W: Write + Seek>(writer: &mut mcap::Writer<W>, topic: Topic) -> Result<u16, mcap::McapError> {
    let (name, schema, schema_encoding, encoding) = if topic == Topic::Frame {
        (CompressedImage::SCHEMA_NAME.to_owned(), CompressedImage::schema(), "protobuf", "protobuf")
    } else {
        let title = topic.channel().replacen('/', "gamebot.", 1);
        let schema = serde_json::json!({ "title": title, "type": "object" });
        (title, schema.to_string().into_bytes(), "jsonschema", "json")
    };
    let schema = writer.add_schema(&name, schema_encoding, &schema)?;
    writer.add_channel(schema, topic.channel(), encoding, &BTreeMap::new())
}

impl<W: Write + Seek> NoteReader for Recording<W> {
    fn wants(&self, _topic: Topic) -> bool {
        self.failure.is_none()
    }

    fn frame(&mut self, frame: &Frame) {
        let result = self.write_frame(frame);
        self.keep_first_failure(result);
    }

    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        let result = self.write(topic, time, json);
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
