//! A conversation with a Brick Daemon: requests and their answers, callbacks, devices, authentication.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::time::Duration;

use engine::{Clock, Fault};
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use thiserror::Error;

use super::packet::{Reply, Request, Uid};
use super::wire::Wire;

const GET_NONCE: u8 = 1;
const AUTHENTICATE: u8 = 2;
const ENUMERATE_CALLBACK: u8 = 253;
const ENUMERATE: u8 = 254;
const DISCONNECTED: u8 = 2;
/// Devices answer an enumeration one after the other; this long after the last one there are no more.
const QUIET: Duration = Duration::from_millis(250);
/// Callbacks that nobody has asked for are forgotten, the oldest first.
const CALLBACKS_KEPT: usize = 256;

/// Why something was not done.
#[derive(Debug, Error)]
pub enum CallError {
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
    /// What came is not a packet.
    #[error("the daemon sent a packet of {0} bytes, which is impossible")]
    Garbled(u8),
    /// Nobody answered: the device is unplugged, or the daemon wants a secret.
    #[error("{uid} did not answer within {after:?}")]
    Silent {
        /// Whom we asked.
        uid: Uid,
        /// How long we waited.
        after: Duration,
    },
    /// The device answered with an error.
    #[error("{uid} refused function {function}: {why}")]
    Refused {
        /// Who.
        uid: Uid,
        /// What.
        function: u8,
        /// Its reason.
        why: &'static str,
    },
    /// The daemon closed the connection at our proof.
    #[error("the daemon refused the secret")]
    WrongSecret,
    /// Hardware that should be there is not.
    #[error("{wanted}; the daemon has {found}")]
    Missing {
        /// What should be there.
        wanted: String,
        /// What is there, for a person to compare.
        found: String,
    },
}

impl CallError {
    /// As the engine knows it.
    pub fn to_fault(&self) -> Fault {
        let part = "relays".to_owned();
        match self {
            Self::Silent { after, .. } => Fault::Silent { part, after: *after },
            Self::Refused { .. } | Self::WrongSecret => Fault::Refused { part, why: self.to_string() },
            Self::Io(_) | Self::Garbled(_) | Self::Missing { .. } => {
                Fault::Lost { part, why: self.to_string() }
            }
        }
    }
}

/// A device that the daemon knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub uid: Uid,
    /// The device it hangs on, and where: a port from a to d, or a place in the stack.
    pub parent: String,
    pub position: char,
    /// What it is: 225 an Industrial Quad Relay, 2102 its second version.
    pub kind: u16,
}

/// An open conversation.
#[derive(Debug)]
pub struct Connection<W, C> {
    wire: W,
    clock: C,
    /// How long an answer may take.
    patience: Duration,
    sequence: u8,
    incoming: Vec<u8>,
    callbacks: VecDeque<Reply>,
}

impl<W: Wire, C: Clock> Connection<W, C> {
    /// Begins to talk.
    pub fn new(wire: W, clock: C, patience: Duration) -> Self {
        Self { wire, clock, patience, sequence: 0, incoming: Vec::new(), callbacks: VecDeque::new() }
    }

    /// Asks one thing.
    pub fn call(&mut self, uid: Uid, function: u8, payload: &[u8]) -> Result<Vec<u8>, CallError> {
        let answers = self.call_all(&[Request { uid, function, payload: payload.to_vec() }])?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// Asks several things at once: all requests leave back to back before the first answer is awaited.
    pub fn call_all(&mut self, requests: &[Request]) -> Result<Vec<Vec<u8>>, CallError> {
        let mut bytes = Vec::new();
        let mut sequences = Vec::new();
        for request in requests {
            let sequence = self.next_sequence();
            bytes.extend(request.bytes(sequence));
            sequences.push(sequence);
        }
        self.wire.send(&bytes)?;
        let until = self.clock.now() + self.patience;
        let answer = |(request, sequence): (&Request, u8)| {
            loop {
                let Some(reply) = self.next_reply(until)? else {
                    return Err(CallError::Silent { uid: request.uid, after: self.patience });
                };
                // What does not fit is the late answer to a request that was given up.
                if (reply.uid, reply.function, reply.sequence) == (request.uid, request.function, sequence) {
                    return checked(reply);
                }
            }
        };
        requests.iter().zip(sequences).map(answer).collect()
    }

    /// The next callback of this device and function, among those that came and those that come in time.
    pub fn callback(
        &mut self,
        uid: Uid,
        function: u8,
        until: engine::Time,
    ) -> Result<Option<Vec<u8>>, CallError> {
        loop {
            let wanted = |reply: &Reply| reply.uid == uid && reply.function == function;
            if let Some(place) = self.callbacks.iter().position(wanted) {
                return Ok(self.callbacks.remove(place).map(|reply| reply.payload));
            }
            let before = self.callbacks.len();
            if let Some(reply) = self.next_packet(until)? {
                self.keep(reply);
            }
            if self.callbacks.len() == before && self.clock.now() >= until {
                return Ok(None);
            }
        }
    }

    /// Asks who is there; ends early when all `wanted` have answered.
    pub fn enumerate(&mut self, wanted: &[Uid]) -> Result<Vec<Device>, CallError> {
        self.callbacks.retain(|reply| reply.function != ENUMERATE_CALLBACK);
        let sequence = self.next_sequence();
        let request = Request { uid: Uid::BROADCAST, function: ENUMERATE, payload: Vec::new() };
        self.wire.send(&request.bytes_without_answer(sequence))?;
        let mut devices = BTreeMap::new();
        let end = self.clock.now() + self.patience.max(QUIET);
        loop {
            let quiet = (self.clock.now() + QUIET).min(end);
            let Some(reply) = self.next_packet(quiet)? else { break };
            match device(&reply) {
                Some((device, DISCONNECTED)) => {
                    devices.remove(&device.uid);
                }
                Some((device, _)) => {
                    devices.insert(device.uid, device);
                }
                None => self.keep(reply),
            }
            if !wanted.is_empty() && wanted.iter().all(|uid| devices.contains_key(uid)) {
                break;
            }
        }
        Ok(devices.into_values().collect())
    }

    /// Proves that we know the secret; `nonce` is a number nobody can foresee.
    pub fn authenticate(&mut self, secret: &str, nonce: [u8; 4]) -> Result<(), CallError> {
        // A daemon that does not like the proof hangs up without a word, or says nothing.
        let refused = |error| match error {
            CallError::Io(_) | CallError::Silent { .. } => CallError::WrongSecret,
            other => other,
        };
        let challenge = self.call(Uid::DAEMON, GET_NONCE, &[]).map_err(refused)?;
        let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).map_err(|_| CallError::WrongSecret)?;
        mac.update(&challenge);
        mac.update(&nonce);
        let proof = [nonce.as_slice(), mac.finalize().as_bytes()].concat();
        self.call(Uid::DAEMON, AUTHENTICATE, &proof).map_err(refused)?;
        Ok(())
    }

    /// The next answer; callbacks that come before it are kept.
    fn next_reply(&mut self, until: engine::Time) -> Result<Option<Reply>, CallError> {
        loop {
            match self.next_packet(until)? {
                Some(reply) if reply.sequence == 0 => self.keep(reply),
                other => return Ok(other),
            }
        }
    }

    fn next_packet(&mut self, until: engine::Time) -> Result<Option<Reply>, CallError> {
        loop {
            if let Some(reply) = Reply::take(&mut self.incoming).map_err(CallError::Garbled)? {
                return Ok(Some(reply));
            }
            if !self.wire.receive(&mut self.incoming, until)? && self.clock.now() >= until {
                return Ok(None);
            }
        }
    }

    fn keep(&mut self, reply: Reply) {
        if self.callbacks.len() == CALLBACKS_KEPT {
            self.callbacks.pop_front();
        }
        self.callbacks.push_back(reply);
    }

    fn next_sequence(&mut self) -> u8 {
        self.sequence = self.sequence % 15 + 1;
        self.sequence
    }
}

fn checked(reply: Reply) -> Result<Vec<u8>, CallError> {
    let why = match reply.error {
        0 => return Ok(reply.payload),
        1 => "invalid parameter",
        2 => "function not supported",
        _ => "unknown error",
    };
    Err(CallError::Refused { uid: reply.uid, function: reply.function, why })
}

/// Reads an enumerate callback: the device and whether it came, is there, or went.
fn device(reply: &Reply) -> Option<(Device, u8)> {
    if reply.function != ENUMERATE_CALLBACK || reply.sequence != 0 {
        return None;
    }
    let payload: &[u8; 26] = reply.payload.as_slice().try_into().ok()?;
    let text = |field: &[u8]| -> String {
        field.iter().take_while(|letter| **letter != 0).map(|letter| char::from(*letter)).collect()
    };
    let device = Device {
        uid: reply.uid,
        parent: text(&payload[8..16]),
        position: char::from(payload[16]),
        kind: u16::from_le_bytes([payload[23], payload[24]]),
    };
    Some((device, payload[25]))
}
