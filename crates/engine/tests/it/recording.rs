//! Recordings: equal for equal runs, readable when cut off anywhere (X3).

use std::io::Cursor;

use engine::notes::Topic;
use engine::record::{NoteTypes, Recording, WallClock};
use engine::replay::{Summary, Tape};
use engine::{Latency, RunEnding, StepTimesSummary, Time};
use proptest::prelude::*;
use prost::Message;
use prost_types::FileDescriptorSet;
use proving::{CatchPlayer, Faults};

use crate::catch_run::{description, record, settings};

const FAULTS: Faults = Faults {
    lost_presses: 0.1,
    torn_frames: 0.1,
    failed_looks: 0.01,
    hand_latency: Latency::NONE,
    eye_latency: Latency::NONE,
    refused_commands: 0.0,
    knock_every: std::time::Duration::ZERO,
    stalled_drives: 0.0,
};

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (_, first) = record(settings(2), FAULTS, 5);
    let (_, second) = record(settings(2), FAULTS, 5);
    let (_, other) = record(settings(2), FAULTS, 6);
    assert!(first == second, "equal runs must give equal files");
    assert!(first != other);
}

#[test]
fn a_summary_counts_what_the_engine_counted() {
    let (played, file) = record(settings(2), FAULTS, 5);
    let summary = Summary::read(Tape::open(Cursor::new(file)).unwrap(), |_| {}).unwrap();
    assert_eq!(summary.ending, Some(RunEnding::GamesPlayed));
    assert!(!summary.cut_off);
    assert_eq!(summary.messages["/command"], played.counts.commands);
    assert_eq!(summary.messages["/fault"], played.counts.faults);
    assert_eq!(summary.messages["/unclear"], played.counts.unclear);
    assert_eq!(summary.verdicts["confirmed"], played.counts.confirmed);
    assert_eq!(summary.verdicts["diverged"], played.counts.diverged);
    assert_eq!(summary.ticks, played.counts.ticks - played.counts.faults);
    assert!(summary.step_times.is_empty(), "wall-clock figures only on request");
}

#[test]
fn wall_clock_figures_come_back() {
    let recording =
        Recording::begin(Cursor::new(Vec::new()), &description(1), NoteTypes::of::<CatchPlayer>()).unwrap();
    let wall_clock =
        WallClock { started: "2026-01-01T00:00:00Z".to_owned(), times: StepTimesSummary::default() };
    let file = recording.finish(Some(&wall_clock)).unwrap();
    let mut tape = Tape::open(Cursor::new(file.into_inner())).unwrap();
    assert_eq!(tape.by_ref().count(), 0);
    assert_eq!(tape.wall_clock(), Some(&wall_clock));
}

#[test]
fn a_full_disk_stops_the_recording_but_not_the_run() {
    /// Has room for a few kilobytes.
    struct SmallDisk(Cursor<Vec<u8>>);
    impl std::io::Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.get_ref().len() + bytes.len() > 20_000 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl std::io::Seek for SmallDisk {
        fn seek(&mut self, position: std::io::SeekFrom) -> std::io::Result<u64> {
            self.0.seek(position)
        }
    }
    let disk = SmallDisk(Cursor::new(Vec::new()));
    let recording = Recording::begin(disk, &description(1), NoteTypes::of::<CatchPlayer>()).unwrap();
    let (played, recording) = crate::catch_run::play_into(recording, settings(2), Faults::default(), 1);
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(recording.finish(None).is_err());
}

#[test]
fn a_recording_cut_off_anywhere_gives_what_was_written() {
    let (_, file) = record(settings(1), FAULTS, 5);
    let all: Vec<_> = Tape::open(Cursor::new(&file)).unwrap().collect();
    let mut readable = 0;
    for length in (0..file.len()).step_by(997) {
        let Ok(mut tape) = Tape::open(Cursor::new(&file[..length])) else { continue };
        let notes: Vec<_> = tape.by_ref().collect();
        assert!(tape.take_error().is_none(), "cut at {length}");
        assert!(tape.is_cut_off(), "cut at {length}");
        assert!(notes.len() <= all.len() && notes == all[..notes.len()], "cut at {length}");
        readable = readable.max(notes.len());
    }
    assert!(readable > all.len() / 2);
}

#[test]
fn chunks_are_at_most_a_second_apart() {
    let (_, file) = record(settings(1), Faults::default(), 5);
    let reached = |length: usize| {
        let tape = Tape::open(Cursor::new(&file[..length])).ok()?;
        tape.filter(|note| note.topic == Topic::Frame).last().map(|note| note.time)
    };
    // Cut at ever shorter lengths, the last frame steps back by less than a chunk each time.
    let mut times: Vec<Time> = (1..40).filter_map(|part| reached(file.len() * part / 40)).collect();
    times.dedup();
    assert!(times.len() > 30, "only {} different ends", times.len());
}

/// How many notes can be read.
fn readable_notes(file: &[u8]) -> usize {
    Tape::open(Cursor::new(file)).map_or(0, Iterator::count)
}

/// The schema of a channel as protobuf's own types, and the channel's messages.
fn typed(file: &[u8], topic: Topic) -> (FileDescriptorSet, Vec<Vec<u8>>) {
    let mut messages = Vec::new();
    let mut schema = FileDescriptorSet::default();
    for message in mcap::MessageStream::new(file).unwrap().map(Result::unwrap) {
        if message.channel.topic == topic.channel() {
            assert_eq!(message.channel.message_encoding, "protobuf");
            let described = message.channel.schema.as_ref().unwrap();
            assert_eq!(described.encoding, "protobuf");
            schema = FileDescriptorSet::decode(&*described.data).unwrap();
            messages.push(message.data.into_owned());
        }
    }
    (schema, messages)
}

/// X3: viewers plot what a channel's schema describes, field by field.
#[test]
fn every_field_of_a_note_is_typed() {
    /// The numbers that the schema below gives; other fields are passed over.
    #[derive(Clone, PartialEq, prost::Message)]
    struct Observation {
        #[prost(string, optional, tag = "1")]
        json: Option<String>,
        #[prost(message, optional, tag = "2")]
        playing: Option<Playing>,
        #[prost(bool, optional, tag = "3")]
        over: Option<bool>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    struct Playing {
        #[prost(uint64, optional, tag = "1")]
        ball: Option<u64>,
        #[prost(uint64, optional, tag = "2")]
        paddle: Option<u64>,
    }
    let (_, file) = record(settings(1), Faults::default(), 1);
    let (schema, messages) = typed(&file, Topic::Observation);
    let described = &schema.file[0].message_type[0];
    let names = |fields: &[prost_types::FieldDescriptorProto]| {
        fields.iter().map(|field| format!("{} {}", field.number(), field.name())).collect::<Vec<_>>()
    };
    assert_eq!(names(&described.field), ["1 json", "2 playing", "3 over"]);
    assert_eq!(names(&described.nested_type[0].field), ["1 ball", "2 paddle"]);
    let mut both = [0, 0];
    for message in messages {
        let observation = Observation::decode(message.as_slice()).unwrap();
        let json: serde_json::Value = serde_json::from_str(observation.json.as_deref().unwrap()).unwrap();
        assert_eq!(observation.over, (json == "over").then_some(true));
        if let Some(playing) = &observation.playing {
            let figures = serde_json::json!({ "ball": playing.ball, "paddle": playing.paddle });
            assert_eq!(json, serde_json::json!({ "playing": figures }));
        }
        both[usize::from(observation.playing.is_some())] += 1;
    }
    assert!(both[0] > 0 && both[1] > 100, "{both:?}");
}

/// Takes the checksums out of the chunks of a recording, so that damage inside is not found by them.
fn without_checksums(file: Vec<u8>) -> Vec<u8> {
    with_checksums(file, |checksum| checksum.fill(0))
}

/// Changes the checksums of all chunks.
fn with_checksums(mut file: Vec<u8>, mut change: impl FnMut(&mut [u8])) -> Vec<u8> {
    const MAGIC: usize = 8;
    const CHUNK: u8 = 0x06;
    const CHECKSUM: std::ops::Range<usize> = 24..28;
    let mut position = MAGIC;
    while let Some(length) = file.get(position + 1..position + 9) {
        let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
        let body = position + 9;
        if file[position] == CHUNK && body + length <= file.len() {
            change(&mut file[body..][CHECKSUM]);
        }
        position = body + length;
    }
    file
}

#[test]
fn a_chunk_whose_checksum_is_wrong_is_refused() {
    let (_, whole) = record(settings(1), Faults::default(), 1);
    let mut chunks = 0;
    let mutated = with_checksums(whole.clone(), |checksum| {
        chunks += 1;
        // The first holds no notes; those of the second are read before the damage.
        if chunks == 3 {
            checksum[0] ^= 1;
        }
    });
    assert!(chunks > 3);
    let mut tape = Tape::open(Cursor::new(&mutated)).unwrap();
    let notes = tape.by_ref().count();
    assert!((1..readable_notes(&whole)).contains(&notes), "{notes}");
    let error = tape.take_error().expect("the damage is found").to_string();
    assert!(error.contains("CRC"), "{error}");
}

#[test]
fn every_mutated_byte_is_refused_or_read_but_never_panics() {
    const FEW_CHUNKS: usize = 32_000;
    let (_, file) = record(settings(1), Faults { lost_presses: 0.5, ..Faults::default() }, 1);
    let file = without_checksums(file[..FEW_CHUNKS].to_vec());
    let whole = readable_notes(&file);
    assert!(whole > 10, "only {whole}");
    let mut mutated = file.clone();
    for index in 0..file.len() {
        for byte in [0, !file[index], 0x09] {
            mutated[index] = byte; // 0x09 is the opcode of an attachment.
            assert!(readable_notes(&mutated) <= 2 * whole, "byte {index} as {byte}");
        }
        mutated[index] = file[index];
    }
}

proptest! {
    #[test]
    fn junk_is_refused_or_read_but_never_panics(position: prop::sample::Index, byte: u8, cut: prop::sample::Index) {
        let (_, mut file) = record(settings(1), Faults { lost_presses: 0.5, ..Faults::default() }, 1);
        file.truncate(20_000);
        let index = position.index(file.len());
        file[index] = byte;
        file.truncate(cut.index(file.len()));
        if let Ok(tape) = Tape::open(Cursor::new(file)) {
            let notes = tape.filter(|note| note.topic != Topic::Frame || note.picture().is_ok()).count();
            prop_assert!(notes < 10_000);
        }
    }
}
