//! Devices simulated on their real wire protocols, with faults on demand (X2):
//! whoever talks to one cannot tell it from the real thing. A simulator reads
//! its device's protocol for itself; it shares no code with the driver.

#[cfg(not(unix))]
compile_error!("the simulated devices need pseudo terminals: build on Linux (on Windows in WSL)");

pub mod brickd;
pub mod camera;
pub mod console;
pub mod hub;
mod link;
pub mod robot;
pub mod samegame;
pub mod switches;
