//! Drivers for real things, one module each. A driver knows its device's wire
//! protocol and its faults, and no game.

pub mod camera;
pub mod desktop;
pub mod hub;
pub mod robot;
pub mod tinkerforge;
