//! Every target survives its corpus, and some thousand mutated copies of it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use devices::hub::frame;
use devices::hub::message::{Answer, Flow, Identity, Message, Version};
use devices::hub::sensors::Reading;
use devices::hub::tunnel::Packet;
use fuzz::{Mutator, TARGETS, corpus};

#[test]
fn every_target_survives_its_corpus_and_mutated_copies() {
    for target in TARGETS {
        let corpus = corpus(target).unwrap();
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        for input in &corpus {
            (target.run)(input);
        }
        let mutated = match target.name {
            // An image takes milliseconds.
            "cartridges" => 40,
            "configuration" | "recordings" | "tbp" => 300,
            _ => 2_000,
        };
        let mut mutator = Mutator::new(corpus, 7);
        for _ in 0..mutated {
            (target.run)(&mutator.mutated());
        }
    }
}

/// What a hub says in its life, in one piece; `UPDATE_GOLDEN=1` writes it.
#[test]
fn the_corpus_of_the_hub_is_what_it_says_today() {
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
    let whole: Vec<u8> = said.iter().flat_map(|message| frame::wrap(&message.to_bytes())).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/hub/conversation");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &whole).unwrap();
    }
    assert_eq!(std::fs::read(&file).unwrap(), whole);
}

#[test]
fn the_same_seed_mutates_alike() {
    let corpus = vec![b"[[1,2],[3,4]]".to_vec(), b"4453".to_vec()];
    let inputs = |seed| {
        let mut mutator = Mutator::new(corpus.clone(), seed);
        (0..100).map(|_| mutator.mutated()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
}
