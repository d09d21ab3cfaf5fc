//! The simulated Brick Daemon by its bytes, on a clock of our own (G16, X2).

use std::time::Duration;

use engine::Time;
use gameboy::Button;
use simulators::brickd::{ClientId, RelayKind, Rig, RigConfig, StackConfig, Uid};

const MASTER: &str = "6JKbWn";
const FIRST: &str = "mTA";
const SECOND: &str = "mTC";

/// A rig with one client, and the time.
struct Bench {
    rig: Rig,
    client: ClientId,
    now: Time,
}

/// An answer or a callback: sender, function, sequence number, error, payload.
#[derive(Debug, PartialEq, Eq)]
struct Packet {
    uid: String,
    function: u8,
    sequence: u8,
    error: u8,
    payload: Vec<u8>,
}

impl Bench {
    fn new(kind: RelayKind) -> Self {
        let uid = |text: &str| text.parse::<Uid>().unwrap();
        let stack =
            StackConfig { master: uid(MASTER), relays: vec![(uid(FIRST), kind), (uid(SECOND), kind)] };
        let mut rig = Rig::new(RigConfig { stack, ..RigConfig::default() });
        let client = rig.connect();
        Self { rig, client, now: Time::START }
    }

    /// Sends a request and fetches everything that comes back at once.
    fn call(&mut self, uid: &str, function: u8, payload: &[u8]) -> Vec<Packet> {
        let uid = uid.parse::<Uid>().map_or(0, |uid| uid.0);
        self.rig.receive(self.client, self.now, &request(uid, function, 0x18, payload));
        self.packets()
    }

    /// The payload of the one answer.
    fn ask(&mut self, uid: &str, function: u8, payload: &[u8]) -> Vec<u8> {
        let mut packets = self.call(uid, function, payload);
        assert_eq!(packets.len(), 1, "{packets:?}");
        let answer = packets.remove(0);
        assert_eq!((answer.sequence, answer.error), (1, 0));
        answer.payload
    }

    fn error(&mut self, uid: &str, function: u8, payload: &[u8]) -> u8 {
        self.call(uid, function, payload).iter().map(|answer| answer.error).sum()
    }

    fn wait(&mut self, time: Duration) -> Vec<Packet> {
        self.now = self.now + time;
        self.rig.advance(self.now);
        self.packets()
    }

    fn packets(&mut self) -> Vec<Packet> {
        let bytes = self.rig.take_output(self.client);
        let mut rest = bytes.as_slice();
        let mut packets = Vec::new();
        while let [a, b, c, d, length, function, options, flags, ..] = *rest {
            let (packet, after) = rest.split_at(usize::from(length));
            packets.push(Packet {
                uid: Uid(u32::from_le_bytes([a, b, c, d])).to_string(),
                function,
                sequence: options >> 4,
                error: flags >> 6,
                payload: packet[8..].to_vec(),
            });
            assert_eq!(options & 0x08, 0x08, "the daemon forwards nothing without this bit");
            rest = after;
        }
        packets
    }

    fn closed(&self) -> Vec<usize> {
        let closed = self.rig.daemon().stack().closed();
        (0..closed.len()).filter(|relay| closed[*relay]).collect()
    }
}

pub fn request(uid: u32, function: u8, options: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = uid.to_le_bytes().to_vec();
    bytes.extend([8 + payload.len() as u8, function, options, 0]);
    bytes.extend(payload);
    bytes
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn monoflop(selection: u16, value: u16, time: u32) -> Vec<u8> {
    [&selection.to_le_bytes()[..], &value.to_le_bytes(), &time.to_le_bytes()].concat()
}

#[test]
fn every_device_is_enumerated_with_its_identity() {
    let mut bench = Bench::new(RelayKind::V1);
    let found = bench.call("", 254, &[]);
    let names: Vec<_> = found.iter().map(|packet| (packet.uid.as_str(), packet.function)).collect();
    assert_eq!(names, [(MASTER, 253), (FIRST, 253), (SECOND, 253)]);
    assert_eq!(found[2].payload, b"mTC\0\0\0\0\x006JKbWn\0\0b\x01\0\0\x02\0\0\xe1\0\0");
    assert_eq!(bench.ask(FIRST, 255, &[]), found[1].payload[..25]);
    assert_eq!(bench.ask(MASTER, 255, &[]), b"6JKbWn\0\x000\0\0\0\0\0\0\x000\x02\x01\0\x02\x05\x02\x0d\0");
}

#[test]
fn a_monoflop_counts_ticks_toggles_and_calls_back() {
    let mut bench = Bench::new(RelayKind::V1);
    bench.wait(Duration::from_micros(400));
    assert!(bench.ask(FIRST, 3, &monoflop(0b0101, 0b0001, 35)).is_empty());
    assert_eq!(bench.closed(), [0], "relay 2 was open and stays so");
    bench.wait(ms(10));
    assert_eq!(bench.ask(FIRST, 4, &[0]), [1, 0, 35, 0, 0, 0, 25, 0, 0, 0]);
    assert_eq!(bench.wait(Duration::from_micros(24_599)), []);
    // 34.6 ms after the request: the tick came before the full millisecond.
    let done = bench.wait(Duration::from_micros(1));
    assert_eq!(done.len(), 1);
    assert_eq!((done[0].function, done[0].sequence, &done[0].payload[..]), (8, 0, &[5, 0, 4, 0][..]));
    assert_eq!(bench.closed(), [2], "each pin flips from where it is");
    assert_eq!(bench.ask(FIRST, 4, &[0]), [0, 0, 35, 0, 0, 0, 0, 0, 0, 0]);
    assert!(bench.ask(FIRST, 3, &monoflop(1, 1, 0)).is_empty());
    assert_eq!(bench.wait(ms(1000)), [], "without a time it never flips");
}

#[test]
fn setting_values_ends_monoflops() {
    let mut bench = Bench::new(RelayKind::V1);
    bench.ask(FIRST, 3, &monoflop(3, 3, 50));
    bench.ask(FIRST, 9, &[1, 0, 1, 0]);
    let done = bench.wait(ms(100));
    assert_eq!(done[0].payload, [2, 0, 0, 0], "only the other one ran out");
    bench.ask(FIRST, 3, &monoflop(3, 3, 50));
    bench.ask(FIRST, 1, &[0, 0]);
    assert_eq!(bench.wait(ms(100)), []);
    assert!(bench.closed().is_empty());
}

#[test]
fn a_group_drives_two_bricklets_with_one_packet() {
    let mut bench = Bench::new(RelayKind::V1);
    assert_eq!(bench.ask(FIRST, 7, &[]), [0b0011]);
    assert!(bench.ask(FIRST, 5, b"ABnn").is_empty());
    assert_eq!(bench.ask(FIRST, 6, &[]), b"abnn");
    bench.ask(FIRST, 1, &[0b0001_0001, 0]);
    assert_eq!(bench.closed(), [0, 4]);
    assert_eq!(bench.ask(SECOND, 2, &[]), [1, 0]);
    assert_eq!(bench.error(FIRST, 5, b"acnn"), 1, "nothing on port c");
    assert_eq!(bench.ask(FIRST, 6, &[]), b"annn");
}

#[test]
fn version_two_works_by_channel() {
    let mut bench = Bench::new(RelayKind::V2);
    bench.wait(Duration::from_micros(400));
    bench.ask(SECOND, 3, &[2, 1, 35, 0, 0, 0]);
    assert_eq!(bench.closed(), [6]);
    assert_eq!(bench.wait(Duration::from_micros(35_599)), []);
    let done = bench.wait(Duration::from_micros(1));
    assert_eq!((done[0].uid.as_str(), &done[0].payload[..]), (SECOND, &[2, 0][..]));
    assert_eq!(bench.ask(SECOND, 4, &[2]), [0, 35, 0, 0, 0, 0, 0, 0, 0]);
    assert!(bench.ask(SECOND, 1, &[0b1010]).is_empty());
    assert_eq!(bench.ask(SECOND, 2, &[]), [0b1010]);
    let at_once = bench.call(SECOND, 3, &[0, 1, 0, 0, 0, 0]);
    assert_eq!(at_once.len(), 2, "answered, and flipped back in the same moment");
    assert_eq!(bench.error(SECOND, 4, &[4]), 1);
    assert_eq!(bench.ask(SECOND, 7, &[1]), [3]);
    assert_eq!(bench.ask(SECOND, 249, &[]), SECOND.parse::<Uid>().unwrap().0.to_le_bytes());
}

#[test]
fn errors_are_as_in_the_firmware() {
    let mut bench = Bench::new(RelayKind::V1);
    assert_eq!(bench.error(FIRST, 4, &[4]), 1, "no relay behind pin 4 without a group");
    assert_eq!(bench.error(FIRST, 77, &[]), 2);
    assert_eq!(bench.error(FIRST, 1, &[1]), 1, "a payload too short");
    assert_eq!(bench.call("zzz", 255, &[]), [], "nobody has this address");
    // Without an answer expected there is none, not even about errors.
    let silent = request(FIRST.parse::<Uid>().unwrap().0, 77, 0x10, &[]);
    bench.rig.receive(bench.client, bench.now, &silent);
    assert_eq!(bench.packets(), []);
}

#[test]
fn pulling_the_cable_opens_the_relays_and_is_told() {
    let mut bench = Bench::new(RelayKind::V1);
    bench.ask(FIRST, 1, &[0xf, 0]);
    bench.rig.set_plugged(false, bench.now);
    let told = bench.packets();
    assert!(told.iter().all(|packet| packet.payload.last() == Some(&2)) && told.len() == 3, "{told:?}");
    assert!(bench.closed().is_empty());
    assert_eq!(bench.call(FIRST, 2, &[]), []);
    assert_eq!(bench.call("", 254, &[]), []);
    bench.rig.set_plugged(true, bench.now);
    assert!(bench.packets().iter().all(|packet| packet.payload.last() == Some(&1)));
    assert_eq!(bench.ask(FIRST, 2, &[]), [0, 0]);
}

#[test]
fn relays_press_the_buttons_they_are_wired_to() {
    let mut bench = Bench::new(RelayKind::V1);
    bench.ask(FIRST, 3, &monoflop(0b1000, 0b1000, 35));
    bench.ask(SECOND, 3, &monoflop(0b0001, 0b0001, 35));
    bench.wait(ms(200));
    let edges = bench.rig.take_edges();
    let seen: Vec<_> =
        edges.iter().map(|edge| (edge.at.elapsed().as_millis(), edge.button, edge.down)).collect();
    assert_eq!(
        seen,
        [
            (32, Button::Right, true),
            (32, Button::A, true),
            (55, Button::Right, false),
            (55, Button::A, false)
        ]
    );
}
