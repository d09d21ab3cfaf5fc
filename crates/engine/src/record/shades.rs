//! Frames as they are recorded: a Game Boy's four shades with two bits a pixel, laid out for the packing of chunks.
//!
//! A PNG that is packed by itself looks different everywhere once one pixel changed. One that is not packed keeps all
//! other bytes where they were, so that the chunk around it stores a frame as its difference to the one before.

use crate::picture::{Picture, PictureError, PixelFormat};

/// Pixels in a byte.
const PIXELS: usize = 4;
/// One pixel in this many is looked at first: most pictures with other shades show them there. A prime, so that the places
/// do not lie in one column.
const GLANCE: usize = 97;

/// Appends a picture as PNG, lossless: two bits a pixel where its shades allow it, else as any other picture.
pub(super) fn write_png(picture: &Picture, out: &mut Vec<u8>) -> Result<(), PictureError> {
    let Some(packed) = two_bits_a_pixel(picture) else { return picture.write_png(out) };
    let mut encoder = png::Encoder::new(out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Two);
    encoder.set_compression(png::Compression::NoCompression);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&packed)?;
    Ok(writer.finish()?)
}

/// The pixels, the first in the highest bits; none if a pixel has another luma than 0, 85, 170 or 255, or a row does not
/// fill its bytes.
fn two_bits_a_pixel(picture: &Picture) -> Option<Vec<u8>> {
    let expected = picture.width as usize * picture.height as usize;
    if picture.format != PixelFormat::Gray8
        || !(picture.width as usize).is_multiple_of(PIXELS)
        || picture.pixels.len() != expected
        || !picture.pixels.iter().step_by(GLANCE).all(|luma| luma.is_multiple_of(85))
    {
        return None;
    }
    let (quads, _) = picture.pixels.as_chunks::<PIXELS>();
    // Each of the four lumas is its shade four times over, in bits: 85 is 01010101.
    let mut others = 0;
    let packed = quads
        .iter()
        .map(|&quad| {
            let quad = u32::from_be_bytes(quad);
            let shades = quad & 0x0303_0303;
            others |= quad ^ (shades * 0x55);
            (shades >> 18 | shades >> 12 | shades >> 6 | shades) as u8
        })
        .collect();
    (others == 0).then_some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn picture(width: u32, pixels: Vec<u8>) -> Picture {
        Picture { width, height: pixels.len() as u32 / width, format: PixelFormat::Gray8, pixels }
    }

    fn png(picture: &Picture) -> Vec<u8> {
        let mut png = Vec::new();
        write_png(picture, &mut png).unwrap();
        png
    }

    proptest! {
        #[test]
        fn every_pixel_comes_back(width in 1u32..40, shades in prop::collection::vec(0u8..4, 40..400), odd: bool) {
            let mut pixels: Vec<u8> = shades.iter().map(|shade| shade * 85).collect();
            pixels.truncate(pixels.len() / width as usize * width as usize);
            if odd {
                pixels[0] = 84;
            }
            let picture = picture(width, pixels);
            prop_assert_eq!(Picture::read_png(&png(&picture)).unwrap(), picture);
        }
    }

    #[test]
    fn one_pixel_changes_few_bytes() {
        let screen = picture(160, [0, 85, 170, 255].repeat(160 * 144 / 4));
        let mut next = screen.clone();
        next.pixels[12_345] = 255 - next.pixels[12_345];
        let (first, second) = (png(&screen), png(&next));
        assert_eq!(first.len(), second.len());
        let different = first.iter().zip(&second).filter(|(a, b)| a != b).count();
        // The pixel, the two sums of the pixels.
        assert!(different <= 9, "{different} bytes");
        assert!(first.len() < 160 * 144 / 4 + 300, "{} bytes", first.len());
    }

    #[test]
    fn other_pictures_are_written_as_always() {
        let mut gray = picture(8, vec![0, 1, 2, 3, 4, 5, 6, 7]);
        let mut usual = Vec::new();
        gray.write_png(&mut usual).unwrap();
        assert_eq!(png(&gray), usual);
        gray.pixels.pop();
        assert!(write_png(&gray, &mut Vec::new()).is_err());
    }
}
