//! Daemon and fingers wired together: what hangs between a network cable and a console.

use engine::Time;
use gameboy::Button;

use super::daemon::{ClientId, Daemon};
use super::fingers::{ButtonEdge, Fingers, Mechanics};
use super::stack::{Stack, StackConfig};
use crate::switches::FaultSwitches;

/// Which button each relay presses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring(pub Vec<Button>);

impl Default for Wiring {
    /// The cross on the first bricklet, the other buttons on the second.
    fn default() -> Self {
        use Button::{A, B, Down, Left, Right, Select, Start, Up};
        Self(vec![Up, Down, Left, Right, A, B, Start, Select])
    }
}

/// Which rig is simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigConfig {
    /// Bricks and bricklets.
    pub stack: StackConfig,
    /// What clients must know, if anything.
    pub secret: Option<String>,
    /// Which relay presses which button.
    pub wiring: Wiring,
    /// How the solenoids move.
    pub mechanics: Mechanics,
    /// Random seed.
    pub seed: u64,
    /// Faults that may be switched while it runs.
    pub switches: FaultSwitches,
}

/// A daemon with relays that press buttons.
#[derive(Clone, Debug)]
pub struct Rig {
    daemon: Daemon,
    fingers: Fingers,
    edges: Vec<ButtonEdge>,
}

impl Rig {
    /// A rig with power and nobody connected.
    pub fn new(config: RigConfig) -> Self {
        let RigConfig { stack, secret, wiring, mechanics, seed, switches } = config;
        Self {
            daemon: Daemon::new(Stack::new(stack), secret, seed),
            fingers: Fingers::new(&wiring.0, mechanics, seed).obeying(switches),
            edges: Vec::new(),
        }
    }

    /// The daemon, to ask.
    pub fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    /// Lets a client in.
    pub fn connect(&mut self) -> ClientId {
        self.daemon.connect()
    }

    /// A client has left.
    pub fn disconnect(&mut self, client: ClientId) {
        self.daemon.disconnect(client);
    }

    /// Hangs up on everyone.
    pub fn drop_clients(&mut self) {
        self.daemon.drop_clients();
    }

    /// Takes bytes from a client.
    pub fn receive(&mut self, client: ClientId, now: Time, bytes: &[u8]) {
        self.daemon.receive(client, now, bytes);
        self.advance(now);
    }

    /// Bytes for a client.
    pub fn take_output(&mut self, client: ClientId) -> Vec<u8> {
        self.daemon.take_output(client)
    }

    /// Pulls or plugs the USB cable.
    pub fn set_plugged(&mut self, plugged: bool, now: Time) {
        self.daemon.set_plugged(plugged, now);
        self.advance(now);
    }

    /// Lets time pass.
    pub fn advance(&mut self, to: Time) {
        self.daemon.advance(to);
        let relays = self.daemon.take_edges();
        self.fingers.advance(&relays, to, &mut self.edges);
    }

    /// When something happens by itself.
    pub fn next_event(&self) -> Option<Time> {
        [self.daemon.next_event(), self.fingers.next_event()].into_iter().flatten().min()
    }

    /// What the buttons did since the last call, in order of time.
    pub fn take_edges(&mut self) -> Vec<ButtonEdge> {
        std::mem::take(&mut self.edges)
    }
}
