//! Anything that may come from a hub's line. Run by `cargo fuzz` with inputs that it makes up, and by the driver's tests
//! with real messages that are mutated at random.

use devices::hub::frame::{self, FrameReader};
use devices::hub::message::Message;
use devices::hub::tunnel::Packet;

/// Frames, messages and packets survive these bytes, and what can be read is written back the same. Returns how many messages
/// could be read.
pub fn hear(bytes: &[u8]) -> usize {
    let mut reader = FrameReader::default();
    let framed = bytes.iter().filter_map(|&byte| reader.take(byte)).flatten();
    let heard = framed.filter(|message| read(message)).count();
    read(bytes);
    if let Ok(packet) = Packet::from_bytes(bytes) {
        assert_eq!(packet.to_bytes(), bytes);
    }
    heard
}

fn read(message: &[u8]) -> bool {
    if !message.is_empty() {
        let framed = frame::wrap(message);
        assert_eq!(frame::unwrap(&framed[..framed.len() - 1]).as_deref(), Ok(message));
    }
    let Ok(read) = Message::from_bytes(message) else { return false };
    assert_eq!(Message::from_bytes(&read.to_bytes()), Ok(read));
    true
}
