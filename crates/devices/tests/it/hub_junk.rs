//! Real messages of a hub mutated at random, many of them: what `cargo fuzz run hub` does without end, in a second.

use devices::hub::frame;
use devices::hub::message::{Answer, Flow, Identity, Message, Version};
use devices::hub::sensors::Reading;
use devices::hub::tunnel::Packet;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../../../../fuzz/src/hub.rs"]
mod hub;

/// What a hub says in its life, in one piece.
fn conversation() -> Vec<u8> {
    let version = Version { major: 3, minor: 4, build: 2 };
    let identity = Identity {
        protocol: version,
        firmware: version,
        largest_packet: 509,
        largest_message: 1000,
        largest_chunk: 500,
        product: 0,
    };
    let packet = Packet { number: 7, code: 2, body: vec![9, 0, 1, 2, 3, 255] };
    let said = [
        Message::IAm(identity),
        Message::ReportAnswer(Answer::Yes),
        Message::SlotCleared(Answer::No),
        Message::FileBegun(Answer::Yes),
        Message::ChunkTaken(Answer::Yes),
        Message::ProgramAnswer(Answer::Yes),
        Message::ProgramChanged(Flow::Start),
        Message::Console("remote body, protocol 1\n".to_owned()),
        Message::Tunnel(packet.to_bytes()),
        Message::Report(vec![Reading::Battery { percent: 80 }]),
        Message::Name("hub".to_owned()),
        Message::ProgramChanged(Flow::Stop),
    ];
    said.iter().flat_map(|message| frame::wrap(&message.to_bytes())).collect()
}

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
fn whatever_a_line_carries_is_stood() {
    let whole = conversation();
    assert_eq!(hub::hear(&whole), 12, "every message is understood as long as nothing is mutated");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let heard: usize = (0..20_000).map(|_| hub::hear(&mutate(&whole, &mut rng))).sum();
    // A damaged frame costs itself and at most its neighbour.
    assert!(heard > 20_000 * 2, "{heard}");
}

#[test]
fn noise_is_stood() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for length in 0..400 {
        let mut noise = vec![0; length];
        rng.fill_bytes(&mut noise);
        hub::hear(&noise);
    }
}
