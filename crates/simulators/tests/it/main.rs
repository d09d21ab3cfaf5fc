//! Simulated devices, met as strangers meet them.

mod bindings;
mod brickd;
mod junk;
