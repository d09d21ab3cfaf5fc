//! The console's display: its pixels need time to change, and its rows change one after the other.

use std::time::Duration;

use super::{SCREEN_HEIGHT, SCREEN_WIDTH};

/// How fast the display follows what the console draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// After this time a pixel is two thirds of the way to its new shade.
    pub response: Duration,
    /// From the first to the last row of a picture.
    pub scan: Duration,
    /// Luminance of the four shades, white first, 0 to 1.
    pub luminance: [f32; 4],
}

impl Default for Display {
    /// A Game Boy Advance SP with its light on.
    fn default() -> Display {
        Display {
            response: Duration::from_millis(9),
            scan: Duration::from_micros(15_600),
            luminance: [1.0, 0.70, 0.38, 0.12],
        }
    }
}

/// What the display shows: on the way from what was there before to the last picture.
#[derive(Clone, Debug)]
pub struct State {
    display: Display,
    /// The picture before the last, and the last.
    pictures: [Picture; 2],
}

#[derive(Clone, Debug)]
struct Picture {
    since: Duration,
    /// Luminance when the picture begins to show.
    before: Vec<f32>,
    wanted: Vec<f32>,
}

impl State {
    pub(super) fn new(display: &Display) -> State {
        let white = vec![display.luminance[0]; SCREEN_WIDTH * SCREEN_HEIGHT];
        let picture = Picture { since: Duration::ZERO, before: white.clone(), wanted: white };
        State { display: *display, pictures: [picture.clone(), picture] }
    }

    pub(super) fn show(&mut self, at: Duration, shades: &[u8]) {
        let [older, last] = &mut self.pictures;
        let left = remaining(at.saturating_sub(last.since), self.display.response);
        older.since = last.since;
        std::mem::swap(&mut older.before, &mut last.before);
        std::mem::swap(&mut older.wanted, &mut last.wanted);
        last.since = at;
        let ways = older.before.iter().zip(&older.wanted);
        for ((before, (was, wanted)), (new, shade)) in
            last.before.iter_mut().zip(ways).zip(last.wanted.iter_mut().zip(shades))
        {
            *before = wanted + (was - wanted) * left;
            *new = self.display.luminance[usize::from(shade & 3)];
        }
    }

    /// Writes a row's luminance at a moment.
    pub(super) fn row(&self, row: usize, at: Duration, out: &mut [f32]) {
        let delay = self.display.scan.mul_f64(row as f64 / SCREEN_HEIGHT as f64);
        let [older, last] = &self.pictures;
        let picture = if at >= last.since + delay { last } else { older };
        let left = remaining(at.saturating_sub(picture.since + delay), self.display.response);
        let range = row * SCREEN_WIDTH..(row + 1) * SCREEN_WIDTH;
        let ways = picture.before[range.clone()].iter().zip(&picture.wanted[range]);
        for (out, (before, wanted)) in out.iter_mut().zip(ways) {
            *out = wanted + (before - wanted) * left;
        }
    }
}

/// The part of the way that is still to go after this time.
fn remaining(passed: Duration, response: Duration) -> f32 {
    if response.is_zero() { 0.0 } else { (-passed.as_secs_f32() / response.as_secs_f32()).exp() }
}
