//! The conversation with a hub: who it is, uploading, starting and stopping programs, and what it says unasked.

use std::collections::VecDeque;
use std::time::Duration;

use engine::{Clock, Time};
use thiserror::Error;

use super::crc;
use super::frame::{self, FrameReader};
use super::message::{Answer, Flow, Identity, Message};
use super::sensors::Reading;
use super::transport::Transport;

/// How long a hub may take to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
/// How often it is asked who it is before it counts as silent: the first frame may meet the tail of an older one.
const GREETINGS: u32 = 3;
/// Bytes read at once.
const READ_SIZE: usize = 512;
/// What a file must be called for the hub to run it.
const PROGRAM_NAME: &str = "program.py";
/// Unasked messages that are kept for whoever asks late.
const EVENTS_KEPT: usize = 1000;

/// What a hub says unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HubEvent {
    /// A program printed this.
    Console(String),
    /// A program sent this.
    Tunnel(Vec<u8>),
    /// A program has started or stopped.
    Program(Flow),
    /// What battery, motors and sensors say.
    Report(Vec<Reading>),
}

/// What went wrong with a hub.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HubError {
    /// The line is gone: unplugged, switched off, out of reach.
    #[error("the hub on {name} is gone: {why}")]
    Lost {
        /// Where it was.
        name: String,
        /// What the system said.
        why: String,
    },
    /// No answer in time.
    #[error("the hub did not answer {question} within {after:?}")]
    Silent {
        /// What it was asked.
        question: &'static str,
        /// How long we waited.
        after: Duration,
    },
    /// It refused.
    #[error("the hub refused {request}")]
    Refused {
        /// What it was asked to do.
        request: &'static str,
    },
    /// It is a hub, but not one with hub OS 3.
    #[error("product {0} is not a SPIKE Prime hub")]
    Stranger(u16),
    /// Bytes for a program that has not said it listens: they would crash the hub (spike-prime-docs, issue 8).
    #[error("no program on the hub is listening")]
    NobodyListens,
}

/// A hub at the other end of a line.
#[derive(Debug)]
pub struct Link<T, C> {
    transport: T,
    clock: C,
    reader: FrameReader,
    /// Messages that came in one piece with the one that was waited for.
    pending: VecDeque<Message>,
    events: VecDeque<HubEvent>,
    identity: Option<Identity>,
    battery: Option<u8>,
    /// The program said something through the tunnel since it started: it listens.
    listening: bool,
    damaged: u64,
}

impl<T: Transport, C: Clock> Link<T, C> {
    /// A line that is not open yet.
    pub fn new(transport: T, clock: C) -> Self {
        Self {
            transport,
            clock,
            reader: FrameReader::default(),
            pending: VecDeque::new(),
            events: VecDeque::new(),
            identity: None,
            battery: None,
            listening: false,
            damaged: 0,
        }
    }

    /// Opens the line and asks who is there; again after a line that broke.
    pub fn connect(&mut self, report_every: Duration) -> Result<Identity, HubError> {
        self.transport.open().map_err(|error| self.lost(&error))?;
        self.reader.clear();
        self.pending.clear();
        self.events.clear();
        self.listening = false;
        let identity = self.greet()?;
        if identity.product != 0 {
            return Err(HubError::Stranger(identity.product));
        }
        self.identity = Some(identity);
        let interval_ms = u16::try_from(report_every.as_millis()).unwrap_or(u16::MAX);
        self.ask("for reports", &Message::ReportEvery { interval_ms }, |message| match message {
            Message::ReportAnswer(answer) => Some(*answer),
            _ => None,
        })?;
        Ok(identity)
    }

    /// Puts a program into a slot, in place of what was there.
    pub fn upload(&mut self, slot: u8, program: &[u8]) -> Result<(), HubError> {
        // An empty slot says no: that is as good as cleared.
        let cleared = self.ask("to clear a slot", &Message::ClearSlot { slot }, |message| match message {
            Message::SlotCleared(answer) => Some(*answer),
            _ => None,
        });
        if !matches!(cleared, Ok(()) | Err(HubError::Refused { .. })) {
            return cleared;
        }
        let begin = Message::BeginFile { name: PROGRAM_NAME.into(), slot, checksum: crc::checksum(program) };
        self.ask("to take a program", &begin, |message| match message {
            Message::FileBegun(answer) => Some(*answer),
            _ => None,
        })?;
        let mut checksum = 0;
        for chunk in program.chunks(self.chunk_size()) {
            checksum = crc::running(checksum, chunk);
            let chunk = Message::Chunk { checksum, bytes: chunk.to_vec() };
            self.ask("to take a piece of a program", &chunk, |message| match message {
                Message::ChunkTaken(answer) => Some(*answer),
                _ => None,
            })?;
        }
        Ok(())
    }

    /// Starts the program in a slot. What an earlier one has said is forgotten.
    pub fn start(&mut self, slot: u8) -> Result<(), HubError> {
        self.listening = false;
        self.events.clear();
        self.flow("to start a program", Flow::Start, slot)
    }

    /// Stops the program in a slot.
    pub fn stop(&mut self, slot: u8) -> Result<(), HubError> {
        self.listening = false;
        self.flow("to stop a program", Flow::Stop, slot)
    }

    /// Sends bytes to the running program, once it has said something through the tunnel itself.
    pub fn tunnel(&mut self, bytes: &[u8]) -> Result<(), HubError> {
        if !self.listening {
            return Err(HubError::NobodyListens);
        }
        self.send(&Message::Tunnel(bytes.to_vec()))
    }

    /// The next thing the hub says unasked, or nothing by that moment.
    pub fn next_event(&mut self, until: Time) -> Result<Option<HubEvent>, HubError> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            match self.next_message(until)? {
                Some(message) => self.sort(message),
                None => return Ok(None),
            }
        }
    }

    /// Who it said it is.
    pub fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Its battery when it last told, in percent.
    pub fn battery(&self) -> Option<u8> {
        self.battery
    }

    /// Frames and messages that could not be read since the beginning.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    fn greet(&mut self) -> Result<Identity, HubError> {
        for _ in 0..GREETINGS {
            self.send(&Message::WhoAreYou)?;
            let found = self.wait_for(ANSWER_WITHIN, |message| match message {
                Message::IAm(identity) => Some(*identity),
                _ => None,
            })?;
            if let Some(identity) = found {
                return Ok(identity);
            }
        }
        Err(HubError::Silent { question: "who it is", after: ANSWER_WITHIN * GREETINGS })
    }

    fn flow(&mut self, request: &'static str, flow: Flow, slot: u8) -> Result<(), HubError> {
        self.ask(request, &Message::Program { flow, slot }, |message| match message {
            Message::ProgramAnswer(answer) => Some(*answer),
            _ => None,
        })
    }

    fn ask(
        &mut self,
        request: &'static str,
        message: &Message,
        answer: impl Fn(&Message) -> Option<Answer>,
    ) -> Result<(), HubError> {
        self.send(message)?;
        match self.wait_for(ANSWER_WITHIN, answer)? {
            Some(Answer::Yes) => Ok(()),
            Some(Answer::No) => Err(HubError::Refused { request }),
            None => Err(HubError::Silent { question: request, after: ANSWER_WITHIN }),
        }
    }

    /// Waits for the one message that `wanted` knows; everything else is kept in its order.
    fn wait_for<A>(
        &mut self,
        within: Duration,
        wanted: impl Fn(&Message) -> Option<A>,
    ) -> Result<Option<A>, HubError> {
        let deadline = self.clock.now() + within;
        while let Some(message) = self.next_message(deadline)? {
            match wanted(&message) {
                Some(found) => return Ok(Some(found)),
                None => self.sort(message),
            }
        }
        Ok(None)
    }

    fn send(&mut self, message: &Message) -> Result<(), HubError> {
        tracing::trace!(?message, "to the hub");
        let frame = frame::wrap(&message.to_bytes());
        let packet = self.identity.map_or(frame.len(), |identity| usize::from(identity.largest_packet));
        for packet in frame.chunks(packet.max(1)) {
            self.transport.send(packet).map_err(|error| self.lost(&error))?;
        }
        Ok(())
    }

    fn next_message(&mut self, until: Time) -> Result<Option<Message>, HubError> {
        let mut buffer = [0; READ_SIZE];
        loop {
            if let Some(message) = self.pending.pop_front() {
                return Ok(Some(message));
            }
            let count = self.transport.receive(&mut buffer, until).map_err(|error| self.lost(&error))?;
            for &byte in &buffer[..count] {
                match self.reader.take(byte) {
                    None => {}
                    Some(Ok(bytes)) => match Message::from_bytes(&bytes) {
                        Ok(message) => self.pending.push_back(message),
                        Err(problem) => self.note_damage(&problem),
                    },
                    Some(Err(problem)) => self.note_damage(&problem),
                }
            }
            // Asking for the time as well: a line that never pauses never lets a wait end.
            if self.pending.is_empty() && self.clock.now() >= until {
                return Ok(None);
            }
        }
    }

    fn note_damage(&mut self, problem: &dyn std::error::Error) {
        self.damaged += 1;
        tracing::debug!(%problem, "unreadable bytes from the hub");
    }

    /// Keeps what the hub says unasked; an answer that came too late is dropped.
    fn sort(&mut self, message: Message) {
        tracing::trace!(?message, "from the hub");
        let event = match message {
            Message::Console(text) => HubEvent::Console(text),
            Message::Tunnel(bytes) => {
                self.listening = true;
                HubEvent::Tunnel(bytes)
            }
            Message::ProgramChanged(flow) => {
                self.listening = false;
                HubEvent::Program(flow)
            }
            Message::Report(readings) => {
                let battery = readings.iter().find_map(|reading| match reading {
                    Reading::Battery { percent } => Some(*percent),
                    _ => None,
                });
                self.battery = battery.or(self.battery);
                HubEvent::Report(readings)
            }
            _ => return,
        };
        if self.events.len() == EVENTS_KEPT {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// As much as the hub takes at once, in whole words, or the running checksum would not fit.
    fn chunk_size(&self) -> usize {
        let largest = self.identity.map_or(0, |identity| usize::from(identity.largest_chunk));
        (largest / crc::WORD * crc::WORD).max(crc::WORD)
    }

    fn lost(&self, error: &std::io::Error) -> HubError {
        HubError::Lost { name: self.transport.name(), why: error.to_string() }
    }
}
