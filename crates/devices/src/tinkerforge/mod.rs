//! The hands of the Game Boy robot: solenoids on Industrial Quad Relays behind a Brick Daemon (G14, G16).
//!
//! ```text
//!  Solenoids ── press(button, time) ──► Relays ── monoflop ──► Connection ──► Wire ──► brickd
//!   wiring, heat, reconnecting          both versions          packets        TCP, or simulated
//! ```
//!
//! A press is one packet: the bricklet itself opens the relay after the given time. So its length does
//! not depend on this program's luck with the scheduler, and a host that dies leaves no coil burning.
//!
//! The protocol is written out here instead of using the crate `tinkerforge` (2.0.21), because that
//! crate owns its socket, its threads and the real time, and could not run on the simulated clock.

mod connection;
mod heat;
mod packet;
mod relays;
mod solenoids;
mod wire;

pub use connection::{CallError, Connection};
pub use heat::{Heat, HeatLimits};
pub use packet::{BadUid, Uid};
pub use relays::{Pulse, Relays};
pub use solenoids::{Config, PressTimes, Solenoids};
pub use wire::{Dial, TcpDial, TcpWire, Wire};
