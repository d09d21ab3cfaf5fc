//! A grid of equal cells laid over a picture, and how tile-like each cell is.

use crate::edges::{EDGE, Edges};
use crate::pitch::Direction;
use crate::view::RgbView;

/// Equal steps along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where the first cell begins, in pixels.
    pub origin: f64,
    /// Pixels from cell to cell.
    pub pitch: f64,
    /// How many cells.
    pub count: usize,
}

impl Axis {
    /// Where a cell begins; cells before the first have negative numbers.
    pub fn start(&self, cell: isize) -> f64 {
        self.origin + self.pitch * cell as f64
    }

    /// Where the last cell ends.
    pub fn end(&self) -> f64 {
        self.start(self.count as isize)
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: usize) -> f64 {
        self.start(cell as isize) + self.pitch / 2.0
    }

    /// The axis without so many cells at its beginning, and with `count` cells; negative numbers add cells.
    #[must_use]
    pub fn part(&self, skip: isize, count: usize) -> Self {
        Self { origin: self.start(skip), count, ..*self }
    }

    /// All cells of this pitch and phase that fit into so many pixels.
    fn over(phase: f64, pitch: f64, length: usize) -> Self {
        let origin = phase.rem_euclid(pitch);
        Self { origin, pitch, count: (((length as f64 - origin) / pitch).floor()).max(0.0) as usize }
    }
}

/// A grid: columns from the left, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The columns.
    pub x: Axis,
    /// The rows.
    pub y: Axis,
}

/// Edges folded into one cell: where, within a cell, edges repeat from cell to cell.
#[derive(Clone, Debug)]
pub struct Template {
    pitch: (f64, f64),
    /// Bins across and down; one a pixel.
    size: (usize, usize),
    weights: Vec<f32>,
    /// Where cells meet, across and down.
    meets: (f64, f64),
}

/// How one cell of a lattice agrees with the template.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Edges in the cell, 0 for a blank one.
    pub energy: f32,
    /// Agreement of their places with the template, 0 to 1.
    pub cosine: f32,
}

impl Template {
    /// Folds all edges that repeat at this pitch.
    pub fn fold(edges: &Edges, pitch: (f64, f64)) -> Self {
        let size = (pitch.0.ceil() as usize, pitch.1.ceil() as usize);
        let mut weights = vec![0.0_f32; size.0 * size.1];
        let shift = (pitch.0.round() as usize, pitch.1.round() as usize);
        let bins = |length: usize, pitch: f64, size: usize| -> Vec<usize> {
            (0..length).map(|i| ((i as f64).rem_euclid(pitch) as usize).min(size - 1)).collect()
        };
        let (bins_x, bins_y) = (bins(edges.width, pitch.0, size.0), bins(edges.height, pitch.1, size.1));
        let width = edges.width;
        for y in 0..edges.height {
            let line = &mut weights[bins_y[y] * size.0..(bins_y[y] + 1) * size.0];
            for x in 0..width {
                let at = y * width + x;
                let edge = strength(edges, at);
                if edge == 0 {
                    continue;
                }
                let right = if x + shift.0 < width { strength(edges, at + shift.0) } else { 0 };
                let left = if x >= shift.0 { strength(edges, at - shift.0) } else { 0 };
                let below =
                    if y + shift.1 < edges.height { strength(edges, at + shift.1 * width) } else { 0 };
                let above = if y >= shift.1 { strength(edges, at - shift.1 * width) } else { 0 };
                // Chance repeats in one direction; a grid in both.
                let repeated = edge.min(left.max(right)).min(above.max(below));
                line[bins_x[x]] += f32::from(repeated);
            }
        }
        let meets = meeting_places(&weights, size, pitch);
        Self { pitch, size, weights, meets }
    }

    /// Places where cells may meet: the best guess first, then half a cell beside it.
    pub fn phases(&self) -> [(f64, f64); 4] {
        let (x, y) = self.meets;
        let (half_x, half_y) = (self.pitch.0 / 2.0, self.pitch.1 / 2.0);
        [(x, y), (x + half_x, y + half_y), (x + half_x, y), (x, y + half_y)]
    }

    /// A lattice over the whole picture whose cells meet at this phase.
    pub fn lattice(&self, edges: &Edges, phase: (f64, f64)) -> Lattice {
        Lattice {
            x: Axis::over(phase.0, self.pitch.0, edges.width),
            y: Axis::over(phase.1, self.pitch.1, edges.height),
        }
    }

    /// How each cell of the lattice agrees, row by row.
    pub fn agreements(&self, edges: &Edges, lattice: &Lattice) -> Vec<Agreement> {
        let mut sums = vec![(0.0_f32, 0.0_f32, 0.0_f32); lattice.x.count * lattice.y.count];
        let norm: f32 = self.weights.iter().map(|w| w * w).sum::<f32>().sqrt().max(1e-6);
        let cells = |axis: &Axis, length: usize| -> Vec<Option<usize>> {
            let cell = |i: usize| ((i as f64 + 0.5 - axis.origin) / axis.pitch).floor();
            (0..length)
                .map(|i| Some(cell(i)).filter(|c| *c >= 0.0 && *c < axis.count as f64).map(|c| c as usize))
                .collect()
        };
        let bins = |length: usize, pitch: f64, size: usize| -> Vec<usize> {
            (0..length).map(|i| ((i as f64).rem_euclid(pitch) as usize).min(size - 1)).collect()
        };
        let (cells_x, cells_y) = (cells(&lattice.x, edges.width), cells(&lattice.y, edges.height));
        let bins_x = bins(edges.width, self.pitch.0, self.size.0);
        let bins_y = bins(edges.height, self.pitch.1, self.size.1);
        for y in 0..edges.height {
            let Some(row) = cells_y[y] else { continue };
            let line = &self.weights[bins_y[y] * self.size.0..];
            for x in 0..edges.width {
                let Some(column) = cells_x[x] else { continue };
                let edge = f32::from(strength(edges, y * edges.width + x));
                if edge > 0.0 {
                    let sum = &mut sums[row * lattice.x.count + column];
                    sum.0 += edge;
                    sum.1 += edge * edge;
                    sum.2 += edge * line[bins_x[x]];
                }
            }
        }
        sums.into_iter()
            .map(|(energy, square, product)| Agreement {
                energy,
                cosine: if square > 0.0 { product / (norm * square.sqrt()) } else { 0.0 },
            })
            .collect()
    }
}

/// The edge at a pixel, whatever its direction, with a cap.
fn strength(edges: &Edges, at: usize) -> u8 {
    let edge = edges.across[at].max(edges.down[at]);
    if edge < EDGE { 0 } else { edge.min(60) }
}

/// Where cells meet: the edges of tiles lie around it, their middle far from it.
fn meeting_places(weights: &[f32], size: (usize, usize), pitch: (f64, f64)) -> (f64, f64) {
    let mut across = vec![0.0_f64; size.0];
    let mut down = vec![0.0_f64; size.1];
    for (at, &weight) in weights.iter().enumerate() {
        across[at % size.0] += f64::from(weight);
        down[at / size.0] += f64::from(weight);
    }
    // An edge is found at the pixel before it.
    (circular_mean(&across, pitch.0) + 1.0, circular_mean(&down, pitch.1) + 1.0)
}

fn circular_mean(weights: &[f64], pitch: f64) -> f64 {
    let turn = std::f64::consts::TAU / pitch;
    // Squares: sharp lines count more than scattered texture.
    let sum = |f: fn(f64) -> f64| -> f64 {
        weights.iter().enumerate().map(|(i, w)| w * w * f(i as f64 * turn)).sum()
    };
    (sum(f64::sin).atan2(sum(f64::cos)) / turn).rem_euclid(pitch)
}

/// Where tiles lie within a cell: neighbouring cells differ there, and hardly beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Where cells meet, in pixels from the picture's edge, modulo the pitch.
    pub meets: f64,
    /// Difference in the gap compared to that on the tiles; near 1 where there is no gap.
    pub depth: f64,
}

/// The gap between columns or rows inside an area of the picture.
pub fn gap(view: &RgbView<'_>, area: &Lattice, direction: Direction) -> Gap {
    let (axis, step) = match direction {
        Direction::Across => (&area.x, (area.x.pitch.round() as usize, 0)),
        Direction::Down => (&area.y, (0, area.y.pitch.round() as usize)),
    };
    let bins = axis.pitch.ceil() as usize;
    let mut sums = vec![(0.0_f64, 0.0_f64); bins];
    let span =
        |axis: &Axis, limit: usize| axis.origin.max(0.0) as usize..(axis.end().max(0.0) as usize).min(limit);
    for y in span(&area.y, view.height().saturating_sub(step.1)) {
        let (row, other) = (view.row(y), view.row(y + step.1));
        for x in span(&area.x, view.width().saturating_sub(step.0)) {
            let (a, b) = (&row[x * 3..x * 3 + 3], &other[(x + step.0) * 3..(x + step.0) * 3 + 3]);
            let far = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]));
            let place = if direction == Direction::Across { x } else { y };
            let bin = ((place as f64).rem_euclid(axis.pitch) as usize).min(bins - 1);
            sums[bin].0 += f64::from(far.min(80));
            sums[bin].1 += 1.0;
        }
    }
    let means: Vec<f64> = sums.iter().map(|(sum, count)| sum / count.max(1.0)).collect();
    let highest = means.iter().copied().fold(0.0, f64::max).max(1e-6);
    let lowest = means.iter().copied().fold(f64::MAX, f64::min);
    let low: Vec<f64> = means.iter().map(|mean| (0.5 * (highest + lowest) - mean).max(0.0)).collect();
    Gap { meets: circular_mean(&low, axis.pitch) + 0.5, depth: lowest / highest }
}

/// The share of an edge line that is drawn: pixels from `from` to `to` along `direction` at place `at`.
pub fn line_share(edges: &Edges, direction: Direction, at: usize, from: usize, to: usize) -> f64 {
    let places = from..to;
    let count = places.len().max(1) as f64;
    let drawn = places.filter(|&i| match direction {
        Direction::Down => edges.across.get(i * edges.width + at).is_some_and(|&edge| edge >= EDGE),
        Direction::Across => edges.down.get(at * edges.width + i).is_some_and(|&edge| edge >= EDGE),
    });
    drawn.count() as f64 / count
}
