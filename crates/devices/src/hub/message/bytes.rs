//! Messages as bytes, and back.

use super::{Answer, Flow, Identity, Message, MessageError, Version};
use crate::hub::sensors;

/// Longest name of an uploaded file, its end mark included.
const FILE_NAME: usize = 32;
/// Longest name of a hub, its end mark included.
const HUB_NAME: usize = 30;
/// Longest printed text in one message, its end mark included.
const CONSOLE_TEXT: usize = 256;

impl Message {
    /// The bytes of the message, before it is framed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.kind()];
        match self {
            Self::WhoAreYou | Self::WhatName => {}
            Self::IAm(identity) => {
                for version in [identity.protocol, identity.firmware] {
                    out.extend([version.major, version.minor]);
                    out.extend(version.build.to_le_bytes());
                }
                let limits = [
                    identity.largest_packet,
                    identity.largest_message,
                    identity.largest_chunk,
                    identity.product,
                ];
                out.extend(limits.iter().flat_map(|limit| limit.to_le_bytes()));
            }
            Self::BeginFile { name, slot, checksum } => {
                put_text(&mut out, name, FILE_NAME);
                out.push(*slot);
                out.extend(checksum.to_le_bytes());
            }
            Self::Chunk { checksum, bytes } => {
                out.extend(checksum.to_le_bytes());
                put_sized(&mut out, bytes);
            }
            Self::Program { flow, slot } => out.extend([flow.to_byte(), *slot]),
            Self::ProgramChanged(flow) => out.push(flow.to_byte()),
            Self::Console(text) => put_text(&mut out, text, CONSOLE_TEXT),
            Self::ReportEvery { interval_ms } => out.extend(interval_ms.to_le_bytes()),
            Self::Tunnel(bytes) => put_sized(&mut out, bytes),
            Self::Report(readings) => put_sized(&mut out, &sensors::to_bytes(readings)),
            Self::ClearSlot { slot } => out.push(*slot),
            Self::Name(name) | Self::SetName(name) => put_text(&mut out, name, HUB_NAME),
            Self::FileBegun(answer)
            | Self::ChunkTaken(answer)
            | Self::ProgramAnswer(answer)
            | Self::ReportAnswer(answer)
            | Self::SlotCleared(answer)
            | Self::NameSet(answer) => out.push(answer.to_byte()),
        }
        out
    }

    /// Reads a message; every byte must make sense.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        let (&kind, rest) = bytes.split_first().ok_or(MessageError::Empty)?;
        let mut fields = Fields { kind, rest };
        let message = match kind {
            0x00 => Self::WhoAreYou,
            0x01 => Self::IAm(Identity {
                protocol: fields.version()?,
                firmware: fields.version()?,
                largest_packet: fields.u16()?,
                largest_message: fields.u16()?,
                largest_chunk: fields.u16()?,
                product: fields.u16()?,
            }),
            0x0c => {
                Self::BeginFile { name: fields.text(FILE_NAME)?, slot: fields.u8()?, checksum: fields.u32()? }
            }
            0x0d => Self::FileBegun(fields.answer()?),
            0x10 => Self::Chunk { checksum: fields.u32()?, bytes: fields.sized()?.to_vec() },
            0x11 => Self::ChunkTaken(fields.answer()?),
            0x16 => Self::SetName(fields.text(HUB_NAME)?),
            0x17 => Self::NameSet(fields.answer()?),
            0x18 => Self::WhatName,
            0x19 => Self::Name(fields.text(HUB_NAME)?),
            0x1e => Self::Program { flow: fields.flow()?, slot: fields.u8()? },
            0x1f => Self::ProgramAnswer(fields.answer()?),
            0x20 => Self::ProgramChanged(fields.flow()?),
            0x21 => Self::Console(fields.text(CONSOLE_TEXT)?),
            0x28 => Self::ReportEvery { interval_ms: fields.u16()? },
            0x29 => Self::ReportAnswer(fields.answer()?),
            0x32 => Self::Tunnel(fields.sized()?.to_vec()),
            0x3c => Self::Report(sensors::from_bytes(fields.sized()?)?),
            0x46 => Self::ClearSlot { slot: fields.u8()? },
            0x47 => Self::SlotCleared(fields.answer()?),
            _ => return Err(MessageError::Kind { kind, length: rest.len() }),
        };
        fields.end(message)
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::WhoAreYou => 0x00,
            Self::IAm(_) => 0x01,
            Self::BeginFile { .. } => 0x0c,
            Self::FileBegun(_) => 0x0d,
            Self::Chunk { .. } => 0x10,
            Self::ChunkTaken(_) => 0x11,
            Self::SetName(_) => 0x16,
            Self::NameSet(_) => 0x17,
            Self::WhatName => 0x18,
            Self::Name(_) => 0x19,
            Self::Program { .. } => 0x1e,
            Self::ProgramAnswer(_) => 0x1f,
            Self::ProgramChanged(_) => 0x20,
            Self::Console(_) => 0x21,
            Self::ReportEvery { .. } => 0x28,
            Self::ReportAnswer(_) => 0x29,
            Self::Tunnel(_) => 0x32,
            Self::Report(_) => 0x3c,
            Self::ClearSlot { .. } => 0x46,
            Self::SlotCleared(_) => 0x47,
        }
    }
}

impl Answer {
    const fn to_byte(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
        }
    }
}

impl Flow {
    const fn to_byte(self) -> u8 {
        match self {
            Self::Start => 0,
            Self::Stop => 1,
        }
    }
}

/// Text with its end mark. What is too long is cut; a NUL inside would end it early and is left out.
fn put_text(out: &mut Vec<u8>, text: &str, longest: usize) {
    out.extend(text.as_bytes()[..fitting(text, longest)].iter().filter(|&&byte| byte != 0));
    out.push(0);
}

/// How many bytes of a text fit, in whole characters, with its end mark.
fn fitting(text: &str, longest: usize) -> usize {
    let ends = text.char_indices().map(|(at, character)| at + character.len_utf8());
    ends.take_while(|&end| end < longest).last().unwrap_or(0)
}

/// Bytes with their number in front. A message never holds more than its own limit, which is a `u16`.
fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(usize::from(u16::MAX))];
    out.extend((bytes.len() as u16).to_le_bytes());
    out.extend(bytes);
}

/// The fields of one message, read one after the other.
struct Fields<'a> {
    kind: u8,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], MessageError> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or(MessageError::Short { kind: self.kind })?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MessageError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(MessageError::Short { kind: self.kind })?;
        self.rest = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, MessageError> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, MessageError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, MessageError> {
        self.array().map(u32::from_le_bytes)
    }

    fn sized(&mut self) -> Result<&'a [u8], MessageError> {
        let count = self.u16()?;
        self.bytes(usize::from(count))
    }

    /// Text of at most this many bytes, its end mark included.
    fn text(&mut self, longest: usize) -> Result<String, MessageError> {
        let end = self.rest.iter().position(|&byte| byte == 0);
        let text = self.bytes(end.ok_or(MessageError::Short { kind: self.kind })?)?;
        self.bytes(1)?;
        // A printed text may have been cut in the middle of a character. The mark for that must not make it longer.
        let mut readable = String::new();
        for chunk in text.utf8_chunks() {
            readable.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                readable.push('?');
            }
        }
        readable.truncate(fitting(&readable, longest));
        Ok(readable)
    }

    fn version(&mut self) -> Result<Version, MessageError> {
        Ok(Version { major: self.u8()?, minor: self.u8()?, build: self.u16()? })
    }

    fn answer(&mut self) -> Result<Answer, MessageError> {
        match self.u8()? {
            0 => Ok(Answer::Yes),
            1 => Ok(Answer::No),
            value => Err(MessageError::Value { kind: self.kind, field: "status", value }),
        }
    }

    fn flow(&mut self) -> Result<Flow, MessageError> {
        match self.u8()? {
            0 => Ok(Flow::Start),
            1 => Ok(Flow::Stop),
            value => Err(MessageError::Value { kind: self.kind, field: "program action", value }),
        }
    }

    fn end(&self, message: Message) -> Result<Message, MessageError> {
        match self.rest.len() {
            0 => Ok(message),
            extra => Err(MessageError::Long { kind: self.kind, extra }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::SLOTS;
    use super::*;
    use crate::hub::sensors::tests::reading;

    fn answer() -> impl Strategy<Value = Answer> {
        prop_oneof![Just(Answer::Yes), Just(Answer::No)]
    }

    fn flow() -> impl Strategy<Value = Flow> {
        prop_oneof![Just(Flow::Start), Just(Flow::Stop)]
    }

    fn version() -> impl Strategy<Value = Version> {
        (any::<u8>(), any::<u8>(), any::<u16>()).prop_map(|(major, minor, build)| Version {
            major,
            minor,
            build,
        })
    }

    fn identity() -> impl Strategy<Value = Identity> {
        (version(), version(), any::<[u16; 4]>()).prop_map(|(protocol, firmware, limits)| Identity {
            protocol,
            firmware,
            largest_packet: limits[0],
            largest_message: limits[1],
            largest_chunk: limits[2],
            product: limits[3],
        })
    }

    fn message() -> impl Strategy<Value = Message> {
        let bytes = || prop::collection::vec(any::<u8>(), 0..300);
        prop_oneof![
            Just(Message::WhoAreYou),
            identity().prop_map(Message::IAm),
            ("[a-z.]{0,31}", 0..SLOTS, any::<u32>()).prop_map(|(name, slot, checksum)| Message::BeginFile {
                name,
                slot,
                checksum
            }),
            answer().prop_map(Message::FileBegun),
            (any::<u32>(), bytes()).prop_map(|(checksum, bytes)| Message::Chunk { checksum, bytes }),
            answer().prop_map(Message::ChunkTaken),
            (flow(), 0..SLOTS).prop_map(|(flow, slot)| Message::Program { flow, slot }),
            answer().prop_map(Message::ProgramAnswer),
            flow().prop_map(Message::ProgramChanged),
            "[ -~äöü]{0,120}".prop_map(Message::Console),
            any::<u16>().prop_map(|interval_ms| Message::ReportEvery { interval_ms }),
            answer().prop_map(Message::ReportAnswer),
            bytes().prop_map(Message::Tunnel),
            prop::collection::vec(reading(), 0..10).prop_map(Message::Report),
            (0..SLOTS).prop_map(|slot| Message::ClearSlot { slot }),
            answer().prop_map(Message::SlotCleared),
            Just(Message::WhatName),
            "[ -~]{0,29}".prop_map(Message::Name),
            "[ -~]{0,29}".prop_map(Message::SetName),
            answer().prop_map(Message::NameSet),
        ]
    }

    #[test]
    fn known_messages() {
        assert_eq!(Message::Tunnel(b"hello".to_vec()).to_bytes(), b"\x32\x05\x00hello");
        assert_eq!(
            Message::BeginFile { name: "program.py".into(), slot: 3, checksum: 0x0403_0201 }.to_bytes(),
            b"\x0cprogram.py\0\x03\x01\x02\x03\x04"
        );
        assert_eq!(Message::Program { flow: Flow::Stop, slot: 7 }.to_bytes(), [0x1e, 1, 7]);
    }

    #[test]
    fn what_is_no_message_is_said() {
        let problem = |bytes: &[u8]| Message::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(problem(b""), "empty message");
        assert_eq!(problem(b"\x99\x01"), "message of unknown kind 0x99 with 1 bytes");
        assert_eq!(problem(b"\x0d"), "message of kind 0x0d ends inside its fields");
        assert_eq!(problem(b"\x0d\x07"), "message of kind 0x0d: 7 is not a status");
        assert_eq!(problem(b"\x0d\x00\x00"), "message of kind 0x0d has 1 bytes too many");
        assert_eq!(problem(b"\x32\x05\x00abc"), "message of kind 0x32 ends inside its fields");
        assert_eq!(problem(b"\x3c\x01\x00\x63"), "report about a device of unknown kind 99");
        // Firmware messages are strangers to this client.
        assert!(problem(b"\x0a").contains("unknown kind 0x0a"));
    }

    #[test]
    fn texts_are_cut_where_they_must_be() {
        let Message::Console(text) =
            Message::from_bytes(&Message::Console("ä".repeat(300)).to_bytes()).unwrap()
        else {
            panic!()
        };
        assert_eq!(text, "ä".repeat(127));
        assert_eq!(Message::Console("a\0b".into()).to_bytes(), b"\x21ab\0");
        // Found by the fuzzer: broken characters in a name made it longer than a name may be.
        let name = [b"\x19".as_slice(), &[0xff; 29], b"\0"].concat();
        let name = Message::from_bytes(&name).unwrap();
        assert_eq!(Message::from_bytes(&name.to_bytes()), Ok(name));
    }

    proptest! {
        #[test]
        fn every_message_comes_back(message in message()) {
            prop_assert_eq!(Message::from_bytes(&message.to_bytes()), Ok(message));
        }

        /// What was read is written as it was.
        #[test]
        fn noise_is_refused_or_read_exactly(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(message) = Message::from_bytes(&bytes)
                && !matches!(message, Message::Console(_) | Message::Name(_) | Message::SetName(_) | Message::BeginFile { .. } | Message::Report(_))
            {
                prop_assert_eq!(message.to_bytes(), bytes);
            }
        }
    }
}
