//! JPEG pictures: cutting them out of a stream, and decoding them.

use std::io::Read;

use engine::{Picture, PixelFormat};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::CameraError;

/// Larger than any picture a webcam sends.
const LARGEST: usize = 16 << 20;

/// Reads up to the end of the next picture and leaves exactly that in `picture`. What comes before it
/// (boundaries, headers with or without lengths) is passed over, so that every dialect of the
/// protocol is understood.
pub(super) fn next_in(stream: &mut impl Read, picture: &mut Vec<u8>) -> Result<(), CameraError> {
    picture.clear();
    let mut last = 0;
    loop {
        let byte = read_byte(stream)?;
        if last == 0xFF && byte == 0xD8 {
            break;
        }
        last = byte;
    }
    picture.extend([0xFF, 0xD8]);
    loop {
        // Between segments: FF, perhaps repeated, and the marker.
        if read_byte(stream)? != 0xFF {
            return Err(CameraError::NoPicture("a JPEG picture in the stream is broken".to_owned()));
        }
        let mut marker = 0xFF;
        while marker == 0xFF {
            marker = read_byte(stream)?;
        }
        picture.extend([0xFF, marker]);
        match marker {
            0xD9 => return Ok(()),
            0x01 | 0xD0..=0xD7 => {}
            _ => {
                copy_segment(stream, picture)?;
                // After the header of a scan its coded pixels follow, up to a marker that is none of theirs.
                if marker == 0xDA && copy_scan(stream, picture)? == 0xD9 {
                    return Ok(());
                }
            }
        }
        if picture.len() > LARGEST {
            return Err(CameraError::NoPicture(format!("a picture of more than {LARGEST} bytes")));
        }
    }
}

fn copy_segment(stream: &mut impl Read, picture: &mut Vec<u8>) -> Result<(), CameraError> {
    let length = [read_byte(stream)?, read_byte(stream)?];
    picture.extend(length);
    let length = usize::from(u16::from_be_bytes(length)).saturating_sub(2);
    let start = picture.len();
    picture.resize(start + length, 0);
    Ok(stream.read_exact(&mut picture[start..])?)
}

/// Copies coded pixels and the marker that ends them. Only the end of the picture ends a scan here:
/// the segments between the scans of progressive pictures are copied like pixels, which they survive,
/// because their own FF bytes are followed by no D9.
fn copy_scan(stream: &mut impl Read, picture: &mut Vec<u8>) -> Result<u8, CameraError> {
    let mut last = 0;
    loop {
        let byte = read_byte(stream)?;
        picture.push(byte);
        if last == 0xFF && byte == 0xD9 {
            return Ok(byte);
        }
        if picture.len() > LARGEST {
            return Err(CameraError::NoPicture(format!("a picture of more than {LARGEST} bytes")));
        }
        last = byte;
    }
}

fn read_byte(stream: &mut impl Read) -> Result<u8, CameraError> {
    let mut byte = [0];
    stream.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Decodes a picture to grey pixels.
pub(super) fn decode(jpeg: &[u8]) -> Result<Picture, CameraError> {
    let with_tables;
    let jpeg = if has_tables(jpeg) {
        jpeg
    } else {
        with_tables = insert_tables(jpeg);
        &with_tables
    };
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(jpeg), options);
    let broken =
        |why: &dyn std::fmt::Display| CameraError::NoPicture(format!("a JPEG picture is broken: {why}"));
    let pixels = decoder.decode().map_err(|error| broken(&error))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| broken(&"it has no size"))?;
    if pixels.len() != width * height {
        return Err(broken(&format!("{} bytes for {width} × {height}", pixels.len())));
    }
    Ok(Picture { width: width as u32, height: height as u32, format: PixelFormat::Gray8, pixels })
}

/// Where the first segment with this marker begins.
fn segment(jpeg: &[u8], wanted: u8) -> Option<usize> {
    let mut at = 2;
    loop {
        let (ff, marker) = (*jpeg.get(at)?, *jpeg.get(at + 1)?);
        if ff != 0xFF {
            return None;
        }
        if marker == wanted {
            return Some(at);
        }
        if marker == 0xDA {
            return None;
        }
        let length = u16::from_be_bytes([*jpeg.get(at + 2)?, *jpeg.get(at + 3)?]);
        at += 2 + usize::from(length);
    }
}

fn has_tables(jpeg: &[u8]) -> bool {
    segment(jpeg, 0xC4).is_some()
}

/// Many webcams leave out the Huffman tables and mean those of the standard.
fn insert_tables(jpeg: &[u8]) -> Vec<u8> {
    let at = segment(jpeg, 0xDA).unwrap_or(2).min(jpeg.len());
    [&jpeg[..at], STANDARD_TABLES, &jpeg[at..]].concat()
}

/// The typical Huffman tables of ITU-T T.81, annex K.3, as one segment.
#[rustfmt::skip]
const STANDARD_TABLES: &[u8] = &[
    0xFF, 0xC4, 0x01, 0xA2,
    0x00, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    0x10, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D,
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
    0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
    0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
    0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
    0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
    0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
    0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
    0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    0x01, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    0x11, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77,
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
    0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
    0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
    0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
    0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
    0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
    0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
    0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
    0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
];

#[cfg(test)]
mod tests {
    use jpeg_encoder::{ColorType, Encoder};

    use super::*;

    fn picture(width: usize, height: usize) -> (Vec<u8>, Vec<u8>) {
        let pixels: Vec<u8> = (0..width * height).map(|i| (i % width * 3 + i / width * 2) as u8).collect();
        let mut jpeg = Vec::new();
        Encoder::new(&mut jpeg, 95).encode(&pixels, width as u16, height as u16, ColorType::Luma).unwrap();
        (pixels, jpeg)
    }

    fn is_close(decoded: &Picture, pixels: &[u8]) -> bool {
        let off: u32 = decoded.pixels.iter().zip(pixels).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        off < 8 * pixels.len() as u32
    }

    #[test]
    fn pictures_are_cut_out_of_any_dialect() {
        let (pixels, jpeg) = picture(48, 32);
        let mut stream = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 12\r\n\r\n".to_vec();
        stream.extend(&jpeg);
        stream.extend(b"\r\n--other\r\n\r\n\xFF\x00junk");
        stream.extend(&jpeg);
        let mut stream = stream.as_slice();
        let mut found = Vec::new();
        for _ in 0..2 {
            next_in(&mut stream, &mut found).unwrap();
            assert_eq!(found, jpeg);
            assert!(is_close(&decode(&found).unwrap(), &pixels));
        }
        assert!(next_in(&mut stream, &mut found).is_err());
    }

    #[test]
    fn missing_tables_are_those_of_the_standard() {
        let (pixels, jpeg) = picture(64, 48);
        let mut without = jpeg.clone();
        while let Some(at) = segment(&without, 0xC4) {
            let length = usize::from(u16::from_be_bytes([without[at + 2], without[at + 3]]));
            without.drain(at..at + 2 + length);
        }
        assert!(without.len() < jpeg.len() && !has_tables(&without));
        assert!(is_close(&decode(&without).unwrap(), &pixels));
    }

    #[test]
    fn broken_pictures_are_refused() {
        let (_, jpeg) = picture(64, 48);
        for length in [0, 1, 2, 10, 100] {
            assert!(decode(&jpeg[..length.min(jpeg.len() - 1)]).is_err(), "{length}");
        }
    }
}
