//! `SameGames` in windows of a dozen looks: drawn with known truth, for eyes that must read any of them (S2, S3).
//!
//! [`Look`] is what a game looks like, [`Scene`] one picture of it on a screen
//! with everything around it, and [`Truth`] what stands there. A [`Game`] is
//! played with clicks; [`body()`] gives an eye and a hand on it in simulated time, and [`OpenWindow`] shows it
//! in a real window of an X server, on a [`Desk`] where people get in the way.

mod body;
mod canvas;
mod desk;
mod gallery;
mod game;
mod habits;
mod look;
mod material;
mod motion;
mod palette;
mod scene;
mod window;

pub use body::{SharedGame, WindowEye, WindowHand, body};
pub use desk::Desk;
pub use gallery::{Exhibit, exhibit};
pub use game::{Game, Tally};
pub use habits::{Habits, Hover, NextRound, Supply};
pub use look::{Ground, Look, LookName, Material, UnknownLook};
pub use scene::{Around, Layout, Overlay, Scene, Sprite, Truth};
pub use window::{OpenWindow, WindowError};
