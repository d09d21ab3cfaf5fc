//! A Game Boy behind one small trait, our own free cartridge in it, and a cable
//! between two of them (G5, G19).
//!
//! ```text
//!  Cartridge ─► Emulator (Console) ─► Screen
//!                     ▲
//!                     └── Button
//! ```
//!
//! [`stackfall`] is embedded, so everything works without a file; a cartridge
//! image of the user's own takes the same path. What a console holds in its
//! memory is for tests alone ([`memory`]): a player must never peek.

pub mod button;
pub mod cartridge;
pub mod console;
pub mod display;
pub mod emulator;
pub mod link;
pub mod memory;
mod panics;
pub mod stackfall;

pub use button::Button;
pub use cartridge::{Cartridge, CartridgeError};
pub use console::{Console, Crash};
pub use display::Screen;
pub use emulator::Emulator;
pub use link::LinkedConsoles;
