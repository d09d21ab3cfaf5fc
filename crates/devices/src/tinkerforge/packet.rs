//! Packets of the Tinkerforge protocol, as a client sends and reads them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Bytes of a header.
pub const HEADER: usize = 8;
/// Bytes of the longest packet.
pub const LONGEST: usize = 80;

/// A device's address; people write it in base 58.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uid(pub u32);

impl Uid {
    /// Everyone.
    pub const BROADCAST: Uid = Uid(0);
    /// The daemon itself.
    pub const DAEMON: Uid = Uid(1);
}

/// Without the letters that look like others: 0, I, O and l.
const ALPHABET: &str = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 2^32 has six digits; leading ones (which are zeros) are not written.
        let digits = (0..6).rev().map(|place| (u64::from(self.0) / 58u64.pow(place)) % 58);
        let letters = digits.filter_map(|digit| ALPHABET.chars().nth(digit as usize));
        let text: String = letters.skip_while(|letter| *letter == '1').collect();
        f.write_str(if text.is_empty() { "1" } else { &text })
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uid({self})")
    }
}

/// A text that is not the address of a device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a UID; one is printed on each Brick and Bricklet, as in mTA (never with 0, I, O or l)")]
pub struct BadUid(String);

impl FromStr for Uid {
    type Err = BadUid;

    fn from_str(text: &str) -> Result<Self, BadUid> {
        let value = text.chars().try_fold(0u32, |value, letter| {
            value.checked_mul(58)?.checked_add(ALPHABET.find(letter)? as u32)
        });
        // Everyone and the daemon have the lowest two.
        value.filter(|value| *value > 1).map(Self).ok_or_else(|| BadUid(text.to_owned()))
    }
}

/// What we ask of a device; an answer is expected always, so that a lost bricklet is noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub uid: Uid,
    pub function: u8,
    pub payload: Vec<u8>,
}

impl Request {
    /// Its bytes; sequence numbers go from 1 to 15.
    pub fn bytes(&self, sequence: u8) -> Vec<u8> {
        self.encode(sequence << 4 | 0x08)
    }

    /// Its bytes when nobody will answer, as for broadcasts.
    pub fn bytes_without_answer(&self, sequence: u8) -> Vec<u8> {
        self.encode(sequence << 4)
    }

    fn encode(&self, options: u8) -> Vec<u8> {
        let mut bytes = self.uid.0.to_le_bytes().to_vec();
        bytes.extend([(HEADER + self.payload.len()) as u8, self.function, options, 0]);
        bytes.extend(&self.payload);
        bytes
    }
}

/// What a device says: an answer, or with sequence number 0 a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub uid: Uid,
    pub function: u8,
    pub sequence: u8,
    pub error: u8,
    pub payload: Vec<u8>,
}

impl Reply {
    /// Takes the first complete packet out of the buffer. An impossible length is an error: from
    /// there on nobody knows where a packet begins.
    pub fn take(buffer: &mut Vec<u8>) -> Result<Option<Self>, u8> {
        let Some(&[a, b, c, d, length, function, options, flags]) = buffer.first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let end = usize::from(length);
        if !(HEADER..=LONGEST).contains(&end) {
            return Err(length);
        }
        if buffer.len() < end {
            return Ok(None);
        }
        let payload = buffer.drain(..end).skip(HEADER).collect();
        let uid = Uid(u32::from_le_bytes([a, b, c, d]));
        Ok(Some(Self { uid, function, sequence: options >> 4, error: flags >> 6, payload }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_addresses() {
        for (text, value) in [("mTA", 70_272), ("mTC", 70_274), ("6JKbWn", 3_765_503_281)] {
            assert_eq!(text.parse(), Ok(Uid(value)));
            assert_eq!(Uid(value).to_string(), text);
        }
        assert_eq!((Uid(0).to_string(), Uid(1).to_string()), ("1".to_owned(), "2".to_owned()));
        for bad in ["", "1", "2", "mT0", "7xwQ9gZ", "ü"] {
            assert!(bad.parse::<Uid>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn addresses_come_back(value in 2u32..) {
            prop_assert_eq!(Uid(value).to_string().parse(), Ok(Uid(value)));
        }

        /// Whatever comes and however it is cut, it is taken apart or refused.
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut buffer = bytes.clone();
            while let Ok(Some(reply)) = Reply::take(&mut buffer) {
                prop_assert!(reply.payload.len() <= LONGEST - HEADER);
            }
            prop_assert!(bytes.ends_with(&buffer));
        }
    }
}
