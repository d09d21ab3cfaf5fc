//! The plane of the screen as the lens sees it: the display in its frame, in the room's light.

use std::f32::consts::TAU;
use std::time::Duration;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{SCREEN_HEIGHT, SCREEN_WIDTH, display};

/// What is seen around the screen, in its own pixels: a dark bezel, then the case.
pub const MARGIN: usize = 56;
/// Width of the plane.
pub const PLANE_WIDTH: usize = SCREEN_WIDTH + 2 * MARGIN;
/// Its height.
pub const PLANE_HEIGHT: usize = SCREEN_HEIGHT + 2 * MARGIN;
/// Width of the bezel.
const BEZEL: usize = 18;
const BEZEL_LUMINANCE: f32 = 0.08;
const CASE_LUMINANCE: f32 = 0.5;

/// Light in the room, reflections on the glass, focus of the lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lighting {
    /// Grey level of a white pixel in the middle of the screen.
    pub white: f32,
    /// Grey level of the darkest thing: haze, stray light.
    pub black: f32,
    /// How much brighter one side is than the middle, as a part; its direction comes from the seed.
    pub gradient: f32,
    /// How much the light swings in time, as a part, and how often.
    pub swing: f32,
    /// How long one swing takes.
    pub swing_period: Duration,
    /// Reflections: how many bright spots, and how many grey levels they add.
    pub reflections: usize,
    /// Grey levels that a reflection adds in its middle.
    pub glare: f32,
    /// Radius of the blur in the screen's pixels, at most 4.
    pub blur: f32,
}

impl Default for Lighting {
    fn default() -> Lighting {
        Lighting {
            white: 215.0,
            black: 18.0,
            gradient: 0.12,
            swing: 0.03,
            swing_period: Duration::from_secs(7),
            reflections: 0,
            glare: 60.0,
            blur: 0.5,
        }
    }
}

/// The plane, with what does not change from frame to frame.
#[derive(Clone, Debug)]
pub struct Scene {
    lighting: Lighting,
    /// Factor of the light at each place.
    light: Vec<f32>,
    /// Grey levels that reflections and haze add.
    added: Vec<f32>,
    luminance: Vec<f32>,
    blurred: Vec<f32>,
    plane: Vec<u8>,
    /// Light as a part of the usual.
    dimmed: f32,
}

impl Scene {
    pub(super) fn new(lighting: &Lighting, random: &mut Xoshiro256PlusPlus) -> Scene {
        let (sin, cos) = (TAU * random.random::<f32>()).sin_cos();
        let places = || (0..PLANE_HEIGHT).flat_map(|y| (0..PLANE_WIDTH).map(move |x| (x as f32, y as f32)));
        let unit = |n: f32, size: usize| (n + 0.5) / size as f32 * 2.0 - 1.0;
        let light = places()
            .map(|(x, y)| {
                let side = unit(x, PLANE_WIDTH) * cos + unit(y, PLANE_HEIGHT) * sin;
                (lighting.white - lighting.black) * (1.0 + lighting.gradient * side).max(0.0)
            })
            .collect();
        let spots: Vec<_> = (0..lighting.reflections)
            .map(|_| {
                let x = (MARGIN as f32) + random.random::<f32>() * SCREEN_WIDTH as f32;
                let y = (MARGIN as f32) + random.random::<f32>() * SCREEN_HEIGHT as f32;
                (x, y, 6.0 + 10.0 * random.random::<f32>())
            })
            .collect();
        let added = places()
            .map(|(x, y)| {
                let glare = |(spot_x, spot_y, radius): &(f32, f32, f32)| {
                    let distance = ((x - spot_x).powi(2) + (y - spot_y).powi(2)) / radius.powi(2);
                    lighting.glare * (-distance).exp()
                };
                lighting.black + spots.iter().map(glare).sum::<f32>()
            })
            .collect();
        let around = |x: usize, y: usize| {
            let outside =
                |n: usize, size: usize| (MARGIN.saturating_sub(n)).max((n + 1).saturating_sub(MARGIN + size));
            let distance = outside(x, SCREEN_WIDTH).max(outside(y, SCREEN_HEIGHT));
            if distance > BEZEL { CASE_LUMINANCE } else { BEZEL_LUMINANCE }
        };
        let luminance: Vec<_> =
            (0..PLANE_WIDTH * PLANE_HEIGHT).map(|i| around(i % PLANE_WIDTH, i / PLANE_WIDTH)).collect();
        let blurred = luminance.clone();
        let plane = vec![0; luminance.len()];
        Scene { lighting: *lighting, light, added, luminance, blurred, plane, dimmed: 1.0 }
    }

    pub(super) fn set_light(&mut self, part: f32) {
        self.dimmed = part;
    }

    /// The plane's grey pixels at a moment; rows of the screen are read out later than the frame begins.
    pub(super) fn draw(
        &mut self,
        display: &display::State,
        at: Duration,
        delay: impl Fn(usize) -> Duration,
    ) -> &[u8] {
        for row in 0..SCREEN_HEIGHT {
            let start = (MARGIN + row) * PLANE_WIDTH + MARGIN;
            display.row(row, at + delay(row), &mut self.luminance[start..start + SCREEN_WIDTH]);
        }
        self.blur();
        let period = self.lighting.swing_period.as_secs_f32().max(0.1);
        let swing = self.dimmed
            + self.dimmed * self.lighting.swing * (TAU * (at.as_secs_f32() / period).fract()).sin();
        let light = self.light.iter().zip(&self.added);
        for ((pixel, luminance), (light, added)) in self.plane.iter_mut().zip(&self.blurred).zip(light) {
            // The cast saturates.
            *pixel = (luminance * light * swing + added + 0.5) as u8;
        }
        &self.plane
    }

    /// A lens out of focus: neighbours across and down weigh what the radius says, near the screen only.
    fn blur(&mut self) {
        let (first, last) = (MARGIN - 6, MARGIN + SCREEN_HEIGHT + 6);
        let span = MARGIN - 6..MARGIN + SCREEN_WIDTH + 6;
        let rounds = self.lighting.blur.clamp(0.0, 4.0).ceil() as usize;
        // Each round of (w, 1 - 2 w, w) adds 2 w to the variance.
        let side = if rounds == 0 { 0.0 } else { self.lighting.blur.min(4.0).powi(2) / 2.0 / rounds as f32 };
        let side = side.min(0.33);
        self.blurred.copy_from_slice(&self.luminance);
        let mut across = vec![0.0; PLANE_WIDTH];
        for _ in 0..rounds {
            let mut above = self.blurred[(first - 1) * PLANE_WIDTH..first * PLANE_WIDTH].to_vec();
            for y in first..last {
                let row = y * PLANE_WIDTH;
                let (head, below) = self.blurred.split_at_mut(row + PLANE_WIDTH);
                let here = &mut head[row..];
                for x in span.clone() {
                    across[x] = here[x] + side * (above[x] + below[x] - 2.0 * here[x]);
                }
                above.copy_from_slice(here);
                for x in span.clone() {
                    here[x] = across[x];
                }
            }
            for y in first..last {
                let here = &mut self.blurred[y * PLANE_WIDTH..(y + 1) * PLANE_WIDTH];
                for x in span.clone() {
                    across[x] = here[x] + side * (here[x - 1] + here[x + 1] - 2.0 * here[x]);
                }
                here[span.clone()].copy_from_slice(&across[span.clone()]);
            }
        }
    }
}
