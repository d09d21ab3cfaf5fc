//! Plain areas and what lies in them: tiles with a plain ground between them are islands in a sea, each by itself.
//!
//! A row of pixels is a few runs of one colour, and most rows of a screen are the same as the one above: areas of one
//! colour are found over runs, not over pixels.

use crate::edges::Area;
use crate::lattice::{Axis, Lattice};
use crate::view::RgbView;

/// A plain area with things in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sea {
    /// Its bounds.
    pub area: Area,
    /// What lies within its bounds and does not belong to it: parts that hang together.
    pub islands: Vec<Area>,
}

/// Plain areas smaller than this, in pixels, are no ground.
const SMALLEST_SEA: usize = 300;
/// A sea is so long and so high at least: a few small tiles.
const SHORTEST_SEA: usize = 40;
/// How many of the largest plain areas are looked at.
const MOST_SEAS: usize = 16;
/// Things smaller than this in either direction are specks.
const SPECK: usize = 5;
/// Fewer tiles than this tell no grid.
const FEWEST: usize = 8;
/// A picture with more runs than this is hardly plain anywhere.
const MOST_RUNS: usize = 500_000;

/// Pixels of one colour side by side.
#[derive(Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    colour: [u8; 3],
    /// Its number in the forest of areas.
    node: u32,
}

/// The largest plain areas of a picture, each with its islands; the largest first.
pub fn seas(view: &RgbView<'_>) -> Vec<Sea> {
    let Some(plain) = Plain::of(view) else { return Vec::new() };
    let mut bounds: Vec<Option<(Bounds, usize)>> = vec![None; plain.parents.len()];
    for (y, row) in plain.rows.iter().enumerate() {
        for run in &plain.runs[row.0..row.1] {
            let here = Bounds::of(run.from, run.to, y as u32);
            let root = root(&plain.parents, run.node) as usize;
            let length = (run.to - run.from) as usize;
            match &mut bounds[root] {
                Some((all, size)) => {
                    all.include(here);
                    *size += length;
                }
                empty => *empty = Some((here, length)),
            }
        }
    }
    let mut found: Vec<(u32, Bounds, usize)> = (0_u32..)
        .zip(bounds)
        .filter_map(|(root, found)| found.map(|(bounds, size)| (root, bounds, size)))
        .filter(|(_, bounds, size)| {
            let area = bounds.area();
            *size >= SMALLEST_SEA && area.width >= SHORTEST_SEA && area.height >= SHORTEST_SEA
        })
        .collect();
    found.sort_by_key(|(root, _, size)| (std::cmp::Reverse(*size), *root));
    found.truncate(MOST_SEAS);
    found.into_iter().map(|(root, bounds, _)| plain.sea(root, bounds)).collect()
}

impl Sea {
    /// The grid that all islands lie on, one in each of its cells at most, in columns that stand on the lowest row;
    /// `None` if they do not.
    pub fn lattice(&self) -> Option<Lattice> {
        let is_tile = |island: &&Area| island.width >= SPECK && island.height >= SPECK;
        let tiles: Vec<&Area> = self.islands.iter().filter(is_tile).collect();
        let specks = self.islands.len() - tiles.len();
        if tiles.len() < FEWEST || specks * 10 > tiles.len() {
            return None;
        }
        let spans = |span: fn(&Area) -> (usize, usize)| -> Vec<(f64, f64)> {
            let both = tiles.iter().map(|tile| span(tile));
            both.map(|(from, length)| (from as f64 + length as f64 / 2.0, length as f64)).collect()
        };
        let (x, columns) = fit(&spans(|tile| (tile.x, tile.width)))?;
        let (y, rows) = fit(&spans(|tile| (tile.y, tile.height)))?;
        let mut filled = vec![false; x.count * y.count];
        for (&column, &row) in columns.iter().zip(&rows) {
            let cell = filled.get_mut(row * x.count + column)?;
            if std::mem::replace(cell, true) {
                return None;
            }
        }
        // What hangs in the air is no tile.
        let hangs = (0..x.count).any(|column| {
            (1..y.count).any(|row| filled[(row - 1) * x.count + column] && !filled[row * x.count + column])
        });
        (!hangs).then_some(Lattice { x, y })
    }
}

/// The axis on which all these (middle, length) lie in steps, and the step of each.
fn fit(spans: &[(f64, f64)]) -> Option<(Axis, Vec<usize>)> {
    let longest = spans.iter().map(|(_, length)| *length).fold(0.0, f64::max);
    let mut middles: Vec<f64> = spans.iter().map(|(middle, _)| *middle).collect();
    middles.sort_by(f64::total_cmp);
    // Middles near each other are of one line.
    let mut lines: Vec<(f64, f64)> = Vec::new();
    for middle in middles {
        match lines.last_mut() {
            Some((sum, count)) if middle - *sum / *count < 0.35 * longest => {
                *sum += middle;
                *count += 1.0;
            }
            _ => lines.push((middle, 1.0)),
        }
    }
    let places: Vec<f64> = lines.iter().map(|(sum, count)| sum / count).collect();
    let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    if places.len() < 3 || nearest < longest || nearest > 4.0 * longest {
        return None;
    }
    // The smallest distance is off by a pixel; the whole length tells the pitch to a fraction of one.
    let first = places[0];
    let mut pitch = nearest;
    let mut steps: Vec<f64> = Vec::new();
    for _ in 0..3 {
        steps.clear();
        for (at, place) in places.iter().enumerate() {
            let before = at.checked_sub(1).map_or(0.0, |before| steps[before]);
            let from = at.checked_sub(1).map_or(first, |before| places[before]);
            steps.push(before + ((place - from) / pitch).round());
        }
        pitch = (places[places.len() - 1] - first) / steps[steps.len() - 1].max(1.0);
    }
    let weights: Vec<f64> = lines.iter().map(|(_, count)| *count).collect();
    let (slope, start) = line(&steps, &places, &weights)?;
    let all = steps[steps.len() - 1];
    // Most programs count in whole pixels.
    let whole = slope.round();
    let (pitch, start) = if (slope - whole).abs() * all < 0.8 {
        let total: f64 = weights.iter().sum();
        let sum: f64 = steps
            .iter()
            .zip(&places)
            .zip(&weights)
            .map(|((step, place), w)| w * (place - step * whole))
            .sum();
        (whole, sum / total)
    } else {
        (slope, start)
    };
    let of = |middle: f64| ((middle - start) / pitch).round();
    let beside = |middle: f64| (middle - start - of(middle) * pitch).abs();
    if spans.iter().any(|(middle, _)| beside(*middle) > (0.1 * pitch).max(1.1)) {
        return None;
    }
    let axis = Axis { origin: start - pitch / 2.0, pitch, count: all as usize + 1 };
    Some((axis, spans.iter().map(|(middle, _)| of(*middle).max(0.0) as usize).collect()))
}

/// Slope and start of the line through weighted points.
fn line(x: &[f64], y: &[f64], weights: &[f64]) -> Option<(f64, f64)> {
    let sum = |f: &dyn Fn(usize) -> f64| (0..x.len()).map(|i| weights[i] * f(i)).sum::<f64>();
    let all = sum(&|_| 1.0);
    let (mean_x, mean_y) = (sum(&|i| x[i]) / all, sum(&|i| y[i]) / all);
    let spread = sum(&|i| (x[i] - mean_x).powi(2));
    let slope = sum(&|i| (x[i] - mean_x) * (y[i] - mean_y)) / spread;
    (spread > 0.0).then_some((slope, mean_y - slope * mean_x))
}

/// Pixels from left to right and from top to bottom; the last are not included.
#[derive(Clone, Copy)]
struct Bounds {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

impl Bounds {
    fn of(from: u32, to: u32, y: u32) -> Self {
        Self { left: from, right: to, top: y, bottom: y + 1 }
    }

    fn include(&mut self, other: Self) {
        self.left = self.left.min(other.left);
        self.right = self.right.max(other.right);
        self.top = self.top.min(other.top);
        self.bottom = self.bottom.max(other.bottom);
    }

    fn area(&self) -> Area {
        Area {
            x: self.left as usize,
            y: self.top as usize,
            width: (self.right - self.left) as usize,
            height: (self.bottom - self.top) as usize,
        }
    }
}

/// A picture as areas of one colour.
struct Plain {
    runs: Vec<Run>,
    /// The runs of each row of pixels.
    rows: Vec<(usize, usize)>,
    /// Whether a row is the same as the one above.
    same: Vec<bool>,
    /// A forest: runs of one area have one root.
    parents: Vec<u32>,
}

impl Plain {
    /// `None` for a picture that is hardly plain anywhere.
    fn of(view: &RgbView<'_>) -> Option<Self> {
        let mut runs: Vec<Run> = Vec::new();
        let mut rows: Vec<(usize, usize)> = Vec::with_capacity(view.height());
        let mut same = Vec::with_capacity(view.height());
        let mut parents: Vec<u32> = Vec::new();
        for y in 0..view.height() {
            let row = view.row(y);
            let start = runs.len();
            let above = rows.last().copied().unwrap_or((start, start));
            same.push(y > 0 && row == view.row(y - 1));
            if same.last() == Some(&true) {
                // The same runs of the same areas.
                rows.push(above);
                continue;
            }
            let mut from = 0;
            while from < view.width() {
                let colour = [row[from * 3], row[from * 3 + 1], row[from * 3 + 2]];
                let same = row[from * 3..].chunks_exact(3).take_while(|pixel| **pixel == colour).count();
                runs.push(Run {
                    from: from as u32,
                    to: (from + same) as u32,
                    colour,
                    node: parents.len() as u32,
                });
                parents.push(parents.len() as u32);
                from += same;
            }
            if runs.len() > MOST_RUNS {
                return None;
            }
            // Runs of one colour above each other are of one area.
            let (before, own) = runs.split_at(start);
            let mut over = before[above.0..above.1].iter().peekable();
            for run in own {
                while let Some(other) = over.peek() {
                    if other.to > run.from && other.from < run.to && other.colour == run.colour {
                        join(&mut parents, other.node, run.node);
                    }
                    if other.to > run.to {
                        break;
                    }
                    over.next();
                }
            }
            rows.push((start, runs.len()));
        }
        Some(Self { runs, rows, same, parents })
    }

    /// An area with everything within its bounds that does not belong to it.
    fn sea(&self, sea: u32, bounds: Bounds) -> Sea {
        // Stretches of each row that are not sea, joined with those above that they touch.
        let mut nodes: Vec<Bounds> = Vec::new();
        let mut parents: Vec<u32> = Vec::new();
        let mut above: Vec<(u32, u32, u32)> = Vec::new();
        for y in bounds.top..bounds.bottom {
            let row = self.rows[y as usize];
            if self.same[y as usize] && y > bounds.top {
                for &(.., node) in &above {
                    nodes[node as usize].bottom = y + 1;
                }
                continue;
            }
            let mut own: Vec<(u32, u32, u32)> = Vec::new();
            let (mut at, mut next) = (bounds.left, 0);
            let of_sea = self.runs[row.0..row.1].iter().filter(|run| root(&self.parents, run.node) == sea);
            let ends = of_sea.map(|run| (run.from, run.to)).chain([(bounds.right, bounds.right)]);
            for (from, to) in ends {
                if from > at {
                    let node = nodes.len() as u32;
                    nodes.push(Bounds::of(at, from, y));
                    parents.push(node);
                    while let Some(&(left, right, other)) = above.get(next) {
                        if right > at && left < from {
                            join(&mut parents, other, node);
                        }
                        if right > from {
                            break;
                        }
                        next += 1;
                    }
                    own.push((at, from, node));
                }
                at = to.max(at);
            }
            above = own;
        }
        let mut islands: Vec<Option<Bounds>> = vec![None; nodes.len()];
        for (node, bounds) in (0_u32..).zip(&nodes) {
            match &mut islands[root(&parents, node) as usize] {
                Some(all) => all.include(*bounds),
                empty => *empty = Some(*bounds),
            }
        }
        Sea { area: bounds.area(), islands: islands.into_iter().flatten().map(|one| one.area()).collect() }
    }
}

fn root(parents: &[u32], node: u32) -> u32 {
    let mut node = node;
    while parents[node as usize] != node {
        node = parents[node as usize];
    }
    node
}

/// Makes one tree of two; the lower number becomes the root, and ways to it stay short.
fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (shortened(parents, a), shortened(parents, b));
    let (low, high) = (a.min(b), a.max(b));
    parents[high as usize] = low;
}

fn shortened(parents: &mut [u32], node: u32) -> u32 {
    let mut node = node;
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tiles of this size on a ground, in columns of these heights, from (30, 20); the last pixel rows stay ground.
    fn board(heights: &[usize], pitch: f64, tile: f64) -> Vec<u8> {
        let mut pixels = vec![20; 400 * 300 * 3];
        for (column, &height) in heights.iter().enumerate() {
            for row in 0..height {
                let (left, top) = (30.0 + column as f64 * pitch, 220.0 - row as f64 * pitch);
                for y in top.round() as usize..(top + tile).round() as usize {
                    for x in left.round() as usize..(left + tile).round() as usize {
                        pixels[(y * 400 + x) * 3..][..3].fill(90 + 60 * ((column + row * row) % 3) as u8);
                    }
                }
            }
        }
        pixels
    }

    fn found(pixels: &[u8]) -> Option<Lattice> {
        let view = RgbView::new(400, 300, pixels).unwrap();
        seas(&view).iter().find_map(Sea::lattice)
    }

    #[test]
    fn columns_of_tiles_are_a_grid_to_fractions_of_a_pixel() {
        for pitch in [17.0, 20.45, 23.3] {
            let lattice = found(&board(&[6, 4, 7, 1, 2, 5], pitch, pitch - 1.0)).unwrap();
            assert_eq!((lattice.x.count, lattice.y.count), (6, 7), "{pitch}");
            assert!((lattice.x.pitch - pitch).abs() < 0.1, "{pitch} found as {}", lattice.x.pitch);
            assert!((lattice.x.origin - 29.5).abs() < 1.0, "{pitch}: begins at {}", lattice.x.origin);
        }
    }

    #[test]
    fn what_hangs_in_the_air_or_lies_anywhere_is_no_grid() {
        let mut pixels = board(&[6, 4, 7, 1, 2, 5], 20.0, 18.0);
        for y in 60..78 {
            let at = (y * 400 + 90) * 3;
            pixels[at..at + 18 * 3].fill(200);
        }
        assert_eq!(found(&pixels), None);
        let mut pixels = vec![20; 400 * 300 * 3];
        for (x, y) in (0..9).map(|i| (20 + i * 37 + i * i % 7, 30 + (i * 53) % 200)) {
            pixels[(y * 400 + x) * 3..][..30].fill(150);
            for line in y..y + 10 {
                pixels[(line * 400 + x) * 3..][..30].fill(150);
            }
        }
        assert_eq!(found(&pixels), None);
    }

    #[test]
    fn small_and_plain_pictures_have_no_islands() {
        for (width, height) in [(0, 0), (1, 1), (60, 50)] {
            let pixels = vec![9; width * height * 3];
            let view = RgbView::new(width, height, &pixels).unwrap();
            assert!(seas(&view).iter().all(|sea| sea.lattice().is_none()), "{width} × {height}");
        }
    }
}
