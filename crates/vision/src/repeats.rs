//! Parts of a picture whose edges repeat both across and down: where grids may be.
//!
//! Edges are added up in strips, and every block of a strip is compared with what lies a shift further.
//! Sums over any window then cost the same, so windows of many sizes are tried: a small board is found
//! among pages of text, a large one as a whole.

use crate::edges::{Area, Direction, Edges, count};

/// Side of a block.
const BLOCK: usize = 64;
/// Rows (or columns) whose edges are added up into one strip.
const STRIP: usize = BLOCK / 2;
/// Shifts that are compared, in pixels.
const SMALLEST: usize = 9;
const LARGEST: usize = 132;
const SHIFTS: usize = LARGEST - SMALLEST;
/// Sides of the windows, in blocks.
const SIDES: [usize; 9] = [1, 2, 3, 4, 6, 8, 11, 15, 20];
/// The longer side of a window is at most this many times the shorter one.
const LONGEST: usize = 6;
/// Less than this repeats by chance.
const WEAKEST: f32 = 0.08;
/// How much edges add to the score of a window: by chance, a few edges repeat as well as many.
const MORE_SAYS_MORE: f32 = 0.25;
/// Peaks of one direction that are paired with those of the other.
const PEAKS: usize = 4;

/// A window in which edges repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// Where.
    pub area: Area,
    /// At which distance across and down, to the pixel. It may be a multiple of the true one.
    pub pitch: (f64, f64),
    /// How much, from 0.
    pub strength: f32,
}

/// The windows that repeat most, one for each grid that may be there; at most this many.
pub fn repeats(edges: &Edges, most: usize) -> Vec<Repeat> {
    let across = Sums::new(edges, Direction::Across);
    let down = Sums::new(edges, Direction::Down);
    let (columns, rows) = (edges.width.div_ceil(BLOCK), edges.height.div_ceil(BLOCK));
    let mut found = Vec::new();
    let sides = |limit: usize| {
        let mut sides: Vec<usize> = SIDES.into_iter().filter(|&side| side < limit).collect();
        sides.push(limit);
        sides
    };
    for height in sides(rows) {
        for width in sides(columns) {
            if width > LONGEST * height || height > LONGEST * width {
                continue;
            }
            let starts = |side: usize, limit: usize| (0..=limit - side).step_by((side / 3).max(1));
            for top in starts(height, rows) {
                for left in starts(width, columns) {
                    let window = Window { left, top, right: left + width, bottom: top + height };
                    let (x, energy_x) = across.peaks(&window, width * BLOCK);
                    if x.is_empty() {
                        continue;
                    }
                    let (y, energy_y) = down.peaks(&window, height * BLOCK);
                    if let Some((pitch, strength)) = best_pair(&x, &y) {
                        let area = window.area(edges);
                        // Of two windows that repeat equally, the one with more in it says more.
                        let size = (energy_x * energy_y).sqrt().powf(MORE_SAYS_MORE);
                        found.push(Repeat { area, pitch, strength: strength * size });
                    }
                }
            }
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let mut chosen: Vec<Repeat> = Vec::new();
    for repeat in found {
        if chosen.len() == most {
            break;
        }
        if !chosen.iter().any(|other| is_same(other, &repeat)) {
            chosen.push(repeat);
        }
    }
    chosen
}

/// Blocks from `left` to `right` and from `top` to `bottom`, the last not included.
struct Window {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Window {
    fn area(&self, edges: &Edges) -> Area {
        let (x, y) = (self.left * BLOCK, self.top * BLOCK);
        let (right, bottom) =
            ((self.right * BLOCK).min(edges.width), (self.bottom * BLOCK).min(edges.height));
        Area { x, y, width: right - x, height: bottom - y }
    }
}

/// How edges agree with those a shift further, added up over all blocks above and left of each corner.
struct Sums {
    /// Corners in a row: one more than blocks.
    corners: usize,
    /// For each corner, each shift from `SMALLEST`, then the energy.
    sums: Vec<[f32; SHIFTS + 1]>,
}

impl Sums {
    fn new(edges: &Edges, direction: Direction) -> Self {
        let (columns, rows) = (edges.width.div_ceil(BLOCK), edges.height.div_ceil(BLOCK));
        let corners = columns + 1;
        let mut sums = vec![[0.0; SHIFTS + 1]; corners * (rows + 1)];
        let (blocks, strips) = match direction {
            Direction::Across => (columns, strips_across(edges)),
            Direction::Down => (rows, strips_down(edges)),
        };
        for (number, strip) in strips.iter().enumerate() {
            for block in 0..blocks {
                let (column, row) = match direction {
                    Direction::Across => (block, number * STRIP / BLOCK),
                    Direction::Down => (number * STRIP / BLOCK, block),
                };
                let here = &mut sums[(row + 1) * corners + column + 1];
                let from = block * BLOCK;
                let own = &strip[from..from + BLOCK];
                let energy = dot(own, own);
                if energy == 0.0 {
                    continue;
                }
                here[SHIFTS] += energy;
                for (shift, sum) in (SMALLEST..LARGEST).zip(here.iter_mut()) {
                    *sum += dot(own, &strip[from + shift..from + shift + BLOCK]);
                }
            }
        }
        for row in 1..=rows {
            for column in 1..=columns {
                let at = row * corners + column;
                let (before, rest) = sums.split_at_mut(at);
                let (left, above, corner) =
                    (&before[at - 1], &before[at - corners], &before[at - corners - 1]);
                for (i, sum) in rest[0].iter_mut().enumerate() {
                    *sum += left[i] + above[i] - corner[i];
                }
            }
        }
        Self { corners, sums }
    }

    /// The shifts at which a window repeats, the strongest first.
    fn peaks(&self, window: &Window, length: usize) -> (Vec<(usize, f32)>, f32) {
        let corner = |x: usize, y: usize| &self.sums[y * self.corners + x];
        let (a, b) = (corner(window.left, window.top), corner(window.right, window.top));
        let (c, d) = (corner(window.left, window.bottom), corner(window.right, window.bottom));
        let at = |i: usize| d[i] - b[i] - c[i] + a[i];
        let energy = at(SHIFTS);
        // Nothing but a few strokes.
        if energy < 1e6 {
            return (Vec::new(), energy);
        }
        let mut values = [0.0_f32; SHIFTS];
        for (i, value) in values.iter_mut().enumerate() {
            *value = at(i);
        }
        // A pitch with a fraction falls on two whole shifts in turn.
        let around = |i: usize| (0.9 * values[i - 1] + values[i] + 0.9 * values[i + 1]) / energy;
        let mut peaks: Vec<(usize, f32)> = Vec::new();
        // Fewer than three repeats in a window say nothing.
        let last = (SHIFTS - 2).min((length / 3).saturating_sub(SMALLEST));
        let (mut before, mut here) = (around(1), around(2.min(SHIFTS - 2)));
        for i in 2..last {
            let after = around(i + 1);
            if here > WEAKEST && here >= before && here >= after {
                peaks.push((i + SMALLEST, here));
            }
            (before, here) = (here, after);
        }
        peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
        peaks.truncate(PEAKS);
        (peaks, energy)
    }
}

/// The pitches across and down that go together best.
fn best_pair(across: &[(usize, f32)], down: &[(usize, f32)]) -> Option<((f64, f64), f32)> {
    let mut best: Option<((f64, f64), f32)> = None;
    for x in across {
        for y in down {
            let ratio = x.0 as f32 / y.0 as f32;
            if !(0.5..=2.0).contains(&ratio) {
                continue;
            }
            // Tiles are about square.
            let strength = (x.1 * y.1).sqrt() * (-0.5 * ratio.ln().abs()).exp();
            if best.is_none_or(|(_, other)| strength > other) {
                best = Some(((x.0 as f64, y.0 as f64), strength));
            }
        }
    }
    best
}

/// Whether two windows show the same grid: they overlap, and one pitch is a multiple of the other.
fn is_same(a: &Repeat, b: &Repeat) -> bool {
    let overlap =
        |a: (usize, usize), b: (usize, usize)| (a.0 + a.1).min(b.0 + b.1).saturating_sub(a.0.max(b.0));
    let shared = overlap((a.area.x, a.area.width), (b.area.x, b.area.width))
        * overlap((a.area.y, a.area.height), (b.area.y, b.area.height));
    let smaller = (a.area.width * a.area.height).min(b.area.width * b.area.height);
    let multiple = |a: f64, b: f64| {
        let times = a.max(b) / a.min(b);
        (times - times.round()).abs() < 0.08
    };
    shared * 2 > smaller && multiple(a.pitch.0, b.pitch.0) && multiple(a.pitch.1, b.pitch.1)
}

/// Edges across, added up in strips of rows; each strip is followed by room for shifts.
fn strips_across(edges: &Edges) -> Vec<Vec<f32>> {
    let strips = edges.height.div_ceil(STRIP);
    let area = |strip: usize| Area {
        x: 0,
        y: strip * STRIP,
        width: edges.width,
        height: STRIP.min(edges.height - strip * STRIP),
    };
    (0..strips).map(|strip| level(&edges.profile(area(strip), Direction::Across))).collect()
}

/// Edges down, added up in strips of columns.
fn strips_down(edges: &Edges) -> Vec<Vec<f32>> {
    let mut strips = vec![vec![0.0; edges.height]; edges.width.div_ceil(STRIP)];
    for y in 0..edges.height {
        let line = &edges.down[y * edges.width..(y + 1) * edges.width];
        for (strip, part) in strips.iter_mut().zip(line.chunks(STRIP)) {
            strip[y] = part.iter().map(|&edge| u32::from(count(edge))).sum::<u32>() as f32;
        }
    }
    strips.iter().map(|strip| level(strip)).collect()
}

/// The strip less its local mean, with room for shifts at its end.
fn level(strip: &[f32]) -> Vec<f32> {
    let length = strip.len();
    let mut before = Vec::with_capacity(length + 1);
    let mut sum = 0.0_f64;
    before.push(sum);
    for value in strip {
        sum += f64::from(*value);
        before.push(sum);
    }
    let mut level: Vec<f32> = strip
        .iter()
        .enumerate()
        .map(|(i, value)| {
            let (from, to) = (i.saturating_sub(BLOCK), (i + BLOCK + 1).min(length));
            value - ((before[to] - before[from]) / (to - from) as f64) as f32
        })
        .collect();
    level.resize(length + LARGEST + 2 * BLOCK, 0.0);
    level
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for lane in 0..16 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::RgbView;

    /// A picture with tiles of 24 pixels in three colours from (200, 100), 10 columns and 8 rows.
    fn tiles() -> Vec<u8> {
        let mut pixels = vec![30; 640 * 480 * 3];
        for (column, row) in (0..10).flat_map(|column| (0..8).map(move |row| (column, row))) {
            let level = 90 + 70 * ((column * 7 + row * 5 + column * row) % 3) as u8;
            for y in 100 + row * 24..100 + row * 24 + 22 {
                for x in 200 + column * 24..200 + column * 24 + 22 {
                    pixels[(y * 640 + x) * 3..][..3].fill(level);
                }
            }
        }
        pixels
    }

    #[test]
    fn a_grid_is_found_where_it_is() {
        let pixels = tiles();
        let edges = Edges::of(&RgbView::new(640, 480, &pixels).unwrap());
        let found = repeats(&edges, 3);
        let Repeat { area, pitch, .. } = found[0];
        assert!(pitch.0 % 24.0 < 1.1 || pitch.0 % 24.0 > 22.9, "{pitch:?}");
        assert!(pitch.1 % 24.0 < 1.1 || pitch.1 % 24.0 > 22.9, "{pitch:?}");
        assert!(area.x < 440 && area.x + area.width > 200 && area.y < 292 && area.y + area.height > 100);
    }

    #[test]
    fn nothing_repeats_in_small_or_empty_pictures() {
        for (width, height) in [(0, 0), (1, 1), (3, 200), (300, 200)] {
            let pixels = vec![9; width * height * 3];
            let edges = Edges::of(&RgbView::new(width, height, &pixels).unwrap());
            assert!(repeats(&edges, 3).is_empty(), "{width} × {height}");
        }
    }
}
