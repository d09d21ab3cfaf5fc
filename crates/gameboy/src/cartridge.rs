//! A cartridge image, checked before it goes into a console.

use thiserror::Error;

/// Smallest image: two banks.
const MIN_LENGTH: usize = 0x8000;
/// Largest image any controller can address.
const MAX_LENGTH: usize = 0x80_0000;
const COLOUR_FLAG: usize = 0x143;
const ONLY_COLOUR: u8 = 0xC0;
const KIND: usize = 0x147;
const HEADER: std::ops::RangeInclusive<usize> = 0x134..=0x14C;
const HEADER_SUM: usize = 0x14D;

/// An image that a console takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartridge {
    bytes: Vec<u8>,
}

/// Why an image is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CartridgeError {
    /// Not the length of a cartridge.
    #[error(
        "not a cartridge image: {length} bytes; an image has {MIN_LENGTH} to {MAX_LENGTH}, in steps of 16384"
    )]
    Length {
        /// Bytes found.
        length: usize,
    },
    /// The header does not add up; the console itself would refuse to start it.
    #[error(
        "the header's sum is {found:#04x} and should be {expected:#04x}: the image is damaged or not a cartridge"
    )]
    HeaderSum {
        /// What the header says.
        found: u8,
        /// What its bytes give.
        expected: u8,
    },
    /// Made for a later console only.
    #[error("the cartridge wants a Game Boy Color; this is the grey one")]
    OnlyColour,
    /// A memory controller that nobody here emulates.
    #[error(
        "the cartridge has a controller of kind {kind:#04x}; known are ROM only, MBC1, MBC2, MBC3 and MBC5"
    )]
    Controller {
        /// The header's number.
        kind: u8,
    },
    /// The emulator refuses it.
    #[error("the emulator refuses the cartridge: {why}")]
    Refused {
        /// Its words.
        why: String,
    },
}

impl Cartridge {
    /// Checks length, header sum and kind.
    pub fn new(bytes: Vec<u8>) -> Result<Cartridge, CartridgeError> {
        let length = bytes.len();
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) || !length.is_multiple_of(0x4000) {
            return Err(CartridgeError::Length { length });
        }
        let (found, expected) = (bytes[HEADER_SUM], header_sum(&bytes));
        if found != expected {
            return Err(CartridgeError::HeaderSum { found, expected });
        }
        if bytes[COLOUR_FLAG] == ONLY_COLOUR {
            return Err(CartridgeError::OnlyColour);
        }
        match bytes[KIND] {
            0x00..=0x03 | 0x05 | 0x06 | 0x0F..=0x13 | 0x19..=0x1E => Ok(Cartridge { bytes }),
            kind => Err(CartridgeError::Controller { kind }),
        }
    }

    /// Our own image, which a test has checked.
    pub(crate) fn ours(bytes: &[u8]) -> Cartridge {
        Cartridge { bytes: bytes.to_vec() }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The sum over the header's title, kind and sizes that the console checks at power-on.
pub fn header_sum(image: &[u8]) -> u8 {
    let header = image.get(HEADER).unwrap_or_default();
    header.iter().fold(0, |sum: u8, byte| sum.wrapping_sub(*byte).wrapping_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image_with(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut image = vec![0; MIN_LENGTH];
        change(&mut image);
        image[HEADER_SUM] = header_sum(&image);
        image
    }

    #[test]
    fn images_are_refused_with_evidence() {
        assert!(Cartridge::new(image_with(|_| ())).is_ok());
        assert_eq!(Cartridge::new(vec![0; 100]), Err(CartridgeError::Length { length: 100 }));
        assert_eq!(Cartridge::new(vec![0; 0x8001]), Err(CartridgeError::Length { length: 0x8001 }));
        let damaged = vec![0; MIN_LENGTH];
        assert_eq!(Cartridge::new(damaged), Err(CartridgeError::HeaderSum { found: 0, expected: 0xE7 }));
        let camera = image_with(|image| image[KIND] = 0xFC);
        assert_eq!(Cartridge::new(camera), Err(CartridgeError::Controller { kind: 0xFC }));
        let colour = image_with(|image| image[COLOUR_FLAG] = ONLY_COLOUR);
        assert_eq!(Cartridge::new(colour), Err(CartridgeError::OnlyColour));
    }
}
