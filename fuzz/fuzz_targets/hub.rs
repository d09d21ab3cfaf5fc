//! Anything that may come from a hub's line: frames, messages and packets stand it.

#![no_main]

#[path = "../src/hub.rs"]
mod hub;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    hub::hear(bytes);
});
