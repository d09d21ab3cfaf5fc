//! Shrinking and growing the white of a black and white picture.
//!
//! What lies beyond the rim never decides, as in `OpenCV`: it counts as white
//! while white shrinks and as black while it grows.

use processor::{HotLoop, at_full_speed};

use crate::bitmap::Bitmap;

/// Takes away white in which no square of this side fits (odd; 7 fills the blocks of the robot's
/// document). Keeps its working memory from picture to picture.
#[derive(Clone, Debug)]
pub struct Opening {
    side: usize,
    /// The picture's words with `side / 2` rows above and below.
    rows: Vec<u64>,
}

impl Opening {
    /// Side of the square in the robot's document.
    pub const SIDE: usize = 7;

    /// `None` unless the side is odd, up to 63.
    pub fn new(side: usize) -> Option<Opening> {
        (side % 2 == 1 && side < 64).then(|| Opening { side, rows: Vec::new() })
    }

    /// Opens the picture in place.
    pub fn apply(&mut self, picture: &mut Bitmap) {
        if picture.words().is_empty() {
            return;
        }
        let margin = self.side / 2 * picture.words_per_row();
        self.rows.resize(picture.words().len() + 2 * margin, 0);
        at_full_speed(Open { side: self.side, margin, rows: &mut self.rows, picture });
    }
}

struct Open<'a> {
    side: usize,
    margin: usize,
    rows: &'a mut [u64],
    picture: &'a mut Bitmap,
}

impl HotLoop for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Open { side, margin, rows, picture } = self;
        let (width, words_per_row) = (picture.width(), picture.words_per_row());
        let words = picture.words_mut();
        // Growing white is shrinking black: both rounds shrink, on the picture and on its negative.
        for _ in 0..2 {
            rows.fill(u64::MAX);
            let inside = &mut rows[margin..margin + words.len()];
            inside.copy_from_slice(words);
            for row in inside.chunks_exact_mut(words_per_row) {
                if width % 64 != 0 {
                    row[words_per_row - 1] |= u64::MAX << (width % 64);
                }
                shrink_row(row, side);
            }
            shrink_columns(rows, side, words_per_row);
            for (word, shrunk) in words.iter_mut().zip(&*rows) {
                *word = !shrunk;
            }
        }
        if width % 64 != 0 {
            for row in words.chunks_exact_mut(words_per_row) {
                row[words_per_row - 1] &= !(u64::MAX << (width % 64));
            }
        }
    }
}

/// Ands every pixel with `side / 2` neighbours on either side along the row; white beyond its ends.
#[inline(always)]
fn shrink_row(row: &mut [u64], side: usize) {
    let wanted = side / 2 + 1;
    let mut window = 1;
    while window < wanted {
        let step = window.min(wanted - window);
        and_with_left(row, step);
        and_with_right(row, step);
        window += step;
    }
}

#[inline(always)]
fn and_with_left(row: &mut [u64], step: usize) {
    let mut left = u64::MAX;
    for word in row {
        let here = *word;
        *word &= here << step | left >> (64 - step);
        left = here;
    }
}

#[inline(always)]
fn and_with_right(row: &mut [u64], step: usize) {
    for i in 0..row.len() {
        let right = row.get(i + 1).copied().unwrap_or(u64::MAX);
        row[i] &= row[i] >> step | right << (64 - step);
    }
}

/// Ands every row with the `side - 1` rows below it. As `rows` begins `side / 2` rows above the
/// picture, the window of the picture's row y ends up in row y.
#[inline(always)]
fn shrink_columns(rows: &mut [u64], side: usize, words_per_row: usize) {
    let mut window = 1;
    while window < side {
        let step = window.min(side - window);
        let distance = step * words_per_row;
        for i in 0..rows.len() - distance {
            rows[i] &= rows[i + distance];
        }
        window += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gray;
    use crate::threshold::threshold;

    #[test]
    fn white_smaller_than_the_square_goes() {
        // A 7 × 7 square stays, even in a corner; a 6 × 9 one and single pixels go.
        let mut pixels = vec![0; 100 * 30];
        let mut fill = |left: usize, top: usize, width: usize, height: usize| {
            for y in top..top + height {
                pixels[y * 100 + left..][..width].fill(255);
            }
        };
        fill(60, 5, 7, 7);
        fill(20, 5, 6, 9);
        fill(40, 20, 1, 1);
        fill(96, 26, 4, 4);
        let mut picture = Bitmap::black(0, 0);
        threshold(Gray::new(100, 30, &pixels).unwrap(), 128, &mut picture);
        Opening::new(7).unwrap().apply(&mut picture);
        assert_eq!(picture.count_white(60, 5, 7, 7), 49);
        // Four pixels in a corner are what one sees of a square.
        assert_eq!(picture.count_white(96, 26, 4, 4), 16);
        assert_eq!(picture.count_white(0, 0, 100, 30), 49 + 16);
    }

    #[test]
    fn a_square_without_a_middle_is_refused() {
        assert!(Opening::new(8).is_none());
        assert!(Opening::new(65).is_none());
    }
}
