//! The robot behind our own program on the hub: orders, their ends, and what can go wrong on the way.

use std::time::Duration;

use engine::{Clock, Time};
use thiserror::Error;

use super::link::{HubError, HubEvent, Link};
use super::message::Flow;
use super::order::{Geometry, Order, Outcome, PROTOCOL};
use super::program::REMOTE_BODY;
use super::transport::Transport;
use super::tunnel::Packet;

/// The number of packets that nobody asked for.
const UNASKED: u8 = 0;

/// States of an order, from the hub.
mod state {
    pub(super) const BEGUN: u8 = 1;
    pub(super) const DONE: u8 = 2;
    pub(super) const FAILED: u8 = 3;
    pub(super) const READY: u8 = 4;
}

/// How the arm is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmSettings {
    /// The hub's memory slot for our program.
    pub slot: u8,
    /// Where things are plugged in and how far they turn.
    pub geometry: Geometry,
    /// How long an uploaded program may take until it is ready.
    pub ready_within: Duration,
    /// How long until an order is repeated; well below the hub's watchdog.
    pub repeat_after: Duration,
    /// How long the hub may say nothing at all while an order is under way.
    pub silent_after: Duration,
    /// How often battery, motors and sensors are reported.
    pub report_every: Duration,
}

impl Default for ArmSettings {
    fn default() -> Self {
        Self {
            slot: 0,
            geometry: Geometry::default(),
            ready_within: Duration::from_secs(10),
            repeat_after: Duration::from_millis(700),
            silent_after: Duration::from_secs(4),
            report_every: Duration::from_secs(5),
        }
    }
}

/// Why an order failed on the robot; the hub itself works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A motor was blocked.
    Stalled,
    /// Nothing is plugged in where a motor or sensor should be.
    Unplugged,
    /// The stop on the right was not found.
    NoStop,
    /// Another order stopped it.
    Stopped,
    /// The computer was silent for too long, so the hub stopped the motors.
    Watchdog,
    /// The program did not understand.
    Misunderstood,
    /// A code of a later program.
    Other(u8),
}

impl Failure {
    const fn from_code(code: u8) -> Self {
        match code {
            1 => Self::Stalled,
            2 => Self::Unplugged,
            3 => Self::NoStop,
            4 => Self::Stopped,
            5 => Self::Watchdog,
            6 => Self::Misunderstood,
            other => Self::Other(other),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stalled => f.write_str("a motor is blocked"),
            Self::Unplugged => f.write_str("a motor or sensor is not plugged in"),
            Self::NoStop => f.write_str("the stop on the right was not found"),
            Self::Stopped => f.write_str("it was stopped"),
            Self::Watchdog => f.write_str("the hub heard nothing for too long and stopped the motors"),
            Self::Misunderstood => f.write_str("the program on the hub did not understand"),
            Self::Other(code) => write!(f, "code {code}"),
        }
    }
}

/// What went wrong with the arm.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArmError {
    /// The hub or the line to it.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The robot could not do it; the hub works.
    #[error("{order}: {failure}")]
    Failed {
        /// Which order.
        order: &'static str,
        /// Why.
        failure: Failure,
    },
    /// The program on the hub is there no more.
    #[error("the program on the hub ended{}", if .last_words.is_empty() { String::new() } else { format!(": {}", .last_words) })]
    ProgramEnded {
        /// What it printed last.
        last_words: String,
    },
    /// Another version of the program.
    #[error("the program on the hub speaks version {0} of our protocol; this one speaks {PROTOCOL}")]
    OtherProtocol(u8),
}

impl ArmError {
    /// Whether the hub must be connected to again before anything else works.
    pub fn is_lost(&self) -> bool {
        !matches!(self, Self::Failed { .. })
    }
}

/// A robot arm behind a hub.
#[derive(Debug)]
pub struct Arm<T, C> {
    link: Link<T, C>,
    clock: C,
    settings: ArmSettings,
    number: u8,
    underway: Option<Underway>,
    last_words: String,
    ended: bool,
}

/// An order whose end is awaited.
#[derive(Clone, Copy, Debug)]
struct Underway {
    number: u8,
    order: Order,
    repeat_at: Time,
    heard: Time,
}

impl<T: Transport, C: Clock> Arm<T, C> {
    /// An arm that is not connected yet.
    pub fn new(transport: T, clock: C, settings: ArmSettings) -> Self {
        let link = Link::new(transport, clock.clone());
        Self {
            link,
            clock,
            settings,
            number: UNASKED,
            underway: None,
            last_words: String::new(),
            ended: false,
        }
    }

    /// Connects, uploads our program, starts it and tells it the geometry. Works from any state: first use, after an
    /// unplugged cable, after a hub that restarted.
    pub fn connect(&mut self) -> Result<(), ArmError> {
        self.underway = None;
        self.ended = false;
        self.last_words.clear();
        let slot = self.settings.slot;
        self.link.connect(self.settings.report_every)?;
        match self.link.stop(slot) {
            // Nothing was running.
            Ok(()) | Err(HubError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        self.link.upload(slot, REMOTE_BODY.as_bytes())?;
        self.link.start(slot)?;
        self.await_ready()?;
        for order in self.settings.geometry.orders() {
            self.carry_out(order)?;
        }
        Ok(())
    }

    /// Gives an order; [`Arm::poll`] tells its end. An order under way is forgotten, only [`Order::Stop`] ends it.
    pub fn begin(&mut self, order: Order) -> Result<(), ArmError> {
        self.number = if self.number == u8::MAX { UNASKED + 1 } else { self.number + 1 };
        let now = self.clock.now();
        self.underway = Some(Underway { number: self.number, order, repeat_at: now, heard: now });
        self.repeat()
    }

    /// Listens until a moment; what came of the order under way, or nothing if it goes on (or there is none).
    pub fn poll(&mut self, until: Time) -> Result<Option<Outcome>, ArmError> {
        loop {
            let Some(Underway { repeat_at, heard, .. }) = self.underway else { return Ok(None) };
            let silent_at = heard + self.settings.silent_after;
            if let Some(event) = self.link.next_event(until.min(repeat_at).min(silent_at))? {
                if let Some(outcome) = self.hear(event)? {
                    return Ok(Some(outcome));
                }
                if self.ended {
                    return Err(ArmError::ProgramEnded { last_words: std::mem::take(&mut self.last_words) });
                }
                // What has come is heard before anything counts as missing.
                continue;
            }
            let now = self.clock.now();
            if now >= silent_at {
                self.underway = None;
                let after = self.settings.silent_after;
                return Err(HubError::Silent { question: "an order", after }.into());
            }
            if now >= repeat_at {
                self.repeat()?;
            }
            if now >= until {
                return Ok(None);
            }
        }
    }

    /// Gives an order and waits for its end.
    pub fn carry_out(&mut self, order: Order) -> Result<Outcome, ArmError> {
        self.begin(order)?;
        loop {
            let until = self.clock.now() + self.settings.repeat_after;
            if let Some(outcome) = self.poll(until)? {
                return Ok(outcome);
            }
        }
    }

    /// The hub's battery when it last told, in percent.
    pub fn battery(&self) -> Option<u8> {
        self.link.battery()
    }

    /// Stops our program; the hub is as it was before.
    pub fn disconnect(&mut self) -> Result<(), ArmError> {
        self.underway = None;
        Ok(self.link.stop(self.settings.slot)?)
    }

    fn await_ready(&mut self) -> Result<(), ArmError> {
        let deadline = self.clock.now() + self.settings.ready_within;
        while let Some(event) = self.link.next_event(deadline)? {
            match event {
                HubEvent::Tunnel(bytes) => {
                    if let Ok(Packet { number: UNASKED, code: state::READY, body }) =
                        Packet::from_bytes(&bytes)
                    {
                        return match body.first() {
                            Some(&PROTOCOL) => Ok(()),
                            version => Err(ArmError::OtherProtocol(version.copied().unwrap_or(0))),
                        };
                    }
                }
                HubEvent::Program(Flow::Stop) => {
                    return Err(ArmError::ProgramEnded { last_words: std::mem::take(&mut self.last_words) });
                }
                HubEvent::Console(text) => self.note_console(&text),
                HubEvent::Program(Flow::Start) | HubEvent::Report(_) => {}
            }
        }
        Err(HubError::Silent { question: "whether its program is ready", after: self.settings.ready_within }
            .into())
    }

    fn repeat(&mut self) -> Result<(), ArmError> {
        let Some(underway) = &mut self.underway else { return Ok(()) };
        underway.repeat_at = self.clock.now() + self.settings.repeat_after;
        let (code, body) = underway.order.to_code();
        let packet = Packet { number: underway.number, code, body };
        Ok(self.link.tunnel(&packet.to_bytes())?)
    }

    /// Takes in what the hub says; the outcome of the order under way if it is that.
    fn hear(&mut self, event: HubEvent) -> Result<Option<Outcome>, ArmError> {
        match event {
            HubEvent::Tunnel(bytes) => match Packet::from_bytes(&bytes) {
                Ok(packet) => return self.hear_packet(&packet),
                Err(problem) => tracing::debug!(%problem, "from the hub's program"),
            },
            HubEvent::Console(text) => self.note_console(&text),
            HubEvent::Program(Flow::Stop) => self.ended = true,
            HubEvent::Program(Flow::Start) | HubEvent::Report(_) => {}
        }
        Ok(None)
    }

    fn hear_packet(&mut self, packet: &Packet) -> Result<Option<Outcome>, ArmError> {
        let now = self.clock.now();
        let Some(underway) = self.underway.as_mut().filter(|underway| underway.number == packet.number)
        else {
            return Ok(None); // The end of an order that was given up.
        };
        underway.heard = now;
        let order = underway.order;
        match packet.code {
            state::BEGUN => Ok(None),
            state::DONE => {
                self.underway = None;
                let outcome = Outcome::from_values(order, &packet.body);
                let failure = Failure::Misunderstood;
                outcome.map(Some).ok_or(ArmError::Failed { order: order.name(), failure })
            }
            state::FAILED => {
                self.underway = None;
                let failure = Failure::from_code(packet.body.first().copied().unwrap_or(0));
                Err(ArmError::Failed { order: order.name(), failure })
            }
            _ => Ok(None),
        }
    }

    fn note_console(&mut self, text: &str) {
        tracing::info!(text = text.trim_end(), "the hub prints");
        if !text.trim().is_empty() {
            text.trim().clone_into(&mut self.last_words);
        }
    }
}
