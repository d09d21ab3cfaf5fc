//! Anything that may come from a hub's line: frames, messages and packets stand it, and what is read is written alike.

#![no_main]

use devices::hub::frame::{self, FrameReader};
use devices::hub::message::Message;
use devices::hub::tunnel::Packet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = FrameReader::default();
    for message in bytes.iter().filter_map(|&byte| reader.take(byte)).flatten() {
        read(&message);
    }
    read(bytes);
    if let Ok(packet) = Packet::from_bytes(bytes) {
        assert_eq!(packet.to_bytes(), bytes);
    }
});

fn read(message: &[u8]) {
    if !message.is_empty() {
        let framed = frame::wrap(message);
        assert_eq!(frame::unwrap(&framed[..framed.len() - 1]).as_deref(), Ok(message));
    }
    if let Ok(read) = Message::from_bytes(message) {
        assert_eq!(Message::from_bytes(&read.to_bytes()), Ok(read));
    }
}
