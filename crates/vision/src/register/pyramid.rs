//! A picture at half, a quarter, an eighth of its size: far-off guesses see the way in small pictures.

use crate::gray::Gray;

/// A picture and its smaller copies.
#[derive(Clone, Debug)]
pub struct Pyramid {
    levels: Vec<Level>,
}

/// One size of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
    /// Pixels of the whole picture along the side of one of these.
    pub scale: f64,
}

impl Pyramid {
    /// The picture and `halvings` smaller ones.
    pub fn new(picture: Gray<'_>, halvings: usize) -> Pyramid {
        let pixels = picture.pixels().to_vec();
        let mut levels = vec![Level { width: picture.width(), height: picture.height(), pixels, scale: 1.0 }];
        for _ in 0..halvings {
            let Some(level) = levels.last().map(Level::half) else { break };
            levels.push(level);
        }
        Pyramid { levels }
    }

    /// The size of the whole picture.
    pub(crate) fn size(&self) -> (usize, usize) {
        self.levels.first().map_or((0, 0), |level| (level.width, level.height))
    }

    /// After this many halvings, or the smallest there is.
    pub(crate) fn level(&self, halvings: usize) -> &Level {
        // There is always the picture itself.
        &self.levels[halvings.min(self.levels.len() - 1)]
    }
}

impl Level {
    fn half(&self) -> Level {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let rows = &self.pixels[2 * y * self.width..][..2 * self.width];
            let (upper, lower) = rows.split_at(self.width);
            let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
            pixels.extend(pairs.map(|(a, b)| {
                ((u16::from(a[0]) + u16::from(a[1]) + u16::from(b[0]) + u16::from(b[1]) + 2) / 4) as u8
            }));
        }
        Level { width, height, pixels, scale: self.scale * 2.0 }
    }

    /// Brightness between pixels, in this level's own pixels from the first one's centre; nothing
    /// closer than a pixel to the rim.
    #[inline(always)]
    pub(crate) fn between(&self, x: f64, y: f64) -> Option<f64> {
        if !(x >= 0.0 && y >= 0.0) {
            return None;
        }
        let (left, top) = (x as usize, y as usize);
        if left + 1 >= self.width || top + 1 >= self.height {
            return None;
        }
        let (right_part, lower_part) = (x - left as f64, y - top as f64);
        let at = top * self.width + left;
        let pixel = |i: usize| f64::from(self.pixels[i]);
        let upper = pixel(at) + right_part * (pixel(at + 1) - pixel(at));
        let lower =
            pixel(at + self.width) + right_part * (pixel(at + self.width + 1) - pixel(at + self.width));
        Some(upper + lower_part * (lower - upper))
    }
}
