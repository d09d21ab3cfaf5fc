//! A borrowed picture of red, green and blue bytes.

/// Pixels of a picture, three bytes each, top row first.
#[derive(Clone, Copy, Debug)]
pub struct RgbView<'a> {
    width: usize,
    height: usize,
    pixels: &'a [u8],
}

impl<'a> RgbView<'a> {
    /// A view of these pixels; `None` if they do not fill the rectangle.
    pub fn new(width: usize, height: usize, pixels: &'a [u8]) -> Option<Self> {
        (pixels.len() == width.checked_mul(height)?.checked_mul(3)?).then_some(Self { width, height, pixels })
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The bytes of one row; empty below the picture.
    pub fn row(&self, y: usize) -> &'a [u8] {
        self.pixels.get(y * self.width * 3..(y + 1) * self.width * 3).unwrap_or_default()
    }

    /// A copy of the pixels in a part of the picture.
    pub fn part(&self, x: usize, y: usize, width: usize, height: usize) -> Vec<u8> {
        let row = |y: usize| self.row(y).get(x * 3..(x + width) * 3).unwrap_or_default();
        (y..y + height).flat_map(|y| row(y).iter().copied()).collect()
    }

    /// One pixel, the nearest at the picture's border for places outside.
    pub fn pixel(&self, x: i64, y: i64) -> [u8; 3] {
        let x = x.clamp(0, self.width.saturating_sub(1) as i64) as usize;
        let y = y.clamp(0, self.height.saturating_sub(1) as i64) as usize;
        let at = (y * self.width + x) * 3;
        match self.pixels.get(at..at + 3) {
            Some(&[r, g, b]) => [r, g, b],
            _ => [0; 3],
        }
    }
}
