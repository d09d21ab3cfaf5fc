//! Real events mutated at random, many of them: what `cargo fuzz run visitors` does without end, in a second.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../../../../fuzz/src/visitors.rs"]
mod visitors;

const EVENTS: [&str; 12] = [
    r#"{"type":"HELLO","token":null,"watch":true}"#,
    r#"{"type":"HELLO","token":"00112233445566778899aabbccddeeff","watch":false}"#,
    r#"{"type":"GAME_SIGNUP","name":"Ada","opponent":"human"}"#,
    r#"{"type":"GAME_SIGNUP","name":"Ben","opponent":"human","accept":true}"#,
    r#"{"type":"GAME_SIGNUP","name":"Cleo","opponent":"easy"}"#,
    r#"{"type":"TURN","column":1}"#,
    r#"{"type":"TURN","column":4}"#,
    r#"{"type":"TURN","column":7}"#,
    r#"{"type":"LEAVE"}"#,
    r#"{"type":"STAY"}"#,
    r#"{"type":"REMATCH"}"#,
    r#"{"type":"TURN","column":4,"disc":"red"}"#,
];

/// One event, mostly as it is, sometimes with a few bytes changed, cut off, or repeated to a great length.
fn event(dice: &mut Xoshiro256PlusPlus) -> String {
    // Turns are most of what pages send.
    let chosen =
        if dice.random_bool(0.7) { dice.random_range(5..8) } else { dice.random_range(0..EVENTS.len()) };
    let mut bytes = EVENTS[chosen].as_bytes().to_vec();
    match dice.random_range(0..10) {
        0 => {
            for _ in 0..dice.random_range(1..4) {
                let at = dice.random_range(0..bytes.len());
                bytes[at] = dice.random();
            }
        }
        1 => bytes.truncate(dice.random_range(0..bytes.len())),
        2 => bytes = bytes.repeat(dice.random_range(1..40)),
        _ => {}
    }
    String::from_utf8_lossy(&bytes).replace('\n', " ")
}

#[test]
fn mutated_events_break_nothing() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut ended = 0;
    for _ in 0..2_000 {
        let lines: Vec<_> = (0..dice.random_range(1..200)).map(|_| event(&mut dice)).collect();
        ended += visitors::send(&lines.join("\n"));
    }
    assert!(ended > 2_000, "so few games came to an end: {ended}");
}
