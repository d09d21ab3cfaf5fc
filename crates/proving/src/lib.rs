//! *Catch*, the smallest complete game: it proves the engine, and shows how a
//! game, a body and a player are written.
//!
//! A ball falls on a field of 10 × 9 cells; a paddle on the bottom row catches
//! it. The [`rules`] know no pixels; a [`console`] draws them on a [`screen`];
//! a body looks and acts with the faults of real devices; the [`player`] sees
//! only what the eye shows. Each body proves one seam of the engine:
//!
//! | body | eye | hand | seam |
//! |---|---|---|---|
//! | [`direct`] | the screen itself | buttons with fixed times | latencies with spread |
//! | [`camera`] | the console at an angle, sometimes knocked | buttons | a rectifier ([`bezel`]) that fails and finds the screen again |
//! | [`scanner`] | a sensor above one cell at a time | buttons | looking that is directed by the player |
//! | [`motor`] | the screen itself | a motor | actions that report their end, or stall |

pub mod action;
pub mod bezel;
pub mod camera;
pub mod console;
pub mod direct;
pub mod motor;
pub mod player;
pub mod rules;
pub mod scanner;
pub mod screen;

pub use action::Action;
pub use bezel::BezelRectifier;
pub use camera::TiltedCamera;
pub use console::{Console, Faults, SharedConsole};
pub use direct::{ButtonHand, ScreenEye, direct_body};
pub use motor::MotorHand;
pub use player::{CatchPlayer, Hands};
pub use rules::{Button, Game, Rules};
pub use scanner::Scanner;
