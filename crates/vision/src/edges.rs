//! Where neighbouring pixels differ.

use crate::view::RgbView;

/// Differences below this are shading, not edges.
pub const EDGE: u8 = 8;

/// The largest difference in any channel between each pixel and the next one.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Difference to the pixel on the right; 0 in the last column.
    pub across: Vec<u8>,
    /// Difference to the pixel below; 0 in the last row.
    pub down: Vec<u8>,
}

impl Edges {
    /// The edges of a picture.
    pub fn of(view: &RgbView<'_>) -> Self {
        let (width, height) = (view.width(), view.height());
        let mut across = vec![0; width * height];
        let mut down = vec![0; width * height];
        for y in 0..height {
            let row = view.row(y);
            let line = y * width..(y + 1) * width;
            differences(row, row.get(3..).unwrap_or_default(), &mut across[line.clone()]);
            if y + 1 < height {
                differences(row, view.row(y + 1), &mut down[line]);
            }
        }
        Self { width, height, across, down }
    }
}

/// The largest channel difference, pixel by pixel.
fn differences(a: &[u8], b: &[u8], out: &mut [u8]) {
    for ((a, b), out) in a.chunks_exact(3).zip(b.chunks_exact(3)).zip(out) {
        *out = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]));
    }
}
