//! Pixels: what an eye captures and what a player is shown.

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clock::Time;

/// How one pixel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixelFormat {
    /// One byte of luma.
    Gray8,
    /// Three bytes: red, green, blue.
    Rgb8,
}

impl PixelFormat {
    /// Bytes of one pixel.
    pub const fn bytes(self) -> usize {
        match self {
            PixelFormat::Gray8 => 1,
            PixelFormat::Rgb8 => 3,
        }
    }

    const fn png_color(self) -> png::ColorType {
        match self {
            PixelFormat::Gray8 => png::ColorType::Grayscale,
            PixelFormat::Rgb8 => png::ColorType::Rgb,
        }
    }
}

/// A rectangle of pixels, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// How one pixel is stored.
    pub format: PixelFormat,
    /// `width · height · format.bytes()` bytes.
    pub pixels: Vec<u8>,
}

/// Why a picture could not be written or read.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The pixels do not fill the rectangle.
    #[error("{actual} bytes of pixels do not make a picture of {width} × {height} (needs {expected})")]
    Size {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes such a picture has.
        expected: usize,
        /// Bytes that were there.
        actual: usize,
    },
    /// The PNG encoder refused.
    #[error("cannot write PNG: {0}")]
    Encode(#[from] png::EncodingError),
    /// The PNG decoder refused.
    #[error("cannot read PNG: {0}")]
    Decode(#[from] png::DecodingError),
    /// A PNG of a kind we never write.
    #[error(
        "PNG with {color:?} pixels of {depth:?} bits; only gray of 8 or 2 bits and RGB of 8 are used here"
    )]
    Kind {
        /// Its colour type.
        color: png::ColorType,
        /// Its bit depth.
        depth: png::BitDepth,
    },
}

impl Picture {
    /// A black picture.
    pub fn black(width: u32, height: u32, format: PixelFormat) -> Self {
        let pixels = vec![0; width as usize * height as usize * format.bytes()];
        Self { width, height, format, pixels }
    }

    /// One row's bytes, counted from the top; empty below the picture.
    pub fn row(&self, row: u32) -> &[u8] {
        let stride = self.width as usize * self.format.bytes();
        let start = row as usize * stride;
        self.pixels.get(start..start + stride).unwrap_or_default()
    }

    /// Appends the picture as PNG, lossless, tuned for speed over size.
    pub fn write_png(&self, out: &mut Vec<u8>) -> Result<(), PictureError> {
        let expected = self.width as usize * self.height as usize * self.format.bytes();
        if self.pixels.len() != expected {
            let actual = self.pixels.len();
            return Err(PictureError::Size { width: self.width, height: self.height, expected, actual });
        }
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(self.format.png_color());
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fastest);
        encoder.set_filter(png::Filter::Up);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }

    /// Reads any PNG as red, green and blue: screenshots come with palettes, alpha and 16 bits.
    pub fn read_any_png(bytes: &[u8]) -> Result<Self, PictureError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width, reader.info().height);
        let (color, depth) = reader.output_color_type();
        let channels = color.samples();
        if depth != png::BitDepth::Eight {
            return Err(PictureError::Kind { color, depth });
        }
        let mut raw = vec![0; width as usize * height as usize * channels];
        reader.next_frame(&mut raw)?;
        let rgb = |pixel: &[u8]| match *pixel {
            [gray] | [gray, _] => [gray; 3],
            [r, g, b, ..] => [r, g, b],
            [] => [0; 3],
        };
        let pixels = raw.chunks_exact(channels).flat_map(rgb).collect();
        Ok(Self { width, height, format: PixelFormat::Rgb8, pixels })
    }

    /// Reads what [`Picture::write_png`] wrote, and the four shades of recorded frames.
    pub fn read_png(bytes: &[u8]) -> Result<Self, PictureError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        let header = decoder.read_header_info()?;
        if (header.color_type, header.bit_depth) == (png::ColorType::Grayscale, png::BitDepth::Two) {
            decoder.set_transformations(png::Transformations::EXPAND);
        }
        let mut reader = decoder.read_info()?;
        let (color, depth) = reader.output_color_type();
        let format = match (color, depth) {
            (png::ColorType::Grayscale, png::BitDepth::Eight) => PixelFormat::Gray8,
            (png::ColorType::Rgb, png::BitDepth::Eight) => PixelFormat::Rgb8,
            (color, depth) => return Err(PictureError::Kind { color, depth }),
        };
        let (width, height) = (reader.info().width, reader.info().height);
        let mut picture = Self::black(width, height, format);
        reader.next_frame(&mut picture.pixels)?;
        Ok(picture)
    }
}

/// A raw capture: a picture, when it was taken, and of what part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Counts the eye's captures from 0.
    pub sequence: u64,
    /// When it was taken.
    pub captured: Time,
    /// Column and row of its upper left pixel in the eye's whole view; not (0, 0) where a directed look
    /// took a part of it.
    pub origin: (u32, u32),
    /// What was taken.
    pub picture: Picture,
}

impl Frame {
    /// The first frame of an eye that draws on it later.
    pub fn blank(width: u32, height: u32, format: PixelFormat) -> Self {
        let picture = Picture::black(width, height, format);
        Self { sequence: 0, captured: Time::START, origin: (0, 0), picture }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn png_gives_back_every_pixel(width in 1u32..40, height in 1u32..40, rgb: bool, seed: u8) {
            let format = if rgb { PixelFormat::Rgb8 } else { PixelFormat::Gray8 };
            let mut picture = Picture::black(width, height, format);
            for (i, pixel) in picture.pixels.iter_mut().enumerate() {
                *pixel = (i as u8).wrapping_mul(seed);
            }
            let mut png = Vec::new();
            picture.write_png(&mut png).unwrap();
            prop_assert_eq!(Picture::read_png(&png).unwrap(), picture);
        }

        #[test]
        fn junk_is_refused(bytes: Vec<u8>) {
            prop_assert!(Picture::read_png(&bytes).is_err());
        }
    }

    #[test]
    fn wrong_size_is_named() {
        let mut picture = Picture::black(2, 2, PixelFormat::Rgb8);
        picture.pixels.pop();
        let error = picture.write_png(&mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "11 bytes of pixels do not make a picture of 2 × 2 (needs 12)");
    }
}
