//! `SameGames` in windows of a dozen looks: drawn with known truth, for eyes that must read any of them (S2, S3).
//!
//! [`Look`] is what a game looks like, [`Scene`] one picture of it on a screen
//! with everything around it, and [`Truth`] what stands there. A [`Game`] is
//! played with clicks, and [`body()`] gives an eye and a hand on it.

mod body;
mod canvas;
mod game;
mod look;
mod material;
mod palette;
mod scene;

pub use body::{SharedGame, WindowEye, WindowHand, body};
pub use game::{Game, Habits, Tally};
pub use look::{Ground, Look, LookName, Material, UnknownLook};
pub use scene::{Around, Layout, Scene, Sprite, Truth};
