//! Frames of the hub's byte stream: a COBS variant with three delimiters.
//!
//! ```text
//! message ── pack ──► blocks ── xor 3 ──► no byte is 0x01, 0x02 or Ctrl-C ── + 0x02 ──► frame
//! block of n bytes before delimiter d:   code = n + 3 + 84·d, then the n bytes   (n = 0 … 83, d = 0, 1, 2)
//! block of 84 bytes before none:         code = 255, then the 84 bytes
//! ```
//!
//! The last block is written as if a 0 followed it; that 0 is not part of the message.

use thiserror::Error;

/// Ends a frame.
const END: u8 = 0x02;
/// Opens a frame that may interrupt another one.
const URGENT: u8 = 0x01;
/// Keeps Ctrl-C (3) off the line: on USB it would stop the hub's program.
const MASK: u8 = 0x03;
/// Codes below this mean nothing.
const FIRST_CODE: u8 = 3;
/// The longest block.
const BLOCK: usize = 84;
/// The code of a longest block, which no delimiter follows.
const FULL_BLOCK: u8 = 255;
/// Larger messages than a hub ever announces: whatever grows beyond this is noise.
const LONGEST_FRAME: usize = 1 << 17;

/// A frame that holds no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// A block's length reaches beyond the end of its frame.
    #[error("block at byte {at} says {said} bytes, {left} are left")]
    Torn {
        /// Where its code stands.
        at: usize,
        /// The length it gives.
        said: usize,
        /// What the frame still has.
        left: usize,
    },
    /// A code that stands for no block.
    #[error("byte {at} is not a block code: {code}")]
    Code {
        /// Where it stands.
        at: usize,
        /// What it is.
        code: u8,
    },
    /// A frame without a single block.
    #[error("empty frame")]
    Empty,
    /// An urgent frame was opened inside another one: what came before is lost.
    #[error("an urgent frame began inside another: both were dropped")]
    OutOfStep,
    /// Bytes without end.
    #[error("more than {LONGEST_FRAME} bytes without the end of a frame")]
    Endless,
}

/// Wraps a message for the line.
///
/// ```
/// assert_eq!(devices::hub::frame::wrap(&[0]), [0, 0, 2]); // "who are you?"
/// ```
pub fn wrap(message: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(message.len() + message.len() / BLOCK + 3);
    let mut code_at = 0;
    frame.push(0);
    for &byte in message {
        let length = frame.len() - code_at - 1;
        if byte <= END {
            frame[code_at] = length as u8 + FIRST_CODE + BLOCK as u8 * byte;
        } else {
            frame.push(byte);
            if length + 1 < BLOCK {
                continue;
            }
            frame[code_at] = FULL_BLOCK;
        }
        code_at = frame.len();
        frame.push(0);
    }
    frame[code_at] = (frame.len() - code_at - 1) as u8 + FIRST_CODE;
    for byte in &mut frame {
        *byte ^= MASK;
    }
    frame.push(END);
    frame
}

/// The message inside a frame whose opening and end were already taken off.
pub fn unwrap(frame: &[u8]) -> Result<Vec<u8>, FrameError> {
    if frame.is_empty() {
        return Err(FrameError::Empty);
    }
    let mut message = Vec::with_capacity(frame.len());
    let mut at = 0;
    while let Some(code) = frame.get(at).map(|byte| byte ^ MASK) {
        let (length, delimiter) = match code {
            FULL_BLOCK => (BLOCK, None),
            FIRST_CODE.. => {
                let code = usize::from(code - FIRST_CODE);
                (code % BLOCK, Some((code / BLOCK) as u8))
            }
            _ => return Err(FrameError::Code { at, code }),
        };
        let left = frame.len() - at - 1;
        let Some(block) = frame.get(at + 1..=at + length) else {
            return Err(FrameError::Torn { at, said: length, left });
        };
        message.extend(block.iter().map(|byte| byte ^ MASK));
        at += 1 + length;
        if let Some(delimiter) = delimiter.filter(|_| at < frame.len()) {
            message.push(delimiter);
        }
    }
    Ok(message)
}

/// Collects bytes as they come, in whatever pieces, into messages.
#[derive(Clone, Debug, Default)]
pub struct FrameReader {
    ordinary: Vec<u8>,
    /// Some while an urgent frame is being read, in the middle of an ordinary one perhaps.
    urgent: Option<Vec<u8>>,
}

impl FrameReader {
    /// Takes one byte; a message or what was wrong with it once a frame is complete.
    pub fn take(&mut self, byte: u8) -> Option<Result<Vec<u8>, FrameError>> {
        match byte {
            URGENT if self.urgent.is_some() => {
                self.clear();
                Some(Err(FrameError::OutOfStep))
            }
            URGENT => {
                self.urgent = Some(Vec::new());
                None
            }
            END => {
                let frame = self.urgent.take().unwrap_or_else(|| std::mem::take(&mut self.ordinary));
                Some(unwrap(&frame))
            }
            _ => {
                let frame = self.urgent.as_mut().unwrap_or(&mut self.ordinary);
                frame.push(byte);
                (frame.len() > LONGEST_FRAME).then(|| {
                    self.clear();
                    Err(FrameError::Endless)
                })
            }
        }
    }

    /// Forgets what was begun: for a line that was opened again.
    pub fn clear(&mut self) {
        self.ordinary.clear();
        self.urgent = None;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<Vec<u8>, FrameError>> {
        let mut reader = FrameReader::default();
        bytes.iter().filter_map(|&byte| reader.take(byte)).collect()
    }

    /// An empty request, LEGO's tunnel example, and a capture of a user (spike-prime-docs, issue 8).
    #[test]
    fn known_frames_both_ways() {
        let known: [(&[u8], &[u8]); 3] = [
            (b"\x00", b"\x00\x00\x02"),
            (b"\x32\x05\x00hello", b"\x06\x31\x06\x0b\x6b\x66\x6f\x6f\x6c\x02"),
            (b"\x32\x04\x00test", b"\x06\x31\x07\x04\x77\x66\x70\x77\x02"),
        ];
        for (message, frame) in known {
            assert_eq!(wrap(message), frame);
            assert_eq!(read(frame), [Ok(message.to_vec())]);
        }
    }

    #[test]
    fn long_runs_without_delimiters_are_split() {
        for length in [83, 84, 85, 167, 168, 169, 252] {
            let message = vec![7; length];
            assert_eq!(read(&wrap(&message)), [Ok(message)], "{length} bytes");
        }
    }

    #[test]
    fn an_urgent_frame_interrupts_an_ordinary_one() {
        let (slow, fast) = (wrap(b"an ordinary message"), wrap(b"stop"));
        let mut bytes = slow[..5].to_vec();
        bytes.push(URGENT);
        bytes.extend(&fast);
        bytes.extend(&slow[5..]);
        assert_eq!(read(&bytes), [Ok(b"stop".to_vec()), Ok(b"an ordinary message".to_vec())]);

        let mut bytes = slow[..5].to_vec();
        bytes.extend([URGENT, 9, URGENT]);
        bytes.extend(&slow);
        assert_eq!(read(&bytes), [Err(FrameError::OutOfStep), Ok(b"an ordinary message".to_vec())]);
    }

    #[test]
    fn broken_frames_are_told_apart() {
        assert_eq!(read(&[END]), [Err(FrameError::Empty)]);
        assert_eq!(read(&[(3 + 5) ^ MASK, 9, END]), [Err(FrameError::Torn { at: 0, said: 5, left: 1 })]);
        // 1 ^ 3 is the end of a frame, 2 ^ 3 its opening: 0 is the only code below 3 that can arrive.
        assert_eq!(read(&[MASK, END]), [Err(FrameError::Code { at: 0, code: 0 })]);
        let mut reader = FrameReader::default();
        let noise = std::iter::repeat_n(9, LONGEST_FRAME + 1).filter_map(|byte| reader.take(byte));
        assert_eq!(noise.collect::<Vec<_>>(), [Err(FrameError::Endless)]);
    }

    proptest! {
        #[test]
        fn every_message_comes_back(message in prop::collection::vec(prop_oneof![0u8..4, any::<u8>()], 1..600)) {
            let frame = wrap(&message);
            prop_assert!(frame[..frame.len() - 1].iter().all(|&byte| byte != 1 && byte != 2));
            prop_assert!(!frame.contains(&3), "no Ctrl-C on the line");
            prop_assert_eq!(read(&frame), [Ok(message)]);
        }

        #[test]
        fn noise_never_hurts(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
        }
    }
}
