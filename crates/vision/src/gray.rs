//! A grey picture that somebody else owns.

/// Rows of 8-bit grey pixels, top row first. Pixel (x, y) covers the unit square from (x, y) to
/// (x + 1, y + 1): its centre is at (x + ½, y + ½).
#[derive(Clone, Copy, Debug)]
pub struct Gray<'a> {
    width: usize,
    height: usize,
    pixels: &'a [u8],
}

impl<'a> Gray<'a> {
    /// `None` if the pixels do not fill the rectangle exactly.
    pub fn new(width: usize, height: usize, pixels: &'a [u8]) -> Option<Gray<'a>> {
        (pixels.len() == width.checked_mul(height)?).then_some(Gray { width, height, pixels })
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row after row.
    pub fn pixels(&self) -> &'a [u8] {
        self.pixels
    }

    /// One row, counted from the top; empty below the picture.
    pub fn row(&self, y: usize) -> &'a [u8] {
        let start = y * self.width;
        self.pixels.get(start..start + self.width).unwrap_or_default()
    }
}
