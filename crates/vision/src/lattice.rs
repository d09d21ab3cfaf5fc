//! A grid of equal cells laid over a picture, and how tile-like each cell is.

use crate::edges::{Area, Direction, EDGE, Edges};
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

    /// The axis without this many cells at its beginning, and with `count` cells; negative numbers add cells.
    #[must_use]
    pub fn part(&self, skip: isize, count: usize) -> Self {
        Self { origin: self.start(skip), count, ..*self }
    }

    /// All cells of this pitch and phase that fit between two pixels.
    fn over(phase: f64, pitch: f64, from: usize, length: usize) -> Self {
        let origin = from as f64 + (phase - from as f64).rem_euclid(pitch);
        let room = (from + length) as f64 - origin;
        Self { origin, pitch, count: (room / pitch).floor().max(0.0) as usize }
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

impl Lattice {
    /// The pixels that it covers, and this many cells around it, as far as the picture goes.
    pub fn area(&self, around: f64, width: usize, height: usize) -> Area {
        let span = |axis: &Axis, limit: usize| {
            let from = (axis.origin - around * axis.pitch).clamp(0.0, limit as f64) as usize;
            let to = (axis.end() + around * axis.pitch).ceil().clamp(0.0, limit as f64) as usize;
            (from, to.saturating_sub(from))
        };
        let ((x, width), (y, height)) = (span(&self.x, width), span(&self.y, height));
        Area { x, y, width, height }
    }
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
    /// Folds the edges of an area that repeat at this pitch.
    pub fn fold(edges: &Edges, pitch: (f64, f64), area: Area) -> Self {
        let size = (pitch.0.ceil() as usize, pitch.1.ceil() as usize);
        let mut weights = vec![0.0_f32; size.0 * size.1];
        let shift = (pitch.0.round() as usize, pitch.1.round() as usize);
        let (bins_x, bins_y) = (bins(edges.width, pitch.0, size.0), bins(edges.height, pitch.1, size.1));
        let nothing = vec![0; edges.width];
        // At a pitch with a fraction an edge is found a pixel beside the shift as often as at it.
        let fraction = |pitch: f64| (pitch - pitch.round()).abs() > 0.08;
        let others = if fraction(pitch.0) || fraction(pitch.1) { edges.widened() } else { &edges.counted };
        let line = |y: Option<usize>| {
            y.filter(|&y| y < edges.height)
                .map_or(&nothing[..], |y| &others[y * edges.width..(y + 1) * edges.width])
        };
        let (left, right) = (area.x, (area.x + area.width).min(edges.width));
        for y in area.y..(area.y + area.height).min(edges.height) {
            let here = &edges.counted[y * edges.width..(y + 1) * edges.width];
            let (beside, above, below) =
                (line(Some(y)), line(y.checked_sub(shift.1)), line(Some(y + shift.1)));
            let folded = &mut weights[bins_y[y] * size.0..(bins_y[y] + 1) * size.0];
            for x in left..right {
                let edge = here[x];
                if edge == 0 {
                    continue;
                }
                let after = beside.get(x + shift.0).copied().unwrap_or(0);
                let before = x.checked_sub(shift.0).map_or(0, |x| beside[x]);
                // Chance repeats in one direction; a grid in both.
                let repeated = edge.min(before.max(after)).min(above[x].max(below[x]));
                folded[bins_x[x]] += f32::from(repeated);
            }
        }
        let meets = meeting_places(&weights, size, pitch);
        Self { pitch, size, weights, meets }
    }

    /// Where cells meet; with `beside`, half a cell beside the best guess, across and down.
    pub fn phase(&self, beside: (bool, bool)) -> (f64, f64) {
        let half = |beside: bool, pitch: f64| if beside { pitch / 2.0 } else { 0.0 };
        (self.meets.0 + half(beside.0, self.pitch.0), self.meets.1 + half(beside.1, self.pitch.1))
    }

    /// A lattice over an area whose cells meet at this phase.
    pub fn lattice(&self, area: Area, phase: (f64, f64)) -> Lattice {
        Lattice {
            x: Axis::over(phase.0, self.pitch.0, area.x, area.width),
            y: Axis::over(phase.1, self.pitch.1, area.y, area.height),
        }
    }

    /// How each cell of the lattice agrees, row by row.
    pub fn agreements(&self, edges: &Edges, lattice: &Lattice) -> Vec<Agreement> {
        // Whole numbers are added up for many pixels at once.
        let highest = self.weights.iter().copied().fold(1e-6, f32::max);
        let weights: Vec<u16> = self.weights.iter().map(|w| (w / highest * 255.0) as u16).collect();
        let norm: f32 = weights.iter().map(|&w| f32::from(w) * f32::from(w)).sum::<f32>().sqrt().max(1e-6);
        // Pixels of each cell; those before and beyond the picture are none.
        let span = |axis: &Axis, cell: usize, limit: usize| {
            let at = |place: f64| (place - 0.5).ceil().clamp(0.0, limit as f64) as usize;
            at(axis.start(cell as isize))..at(axis.start(cell as isize + 1))
        };
        let bins_x = bins(edges.width, self.pitch.0, self.size.0);
        let bins_y = bins(edges.height, self.pitch.1, self.size.1);
        // The template's rows, laid out along the whole picture.
        let rows: Vec<Vec<u16>> = weights
            .chunks_exact(self.size.0)
            .map(|row| bins_x.iter().map(|&bin| row[bin]).collect())
            .collect();
        let mut agreements = Vec::with_capacity(lattice.x.count * lattice.y.count);
        let columns: Vec<_> = (0..lattice.x.count).map(|cell| span(&lattice.x, cell, edges.width)).collect();
        let mut sums = vec![(0_u32, 0_u32, 0_u32); lattice.x.count];
        for row in 0..lattice.y.count {
            sums.fill((0, 0, 0));
            for y in span(&lattice.y, row, edges.height) {
                let line = &edges.counted[y * edges.width..(y + 1) * edges.width];
                let template = &rows[bins_y[y]];
                for (sum, places) in sums.iter_mut().zip(&columns) {
                    let (edges, weights) = (&line[places.clone()], &template[places.clone()]);
                    let (energy, square, product) = overlap(edges, weights);
                    sum.0 += energy;
                    sum.1 += square;
                    sum.2 += product;
                }
            }
            agreements.extend(sums.iter().map(|&(energy, square, product)| Agreement {
                energy: energy as f32,
                cosine: if square > 0 { product as f32 / (norm * (square as f32).sqrt()) } else { 0.0 },
            }));
        }
        agreements
    }
}

/// The sum of the edges, of their squares, and of their products with the weights.
fn overlap(edges: &[u8], weights: &[u16]) -> (u32, u32, u32) {
    let (mut energy, mut square, mut product) = (0, 0, 0);
    for (&edge, &weight) in edges.iter().zip(weights) {
        let edge = u32::from(edge);
        energy += edge;
        square += edge * edge;
        product += edge * u32::from(weight);
    }
    (energy, square, product)
}

/// The place of each pixel within its cell.
fn bins(length: usize, pitch: f64, size: usize) -> Vec<usize> {
    (0..length).map(|i| ((i as f64).rem_euclid(pitch) as usize).min(size - 1)).collect()
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
        Direction::Across => (&area.x, (nearly_whole_step(&area.x), 0)),
        Direction::Down => (&area.y, (0, nearly_whole_step(&area.y))),
    };
    let size = axis.pitch.ceil() as usize;
    let mut sums = vec![Differences::default(); size];
    let span =
        |axis: &Axis, limit: usize| axis.origin.max(0.0) as usize..(axis.end().max(0.0) as usize).min(limit);
    let columns = span(&area.x, view.width().saturating_sub(step.0));
    let bins = bins(view.width().max(view.height()), axis.pitch, size);
    for y in span(&area.y, view.height().saturating_sub(step.1)) {
        let (row, other) = (view.row(y), view.row(y + step.1));
        for x in columns.clone() {
            let (a, b) = (&row[x * 3..x * 3 + 3], &other[(x + step.0) * 3..(x + step.0) * 3 + 3]);
            let far = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]));
            let sum = &mut sums[bins[if direction == Direction::Across { x } else { y }]];
            sum.far += u32::from(far.min(80));
            sum.clear += u32::from(far > CLEAR);
            sum.count += 1;
        }
    }
    let share = |part: fn(&Differences) -> u32| -> Vec<f64> {
        sums.iter().map(|sum| f64::from(part(sum)) / f64::from(sum.count.max(1))).collect()
    };
    let (far, clear) = (share(|sum| sum.far), share(|sum| sum.clear));
    // A picture between tiles changes slowly: only clear differences count there.
    let are_clear = clear.iter().copied().fold(0.0, f64::max) > 0.15;
    let gaps = [Gap::of(&far, axis.pitch), Gap::of(&clear, axis.pitch)];
    let deepest =
        gaps.into_iter().take(1 + usize::from(are_clear)).min_by(|a, b| a.depth.total_cmp(&b.depth));
    deepest.unwrap_or(gaps[0])
}

/// Differences above this are not shading, in grey levels.
const CLEAR: u8 = 24;

/// How pixels at one place of their cells differ from those at the same place of others.
#[derive(Clone, Copy, Default)]
struct Differences {
    far: u32,
    clear: u32,
    count: u32,
}

impl Gap {
    /// The gap where differences are least, from those at each place of a cell.
    fn of(differences: &[f64], pitch: f64) -> Self {
        let highest = differences.iter().copied().fold(0.0, f64::max).max(1e-6);
        let lowest = differences.iter().copied().fold(f64::MAX, f64::min);
        let low: Vec<f64> =
            differences.iter().map(|here| (0.5 * (highest + lowest) - here).max(0.0)).collect();
        Self { meets: circular_mean(&low, pitch) + 0.5, depth: lowest / highest }
    }
}

/// A few cells in pixels: as many as come nearest to a whole number, one if that will do.
fn nearly_whole_step(axis: &Axis) -> usize {
    let off = |cells: &i32| {
        let pixels = axis.pitch * f64::from(*cells);
        (pixels - pixels.round()).abs()
    };
    let most = (axis.count as i32 / 3).clamp(1, 4);
    let cells = (1..=most).find(|cells| off(cells) < 0.12);
    let cells = cells.or_else(|| (1..=most).min_by(|a, b| off(a).total_cmp(&off(b)))).unwrap_or(1);
    (axis.pitch * f64::from(cells)).round() as usize
}

/// The share of a lattice's edges that lie where its cells meet.
pub fn share_between_cells(edges: &Edges, lattice: &Lattice) -> f32 {
    let near = |axis: &Axis, length: usize| -> Vec<bool> {
        let away = |i: usize| {
            // An edge is found at the pixel before it.
            let turns = (i as f64 + 1.0 - axis.origin) / axis.pitch;
            (turns - turns.round()).abs() * axis.pitch
        };
        // Outlines lie inside the cells.
        (0..length).map(|i| away(i) <= (0.16 * axis.pitch).min(2.6)).collect()
    };
    let (near_x, near_y) = (near(&lattice.x, edges.width), near(&lattice.y, edges.height));
    let area = lattice.area(0.0, edges.width, edges.height);
    let (mut all, mut between) = (0_u32, 0_u32);
    for y in area.y..area.y + area.height {
        let line = &edges.counted[y * edges.width..(y + 1) * edges.width];
        for x in area.x..area.x + area.width {
            all += u32::from(line[x]);
            if near_y[y] || near_x[x] {
                between += u32::from(line[x]);
            }
        }
    }
    between as f32 / all.max(1) as f32
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
