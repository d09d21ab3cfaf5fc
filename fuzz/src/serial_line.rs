//! The Connect Four robot's serial line: the robot hears anything, and so do we.

use std::time::Duration;

use devices::robot::protocol::{Reply, Request};
use simulators::robot::{Mechanism, Mishaps, Times};

/// Discs of each colour, in the magazine and on the board together.
const DISCS: usize = 21;

/// The simulated robot hears these bytes, with a pause after each; its discs stay 21 of each colour.
pub fn hear(bytes: &[u8]) {
    let seed = bytes.len() as u64;
    let rate = if bytes.len().is_multiple_of(2) { 0.0 } else { 0.1 };
    let mut robot = Mechanism::new(Times::default(), Mishaps { rate, seed, ..Mishaps::default() });
    let mut now = Duration::ZERO;
    for &byte in bytes.iter().take(2_000) {
        if let Some(request) = Request::from_byte(byte) {
            assert_eq!(request.to_byte(), byte);
        }
        if let Some(reply) = Reply::from_byte(byte) {
            assert_eq!(reply.to_byte(), byte);
        }
        now += Duration::from_millis(u64::from(byte) * 40);
        let _answer = robot.receive(now, byte);
    }
    let state = robot.state();
    let count =
        |disc: char| state.board.iter().flat_map(|row| row.chars()).filter(|cell| *cell == disc).count();
    assert!(
        state.red_left + count('R') <= DISCS && state.yellow_left + count('Y') <= DISCS,
        "{}",
        state.picture()
    );
}
