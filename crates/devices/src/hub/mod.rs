//! LEGO SPIKE Prime hubs with hub OS 3 on USB, and the Connect Four robot behind one (L1, L2, L5).
//!
//! ```text
//! Arm       orders to our program (order), numbered and checked (tunnel)
//! Link      uploads, starts, stops; what the hub prints and reports
//! message   kinds and fields          sensors   what devices report
//! frame     the byte stream           crc       checksums of files
//! Transport USB, or whatever carries bytes
//! ```
//!
//! The protocol is LEGO's (github.com/LEGO/spike-prime-docs). It has no message that turns a motor: only a program on
//! the hub can, so we upload one (`hub/remote_body.py`) and talk to that.

mod arm;
#[cfg(feature = "bluetooth")]
mod bluetooth;
pub mod crc;
pub mod frame;
mod link;
pub mod message;
mod order;
mod program;
pub mod sensors;
mod transport;
pub mod tunnel;

pub use arm::{Arm, ArmError, ArmSettings, Failure};
#[cfg(feature = "bluetooth")]
pub use bluetooth::Bluetooth;
pub use link::{HubError, HubEvent, Link};
pub use order::{ColorReading, Geometry, LIGHTS, Order, Outcome, PROTOCOL};
pub use program::{Discs, REMOTE_BODY, StandAlone};
pub use transport::{Transport, Usb, plugged_in};
