//! SameGames in windows of a dozen looks: drawn with known truth, for eyes that must read any of them (S2, S3).
//!
//! [`Look`] is what a game looks like, [`Scene`] one picture of it on a screen
//! with everything around it, and [`Truth`] what stands there.

mod canvas;
mod look;
mod material;
mod palette;
mod scene;

pub use look::{Ground, Look, LookName, Material, UnknownLook};
pub use scene::{Around, Layout, Scene, Sprite, Truth};
