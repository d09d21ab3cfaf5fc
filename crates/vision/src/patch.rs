//! What a cell looks like: mean colours of a few parts of its inner area.

use crate::lattice::Lattice;
use crate::view::RgbView;

/// Parts of a cell in each direction.
pub const PARTS: usize = 5;
/// Numbers in a patch: red, green and blue of each part.
pub const LENGTH: usize = PARTS * PARTS * 3;
/// Share of a cell at each side that is left out: gaps, outlines and neighbours.
const BORDER: f64 = 0.16;

/// Mean colours of the parts of one cell, row by row.
pub type Patch = [f32; LENGTH];

/// The patch of a cell; the lattice may reach beyond the picture.
pub fn patch(view: &RgbView<'_>, lattice: &Lattice, column: isize, row: isize) -> Patch {
    let bounds = |start: f64, pitch: f64, part: usize| {
        let inner = pitch * (1.0 - 2.0 * BORDER) / PARTS as f64;
        let from = start + pitch * BORDER + inner * part as f64;
        let first = from.round() as i64;
        (first, ((from + inner).round() as i64).max(first + 1))
    };
    let mut patch = [0.0; LENGTH];
    let (left, top) = (lattice.x.start(column), lattice.y.start(row));
    for part_y in 0..PARTS {
        let (y0, y1) = bounds(top, lattice.y.pitch, part_y);
        for part_x in 0..PARTS {
            let (x0, x1) = bounds(left, lattice.x.pitch, part_x);
            let mean = mean(view, (x0, x1), (y0, y1));
            patch[(part_y * PARTS + part_x) * 3..][..3].copy_from_slice(&mean);
        }
    }
    patch
}

fn mean(view: &RgbView<'_>, (x0, x1): (i64, i64), (y0, y1): (i64, i64)) -> [f32; 3] {
    let inside = x0 >= 0 && y0 >= 0 && x1 <= view.width() as i64 && y1 <= view.height() as i64;
    let mut sums = [0_u32; 3];
    for y in y0..y1 {
        if inside {
            for pixel in view.row(y as usize)[x0 as usize * 3..x1 as usize * 3].chunks_exact(3) {
                for channel in 0..3 {
                    sums[channel] += u32::from(pixel[channel]);
                }
            }
        } else {
            for x in x0..x1 {
                let pixel = view.pixel(x, y);
                for channel in 0..3 {
                    sums[channel] += u32::from(pixel[channel]);
                }
            }
        }
    }
    let count = ((x1 - x0) * (y1 - y0)) as f32;
    sums.map(|sum| sum as f32 / count)
}

/// Root of the mean squared difference, in grey levels.
pub fn distance(a: &Patch, b: &Patch) -> f32 {
    let sum: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (sum / LENGTH as f32).sqrt()
}

/// Whether two patches are nearer than this; most that are not are told apart by a few parts.
pub fn is_nearer(a: &Patch, b: &Patch, than: f32) -> bool {
    let limit = than * than * LENGTH as f32;
    let mut sum = 0.0;
    for (a, b) in a.chunks_exact(PARTS * 3).zip(b.chunks_exact(PARTS * 3)) {
        sum += a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        if sum >= limit {
            return false;
        }
    }
    true
}

/// How much a patch varies within itself, in grey levels.
pub fn roughness(patch: &Patch) -> f32 {
    let colour = colour(patch);
    let sum: f32 = patch.iter().enumerate().map(|(i, v)| (v - colour[i % 3]).powi(2)).sum();
    (sum / LENGTH as f32).sqrt()
}

/// The mean colour of a patch.
pub fn colour(patch: &Patch) -> [f32; 3] {
    let mut sums = [0.0; 3];
    for (i, value) in patch.iter().enumerate() {
        sums[i % 3] += value;
    }
    sums.map(|sum| sum / (LENGTH / 3) as f32)
}
