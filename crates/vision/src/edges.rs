//! Where neighbouring pixels differ.

use std::sync::OnceLock;

use crate::view::RgbView;

/// Differences below this are shading, not edges.
pub const EDGE: u8 = 8;
/// One edge counts at most this much: a white page beside a black one is not worth more than a tile.
const STRONGEST: u8 = 60;

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
    /// The edge in either direction as it counts: without shading, and with a cap.
    pub counted: Vec<u8>,
    widened: OnceLock<Vec<u8>>,
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    Across,
    /// From top to bottom.
    Down,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: usize,
    /// Top edge.
    pub y: usize,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
}

impl Edges {
    /// The edges of a picture.
    pub fn of(view: &RgbView<'_>) -> Self {
        let (width, height) = (view.width(), view.height());
        let mut across = vec![0; width * height];
        let mut down = vec![0; width * height];
        let mut counted = vec![0; width * height];
        let mut channels = vec![0; width * 3];
        for y in 0..height {
            let row = view.row(y);
            let line = y * width..(y + 1) * width;
            differences(row, row.get(3..).unwrap_or_default(), &mut channels, &mut across[line.clone()]);
            if y + 1 < height {
                differences(row, view.row(y + 1), &mut channels, &mut down[line.clone()]);
            }
            let both = across[line.clone()].iter().zip(&down[line.clone()]);
            for (out, (&across, &down)) in counted[line].iter_mut().zip(both) {
                *out = count(across.max(down));
            }
        }
        Self { width, height, across, down, counted, widened: OnceLock::new() }
    }

    /// The strongest edge that counts at each pixel or beside it: what repeats at a pitch with a fraction
    /// falls on two pixels in turn.
    pub fn widened(&self) -> &[u8] {
        self.widened.get_or_init(|| {
            let width = self.width;
            let mut rows = self.counted.clone();
            for (row, out) in self.counted.chunks_exact(width.max(1)).zip(rows.chunks_exact_mut(width.max(1)))
            {
                for (out, triple) in out.iter_mut().skip(1).zip(row.windows(3)) {
                    *out = triple[0].max(triple[1]).max(triple[2]);
                }
            }
            let mut widened = rows.clone();
            for y in 1..self.height.saturating_sub(1) {
                let line = |y: usize| &rows[y * width..(y + 1) * width];
                let out = &mut widened[y * width..(y + 1) * width];
                for ((out, above), below) in out.iter_mut().zip(line(y - 1)).zip(line(y + 1)) {
                    *out = (*out).max(*above).max(*below);
                }
            }
            widened
        })
    }

    /// Edges across (or down) in an area, added up along the other direction.
    pub fn profile(&self, area: Area, direction: Direction) -> Vec<f32> {
        let rows = area.y..(area.y + area.height).min(self.height);
        let (left, right) = (area.x.min(self.width), (area.x + area.width).min(self.width));
        let line = |y: usize| y * self.width + left..y * self.width + right;
        match direction {
            Direction::Across => {
                let mut sums = vec![0_u32; right - left];
                for y in rows {
                    for (sum, &edge) in sums.iter_mut().zip(&self.across[line(y)]) {
                        *sum += u32::from(count(edge));
                    }
                }
                sums.into_iter().map(|sum| sum as f32).collect()
            }
            Direction::Down => rows
                .map(|y| self.down[line(y)].iter().map(|&edge| u32::from(count(edge))).sum::<u32>() as f32)
                .collect(),
        }
    }
}

/// What an edge counts.
pub fn count(edge: u8) -> u8 {
    if edge < EDGE { 0 } else { edge.min(STRONGEST) }
}

/// The largest channel difference, pixel by pixel.
fn differences(a: &[u8], b: &[u8], channels: &mut [u8], out: &mut [u8]) {
    // Two simple loops: each is done for many bytes at once.
    for ((a, b), channel) in a.iter().zip(b).zip(channels.iter_mut()) {
        *channel = a.abs_diff(*b);
    }
    let pixels = b.len() / 3;
    for (channel, out) in channels.chunks_exact(3).zip(&mut out[..pixels]) {
        *out = channel[0].max(channel[1]).max(channel[2]);
    }
}
