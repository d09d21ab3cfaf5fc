//! How far apart things repeat: the pitch of a grid, from the edges of a picture.

use crate::edges::{EDGE, Edges};

/// Rows (or columns) whose edges are added up into one profile.
const STRIP: usize = 16;
/// One edge counts at most this much: a white page beside a black one is not worth more than a tile.
const STRONGEST: u8 = 60;
/// Pitches that can be found, in pixels.
const SMALLEST: usize = 11;
const LARGEST: usize = 200;
/// A peak must explain this share of the edges.
const WEAKEST: f64 = 0.03;
const MOST_PEAKS: usize = 8;

/// A distance at which edges repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pitch {
    /// Pixels.
    pub pixels: f64,
    /// Share of all edges that repeat, 0 to 1.
    pub strength: f64,
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    Across,
    /// From top to bottom.
    Down,
}

/// The distances at which edges repeat in one direction.
pub struct Pitches {
    repeats: Repeats,
    peaks: Vec<Pitch>,
}

impl Pitches {
    /// Finds them to the pixel.
    pub fn of(edges: &Edges, direction: Direction) -> Self {
        let length = match direction {
            Direction::Across => edges.width,
            Direction::Down => edges.height,
        };
        let mut repeats = Repeats::new(strips(edges, direction), length);
        let most = LARGEST.min(length / 2);
        let peaks = if most > SMALLEST {
            let small: Vec<_> = (1..most + 3).map(|shift| repeats.around(shift)).collect();
            peaks(&small, most)
        } else {
            Vec::new()
        };
        Self { repeats, peaks }
    }

    /// In whole pixels, the strongest first.
    pub fn peaks(&self) -> &[Pitch] {
        &self.peaks
    }

    /// The same pitch with its fraction: its multiples say more than itself.
    pub fn refine(&mut self, pixels: f64) -> f64 {
        refine(&mut self.repeats, pixels)
    }
}

/// Edge profiles of all strips that have enough edges, each with mean 0.
fn strips(edges: &Edges, direction: Direction) -> Vec<Vec<f32>> {
    let (length, across) = match direction {
        Direction::Across => (edges.width, edges.height),
        Direction::Down => (edges.height, edges.width),
    };
    let mut strips = vec![vec![0.0_f32; length]; across.div_ceil(STRIP)];
    for y in 0..edges.height {
        let line = y * edges.width..(y + 1) * edges.width;
        match direction {
            Direction::Across => {
                let strip = &mut strips[y / STRIP];
                for (sum, &edge) in strip.iter_mut().zip(&edges.across[line]) {
                    *sum += f32::from(counted(edge));
                }
            }
            Direction::Down => {
                for (x, &edge) in edges.down[line].iter().enumerate().filter(|(_, edge)| **edge >= EDGE) {
                    strips[x / STRIP][y] += f32::from(counted(edge));
                }
            }
        }
    }
    strips.retain(|strip| strip.iter().sum::<f32>() > f32::from(STRONGEST) * STRIP as f32);
    for strip in &mut strips {
        let mean = strip.iter().sum::<f32>() / strip.len() as f32;
        for sum in strip.iter_mut() {
            *sum -= mean;
        }
    }
    strips
}

fn counted(edge: u8) -> u8 {
    if edge < EDGE { 0 } else { edge.min(STRONGEST) }
}

/// How well the strips agree with themselves after a shift; each shift is computed when asked for.
struct Repeats {
    strips: Vec<Vec<f32>>,
    all: f64,
    known: Vec<Option<f64>>,
}

impl Repeats {
    fn new(strips: Vec<Vec<f32>>, longest: usize) -> Self {
        let all: f64 = strips.iter().map(|strip| f64::from(dot(strip, strip))).sum();
        Self { strips, all: all.max(1.0), known: vec![None; longest] }
    }

    /// Share of the edges that repeat at this shift; 1 for none, 0 beyond the picture.
    fn exactly(&mut self, shift: usize) -> f64 {
        match self.known.get(shift) {
            None => 0.0,
            Some(Some(known)) => *known,
            Some(None) => {
                let moved = |strip: &[f32]| f64::from(dot(strip, strip.get(shift..).unwrap_or_default()));
                let sum: f64 = self.strips.iter().map(|strip| moved(strip)).sum();
                self.known[shift] = Some(sum / self.all);
                sum / self.all
            }
        }
    }

    /// The same, smoothed: a pitch with a fraction falls on two whole shifts in turn.
    fn around(&mut self, shift: usize) -> f64 {
        0.9 * self.exactly(shift - 1) + self.exactly(shift) + 0.9 * self.exactly(shift + 1)
    }

    /// The same with a narrow peak, for places between whole shifts.
    fn between(&mut self, shift: f64) -> f64 {
        let (whole, share) = (shift.floor() as usize, shift.fract());
        let mut sharp = |i: usize| 0.5 * self.exactly(i - 1) + self.exactly(i) + 0.5 * self.exactly(i + 1);
        sharp(whole) * (1.0 - share) + sharp(whole + 1) * share
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (a, b) = (&a[..b.len()], b);
    let (a_lanes, b_lanes) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f32 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f32>() + tail
}

/// Local maxima among the values for shifts from 1, the highest first.
fn peaks(repeats: &[f64], most: usize) -> Vec<Pitch> {
    let mut peaks: Vec<_> = (SMALLEST..=most)
        .filter(|&shift| {
            let here = repeats[shift - 1];
            repeats.get(shift - 3..shift + 2).is_some_and(|near| near.iter().all(|&other| other <= here))
        })
        .map(|shift| Pitch { pixels: shift as f64, strength: repeats[shift - 1] })
        .filter(|peak| peak.strength > WEAKEST)
        .collect();
    peaks.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    peaks.truncate(MOST_PEAKS);
    peaks
}

/// The pitch whose multiples agree best: a small error adds up over many tiles.
fn refine(repeats: &mut Repeats, coarse: f64) -> f64 {
    let mut best = coarse;
    // Twice as far each time: a step's error must stay below half a peak's width.
    let mut reach = 1;
    while coarse * f64::from(reach) < repeats.known.len() as f64 * 0.7 && reach <= 32 {
        let step = 0.1 / f64::from(reach);
        let mut highest = f64::MIN;
        let middle = best;
        for candidate in (-8..=8).map(|i| middle + f64::from(i) * step) {
            let multiples = (1 + reach / 2..=reach).map(|n| candidate * f64::from(n));
            let score = multiples.map(|shift| repeats.between(shift)).sum::<f64>();
            if score > highest {
                (best, highest) = (candidate, score);
            }
        }
        reach *= 2;
    }
    // Most programs count in whole pixels.
    let whole = best.round();
    if (best - whole).abs() < 0.05 {
        let reach = reach / 2;
        let mut score =
            |pitch: f64| (1 + reach / 2..=reach).map(|n| repeats.between(pitch * f64::from(n))).sum::<f64>();
        if score(whole) > 0.93 * score(best) {
            return whole;
        }
    }
    best
}
