//! Real messages of a hub mutated at random, many of them: what `cargo fuzz run hub` does without end, in a second.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../../../../fuzz/src/hub.rs"]
mod hub;

/// What a hub says in its life, in one piece; `fuzz/tests/corpus.rs` keeps it as it is said today.
const CONVERSATION: &[u8] = include_bytes!("../../../../fuzz/corpus/hub/conversation");

/// Bytes changed, lost, doubled, put in.
fn mutate(bytes: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..rng.random_range(1..12) {
        let at = rng.random_range(0..mutated.len());
        match rng.random_range(0..5) {
            0 => mutated[at] = rng.random(),
            1 => mutated[at] ^= 1 << rng.random_range(0..8),
            2 => drop(mutated.remove(at)),
            3 => mutated.insert(at, rng.random_range(0..4)),
            _ => mutated.truncate(at.max(bytes.len() / 4)),
        }
    }
    mutated
}

#[test]
fn whatever_a_line_carries_is_survived() {
    assert_eq!(hub::hear(CONVERSATION), 12, "every message is understood as long as nothing is mutated");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let heard: usize = (0..20_000).map(|_| hub::hear(&mutate(CONVERSATION, &mut rng))).sum();
    // A damaged frame costs itself and at most its neighbour.
    assert!(heard > 20_000 * 2, "{heard}");
}

#[test]
fn noise_is_survived() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for length in 0..400 {
        let mut noise = vec![0; length];
        rng.fill_bytes(&mut noise);
        hub::hear(&noise);
    }
}
