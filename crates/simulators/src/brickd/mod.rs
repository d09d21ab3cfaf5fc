//! A Brick Daemon with a stack of relays on TCP (G16, X2): what the Tetris
//! robot's hands talk to, and the solenoids behind it.
//!
//! ```text
//!  client ──bytes──► Daemon ──► Relay ──relay edges──► Fingers ──button edges──► console
//!         ◄──bytes──
//! ```
//!
//! [`Daemon`] is the daemon with its hardware: bytes in, bytes out, at given
//! times, and no clock of its own. [`Fingers`] are the solenoids with their
//! mechanics. [`Rig`] is both wired together. [`Cable`] connects to a rig
//! in the same process, on the simulated clock; [`Server`] puts one on TCP, for everyone else.
//!
//! ```
//! use engine::Time;
//! use simulators::brickd::{Rig, RigConfig};
//!
//! let mut rig = Rig::new(RigConfig::default());
//! let client = rig.connect();
//! // Set a monoflop of 35 ms on the first relay of "mTA", the relay of the Up button.
//! let request = [0x80, 0x12, 0x01, 0, 16, 3, 0x10, 0, 1, 0, 1, 0, 35, 0, 0, 0];
//! rig.receive(client, Time::START, &request);
//! rig.advance(Time::from_nanos(100_000_000));
//! let edges = rig.take_edges();
//! assert_eq!(edges.len(), 2, "the button went down and came up: {edges:?}");
//! ```

mod authentication;
mod cable;
mod daemon;
mod fingers;
mod packet;
mod quad_relay;
mod quad_relay_v2;
mod rig;
mod server;
mod stack;

pub use cable::{Cable, SharedRig};
pub use daemon::{ClientId, Daemon};
pub use fingers::{ButtonEdge, Fingers, Mechanics};
pub use packet::{BadUid, Uid};
pub use rig::{Rig, RigConfig, Wiring};
pub use server::{Order, Report, Server};
pub use stack::{RelayEdge, RelayKind, Stack, StackConfig};
