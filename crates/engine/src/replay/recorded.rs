//! The body of a replay: sees the recorded frames and fails where the recorded body failed.

use std::marker::PhantomData;

use serde::Serialize;

use super::{SharedReplay, Tape};
use crate::body::{BodyPace, Eye, EyePace, Hand, Latency, Progress};
use crate::clock::{Clock, SimulatedClock, Time};
use crate::fault::Fault;
use crate::focus::Focus;
use crate::mapping::Mapping;
use crate::notes::{FaultNote, Origin, Topic};
use crate::picture::Frame;

/// Sees the recorded frames again, at their recorded times.
#[derive(Debug)]
pub struct RecordedEye<R> {
    pub(super) replay: SharedReplay<R>,
    pub(super) clock: SimulatedClock,
    pub(super) pace: BodyPace,
    pub(super) frame: Frame,
    pub(super) looks: u64,
}

impl<R: std::io::Read> Eye for RecordedEye<R> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        let mut replay = self.replay.borrow_mut();
        if let Some((fault, time)) = replay.tape.next_fault(Origin::Eye) {
            self.clock.sleep_until(time);
            return Err(fault);
        }
        // Anything but a frame here is a difference, which the comparison notices
        // when the engine hands it this same frame.
        if let Some(note) = replay.tape.peek()
            && note.topic == Topic::Frame
        {
            self.clock.sleep_until(note.time);
            self.frame.captured = note.time;
            self.frame.sequence = self.looks;
            self.looks += 1;
            (self.frame.picture, self.frame.origin) = note
                .picture()
                .map_err(|why| Fault::Refused { part: "recording".to_owned(), why: why.to_string() })?;
        }
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: self.pace.frame_period, latency: self.pace.shown_to_captured }
    }
}

/// Does nothing, except fail where the recorded hand failed.
#[derive(Debug)]
pub struct RecordedHand<R, A> {
    pub(super) replay: SharedReplay<R>,
    pub(super) clock: SimulatedClock,
    pub(super) pace: BodyPace,
    pub(super) action: PhantomData<A>,
}

impl<R: std::io::Read, A> RecordedHand<R, A> {
    fn act(&self) -> Result<(), Fault> {
        let fault = self.replay.borrow_mut().tape.next_fault(Origin::Hand);
        let Some((fault, time)) = fault else { return Ok(()) };
        self.clock.sleep_until(time);
        Err(fault)
    }
}

impl<R: std::io::Read, A: Serialize> Hand for RecordedHand<R, A> {
    type Action = A;

    fn begin(&mut self, _action: &A, _mapping: &Mapping) -> Result<(), Fault> {
        self.act()
    }

    /// The action ends when the tape says so.
    fn wait(&mut self, _action: &A, until: Time) -> Result<Progress, Fault> {
        self.act()?;
        let mut replay = self.replay.borrow_mut();
        match replay.tape.peek() {
            Some(note) if note.topic == Topic::Command => {
                self.clock.sleep_until(note.time);
                Ok(Progress::Done)
            }
            // The run was ended here, or something is different: time runs out.
            _ => {
                self.clock.sleep_until(until);
                Ok(Progress::Underway)
            }
        }
    }

    fn end(&mut self, _action: &A) -> Result<(), Fault> {
        self.act()
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn keeps_time(&self) -> bool {
        self.pace.hand_keeps_time
    }

    fn latency(&self) -> Latency {
        self.pace.commanded_to_done
    }
}

impl<R: std::io::Read> Tape<R> {
    /// The fault that happened next in this part of the body and when, left on the tape.
    fn next_fault(&mut self, origin: Origin) -> Option<(Fault, Time)> {
        let note = self.peek().filter(|note| note.topic == Topic::Fault)?;
        let fault: FaultNote = serde_json::from_slice(&note.bytes).ok()?;
        (fault.origin == origin).then_some((fault.fault, note.time))
    }

    /// What the recorded body declared of its times; recordings of earlier versions do not say.
    pub(super) fn body_pace(&mut self) -> BodyPace {
        let note = self.peek().filter(|note| note.topic == Topic::Body);
        note.and_then(|note| serde_json::from_slice(&note.bytes).ok()).unwrap_or_default()
    }
}
