//! Packets of the Tinkerforge protocol: 8 bytes of header, up to 72 of payload, little endian.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Bytes of a header.
pub const HEADER: usize = 8;
/// Bytes of the longest packet.
pub const LONGEST: usize = 80;

/// What a device says about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ErrorCode {
    /// A parameter is out of range, or the payload has the wrong length.
    InvalidParameter = 1,
    /// It has no such function.
    NotSupported = 2,
}

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
const ALPHABET: &[u8; 58] = b"123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut digits = Vec::with_capacity(6);
        loop {
            digits.push(char::from(ALPHABET[(rest % 58) as usize]));
            rest /= 58;
            if rest == 0 {
                break;
            }
        }
        f.write_str(&digits.iter().rev().collect::<String>())
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uid({self})")
    }
}

/// A text that is not the address of a device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a UID: 1 to 6 digits and letters without 0, I, O and l, as in mTA")]
pub struct BadUid(String);

impl FromStr for Uid {
    type Err = BadUid;

    fn from_str(text: &str) -> Result<Self, BadUid> {
        let bad = || BadUid(text.to_owned());
        let mut value = 0u32;
        for letter in text.bytes() {
            let digit = ALPHABET.iter().position(|known| *known == letter).ok_or_else(bad)?;
            value = value.checked_mul(58).and_then(|v| v.checked_add(digit as u32)).ok_or_else(bad)?;
        }
        // Both lowest addresses have a meaning of their own.
        if value > 1 { Ok(Self(value)) } else { Err(bad()) }
    }
}

/// A request from a client, its header checked as the real daemon checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    pub uid: Uid,
    pub function: u8,
    /// Byte 6 as it came: sequence number, whether an answer is expected, options.
    options: u8,
    pub payload: &'a [u8],
}

/// Why the real daemon would hang up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPacket {
    #[error("a packet of {0} bytes; 8 to 80 are allowed")]
    Length(u8),
    #[error("function 0")]
    Function,
    #[error("sequence number 0 in a request")]
    Sequence,
}

impl<'a> Request<'a> {
    /// The first request in the buffer; none while it is incomplete.
    pub fn parse(buffer: &'a [u8]) -> Result<Option<(Self, usize)>, BadPacket> {
        let Some((header, _)) = buffer.split_first_chunk::<HEADER>() else { return Ok(None) };
        let [a, b, c, d, length, function, options, _] = *header;
        let end = usize::from(length);
        if !(HEADER..=LONGEST).contains(&end) {
            return Err(BadPacket::Length(length));
        }
        if function == 0 {
            return Err(BadPacket::Function);
        }
        if options >> 4 == 0 {
            return Err(BadPacket::Sequence);
        }
        let Some(payload) = buffer.get(HEADER..end) else { return Ok(None) };
        let uid = Uid(u32::from_le_bytes([a, b, c, d]));
        Ok(Some((Self { uid, function, options, payload }, end)))
    }

    /// Whether the client waits for an answer.
    pub fn expects_answer(&self) -> bool {
        self.options & 0x08 != 0
    }

    /// The answer's bytes: this header with another length, an error code, and a payload.
    pub fn answer(&self, result: Result<&[u8], ErrorCode>) -> Vec<u8> {
        let (payload, code) = match result {
            Ok(payload) => (payload, 0),
            Err(code) => ([].as_slice(), code as u8),
        };
        packet(self.uid, self.function, self.options, code << 6, payload)
    }
}

/// A callback's bytes. Its sequence number is 0, and "answer expected" is set (the daemon insists).
pub fn callback(uid: Uid, function: u8, payload: &[u8]) -> Vec<u8> {
    packet(uid, function, 0x08, 0, payload)
}

fn packet(uid: Uid, function: u8, options: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend(uid.0.to_le_bytes());
    bytes.extend([(HEADER + payload.len()) as u8, function, options, flags]);
    bytes.extend(payload);
    bytes
}

/// A text in a field of fixed width, filled up with zeros.
pub fn fixed_width<const WIDTH: usize>(text: &str) -> [u8; WIDTH] {
    let mut field = [0; WIDTH];
    for (place, letter) in field.iter_mut().zip(text.bytes()) {
        *place = letter;
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_in_base_58() {
        for (text, value) in [("2", 1), ("mTA", 70_272), ("6JKbWn", 3_765_503_281)] {
            assert_eq!(Uid(value).to_string(), text);
        }
        assert_eq!("mTA".parse(), Ok(Uid(70_272)));
        for bad in ["", "1", "2", "0", "l", "mTAmTAmTA", "m TA", "ZZZZZZZ"] {
            assert!(bad.parse::<Uid>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn requests_are_complete_incomplete_or_refused() {
        let whole = [1, 0, 0, 0, 9, 7, 0x18, 0, 42, 99];
        let (request, length) = Request::parse(&whole).unwrap().unwrap();
        assert_eq!((request.uid, request.function, request.payload, length), (Uid(1), 7, &[42][..], 9));
        assert!(request.expects_answer());
        for end in 0..9 {
            assert_eq!(Request::parse(&whole[..end]), Ok(None));
        }
        for (place, value, why) in
            [(4, 7, BadPacket::Length(7)), (4, 81, BadPacket::Length(81)), (5, 0, BadPacket::Function)]
        {
            let mut mutated = whole;
            mutated[place] = value;
            assert_eq!(Request::parse(&mutated), Err(why));
        }
        let mut mutated = whole;
        mutated[6] = 0x08;
        assert_eq!(Request::parse(&mutated), Err(BadPacket::Sequence));
    }

    #[test]
    fn an_answer_repeats_the_header() {
        let bytes = [9, 8, 7, 6, 8, 2, 0x5b, 0];
        let (request, _) = Request::parse(&bytes).unwrap().unwrap();
        assert_eq!(request.answer(Ok(&[1, 2])), [9, 8, 7, 6, 10, 2, 0x5b, 0, 1, 2]);
        assert_eq!(request.answer(Err(ErrorCode::NotSupported)), [9, 8, 7, 6, 8, 2, 0x5b, 0x80]);
    }
}
