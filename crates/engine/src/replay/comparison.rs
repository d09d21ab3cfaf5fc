//! Comparing the notes of a replay with its tape, and steering the replay along it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Note, SharedReplay, Tape, TapeError};
use crate::clock::{Clock, SimulatedClock, Time};
use crate::notes::{NoteReader, ThinkingNote, Topic};
use crate::operator::{Order, OrderNote};
use crate::picture::Frame;
use crate::run::RunEnding;
use crate::steering::Steering;

/// Where a replay first differs from its recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// How many notes agreed before.
    pub after_notes: u64,
    /// When, on the recorded clock, in nanoseconds.
    pub time: Time,
    /// What the recording says.
    pub recorded: String,
    /// What the replay says.
    pub replayed: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after_notes, time, recorded, replayed } = self;
        write!(
            f,
            "first difference at {time}, after {after_notes} equal notes\n  recorded: {recorded}\n  replayed: {replayed}"
        )
    }
}

/// How a replay ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything on the tape happened again.
    Equal {
        /// Number of notes compared.
        notes: u64,
    },
    /// The recording ends in the middle of a run; as far as it goes, everything happened again.
    CutOff {
        /// Number of notes compared.
        notes: u64,
    },
    /// Something did not.
    Different(Divergence),
}

/// The state that the parts of a replay share.
#[derive(Debug)]
pub(super) struct Replay<R> {
    pub(super) tape: Tape<R>,
    pub(super) clock: SimulatedClock,
    pub(super) compares_times: bool,
    pub(super) compared: u64,
    pub(super) divergence: Option<Divergence>,
    pub(super) ended: bool,
    pub(super) last_time: Option<Time>,
}

impl<R: std::io::Read> Replay<R> {
    fn compare(&mut self, topic: Topic, time: Time, replayed: Option<&[u8]>) {
        self.last_time = None;
        if self.ended {
            return;
        }
        // Versions before 0.2 did not note the body.
        if topic == Topic::Body && self.tape.peek().is_some_and(|note| note.topic != Topic::Body) {
            return;
        }
        let Some(note) = self.tape.next() else {
            // A recording without its ending was cut off; what follows was never written.
            self.ended = true;
            return;
        };
        if note.is_ending_from_outside() {
            self.ended = true;
            return;
        }
        self.last_time = Some(note.time);
        let recorded = (note.topic != Topic::Frame).then_some(note.bytes.as_slice());
        let same = note.topic == topic && recorded == replayed && (note.time == time || !self.compares_times);
        if same {
            self.compared += 1;
            // On a real clock commands took the time they took.
            self.clock.sleep_until(note.time);
        } else {
            self.ended = true;
            self.divergence = Some(Divergence {
                after_notes: self.compared,
                time: note.time,
                recorded: show(note.topic, note.time, recorded),
                replayed: show(topic, time, replayed),
            });
        }
    }
}

fn show(topic: Topic, time: Time, json: Option<&[u8]>) -> String {
    let value = json.map(String::from_utf8_lossy).unwrap_or_default();
    format!("{} {value} at {time}", topic.channel())
}

/// Compares each note with the tape and keeps the first difference.
#[derive(Debug)]
pub struct Comparison<R>(pub(super) SharedReplay<R>);

impl<R: std::io::Read> Comparison<R> {
    /// What the comparison found; asked after the engine's run has ended.
    pub fn outcome(self) -> Result<Outcome, TapeError> {
        let mut replay = self.0.borrow_mut();
        if let Some(error) = replay.tape.take_error() {
            return Err(error);
        }
        let notes = replay.compared;
        let agrees =
            if replay.tape.is_cut_off() { Outcome::CutOff { notes } } else { Outcome::Equal { notes } };
        Ok(replay.divergence.take().map_or(agrees, Outcome::Different))
    }
}

impl<R: std::io::Read> NoteReader for Comparison<R> {
    fn wants(&self, topic: Topic) -> bool {
        topic != Topic::Candidates && !topic.is_of_the_machine()
    }

    fn frame(&mut self, frame: &Frame) {
        self.0.borrow_mut().compare(Topic::Frame, frame.captured, None);
    }

    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        self.0.borrow_mut().compare(topic, time, Some(json));
    }
}

/// Steers the engine along the tape.
#[derive(Debug)]
pub struct TapeSteering<R>(pub(super) SharedReplay<R>);

impl<R: std::io::Read> Steering for TapeSteering<R> {
    fn has_ended(&self) -> bool {
        let mut replay = self.0.borrow_mut();
        replay.ended || replay.tape.peek().is_none_or(|note| note.topic == Topic::Ending)
    }

    fn time_of_last_note(&self) -> Option<Time> {
        self.0.borrow().last_time
    }

    fn recorded_thinking(&self) -> Option<u64> {
        let mut replay = self.0.borrow_mut();
        let note = replay.tape.peek().filter(|note| note.topic == Topic::Thinking)?;
        serde_json::from_slice::<ThinkingNote>(&note.bytes).ok().map(|thinking| thinking.nodes)
    }

    fn recorded_order(&self) -> Option<Order> {
        let mut replay = self.0.borrow_mut();
        if replay.ended {
            return None;
        }
        let note = replay.tape.peek().filter(|note| note.topic == Topic::Order)?;
        serde_json::from_slice::<OrderNote>(&note.bytes).ok().map(|note| note.order)
    }
}

impl Note {
    /// Whether the run was ended from outside here (by the user or by its
    /// limits), which a replay cannot know.
    fn is_ending_from_outside(&self) -> bool {
        if self.topic != Topic::Ending {
            return false;
        }
        match serde_json::from_slice::<RunEnding>(&self.bytes) {
            Ok(RunEnding::Cancelled | RunEnding::GamesPlayed | RunEnding::TimeUp) => true,
            Ok(RunEnding::GaveUp { .. } | RunEnding::ReplayEnded) | Err(_) => false,
        }
    }
}
