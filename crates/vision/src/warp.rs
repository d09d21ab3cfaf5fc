//! Rectifying: a screen seen in perspective becomes a rectangle of its own size.
//!
//! Where each pixel of the rectangle is seen in the camera's picture does not
//! change from frame to frame, so it is looked up: the place of four
//! neighbouring pixels and their weights.

#[cfg(target_arch = "x86_64")]
use processor::Instructions;
use thiserror::Error;

use crate::gray::Gray;
use crate::homography::{Homography, Point};

/// A weight of one.
const ONE: f64 = (1 << SHIFT) as f64;
const SHIFT: i32 = 14;

/// A rectification of pictures of one size, made once for a mapping.
#[derive(Clone, Debug)]
pub struct Warp {
    width: usize,
    height: usize,
    source_width: usize,
    source_height: usize,
    /// For each pixel, the index of its upper left neighbour; the others follow from it.
    offsets: Vec<u32>,
    /// For each pixel, the weights of its neighbours: upper left, upper right, lower left, lower right.
    weights: Vec<[i16; 4]>,
}

/// A picture of another size than the table was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the picture is {width} × {height}; the look-up table was made for {wanted_width} × {wanted_height}")]
pub struct WrongSize {
    /// The picture's width.
    pub width: usize,
    /// Its height.
    pub height: usize,
    /// The table's width.
    pub wanted_width: usize,
    /// Its height.
    pub wanted_height: usize,
}

impl Warp {
    /// The look-up table for rectangles of `size` (width, height) out of pictures of `source` size.
    /// `mapping` says where a point of the rectangle is seen. What is seen outside the picture is black.
    pub fn new(mapping: &Homography, size: (usize, usize), source: (usize, usize)) -> Warp {
        let mut warp = Warp {
            width: size.0,
            height: size.1,
            source_width: source.0,
            source_height: source.1,
            offsets: Vec::with_capacity(size.0 * size.1),
            weights: Vec::with_capacity(size.0 * size.1),
        };
        for y in 0..size.1 {
            for x in 0..size.0 {
                let seen = mapping.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5));
                let (offset, weights) = neighbours(Point::new(seen.x - 0.5, seen.y - 0.5), source);
                warp.offsets.push(offset as u32);
                warp.weights.push(weights);
            }
        }
        warp
    }

    /// Width and height of the rectangle.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Rectifies a picture; `out` becomes the rectangle's pixels.
    pub fn apply(&self, picture: Gray<'_>, out: &mut Vec<u8>) -> Result<(), WrongSize> {
        let wanted = (self.source_width, self.source_height);
        if (picture.width(), picture.height()) != wanted || wanted.0 < 2 || wanted.1 < 2 {
            return Err(WrongSize {
                width: picture.width(),
                height: picture.height(),
                wanted_width: wanted.0,
                wanted_height: wanted.1,
            });
        }
        out.resize(self.offsets.len(), 0);
        #[cfg(target_arch = "x86_64")]
        if Instructions::Bits.are_available() {
            let whole = self.offsets.len() / wide::PIXELS * wide::PIXELS;
            #[expect(unsafe_code, reason = "the only way to use instructions found at run time")]
            // SAFETY: AVX2 is one of the instructions asked for just above.
            unsafe {
                wide::apply(self, picture.pixels(), &mut out[..whole]);
            }
            self.apply_plainly(picture.pixels(), whole..self.offsets.len(), out);
            return Ok(());
        }
        self.apply_plainly(picture.pixels(), 0..self.offsets.len(), out);
        Ok(())
    }

    fn apply_plainly(&self, source: &[u8], pixels: std::ops::Range<usize>, out: &mut [u8]) {
        let below = self.source_width;
        let tables = self.offsets[pixels.clone()].iter().zip(&self.weights[pixels.clone()]);
        for (out, (offset, weights)) in out[pixels].iter_mut().zip(tables) {
            let near = &source[*offset as usize..];
            let four = [near[0], near[1], near[below], near[below + 1]];
            let sum: i32 = four.iter().zip(weights).map(|(p, w)| i32::from(*p) * i32::from(*w)).sum();
            *out = ((sum + (1 << (SHIFT - 1))) >> SHIFT) as u8;
        }
    }
}

/// The upper left of the four pixels whose centres surround a point (given from the first pixel's
/// centre), moved so that all four are in the picture, and their weights; pixels outside weigh nothing.
fn neighbours(point: Point, (width, height): (usize, usize)) -> (usize, [i16; 4]) {
    let (left, top) = (point.x.floor(), point.y.floor());
    let (last_x, last_y) = (width as f64 - 2.0, height as f64 - 2.0);
    let (start_x, start_y) = (left.clamp(0.0, last_x.max(0.0)), top.clamp(0.0, last_y.max(0.0)));
    let mut weights = [0; 4];
    // A point behind the camera has no finite place: black.
    if !(left >= -1.0 && top >= -1.0 && left <= last_x + 1.0 && top <= last_y + 1.0) {
        return (0, weights);
    }
    let (right_part, lower_part) = (point.x - left, point.y - top);
    for (dy, part_y) in [(0.0, 1.0 - lower_part), (1.0, lower_part)] {
        for (dx, part_x) in [(0.0, 1.0 - right_part), (1.0, right_part)] {
            let (slot_x, slot_y) = (left + dx - start_x, top + dy - start_y);
            if (0.0..=1.0).contains(&slot_x) && (0.0..=1.0).contains(&slot_y) {
                weights[(slot_y * 2.0 + slot_x) as usize] = (part_x * part_y * ONE).round() as i16;
            }
        }
    }
    // Rounding must not darken a white picture: the heaviest weight takes what is missing.
    let is_inside = left >= 0.0 && top >= 0.0 && left <= last_x && top <= last_y;
    if is_inside {
        let missing = ONE as i16 - weights.iter().sum::<i16>();
        if let Some(heaviest) = weights.iter_mut().max() {
            *heaviest += missing;
        }
    }
    ((start_y as usize) * width + start_x as usize, weights)
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! Eight pixels at a time with AVX2.

    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_set_epi16, _mm256_add_epi32, _mm256_castsi256_si128,
        _mm256_cvtepu8_epi16, _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_packus_epi16,
        _mm256_packus_epi32, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_srai_epi32,
    };

    use super::{SHIFT, Warp};

    /// Pixels at a time.
    pub(super) const PIXELS: usize = 8;

    /// Fills `out`, whose length is a multiple of [`PIXELS`] and at most the table's. Neighbours are read
    /// in pairs, one by one, straight into a register: on many processors a gather is slower, and so is a
    /// wide read of what was just written in small parts.
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads of pairs whose places the table keeps inside the picture")]
    pub(super) fn apply(warp: &Warp, source: &[u8], out: &mut [u8]) {
        let below = warp.source_width;
        assert!(below >= 2 && warp.source_height >= 2, "`Warp::apply` refuses such pictures");
        assert!(source.len() >= below * warp.source_height, "a picture is as large as it says");
        let rounding = _mm256_set1_epi32(1 << (SHIFT - 1));
        let offsets = warp.offsets.as_chunks::<PIXELS>().0;
        let weights = warp.weights.as_chunks::<PIXELS>().0;
        for ((out, offsets), weights) in out.as_chunks_mut::<PIXELS>().0.iter_mut().zip(offsets).zip(weights)
        {
            let pair = |pixel: usize, down: usize| {
                let at = offsets[pixel] as usize + down;
                // SAFETY: an offset is at most that of the last pixel but one in the last row but one (see
                // `neighbours`), and `down` is at most a row: two bytes from there are in the picture, whose
                // size was checked above.
                unsafe { source.as_ptr().add(at).cast::<i16>().read_unaligned() }
            };
            let four = |first: usize| {
                _mm_set_epi16(
                    pair(first + 3, below),
                    pair(first + 3, 0),
                    pair(first + 2, below),
                    pair(first + 2, 0),
                    pair(first + 1, below),
                    pair(first + 1, 0),
                    pair(first, below),
                    pair(first, 0),
                )
            };
            #[expect(clippy::cast_ptr_alignment, reason = "unaligned loads")]
            // SAFETY: eight times four weights of two bytes are 64 bytes.
            let (first, second) = unsafe {
                (
                    _mm256_loadu_si256(weights.as_ptr().cast::<__m256i>()),
                    _mm256_loadu_si256(weights.as_ptr().cast::<__m256i>().add(1)),
                )
            };
            let first = _mm256_madd_epi16(_mm256_cvtepu8_epi16(four(0)), first);
            let second = _mm256_madd_epi16(_mm256_cvtepu8_epi16(four(4)), second);
            // Pixels come out in the order 0 1 4 5 | 2 3 6 7.
            let sums = _mm256_add_epi32(_mm256_hadd_epi32(first, second), rounding);
            let sums = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_srai_epi32::<SHIFT>(sums));
            let words = _mm256_permute4x64_epi64::<0b00_00_10_00>(_mm256_packus_epi32(sums, sums));
            let bytes = _mm256_packus_epi16(words, words);
            *out = _mm_cvtsi128_si64(_mm256_castsi256_si128(bytes)).to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn noise(count: usize, seed: u64) -> Vec<u8> {
        (0..count as u64).map(|i| ((i ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as u8).collect()
    }

    proptest! {
        #[test]
        fn both_ways_agree_and_stay_inside(
            a in -40.0..90.0f64, b in -40.0..90.0f64, c in 100.0..260.0f64, d in 90.0..200.0f64, seed: u64,
        ) {
            // Corners inside and outside of a picture of 200 × 150.
            let corners = [(a, b), (c, b / 2.0), (c + 9.0, d), (a - 5.0, d + 20.0)];
            prop_assume!(c - a > 10.0);
            let Some(mapping) = Homography::onto(61.0, 37.0, corners.map(|(x, y)| Point::new(x, y))) else {
                return Ok(());
            };
            let warp = Warp::new(&mapping, (61, 37), (200, 150));
            let pixels = noise(200 * 150, seed);
            let picture = Gray::new(200, 150, &pixels).unwrap();
            let (mut fast, mut plain) = (Vec::new(), vec![0; 61 * 37]);
            warp.apply(picture, &mut fast).unwrap();
            warp.apply_plainly(&pixels, 0..61 * 37, &mut plain);
            prop_assert_eq!(fast, plain);
        }
    }

    #[test]
    fn a_picture_seen_straight_stays_as_it_is_to_the_last_pixel() {
        let pixels = noise(64 * 48, 7);
        let mapping = Homography::IDENTITY;
        let mut out = Vec::new();
        Warp::new(&mapping, (64, 48), (64, 48)).apply(Gray::new(64, 48, &pixels).unwrap(), &mut out).unwrap();
        assert_eq!(out, pixels);
    }

    #[test]
    fn white_stays_white_and_outside_is_black() {
        let corners = [(-50.0, 10.0), (90.3, 12.7), (88.8, 77.1), (-44.4, 70.0)];
        let mapping = Homography::onto(100.0, 60.0, corners.map(|(x, y)| Point::new(x, y))).unwrap();
        let white = vec![255; 100 * 80];
        let mut out = Vec::new();
        Warp::new(&mapping, (100, 60), (100, 80))
            .apply(Gray::new(100, 80, &white).unwrap(), &mut out)
            .unwrap();
        assert_eq!(out[0], 0);
        assert_eq!(out[99], 255);
        assert!(out.iter().filter(|pixel| **pixel != 0 && **pixel != 255).count() < 70);
    }

    #[test]
    fn another_size_is_refused() {
        let warp = Warp::new(&Homography::IDENTITY, (4, 4), (10, 10));
        let error = warp.apply(Gray::new(5, 20, &[0; 100]).unwrap(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "the picture is 5 × 20; the look-up table was made for 10 × 10");
    }
}
