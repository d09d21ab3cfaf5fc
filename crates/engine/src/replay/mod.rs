//! Running a player again on what was recorded, bit for bit (X3).
//!
//! A recording is a tape of everything in its order. Frames and faults are
//! what came from the body: the [`RecordedEye`] and [`RecordedHand`] give them
//! to the engine again. All else is what engine and player made of it: the
//! [`Comparison`] holds each note against the tape and keeps the first difference.

mod summary;
mod tape;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::body::{Body, Eye, Fault, Hand};
use crate::clock::{Clock, SimulatedClock, Time};
use crate::picture::{Frame, Picture, PixelFormat};
use crate::record::{ClockKind, FaultNote, Journal, Origin, ThinkingNote, Topic};
use crate::tick::Ending;

pub use summary::Summary;
pub use tape::{Note, Tape, TapeError};

type SharedTape<R> = Rc<RefCell<Tape<R>>>;

/// The parts of an engine that replay a tape on `clock`.
pub fn replay<R: std::io::Read, A>(
    tape: Tape<R>,
    clock: &SimulatedClock,
) -> (Body<RecordedEye<R>, RecordedHand<R, A>>, Comparison<R>) {
    let compares_times = tape.run().clock == ClockKind::Simulated;
    let tape = Rc::new(RefCell::new(tape));
    let frame =
        Frame { sequence: 0, captured: Time::START, picture: Picture::black(1, 1, PixelFormat::Gray8) };
    let eye = RecordedEye { tape: Rc::clone(&tape), clock: clock.clone(), frame, looks: 0 };
    let hand =
        RecordedHand { tape: Rc::clone(&tape), clock: clock.clone(), action: std::marker::PhantomData };
    let comparison = Comparison {
        tape,
        clock: clock.clone(),
        compares_times,
        compared: 0,
        divergence: None,
        ended: false,
    };
    (Body { eye, hand }, comparison)
}

/// Sees the recorded frames again, at their recorded times.
#[derive(Debug)]
pub struct RecordedEye<R> {
    tape: SharedTape<R>,
    clock: SimulatedClock,
    frame: Frame,
    looks: u64,
}

impl<R: std::io::Read> Eye for RecordedEye<R> {
    fn look(&mut self) -> Result<&Frame, Fault> {
        let mut tape = self.tape.borrow_mut();
        if let Some((fault, time)) = tape.next_fault(Origin::Eye) {
            self.clock.sleep_until(time);
            return Err(fault);
        }
        // Anything but a frame here is a difference, which the journal notices
        // when the engine hands it this same frame.
        if let Some(note) = tape.peek()
            && note.topic == Topic::Frame
        {
            self.clock.sleep_until(note.time);
            self.frame.captured = note.time;
            self.frame.sequence = self.looks;
            self.looks += 1;
            self.frame.picture = note
                .picture()
                .map_err(|why| Fault::Refused { part: "recording".to_owned(), why: why.to_string() })?;
        }
        Ok(&self.frame)
    }
}

/// Does nothing, except fail where the recorded hand failed.
#[derive(Debug)]
pub struct RecordedHand<R, A> {
    tape: SharedTape<R>,
    clock: SimulatedClock,
    action: std::marker::PhantomData<A>,
}

impl<R: std::io::Read, A> RecordedHand<R, A> {
    fn act(&self) -> Result<(), Fault> {
        let Some((fault, time)) = self.tape.borrow_mut().next_fault(Origin::Hand) else { return Ok(()) };
        self.clock.sleep_until(time);
        Err(fault)
    }
}

impl<R: std::io::Read, A: Serialize> Hand for RecordedHand<R, A> {
    type Action = A;
    fn begin(&mut self, _action: &A) -> Result<(), Fault> {
        self.act()
    }
    fn end(&mut self, _action: &A) -> Result<(), Fault> {
        self.act()
    }
    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

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
        /// So many notes were compared.
        notes: u64,
    },
    /// Something did not.
    Different(Divergence),
}

/// Compares each note with the tape and keeps the first difference.
#[derive(Debug)]
pub struct Comparison<R> {
    tape: SharedTape<R>,
    clock: SimulatedClock,
    compares_times: bool,
    compared: u64,
    divergence: Option<Divergence>,
    ended: bool,
}

impl<R: std::io::Read> Comparison<R> {
    /// What the comparison found; asked after the engine's run has ended.
    pub fn outcome(self) -> Result<Outcome, TapeError> {
        if let Some(error) = self.tape.borrow_mut().take_error() {
            return Err(error);
        }
        Ok(self.divergence.map_or(Outcome::Equal { notes: self.compared }, Outcome::Different))
    }

    fn compare(&mut self, topic: Topic, time: Time, replayed: Option<&[u8]>) -> Time {
        if self.ended {
            return time;
        }
        let mut tape = self.tape.borrow_mut();
        let show = |topic: Topic, time: Time, bytes: Option<&[u8]>| {
            let value = bytes.map(String::from_utf8_lossy).unwrap_or_default();
            format!("{} {value} at {time}", topic.channel())
        };
        let Some(note) = tape.next() else {
            // A recording without its ending was cut off; what follows was never written.
            self.ended = true;
            return time;
        };
        if note.is_ending_from_outside() {
            self.ended = true;
            return time;
        }
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
        note.time
    }
}

impl<R: std::io::Read> Journal for Comparison<R> {
    const RECORDS: bool = true;

    fn frame(&mut self, frame: &Frame) {
        self.compare(Topic::Frame, frame.captured, None);
    }

    fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) -> Time {
        let replayed = serde_json::to_vec(value).unwrap_or_else(|error| error.to_string().into_bytes());
        self.compare(topic, time, Some(&replayed))
    }

    fn has_ended(&self) -> bool {
        self.ended || self.tape.borrow_mut().peek().is_none_or(|note| note.topic == Topic::Ending)
    }

    fn recorded_thinking(&self) -> Option<u64> {
        let mut tape = self.tape.borrow_mut();
        let note = tape.peek().filter(|note| note.topic == Topic::Thinking)?;
        serde_json::from_slice::<ThinkingNote>(&note.bytes).ok().map(|thinking| thinking.nodes)
    }
}

impl Note {
    /// Whether the run was ended from outside here (by somebody, by its
    /// limits), which no replay can know.
    fn is_ending_from_outside(&self) -> bool {
        if self.topic != Topic::Ending {
            return false;
        }
        match serde_json::from_slice::<Ending>(&self.bytes) {
            Ok(Ending::Cancelled | Ending::GamesPlayed | Ending::TimeUp) => true,
            Ok(Ending::GaveUp { .. } | Ending::JournalEnded) | Err(_) => false,
        }
    }
}

impl<R: std::io::Read> Tape<R> {
    /// The fault that happened next in this part of the body and when, left on the tape.
    fn next_fault(&mut self, origin: Origin) -> Option<(Fault, Time)> {
        let note = self.peek().filter(|note| note.topic == Topic::Fault)?;
        let fault: FaultNote = serde_json::from_slice(&note.bytes).ok()?;
        (fault.origin == origin).then_some((fault.fault, note.time))
    }
}
