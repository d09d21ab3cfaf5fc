//! Grey to black and white: one limit for the whole picture, or the mean around each pixel.

use processor::{HotLoop, at_full_speed};

use crate::bitmap::{Bitmap, pack_flags};
use crate::gray::Gray;

/// White where a pixel is brighter than `limit`, as `OpenCV`'s `THRESH_BINARY`.
pub fn threshold(picture: Gray<'_>, limit: u8, out: &mut Bitmap) {
    *out = fitting(out, picture);
    let words_per_row = out.words_per_row();
    let mut flags = vec![0; words_per_row * 64];
    for (y, words) in out.words_mut().chunks_exact_mut(words_per_row.max(1)).enumerate() {
        at_full_speed(Plain { row: picture.row(y), limit, flags: &mut flags, words });
    }
}

struct Plain<'a> {
    row: &'a [u8],
    limit: u8,
    flags: &'a mut [u8],
    words: &'a mut [u64],
}

impl HotLoop for Plain<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (flag, pixel) in self.flags.iter_mut().zip(self.row) {
            *flag = u8::from(*pixel > self.limit);
        }
        pack(self.flags, self.words);
    }
}

/// White where a pixel is brighter than the mean of the square around it, less a constant: what
/// `OpenCV` calls `ADAPTIVE_THRESH_MEAN_C` with `THRESH_BINARY`, bit for bit. Beyond the rim the
/// outermost pixels go on. Keeps its working memory from picture to picture.
#[derive(Clone, Debug)]
pub struct AdaptiveThreshold {
    block: usize,
    constant: i32,
    /// A row with the rim on either side; windows of 1, 2, 4 … pixels grow from one to the other.
    padded: Vec<u16>,
    wider: Vec<u16>,
    /// Sums over `block` pixels of every row.
    row_sums: Vec<u16>,
    /// Sums over the square above each pixel of the current row.
    sums: Vec<u32>,
    flags: Vec<u8>,
}

impl AdaptiveThreshold {
    /// Side of the square in the robot's document.
    pub const BLOCK: usize = 17;
    /// Constant in the robot's document.
    pub const CONSTANT: i32 = 13;
    /// Largest side: the sum of one row of it fits 16 bits.
    pub const LARGEST_BLOCK: usize = 255;

    /// `None` unless the block's side is odd, from 3 to [`Self::LARGEST_BLOCK`].
    pub fn new(block: usize, constant: i32) -> Option<AdaptiveThreshold> {
        let is_block = block % 2 == 1 && (3..=Self::LARGEST_BLOCK).contains(&block);
        is_block.then(|| AdaptiveThreshold {
            block,
            // No constant beyond this makes a difference, and the products below fit 32 bits.
            constant: constant.clamp(-512, 512),
            padded: Vec::new(),
            wider: Vec::new(),
            row_sums: Vec::new(),
            sums: Vec::new(),
            flags: Vec::new(),
        })
    }

    /// Writes the black and white picture to `out`.
    pub fn apply(&mut self, picture: Gray<'_>, out: &mut Bitmap) {
        *out = fitting(out, picture);
        if picture.pixels().is_empty() {
            return;
        }
        self.padded.resize(picture.width() + self.block - 1, 0);
        self.wider.resize(picture.width() + self.block - 1, 0);
        self.row_sums.resize(picture.pixels().len(), 0);
        self.sums.resize(picture.width(), 0);
        self.flags.resize(out.words_per_row() * 64, 0);
        // Bits beyond the picture stay black, whatever an earlier picture left here.
        self.flags[picture.width()..].fill(0);
        at_full_speed(Adaptive { scratch: self, picture, out });
    }
}

struct Adaptive<'a, 'p> {
    scratch: &'a mut AdaptiveThreshold,
    picture: Gray<'p>,
    out: &'a mut Bitmap,
}

impl HotLoop for Adaptive<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let AdaptiveThreshold { block, constant, padded, wider, row_sums, sums, flags } = self.scratch;
        let (block, width, height) = (*block, self.picture.width(), self.picture.height());
        let radius = block / 2;
        for y in 0..height {
            pad(self.picture.row(y), radius, padded);
            window_sums(padded, wider, block, &mut row_sums[y * width..][..width]);
        }

        let row_of = |y: isize| y.clamp(0, height as isize - 1) as usize * width;
        sums.fill(0);
        for y in 0..block {
            let row = &row_sums[row_of(y as isize - radius as isize)..][..width];
            for (sum, row) in sums.iter_mut().zip(row) {
                *sum += u32::from(*row);
            }
        }
        let area = (block * block) as i32;
        // round(sum / area) < pixel + constant, without dividing.
        let bias = area * *constant - area / 2;
        let words_per_row = self.out.words_per_row();
        for (y, words) in self.out.words_mut().chunks_exact_mut(words_per_row).enumerate() {
            let pixels = self.picture.row(y);
            for ((flag, pixel), sum) in flags.iter_mut().zip(pixels).zip(&*sums) {
                *flag = u8::from((*sum as i32) < area * i32::from(*pixel) + bias);
            }
            pack(flags, words);
            let leaves = &row_sums[row_of(y as isize - radius as isize)..][..width];
            let enters = &row_sums[row_of((y + radius + 1) as isize)..][..width];
            for ((sum, leaves), enters) in sums.iter_mut().zip(leaves).zip(enters) {
                *sum = *sum + u32::from(*enters) - u32::from(*leaves);
            }
        }
    }
}

/// The row with its outermost pixels repeated `radius` times.
#[inline(always)]
fn pad(row: &[u8], radius: usize, padded: &mut [u16]) {
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return };
    padded[..radius].fill(u16::from(*first));
    padded[radius + row.len()..].fill(u16::from(*last));
    for (padded, pixel) in padded[radius..].iter_mut().zip(row) {
        *padded = u16::from(*pixel);
    }
}

/// Sums of `block` neighbours: windows of 1, 2, 4 … grow from one row to the other, because a loop that
/// writes where it reads is not made wide; those that the block's binary number names are added up.
#[inline(always)]
fn window_sums<'a>(mut row: &'a mut [u16], mut wider: &'a mut [u16], block: usize, sums: &mut [u16]) {
    sums.fill(0);
    let mut covered = 0;
    let mut length = row.len();
    let mut window = 1;
    loop {
        if block & window != 0 {
            for (sum, part) in sums.iter_mut().zip(&row[covered..]) {
                *sum = sum.wrapping_add(*part);
            }
            covered += window;
        }
        if window * 2 > block {
            return;
        }
        length -= window;
        for ((wider, left), right) in wider[..length].iter_mut().zip(&*row).zip(&row[window..]) {
            *wider = left.wrapping_add(*right);
        }
        std::mem::swap(&mut row, &mut wider);
        window *= 2;
    }
}

#[inline(always)]
fn pack(flags: &[u8], words: &mut [u64]) {
    for (word, flags) in words.iter_mut().zip(flags.as_chunks::<64>().0) {
        let bytes = flags.as_chunks::<8>().0.iter().enumerate();
        *word = bytes.fold(0, |word, (i, flags)| word | pack_flags(*flags) << (8 * i));
    }
}

/// A bitmap of the picture's size, in the old one's memory where it fits.
fn fitting(old: &mut Bitmap, picture: Gray<'_>) -> Bitmap {
    let size = (picture.width(), picture.height());
    let old = std::mem::replace(old, Bitmap::black(0, 0));
    if (old.width(), old.height()) == size { old } else { Bitmap::black(size.0, size.1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `OpenCV`'s definition, word for word.
    fn by_definition(picture: Gray<'_>, block: usize, constant: i32) -> Vec<u8> {
        let (width, height, radius) = (picture.width() as i32, picture.height() as i32, block as i32 / 2);
        let at = |x: i32, y: i32| {
            i32::from(picture.row(y.clamp(0, height - 1) as usize)[x.clamp(0, width - 1) as usize])
        };
        let square = || (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        pixels
            .map(|(x, y)| {
                let sum: i32 = square().map(|(dx, dy)| at(x + dx, y + dy)).sum();
                let mean = (f64::from(sum) / (block * block) as f64).round() as i32;
                if at(x, y) - mean > -constant { 255 } else { 0 }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn adaptive_is_as_defined(
            width in 1usize..90, height in 1usize..40, block in 1usize..12, constant in -20i32..20, seed: u64,
        ) {
            let pixels: Vec<u8> =
                (0..width * height).map(|i| (seed.rotate_left(i as u32 % 61) ^ (i as u64 * 37)) as u8).collect();
            let picture = Gray::new(width, height, &pixels).unwrap();
            let block = 2 * block + 1;
            let mut out = Bitmap::black(3, 3);
            let mut threshold = AdaptiveThreshold::new(block, constant).unwrap();
            // Working memory left by a larger picture changes nothing.
            let before = vec![255; 100 * 50];
            threshold.apply(Gray::new(100, 50, &before).unwrap(), &mut out);
            threshold.apply(picture, &mut out);
            prop_assert_eq!(out.to_gray(), by_definition(picture, block, constant));
        }

        #[test]
        fn plain_is_as_defined(width in 1usize..200, limit: u8, pixels in prop::collection::vec(any::<u8>(), 400)) {
            let height = pixels.len() / width;
            let pixels = &pixels[..width * height];
            let mut out = Bitmap::black(0, 0);
            threshold(Gray::new(width, height, pixels).unwrap(), limit, &mut out);
            let wanted: Vec<u8> = pixels.iter().map(|pixel| if *pixel > limit { 255 } else { 0 }).collect();
            prop_assert_eq!(out.to_gray(), wanted);
        }
    }

    #[test]
    fn a_block_without_a_middle_is_refused() {
        for block in [0, 1, 2, 16, 257] {
            assert!(AdaptiveThreshold::new(block, 0).is_none(), "{block}");
        }
    }
}
