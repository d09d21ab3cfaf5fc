//! The daemon: clients, their packets, and who gets which answer.

use std::collections::BTreeMap;

use engine::Time;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::authentication::{Authentication, Ruling};
use super::packet::{Request, Uid};
use super::stack::{Enumeration, Stack};

const DISCONNECT_PROBE: u8 = 128;
const ENUMERATE: u8 = 254;

/// One of the daemon's clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(u64);

/// What the daemon keeps for a client.
#[derive(Clone, Debug, Default)]
struct Client {
    /// Bytes of a packet that is not complete yet.
    begun: Vec<u8>,
    /// Bytes for it that nobody has fetched yet.
    output: Vec<u8>,
    authentication: Authentication,
}

/// A daemon with a stack: bytes in, bytes out, at given times.
#[derive(Clone, Debug)]
pub struct Daemon {
    stack: Stack,
    secret: Option<String>,
    clients: BTreeMap<ClientId, Client>,
    next_client: u64,
    dice: Xoshiro256PlusPlus,
}

impl Daemon {
    /// A daemon on this hardware; with a secret, clients must prove that they know it.
    pub fn new(stack: Stack, secret: Option<String>, seed: u64) -> Self {
        Self {
            stack,
            secret,
            clients: BTreeMap::new(),
            next_client: 0,
            dice: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The hardware below.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// What the relays did since the last call.
    pub fn take_edges(&mut self) -> Vec<super::RelayEdge> {
        self.stack.take_edges()
    }

    /// Lets a client in.
    pub fn connect(&mut self) -> ClientId {
        let id = ClientId(self.next_client);
        self.next_client += 1;
        self.clients.insert(id, Client::default());
        id
    }

    /// A client has left.
    pub fn disconnect(&mut self, id: ClientId) {
        self.clients.remove(&id);
    }

    /// Whether the daemon still listens to this client; it hangs up on those that break the rules.
    pub fn is_open(&self, id: ClientId) -> bool {
        self.clients.contains_key(&id)
    }

    /// How many clients there are.
    pub fn clients(&self) -> usize {
        self.clients.len()
    }

    /// All clients.
    pub fn client_ids(&self) -> Vec<ClientId> {
        self.clients.keys().copied().collect()
    }

    /// Takes bytes from a client, however they are cut.
    pub fn receive(&mut self, id: ClientId, now: Time, bytes: &[u8]) {
        self.advance(now);
        let Some(client) = self.clients.get_mut(&id) else { return };
        let mut buffer = std::mem::take(&mut client.begun);
        buffer.extend(bytes);
        let mut rest = buffer.as_slice();
        loop {
            match Request::parse(rest) {
                Ok(Some((request, length))) => {
                    self.handle(id, now, &request);
                    rest = &rest[length..];
                }
                Ok(None) => break,
                Err(why) => self.hang_up(id, &why.to_string()),
            }
            if !self.is_open(id) {
                return;
            }
        }
        if let Some(client) = self.clients.get_mut(&id) {
            client.begun = rest.to_vec();
        }
    }

    /// Bytes for this client.
    pub fn take_output(&mut self, id: ClientId) -> Vec<u8> {
        self.clients.get_mut(&id).map(|client| std::mem::take(&mut client.output)).unwrap_or_default()
    }

    /// When something happens by itself.
    pub fn next_event(&self) -> Option<Time> {
        self.stack.next_event()
    }

    /// Lets time pass.
    pub fn advance(&mut self, to: Time) {
        let callbacks = self.stack.advance(to);
        self.broadcast(&callbacks);
    }

    /// Pulls or plugs the stack's USB cable; clients are told.
    pub fn set_plugged(&mut self, plugged: bool, now: Time) {
        self.advance(now);
        if self.stack.is_plugged() == plugged {
            return;
        }
        self.stack.set_plugged(plugged, now);
        let kind = if plugged { Enumeration::Connected } else { Enumeration::Disconnected };
        let callbacks = self.stack.enumerate(kind);
        self.broadcast(&callbacks);
    }

    /// Hangs up on everyone, as a daemon that is started again does.
    pub fn drop_clients(&mut self) {
        self.clients.clear();
    }

    fn handle(&mut self, id: ClientId, now: Time, request: &Request<'_>) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if request.function == DISCONNECT_PROBE && request.uid == Uid::BROADCAST {
            return;
        }
        if request.uid == Uid::DAEMON {
            let nonce = self.dice.random::<u32>().to_le_bytes();
            match client.authentication.handle(request, self.secret.as_deref(), nonce) {
                Ruling::Answer(answer) if request.expects_answer() => {
                    client.output.extend(request.answer(answer.as_deref().map_err(|code| *code)));
                }
                Ruling::Answer(_) => {}
                Ruling::HangUp(why) => self.hang_up(id, why),
            }
            return;
        }
        if !client.authentication.admits(self.secret.as_deref()) {
            tracing::debug!(?id, "dropped a request of a client that has not authenticated");
            return;
        }
        if request.uid == Uid::BROADCAST {
            if request.function == ENUMERATE && self.stack.is_plugged() {
                let callbacks = self.stack.enumerate(Enumeration::Available);
                self.broadcast(&callbacks);
            }
            return;
        }
        // A request to a device that is not there is never answered.
        let Some(called) = self.stack.call(request, now) else { return };
        if request.expects_answer() {
            client.output.extend(request.answer(called.answer.as_deref().map_err(|code| *code)));
        }
        self.broadcast(&called.callbacks);
        // A timer without time runs out with the very request that set it.
        self.advance(now);
    }

    fn broadcast(&mut self, packets: &[Vec<u8>]) {
        for client in self.clients.values_mut() {
            if client.authentication.admits(self.secret.as_deref()) {
                client.output.extend(packets.iter().flatten());
            }
        }
    }

    fn hang_up(&mut self, id: ClientId, why: &str) {
        tracing::warn!(client = id.0, why, "hung up on a client");
        self.clients.remove(&id);
    }
}
