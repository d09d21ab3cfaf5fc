//! *Catch*, the smallest complete game: it proves the engine, and shows how a
//! game, a body and a player are written.
//!
//! A ball falls on a field of 10 × 9 cells; a paddle on the bottom row catches
//! it. The [`rules`] know no pixels, the [`body`] draws them on a screen and
//! takes button presses with the faults of real devices (latency, lost
//! commands, torn frames, an eye that fails), and the [`player`] sees only
//! that screen.

pub mod body;
pub mod player;
pub mod rules;

pub use body::{CatchEye, CatchHand, Faults, simulated_body};
pub use player::CatchPlayer;
pub use rules::{Button, Game, Rules};
