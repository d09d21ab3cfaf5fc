//! Recordings: equal for equal runs, readable when cut off anywhere (X3).

use std::io::Cursor;

use engine::notes::Topic;
use engine::record::{Recording, WallClock};
use engine::replay::{Summary, Tape};
use engine::{Latency, RunEnding, StepTimesSummary, Time};
use proptest::prelude::*;
use proving::Faults;

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
    let recording = Recording::begin(Cursor::new(Vec::new()), &description(1)).unwrap();
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
    let recording = Recording::begin(disk, &description(1)).unwrap();
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

/// Takes the checksums out of the chunks of a recording, so that damage inside is not found by them.
fn without_checksums(mut file: Vec<u8>) -> Vec<u8> {
    const MAGIC: usize = 8;
    const CHUNK: u8 = 0x06;
    const CHECKSUM: std::ops::Range<usize> = 24..28;
    let mut position = MAGIC;
    while let Some(length) = file.get(position + 1..position + 9) {
        let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
        let body = position + 9;
        if file[position] == CHUNK && body + length <= file.len() {
            file[body..][CHECKSUM].fill(0);
        }
        position = body + length;
    }
    file
}

#[test]
fn a_chunk_whose_checksum_is_wrong_is_refused() {
    let (_, whole) = record(settings(1), Faults::default(), 1);
    let mut bent = whole.clone();
    let index = whole.len() / 2;
    bent[index] ^= 1;
    let mut tape = Tape::open(Cursor::new(&bent)).unwrap();
    let notes = tape.by_ref().count();
    assert!(notes < readable_notes(&whole));
    let error = tape.take_error().expect("the damage is found").to_string();
    assert!(error.contains("CRC"), "{error}");
}

#[test]
fn every_bent_byte_is_refused_or_read_but_never_panics() {
    const FEW_CHUNKS: usize = 24_000;
    let (_, file) = record(settings(1), Faults { lost_presses: 0.5, ..Faults::default() }, 1);
    let file = without_checksums(file[..FEW_CHUNKS].to_vec());
    let whole = readable_notes(&file);
    assert!(whole > 10, "only {whole}");
    let mut bent = file.clone();
    for index in 0..file.len() {
        for byte in [0, !file[index], 0x09] {
            bent[index] = byte; // 0x09 is the opcode of an attachment.
            assert!(readable_notes(&bent) <= 2 * whole, "byte {index} as {byte}");
        }
        bent[index] = file[index];
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
