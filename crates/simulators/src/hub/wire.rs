//! The hub's side of the SPIKE 3 protocol, read from LEGO's documentation for itself: frames and the messages a hub
//! takes and gives.

/// A request that a computer sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Identity,
    BeginFile { name: String, slot: u8, checksum: u32 },
    Chunk { checksum: u32, bytes: Vec<u8> },
    Start { slot: u8 },
    Stop,
    ReportEvery { milliseconds: u16 },
    Tunnel(Vec<u8>),
    ClearSlot { slot: u8 },
    Name,
}

/// Takes a request apart; nothing for what a hub does not know.
pub(super) fn request(message: &[u8]) -> Option<Request> {
    let u16_at = |at: usize| Some(u16::from_le_bytes([*message.get(at)?, *message.get(at + 1)?]));
    let u32_at = |at: usize| Some(u32::from_le_bytes(message.get(at..at + 4)?.try_into().ok()?));
    let sized_at = |at: usize| message.get(at + 2..at + 2 + usize::from(u16_at(at)?)).map(<[u8]>::to_vec);
    Some(match *message.first()? {
        0x00 => Request::Identity,
        0x0c => {
            let end = 1 + message[1..].iter().position(|&byte| byte == 0)?;
            let name = String::from_utf8(message[1..end].to_vec()).ok()?;
            Request::BeginFile { name, slot: *message.get(end + 1)?, checksum: u32_at(end + 2)? }
        }
        0x10 => Request::Chunk { checksum: u32_at(1)?, bytes: sized_at(5)? },
        0x18 => Request::Name,
        0x1e => match *message.get(1)? {
            0 => Request::Start { slot: *message.get(2)? },
            _ => Request::Stop,
        },
        0x28 => Request::ReportEvery { milliseconds: u16_at(1)? },
        0x32 => Request::Tunnel(sized_at(1)?),
        0x46 => Request::ClearSlot { slot: *message.get(1)? },
        _ => return None,
    })
}

/// What a hub says, ready for [`frame`].
pub(super) mod say {
    /// Answers by kind of request.
    pub(in super::super) const FILE_BEGUN: u8 = 0x0d;
    pub(in super::super) const CHUNK_TAKEN: u8 = 0x11;
    pub(in super::super) const PROGRAM: u8 = 0x1f;
    pub(in super::super) const REPORTS: u8 = 0x29;
    pub(in super::super) const SLOT_CLEARED: u8 = 0x47;

    /// Protocol 1.0, firmware 1.6.62, packets of 512 bytes, messages of 65,535, chunks of 1,026 (no multiple of four, to
    /// keep clients honest), product 0.
    pub(in super::super) fn identity() -> Vec<u8> {
        let mut message = vec![0x01, 1, 0, 123, 0, 1, 6, 62, 0];
        for limit in [512u16, 65_535, 1_026, 0] {
            message.extend(limit.to_le_bytes());
        }
        message
    }

    pub(in super::super) fn answer(kind: u8, agreed: bool) -> Vec<u8> {
        vec![kind, u8::from(!agreed)]
    }

    pub(in super::super) fn program(running: bool) -> Vec<u8> {
        vec![0x20, u8::from(!running)]
    }

    pub(in super::super) fn console(text: &[u8]) -> Vec<Vec<u8>> {
        let pieces = text.chunks(200);
        pieces.map(|piece| [&[0x21], piece, &[0]].concat()).collect()
    }

    pub(in super::super) fn tunnel(bytes: &[u8]) -> Vec<u8> {
        [&[0x32], (bytes.len() as u16).to_le_bytes().as_slice(), bytes].concat()
    }

    pub(in super::super) fn name() -> Vec<u8> {
        b"\x19Simulated\0".to_vec()
    }

    pub(in super::super) fn report(devices: &[u8]) -> Vec<u8> {
        [&[0x3c], (devices.len() as u16).to_le_bytes().as_slice(), devices].concat()
    }
}

/// Frames a message: split at 0, 1 and 2, every piece of at most 83 bytes with a code that tells its length and end.
pub(super) fn frame(message: &[u8]) -> Vec<u8> {
    let mut blocks = Vec::new();
    let mut rest = message;
    loop {
        let end = rest.iter().take(84).position(|&byte| byte < 3);
        match end {
            Some(end) => {
                blocks.push(end as u8 + 3 + 84 * rest[end]);
                blocks.extend(&rest[..end]);
                rest = &rest[end + 1..];
            }
            None if rest.len() >= 84 => {
                blocks.push(255);
                blocks.extend(&rest[..84]);
                rest = &rest[84..];
            }
            None => {
                blocks.push(rest.len() as u8 + 3);
                blocks.extend(rest);
                break;
            }
        }
    }
    blocks.iter().map(|byte| byte ^ 3).chain([2]).collect()
}

/// The message in a frame without its end mark; nothing for a broken one.
pub(super) fn message(frame: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = frame.iter().map(|byte| byte ^ 3).peekable();
    let mut message = Vec::new();
    while let Some(code) = bytes.next() {
        let code = usize::from(code.checked_sub(3)?);
        let (length, delimiter) = if code == 252 { (84, None) } else { (code % 84, Some((code / 84) as u8)) };
        for _ in 0..length {
            message.push(bytes.next()?);
        }
        if let (Some(delimiter), Some(_)) = (delimiter, bytes.peek()) {
            message.push(delimiter);
        }
    }
    Some(message)
}

/// CRC-32 of words of four bytes, going on from `before`.
pub(super) fn crc(before: u32, bytes: &[u8]) -> u32 {
    let padding = (4 - bytes.len() % 4) % 4;
    let padded = bytes.iter().copied().chain(std::iter::repeat_n(0, padding));
    !padded.fold(!before, |mut crc, byte| {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_frames_and_checksums() {
        assert_eq!(frame(&[0]), [0, 0, 2]);
        assert_eq!(frame(b"\x32\x05\x00hello"), b"\x06\x31\x06\x0b\x6b\x66\x6f\x6f\x6c\x02");
        assert_eq!(crc(0, b"1234"), 0x9be3_e0a3);
        assert_eq!(request(b"\x32\x04\x00test"), Some(Request::Tunnel(b"test".to_vec())));
        assert_eq!(
            request(b"\x0cprogram.py\0\x03\x01\x02\x03\x04"),
            Some(Request::BeginFile { name: "program.py".into(), slot: 3, checksum: 0x0403_0201 })
        );
    }

    proptest! {
        #[test]
        fn messages_come_back(bytes in prop::collection::vec(prop_oneof![0u8..4, any::<u8>()], 1..400)) {
            let framed = frame(&bytes);
            prop_assert_eq!(message(&framed[..framed.len() - 1]), Some(bytes));
        }

        #[test]
        fn noise_never_hurts(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            if let Some(message) = message(&bytes) {
                let _ = request(&message);
            }
        }
    }
}
