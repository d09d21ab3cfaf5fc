//! A Game Boy behind one small trait, our own free cartridge in it, a cable
//! between two of them, and a player of its falling-block game that sees only
//! the screen.
//!
//! ```text
//!  Cartridge ─► Emulator (Console) ─ screen ─► Eye ─► see ─► TetrisPlayer
//!                     ▲                                           │
//!                     └──────── buttons ◄── Hand ◄── plan ◄───────┘
//! ```
//!
//! [`stackfall`] is embedded, so everything works without a file; a cartridge
//! image of the user's own takes the same path. What a console holds in its
//! memory is for tests alone ([`memory`]): a player must never peek.

pub mod body;
pub mod cartridge;
pub mod console;
pub mod emulator;
pub mod link;
pub mod lockstep;
pub mod memory;
mod panics;
pub mod player;
pub mod see;
pub mod stackfall;
pub mod torture;

pub use cartridge::{Cartridge, CartridgeError};
pub use console::{Console, Crash, Screen};
pub use emulator::Emulator;
pub use link::LinkedConsoles;
pub use player::{Company, TetrisPlayer, Until, Wishes};
