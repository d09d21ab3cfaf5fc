//! Where the camera is, and how its mount moves.

use std::time::Duration;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use vision::{Point, Quad};

use super::{SCREEN_HEIGHT, SCREEN_WIDTH};

/// Where the camera is, as the screen sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// How far the screen is tilted away from the camera.
    pub tilt_degrees: f64,
    /// In which direction; 0 tilts its lower edge away.
    pub direction_degrees: f64,
    /// How far it is turned in the picture.
    pub turn_degrees: f64,
    /// Whether the camera stands on its head.
    pub upside_down: bool,
    /// The screen's height as a part of the frame's, seen straight.
    pub height: f64,
    /// Where the screen's middle is: 0, 0 is the frame's middle, 1, 1 its lower right corner.
    pub middle: (f64, f64),
}

impl Default for Mount {
    /// As in the robot's document: aslant, so that the camera does not see itself.
    fn default() -> Mount {
        Mount {
            tilt_degrees: 12.0,
            direction_degrees: 0.0,
            turn_degrees: 0.0,
            upside_down: false,
            height: 0.8,
            middle: (0.0, 0.0),
        }
    }
}

/// Focal length as a part of the frame's width.
const FOCAL: f64 = 0.9;

impl Mount {
    /// Any pose with the whole screen in a frame of this size: tilted by up to 35°, turned by up to 8°,
    /// upright or upside down, anywhere.
    pub fn random(random: &mut Xoshiro256PlusPlus, size: (usize, usize)) -> Mount {
        loop {
            let mount = Mount {
                tilt_degrees: random.random_range(0.0..=35.0),
                direction_degrees: random.random_range(0.0..360.0),
                turn_degrees: random.random_range(-8.0..=8.0),
                upside_down: random.random_bool(0.5),
                height: random.random_range(0.45..=0.95),
                middle: (random.random_range(-0.5..=0.5), random.random_range(-0.5..=0.5)),
            };
            if mount.is_in_view(size, 3.0) {
                return mount;
            }
        }
    }

    /// The screen's corners in a frame of this size.
    pub fn corners(&self, (width, height): (usize, usize)) -> Quad {
        let (width, height) = (width as f64, height as f64);
        let focal = FOCAL * width;
        let distance = focal * SCREEN_HEIGHT as f64 / (height * self.height);
        let turn = self.turn_degrees + if self.upside_down { 180.0 } else { 0.0 };
        let (half_width, half_height) = (SCREEN_WIDTH as f64 / 2.0, SCREEN_HEIGHT as f64 / 2.0);
        let (sin, cos) = self.tilt_degrees.to_radians().sin_cos();
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let (x, y) = turned(x * half_width, y * half_height, turn - self.direction_degrees);
            let (x, y, z) = (x, y * cos, distance + y * sin);
            let (x, y) = turned(x, y, self.direction_degrees);
            Point::new(
                width / 2.0 * (1.0 + self.middle.0) + focal * x / z,
                height / 2.0 * (1.0 + self.middle.1) + focal * y / z,
            )
        })
    }

    /// Whether the whole screen is in view, with a rim of some pixels.
    pub fn is_in_view(&self, size: (usize, usize), rim: f64) -> bool {
        let inside = |n: f64, size: usize| (rim..=size as f64 - rim).contains(&n);
        self.corners(size).iter().all(|p| inside(p.x, size.0) && inside(p.y, size.1))
    }
}

fn turned(x: f64, y: f64, degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

/// A mount that gives way slowly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// How far each corner has moved in the end: top left, top right, bottom right, bottom left.
    pub by: [(f64, f64); 4],
    /// How long it takes; then it comes to rest.
    pub within: Duration,
}

impl Drift {
    pub(super) fn moved(&self, corners: Quad, at: Duration) -> Quad {
        let part = if self.within.is_zero() { 0.0 } else { at.as_secs_f64() / self.within.as_secs_f64() };
        let part = part.min(1.0);
        std::array::from_fn(|i| {
            Point::new(corners[i].x + part * self.by[i].0, corners[i].y + part * self.by[i].1)
        })
    }
}
