//! Packets that nobody should send: no panic, and whoever behaves is served on.

use std::net::SocketAddr;
use std::time::Duration;

use engine::{Cancel, RealClock, Time};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use simulators::brickd::{RelayKind, Rig, RigConfig, Server, StackConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::brickd::request;

const FIRST: u32 = 70_272;
const KNOWN: [u32; 5] = [0, 1, FIRST, 70_274, 3_765_503_281];

/// A packet that is partly random, partly near the truth, perhaps cut short.
fn junk(dice: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let uid = if dice.random_bool(0.8) { KNOWN[dice.random_range(0..5)] } else { dice.random() };
    let function = if dice.random_bool(0.5) { dice.random_range(0..12) } else { dice.random() };
    let options = if dice.random_bool(0.9) { 0x18 } else { dice.random() };
    let payload: Vec<u8> = (0..dice.random_range(0..20)).map(|_| dice.random()).collect();
    let mut bytes = request(uid, function, options, &payload);
    if dice.random_bool(0.1) {
        bytes[4] = dice.random();
    }
    if dice.random_bool(0.1) {
        bytes.truncate(dice.random_range(0..bytes.len()));
    }
    bytes
}

/// A million packets, in pieces of any length, at advancing times, to both kinds of relays.
#[test]
fn a_million_bad_packets_do_no_harm() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(14);
    for (kind, secret) in [(RelayKind::V1, None), (RelayKind::V2, None), (RelayKind::V1, Some("secret"))] {
        let mut stack = StackConfig::default();
        stack.relays.iter_mut().for_each(|relay| relay.1 = kind);
        let mut rig =
            Rig::new(RigConfig { stack, secret: secret.map(str::to_owned), ..RigConfig::default() });
        let mut client = rig.connect();
        let mut now = Time::START;
        let (mut refused, mut answered) = (0u32, 0usize);
        for _ in 0..340_000 {
            let bytes = junk(&mut dice);
            let (head, tail) = bytes.split_at(dice.random_range(0..=bytes.len()));
            now = now + Duration::from_micros(dice.random_range(0..3_000));
            rig.receive(client, now, head);
            rig.receive(client, now, tail);
            answered += rig.take_output(client).len();
            rig.take_edges();
            if !rig.daemon().is_open(client) {
                refused += 1;
                client = rig.connect();
            }
        }
        assert!(refused > 10_000 && answered > 10_000, "{refused} refused, {answered} bytes of answers");
        assert_eq!(rig.daemon().clients(), 1);
        // Somebody who behaves is served, whatever happened before.
        if secret.is_none() {
            let polite = rig.connect();
            rig.receive(polite, now, &request(FIRST, 255, 0x18, &[]));
            assert_eq!(rig.take_output(polite).len(), 33);
        }
    }
}

/// The same over TCP, in small: connections are closed or served, and none hangs.
#[tokio::test]
async fn bad_packets_over_tcp_leave_no_connection_stuck() {
    let clock = RealClock::start(Cancel::new());
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = Server::start(any, RigConfig::default(), clock, drop).await.unwrap();
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(15);
    let mut polite = TcpStream::connect(server.address()).await.unwrap();
    for round in 0..200u8 {
        let mut rude = TcpStream::connect(server.address()).await.unwrap();
        for _ in 0..5 {
            // It may have hung up already.
            if rude.write_all(&junk(&mut dice)).await.is_err() {
                break;
            }
        }
        if round % 2 == 0 {
            // Function 0 ends every connection, complete or not; the answers end with it.
            let _ = rude.write_all(&[0; 80]).await;
            let mut rest = Vec::new();
            let _ = rude.read_to_end(&mut rest).await;
        }
        polite.write_all(&request(FIRST, 2, 0x18, &[])).await.unwrap();
        loop {
            let mut header = [0; 8];
            polite.read_exact(&mut header).await.unwrap();
            let mut payload = vec![0; usize::from(header[4]) - 8];
            polite.read_exact(&mut payload).await.unwrap();
            // Callbacks of what others did come in between.
            if header[6] >> 4 == 1 {
                assert_eq!(header[5], 2);
                break;
            }
        }
    }
    let mut reports = server.report();
    reports.wait_for(|report| report.clients == 1).await.unwrap();
}
