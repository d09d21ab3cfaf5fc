//! A recording that is looked at frame by frame, whoever made it (X3).

use std::io::Cursor;
use std::sync::OnceLock;
use std::time::Duration;

use engine::Time;
use engine::notes::Topic;
use engine::replay::{Note, Reel, ReelError, Tape};
use proptest::prelude::*;
use proving::Faults;

use crate::catch_run::{record, settings};

fn recorded() -> Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    let faults = Faults { lost_presses: 0.1, failed_looks: 0.01, ..Faults::default() };
    FILE.get_or_init(|| record(settings(2), faults, 5).1).clone()
}

/// What a page that had followed the run from its beginning would know at this frame.
fn known_by(notes: &[Note], frame: u32) -> Vec<(Topic, Vec<u8>)> {
    let mut frames = 0;
    let mut known = std::collections::BTreeMap::new();
    for note in notes {
        if note.topic == Topic::Frame {
            if frames > frame {
                break;
            }
            frames += 1;
        } else if matches!(note.topic, Topic::Observation | Topic::Decision | Topic::Screen | Topic::Plan) {
            known.insert(note.topic, note.bytes.clone());
        }
    }
    known.into_iter().collect()
}

#[test]
fn every_frame_comes_with_what_was_known_then() {
    let file = recorded();
    let reel = Reel::read(Cursor::new(&file)).unwrap();
    let notes: Vec<_> = Tape::open(Cursor::new(&file)).unwrap().collect();
    let frames: Vec<_> = notes.iter().filter(|note| note.topic == Topic::Frame).collect();
    assert_eq!(reel.frames() as usize, frames.len());
    assert!(reel.frames() > 50 && !reel.is_cut_off() && reel.tally().games == 2, "{reel:?}");
    for wanted in (0..reel.frames()).step_by(7).chain([reel.frames() - 1]) {
        let moment = reel.moment(Cursor::new(&file), wanted, Duration::from_secs(6)).unwrap();
        let frame = frames[wanted as usize];
        assert_eq!((moment.frame, moment.time), (wanted, frame.time));
        assert_eq!(reel.png(Cursor::new(&file), wanted).unwrap(), frame.png().unwrap());
        let mut known: Vec<_> = moment
            .notes
            .iter()
            .filter(|note| {
                matches!(note.topic, Topic::Observation | Topic::Decision | Topic::Screen | Topic::Plan)
            })
            .map(|note| (note.topic, note.bytes.clone()))
            .collect();
        known.sort();
        assert_eq!(known, known_by(&notes, wanted), "frame {wanted}");
        assert_eq!(reel.frame_at(Cursor::new(&file), frame.time).unwrap(), wanted);
    }
    let last = reel.moment(Cursor::new(&file), reel.frames() - 1, Duration::from_secs(6)).unwrap();
    assert_eq!(last.tally, reel.tally(), "counted to the end");
    assert!(reel.marks().iter().any(|mark| mark.topic == Topic::GameOver));
}

#[test]
fn a_moment_that_does_not_exist_is_refused() {
    let file = recorded();
    let reel = Reel::read(Cursor::new(&file)).unwrap();
    let missing = reel.png(Cursor::new(&file), reel.frames());
    assert!(matches!(missing, Err(ReelError::NoSuchFrame { .. })), "{missing:?}");
    assert_eq!(reel.frame_at(Cursor::new(&file), Time::from_nanos(u64::MAX)).unwrap(), reel.frames() - 1);
}

#[test]
fn a_recording_that_was_cut_off_is_shown_as_far_as_it_goes() {
    let file = recorded();
    let reel = Reel::read(Cursor::new(&file[..file.len() / 2])).unwrap();
    assert!(reel.is_cut_off() && reel.frames() > 0);
    for wanted in 0..reel.frames() {
        reel.png(Cursor::new(&file[..file.len() / 2]), wanted).expect("every frame that is counted is there");
    }
    for junk in [&b""[..], b"hello", &file[..40]] {
        assert!(Reel::read(Cursor::new(junk)).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A stranger's file: refused or shown, never a panic. `cargo xtask bench hall` tries 100,000 of them.
    #[test]
    fn a_mutated_recording_is_refused_or_shown(mutations in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20), without_sums: bool) {
        let mut file = recorded();
        if without_sums {
            forget_checksums(&mut file);
        }
        for (place, byte) in mutations {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if let Ok(reel) = Reel::read(Cursor::new(&file)) {
            for wanted in [0, reel.frames() / 2, reel.frames() - 1] {
                let _ = reel.png(Cursor::new(&file), wanted);
                let _ = reel.moment(Cursor::new(&file), wanted, Duration::from_secs(6));
            }
            let _ = reel.frame_at(Cursor::new(&file), Time::START);
        }
    }
}

/// Sets the checksums of all chunks to 0, which means "none": mutations inside them are read then.
fn forget_checksums(file: &mut [u8]) {
    let mut at = 8;
    while at + 9 <= file.len() {
        let length = u64::from_le_bytes(file[at + 1..at + 9].try_into().unwrap()) as usize;
        if file[at] == 6 {
            file[at + 9 + 24..at + 9 + 28].fill(0);
        }
        at = at.saturating_add(9).saturating_add(length);
    }
}
