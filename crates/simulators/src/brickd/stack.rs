//! The hardware below the daemon: a Master Brick with relay bricklets on its ports.

use engine::Time;
use serde::Serialize;

use super::packet::{self, ErrorCode, Request, Uid};
use super::quad_relay::{self, QuadRelay};
use super::quad_relay_v2::{self, QuadRelayV2};

/// Relays of a bricklet.
pub const RELAYS: usize = 4;
/// Ports of a Master Brick, called a to d.
const PORTS: usize = 4;

const ENUMERATE_CALLBACK: u8 = 253;
const IDENTITY: u8 = 255;
const RESET: u8 = 243;
const MASTER_DEVICE: u16 = 13;

/// Which version of the Industrial Quad Relay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelayKind {
    /// The first, of 2012: masks and groups.
    #[default]
    V1,
    /// 2.0, of 2018: channel by channel.
    V2,
}

/// Which hardware there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackConfig {
    /// The Master Brick.
    pub master: Uid,
    /// The bricklets on ports a, b, c and d; more have no port.
    pub relays: Vec<(Uid, RelayKind)>,
}

impl Default for StackConfig {
    /// The document's own: UIDs of its appendix E.3.
    fn default() -> Self {
        Self {
            master: Uid(3_765_503_281),
            relays: vec![(Uid(70_272), RelayKind::V1), (Uid(70_274), RelayKind::V1)],
        }
    }
}

/// A relay closed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RelayEdge {
    /// When.
    pub at: Time,
    /// Which: 0 to 3 are those of the first bricklet, and so on.
    pub relay: usize,
    /// Whether current flows now.
    pub closed: bool,
}

/// All relays of a stack, and what they did.
#[derive(Clone, Debug)]
pub struct Contacts {
    closed: Vec<bool>,
    edges: Vec<RelayEdge>,
    /// Which places hold a bricklet of the first version: only those form groups.
    first_versions: Vec<bool>,
}

impl Contacts {
    pub fn is_closed(&self, relay: usize) -> bool {
        self.closed.get(relay).copied().unwrap_or(false)
    }

    pub fn set(&mut self, relay: usize, closed: bool, at: Time) {
        if let Some(state) = self.closed.get_mut(relay)
            && *state != closed
        {
            *state = closed;
            self.edges.push(RelayEdge { at, relay, closed });
        }
    }

    /// The place of the bricklet on a port from a to d.
    pub fn place_of_port(port: u8) -> Option<usize> {
        (b'a'..b'a' + PORTS as u8).contains(&port).then(|| usize::from(port - b'a'))
    }

    /// The same, if that bricklet can be in a group.
    pub fn group_place(&self, port: u8) -> Option<usize> {
        Self::place_of_port(port).filter(|place| self.first_versions.get(*place) == Some(&true))
    }
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a stack has two of them")]
enum Bricklet {
    V1(QuadRelay),
    V2(QuadRelayV2),
}

/// The hardware, plugged in or not.
#[derive(Clone, Debug)]
pub struct Stack {
    config: StackConfig,
    bricklets: Vec<Bricklet>,
    contacts: Contacts,
    plugged: bool,
    status_led: bool,
}

/// Kinds of enumerate callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Enumeration {
    /// Somebody asked.
    Available = 0,
    /// It has just been plugged in or reset.
    Connected = 1,
    /// It is gone.
    Disconnected = 2,
}

impl Stack {
    /// A stack with power.
    pub fn new(mut config: StackConfig) -> Self {
        config.relays.truncate(PORTS);
        let contacts = Contacts {
            closed: vec![false; RELAYS * config.relays.len()],
            edges: Vec::new(),
            first_versions: config.relays.iter().map(|(_, kind)| *kind == RelayKind::V1).collect(),
        };
        let bricklets = bricklets(&config);
        Self { config, bricklets, contacts, plugged: true, status_led: true }
    }

    /// Whether the cable is in.
    pub fn is_plugged(&self) -> bool {
        self.plugged
    }

    /// Pulls or plugs the USB cable; without it there is no power, and every relay opens.
    pub fn set_plugged(&mut self, plugged: bool, now: Time) {
        self.plugged = plugged;
        self.power_up(now);
    }

    /// Which relays are closed.
    pub fn closed(&self) -> &[bool] {
        &self.contacts.closed
    }

    /// What the relays did since the last call.
    pub fn take_edges(&mut self) -> Vec<RelayEdge> {
        std::mem::take(&mut self.contacts.edges)
    }

    /// One callback for every device.
    pub fn enumerate(&self, kind: Enumeration) -> Vec<Vec<u8>> {
        (0..=self.bricklets.len()).map(|device| self.enumerate_one(device, kind)).collect()
    }

    /// Carries out a request: the payload of the answer or an error; `None` if there is no such device.
    pub fn call(&mut self, request: &Request<'_>, now: Time) -> Option<Called> {
        if !self.plugged {
            return None;
        }
        let device = (0..=self.bricklets.len()).find(|device| self.uid(*device) == request.uid)?;
        let mut callbacks = Vec::new();
        let answer = match request.function {
            IDENTITY => Ok(self.identity(device)),
            RESET if device == 0 => {
                self.power_up(now);
                callbacks = self.enumerate(Enumeration::Connected);
                Ok(Vec::new())
            }
            function => match device.checked_sub(1).and_then(|place| self.bricklets.get_mut(place)) {
                None => self.master(function, request.payload),
                Some(Bricklet::V1(relay)) => relay.call(function, request.payload, now, &mut self.contacts),
                Some(Bricklet::V2(_)) if function == RESET => {
                    self.reset_bricklet(device - 1, now);
                    callbacks.push(self.enumerate_one(device, Enumeration::Connected));
                    Ok(Vec::new())
                }
                Some(Bricklet::V2(relay)) => relay.call(function, request.payload, now, &mut self.contacts),
            },
        };
        Some(Called { answer, callbacks })
    }

    /// When the next timer runs out.
    pub fn next_event(&self) -> Option<Time> {
        let next = |bricklet: &Bricklet| match bricklet {
            Bricklet::V1(relay) => relay.next_event(),
            Bricklet::V2(relay) => relay.next_event(),
        };
        self.bricklets.iter().filter_map(next).min()
    }

    /// Lets time pass: the callbacks of all timers that have run out, in order.
    pub fn advance(&mut self, to: Time) -> Vec<Vec<u8>> {
        let mut callbacks = Vec::new();
        while let Some(moment) = self.next_event().filter(|moment| *moment <= to) {
            for (bricklet, (uid, _)) in self.bricklets.iter_mut().zip(&self.config.relays) {
                match bricklet {
                    Bricklet::V1(relay) => callbacks.extend(
                        relay
                            .expire(moment, &mut self.contacts)
                            .map(|payload| packet::callback(*uid, quad_relay::MONOFLOP_DONE, &payload)),
                    ),
                    Bricklet::V2(relay) => callbacks.extend(
                        relay
                            .expire(moment, &mut self.contacts)
                            .iter()
                            .map(|payload| packet::callback(*uid, quad_relay_v2::MONOFLOP_DONE, payload)),
                    ),
                }
            }
        }
        callbacks
    }

    /// Device 0 is the Master Brick, the others are its bricklets.
    fn uid(&self, device: usize) -> Uid {
        let bricklet = device.checked_sub(1).and_then(|place| self.config.relays.get(place));
        bricklet.map_or(self.config.master, |(uid, _)| *uid)
    }

    fn identity(&self, device: usize) -> Vec<u8> {
        let bricklet = device.checked_sub(1).and_then(|place| Some((place, self.config.relays.get(place)?)));
        let (parent, position, hardware, firmware, identifier) = match bricklet {
            None => ("0".to_owned(), b'0', [2, 1, 0], [2, 5, 2], MASTER_DEVICE),
            Some((place, (_, kind))) => {
                let (hardware, firmware, identifier) = match kind {
                    RelayKind::V1 => ([1, 0, 0], [2, 0, 0], quad_relay::DEVICE),
                    RelayKind::V2 => ([1, 0, 0], [2, 0, 3], quad_relay_v2::DEVICE),
                };
                (self.config.master.to_string(), b'a' + place as u8, hardware, firmware, identifier)
            }
        };
        let mut bytes = packet::fixed_width::<8>(&self.uid(device).to_string()).to_vec();
        bytes.extend(packet::fixed_width::<8>(&parent));
        bytes.push(position);
        bytes.extend(hardware);
        bytes.extend(firmware);
        bytes.extend(identifier.to_le_bytes());
        bytes
    }

    fn enumerate_one(&self, device: usize, kind: Enumeration) -> Vec<u8> {
        let mut payload = self.identity(device);
        if kind == Enumeration::Disconnected {
            // Of a device that is gone only the address is known.
            payload.get_mut(8..).unwrap_or_default().fill(0);
        }
        payload.push(kind as u8);
        packet::callback(self.uid(device), ENUMERATE_CALLBACK, &payload)
    }

    /// What the Master Brick says about itself; enough to show in a viewer.
    fn master(&mut self, function: u8, payload: &[u8]) -> Result<Vec<u8>, ErrorCode> {
        match (function, payload) {
            // No stack voltage and no stack current: it lives on USB.
            (1 | 2, []) => Ok(vec![0, 0]),
            (40, []) => Ok(5_012u16.to_le_bytes().to_vec()),
            (77, []) => Ok(vec![1]),
            (238, []) => {
                self.status_led = true;
                Ok(Vec::new())
            }
            (239, []) => {
                self.status_led = false;
                Ok(Vec::new())
            }
            (240, []) => Ok(vec![u8::from(self.status_led)]),
            // Tenths of a degree.
            (242, []) => Ok(314i16.to_le_bytes().to_vec()),
            (1 | 2 | 40 | 77 | 238..=240 | 242, _) => Err(ErrorCode::InvalidParameter),
            _ => Err(ErrorCode::NotSupported),
        }
    }

    fn power_up(&mut self, now: Time) {
        self.bricklets = bricklets(&self.config);
        self.status_led = true;
        for relay in 0..self.contacts.closed.len() {
            self.contacts.set(relay, false, now);
        }
    }

    fn reset_bricklet(&mut self, place: usize, now: Time) {
        if let (Some(bricklet), Some(fresh)) =
            (self.bricklets.get_mut(place), bricklets(&self.config).into_iter().nth(place))
        {
            *bricklet = fresh;
        }
        for relay in place * RELAYS..(place + 1) * RELAYS {
            self.contacts.set(relay, false, now);
        }
    }
}

/// What a request brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The payload of the answer, or an error.
    pub answer: Result<Vec<u8>, ErrorCode>,
    /// Packets for everyone.
    pub callbacks: Vec<Vec<u8>>,
}

fn bricklets(config: &StackConfig) -> Vec<Bricklet> {
    let bricklet = |(place, (uid, kind)): (usize, &(Uid, RelayKind))| match kind {
        RelayKind::V1 => Bricklet::V1(QuadRelay::new(place)),
        RelayKind::V2 => Bricklet::V2(QuadRelayV2::new(*uid, place)),
    };
    config.relays.iter().enumerate().map(bricklet).collect()
}
