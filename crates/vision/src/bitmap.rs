//! Black and white pictures, 64 pixels a word.

/// A picture of white (1) and black (0) pixels. Pixel x of a row is bit `x % 64` of the row's word
/// `x / 64`; bits to the right of the picture are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    width: usize,
    height: usize,
    words: Vec<u64>,
}

impl Bitmap {
    /// A black picture.
    pub fn black(width: usize, height: usize) -> Bitmap {
        Bitmap { width, height, words: vec![0; width.div_ceil(64) * height] }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Words of one row.
    pub fn words_per_row(&self) -> usize {
        self.width.div_ceil(64)
    }

    /// All words, row after row.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Whether a pixel is white; pixels outside are black.
    pub fn is_white(&self, x: usize, y: usize) -> bool {
        let word = self.words.get(y * self.words_per_row() + x / 64).copied().unwrap_or(0);
        x < self.width && word >> (x % 64) & 1 == 1
    }

    /// White pixels of a rectangle, which is cut at the picture's rim.
    pub fn count_white(&self, left: usize, top: usize, width: usize, height: usize) -> u32 {
        let right = (left + width).min(self.width);
        let rows = top.min(self.height)..(top + height).min(self.height);
        rows.map(|y| {
            let mut count = 0;
            let mut x = left;
            while x < right {
                let end = (x / 64 * 64 + 64).min(right);
                let word = self.words[y * self.words_per_row() + x / 64] >> (x % 64);
                let kept = end - x;
                count += (if kept == 64 { word } else { word & ((1 << kept) - 1) }).count_ones();
                x = end;
            }
            count
        })
        .sum()
    }

    /// As grey pixels, 255 for white.
    pub fn to_gray(&self) -> Vec<u8> {
        let pixels = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        pixels.map(|(x, y)| if self.is_white(x, y) { 255 } else { 0 }).collect()
    }
}

/// The lowest bits of eight bytes, the first byte's in the lowest place.
#[inline(always)]
pub(crate) fn pack_flags(flags: [u8; 8]) -> u64 {
    // Byte i moves from bit 8 i to bit 56 + i.
    u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_keep_their_order() {
        for flags in 0..=255u8 {
            assert_eq!(pack_flags(std::array::from_fn(|i| flags >> i & 1)), u64::from(flags));
        }
    }

    #[test]
    fn white_is_counted_across_words() {
        let mut bitmap = Bitmap::black(150, 4);
        bitmap.words_mut().fill(u64::MAX);
        assert_eq!(bitmap.count_white(60, 1, 80, 2), 160);
        assert_eq!(bitmap.count_white(0, 0, 128, 1), 128);
        assert_eq!(bitmap.count_white(140, 3, 40, 40), 10);
        assert_eq!(bitmap.count_white(400, 400, 4, 4), 0);
    }
}
