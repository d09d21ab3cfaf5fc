//! Packets between this computer and the program we upload: numbered and checked, because a hub that is sent more than
//! it can take corrupts messages instead of blocking (spike-prime-docs, issue 9).
//!
//! ```text
//! to the hub:    number  order  arguments …  check
//! from the hub:  number  state  values …     check       (number 0: nobody asked)
//! ```
//!
//! An order is repeated under its number until its end is reported. The hub never carries out a number twice: it
//! repeats what it last said. The repeats are also what keeps its watchdog calm.

use thiserror::Error;

/// A numbered packet: an order with arguments, or a state with values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Which order this is, or belongs to.
    pub number: u8,
    /// The order's or the state's code.
    pub code: u8,
    /// Its arguments or values.
    pub body: Vec<u8>,
}

/// Bytes that are not a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PacketError {
    /// Too few bytes.
    #[error("a packet of {0} bytes is too short")]
    Short(usize),
    /// The check does not fit: something was lost or changed on the way.
    #[error("a packet was damaged on its way")]
    Damaged,
}

impl Packet {
    /// The packet with its check.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.number, self.code];
        bytes.extend(&self.body);
        bytes.extend(check(&bytes));
        bytes
    }

    /// Reads a packet whose check fits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PacketError> {
        let (packet, tail) = bytes.split_last_chunk::<2>().ok_or(PacketError::Short(bytes.len()))?;
        let [number, code, body @ ..] = packet else { return Err(PacketError::Short(bytes.len())) };
        if check(packet) != *tail {
            return Err(PacketError::Damaged);
        }
        Ok(Self { number: *number, code: *code, body: body.to_vec() })
    }
}

/// Fletcher's checksum: a few additions, which the hub's interpreter can afford. It starts at 1, so that a packet of
/// zeros is not its own check.
fn check(bytes: &[u8]) -> [u8; 2] {
    let (mut low, mut high) = (1u32, 0u32);
    for &byte in bytes {
        low = (low + u32::from(byte)) % 255;
        high = (high + low) % 255;
    }
    [low as u8, high as u8]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_check_is_fletchers() {
        assert_eq!(Packet { number: 1, code: 2, body: vec![] }.to_bytes(), [1, 2, 4, 6]);
        assert_eq!(Packet::from_bytes(&[0, 0, 0, 0]), Err(PacketError::Damaged));
        assert_eq!(Packet::from_bytes(&[1, 2, 4]), Err(PacketError::Short(3)));
    }

    proptest! {
        #[test]
        fn every_packet_comes_back(number: u8, code: u8, body in prop::collection::vec(any::<u8>(), 0..40)) {
            let packet = Packet { number, code, body };
            prop_assert_eq!(Packet::from_bytes(&packet.to_bytes()), Ok(packet));
        }

        /// One changed byte is always noticed, except 0 for 255, which Fletcher cannot tell apart.
        #[test]
        fn a_changed_byte_is_noticed(body in prop::collection::vec(any::<u8>(), 0..40), at: prop::sample::Index, change in 1u8..255) {
            let mut bytes = Packet { number: 1, code: 2, body }.to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assume!((bytes[at] ^ change).abs_diff(bytes[at]) != 255);
            prop_assert!(Packet::from_bytes(&bytes).is_err());
        }
    }
}
