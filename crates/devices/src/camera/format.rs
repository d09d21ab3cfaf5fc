//! What cameras on USB send, and which of it is taken.

use engine::{Picture, PixelFormat};

use super::{CameraError, jpeg};

/// How pixels are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Brightness of every pixel, a byte each.
    Grey,
    /// Two bytes a pixel, the first of which is its brightness.
    Yuyv,
    /// A JPEG picture, often without its tables.
    Jpeg,
}

/// The best first: decoding JPEG takes longer than everything else that is done with a frame.
const PREFERRED: [Encoding; 3] = [Encoding::Grey, Encoding::Yuyv, Encoding::Jpeg];
/// A rate that is nearly the wanted one is the wanted one: 29.97 frames a second are 30.
const NEARLY: f64 = 0.97;

/// What a driver is willing to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offer {
    pub encoding: Encoding,
    /// Width and height.
    pub size: (u32, u32),
    /// Bytes from one row to the next, where rows exist.
    pub stride: usize,
    /// Frames a second.
    pub fps: f64,
}

impl Encoding {
    /// By its four letters.
    pub fn of(code: [u8; 4]) -> Option<Encoding> {
        PREFERRED.into_iter().find(|encoding| encoding.code() == code)
    }

    /// Its four letters.
    pub fn code(self) -> [u8; 4] {
        match self {
            Encoding::Grey => *b"GREY",
            Encoding::Yuyv => *b"YUYV",
            Encoding::Jpeg => *b"MJPG",
        }
    }
}

/// The first of the offered encodings, the cheapest first, with which a driver gives the size and the rate that are
/// wanted; if none does, the one that comes nearest. `set` asks the driver.
pub(super) fn negotiate(
    offered: &[[u8; 4]],
    wanted: (u32, u32),
    fps: f64,
    mut set: impl FnMut(Encoding) -> Option<Offer>,
) -> Option<Offer> {
    let offers =
        PREFERRED.into_iter().filter(|encoding| offered.contains(&encoding.code())).filter_map(&mut set);
    let mut best: Option<(f64, Offer)> = None;
    for offer in offers {
        let pixels = |(width, height): (u32, u32)| f64::from(width) * f64::from(height);
        let size = (pixels(offer.size) / pixels(wanted)).min(pixels(wanted) / pixels(offer.size));
        let merit = size * (offer.fps / fps).min(1.0);
        if offer.size == wanted && offer.fps >= NEARLY * fps {
            return Some(offer);
        }
        if best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, offer));
        }
    }
    best.map(|(_, offer)| offer)
}

impl Offer {
    /// A frame's bytes as grey pixels.
    pub fn decode(&self, bytes: &[u8]) -> Result<Picture, CameraError> {
        let (width, height) = (self.size.0 as usize, self.size.1 as usize);
        let pixels = match self.encoding {
            Encoding::Jpeg => return jpeg::decode(bytes),
            Encoding::Grey => rows(bytes, self.stride.max(width), width, height, <[u8]>::to_vec),
            Encoding::Yuyv => rows(bytes, self.stride.max(2 * width), 2 * width, height, |row| {
                row.iter().step_by(2).copied().collect()
            }),
        };
        let torn =
            || CameraError::NoPicture(format!("{} bytes are not a frame of {width} × {height}", bytes.len()));
        let pixels = pixels.ok_or_else(torn)?;
        Ok(Picture { width: self.size.0, height: self.size.1, format: PixelFormat::Gray8, pixels })
    }
}

/// Rows of `used` bytes that begin `stride` bytes apart, each made into pixels.
fn rows(
    bytes: &[u8],
    stride: usize,
    used: usize,
    height: usize,
    pixels: impl Fn(&[u8]) -> Vec<u8>,
) -> Option<Vec<u8>> {
    let mut all = Vec::with_capacity(used * height);
    for y in 0..height {
        all.extend(pixels(bytes.get(y * stride..y * stride + used)?));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(encoding: Encoding, size: (u32, u32), fps: f64) -> Offer {
        Offer { encoding, size, stride: 0, fps }
    }

    #[test]
    fn brightness_is_taken_out_of_yuyv() {
        let yuyv = Offer { stride: 6, ..offer(Encoding::Yuyv, (2, 2), 30.0) };
        // Two rows of two pixels, and two bytes of padding after each.
        let bytes = [10, 128, 20, 129, 0, 0, 30, 127, 40, 126, 0, 0];
        assert_eq!(yuyv.decode(&bytes).unwrap().pixels, [10, 20, 30, 40]);
        assert!(yuyv.decode(&bytes[..9]).unwrap_err().to_string().contains("not a frame of 2 × 2"));
        // The last row may come without its padding.
        assert!(yuyv.decode(&bytes[..10]).is_ok());
        let grey = offer(Encoding::Grey, (2, 2), 30.0);
        assert_eq!(grey.decode(&[1, 2, 3, 4]).unwrap().pixels, [1, 2, 3, 4]);
    }

    #[test]
    fn the_cheapest_encoding_that_does_it_is_taken() {
        let size = (640, 480);
        let all = [*b"MJPG", *b"YUYV", *b"H264"];
        let fast = |encoding| Some(offer(encoding, size, 29.97));
        assert_eq!(negotiate(&all, size, 30.0, fast), fast(Encoding::Yuyv));
        // A camera on a slow cable sends raw frames slowly.
        let slow_raw =
            |encoding| Some(offer(encoding, size, if encoding == Encoding::Yuyv { 10.0 } else { 30.0 }));
        assert_eq!(negotiate(&all, size, 30.0, slow_raw).unwrap().encoding, Encoding::Jpeg);
        // None does: the nearest.
        let small_raw = |encoding| match encoding {
            Encoding::Yuyv => Some(offer(encoding, (320, 240), 30.0)),
            _ => Some(offer(encoding, size, 20.0)),
        };
        assert_eq!(negotiate(&all, size, 30.0, small_raw).unwrap().encoding, Encoding::Jpeg);
        assert_eq!(negotiate(&[*b"H264"], size, 30.0, fast), None);
        assert_eq!(negotiate(&all, size, 30.0, |_| None), None);
    }

    #[test]
    fn letters_and_encodings_belong_together() {
        for encoding in PREFERRED {
            assert_eq!(Encoding::of(encoding.code()), Some(encoding));
        }
        assert_eq!(Encoding::of(*b"H264"), None);
    }
}
