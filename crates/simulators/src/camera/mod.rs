//! A console's screen through a lens (X2): perspective, blur, sensor noise,
//! uneven and changing light, reflections, a slow display, a rolling shutter,
//! a mount that drifts, compression. All of it from a seed.
//!
//! The light, the reflections and the blur are drawn on the plane of the
//! screen, which has a tenth of the pixels; only the projection and the
//! sensor's noise work on whole frames. That is why a game of twenty thousand
//! frames takes seconds.

mod compression;
mod display;
mod mount;
mod scene;
mod sensor;
pub mod stream;

use std::time::Duration;

use engine::Latency;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use vision::warp::Warp;
use vision::{Gray, Homography, Quad};

pub use display::Display;
pub use mount::{Drift, Mount};
pub use scene::{Lighting, MARGIN, PLANE_HEIGHT, PLANE_WIDTH, Scene};
pub use sensor::Sensor;

/// Pixels in a row of the console's screen.
pub const SCREEN_WIDTH: usize = 160;
/// Rows of it.
pub const SCREEN_HEIGHT: usize = 144;

/// Corners that have moved less than this are projected as before; making a projection takes longer
/// than a frame.
const STEADY_PX: f64 = 0.2;

/// What kind of camera, mount and room.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Pixels in a row of the frame.
    pub width: usize,
    /// Rows of the frame.
    pub height: usize,
    /// Frames a second, by the camera's own clock.
    pub fps: f64,
    /// Where the camera is.
    pub mount: Mount,
    /// How the mount moves in the course of a game.
    pub drift: Drift,
    /// How fast the console's display follows.
    pub display: Display,
    /// Light, reflections and blur.
    pub lighting: Lighting,
    /// Noise, and how frames are read out.
    pub sensor: Sensor,
    /// Quality of the compression, 1 to 100; nothing for raw frames.
    pub quality: Option<u8>,
}

impl Default for Settings {
    /// A good webcam on a good day.
    fn default() -> Settings {
        Settings {
            width: 640,
            height: 480,
            fps: 30.0,
            mount: Mount::default(),
            drift: Drift::default(),
            display: Display::default(),
            lighting: Lighting::default(),
            sensor: Sensor::default(),
            quality: None,
        }
    }
}

/// A camera that looks at a console's screen.
#[derive(Clone, Debug)]
pub struct Camera {
    settings: Settings,
    random: Xoshiro256PlusPlus,
    /// When the first frame is taken: cameras and consoles do not start together.
    phase: Duration,
    display: display::State,
    scene: Scene,
    noise: sensor::Noise,
    /// Corners for which `projection` was made.
    projected: Option<Quad>,
    projection: Warp,
    frame: Vec<u8>,
    /// By how many pixels the camera is away from where it should be.
    knocked: (f64, f64),
}

impl Camera {
    /// A camera; the same seed gives the same frames.
    pub fn new(settings: Settings, seed: u64) -> Camera {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let period = 1.0 / settings.fps.max(0.1);
        let phase = Duration::from_secs_f64(period * random.random::<f64>());
        let scene = Scene::new(&settings.lighting, &mut random);
        let noise = sensor::Noise::new(&settings.sensor, &mut random);
        Camera {
            display: display::State::new(&settings.display),
            scene,
            noise,
            phase,
            projected: None,
            projection: Warp::new(&Homography::IDENTITY, (0, 0), (2, 2)),
            frame: Vec::new(),
            knocked: (0.0, 0.0),
            settings,
            random,
        }
    }

    /// When frame `number` is taken, as far as the camera's clock is right.
    pub fn taken(&self, number: u64) -> Duration {
        self.phase + Duration::from_secs_f64(number as f64 / self.settings.fps.max(0.1))
    }

    /// Width and height of its frames.
    pub fn size(&self) -> (usize, usize) {
        (self.settings.width, self.settings.height)
    }

    /// From the first to the last row of a frame.
    pub fn readout(&self) -> Duration {
        self.settings.sensor.readout
    }

    /// Time between two frames.
    pub fn frame_period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.settings.fps.max(0.1))
    }

    /// From the beginning of a picture to the earliest frame that shows it, over all rows of the screen:
    /// the display draws and changes its rows while the camera reads its own.
    pub fn seen_after(&self) -> Latency {
        let corners = self.corners(Duration::ZERO);
        let Display { response, scan, .. } = self.settings.display;
        // Rows are drawn one after the other and are half-way to their new shade after response · ln 2.
        let after = |row: usize| {
            let drawn = scan.mul_f64(row as f64 / SCREEN_HEIGHT as f64).as_secs_f64();
            drawn + response.as_secs_f64() * std::f64::consts::LN_2
                - row_delay(&self.settings, &corners, row).as_secs_f64()
        };
        let (first, last) = (after(0), after(SCREEN_HEIGHT - 1));
        let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or_default();
        let spread = seconds((first - last).abs() / 2.0) + response / 3;
        Latency { typical: seconds(f64::midpoint(first, last)), spread }
    }

    /// Where the screen's corners are at a moment: the truth that calibration has to find.
    pub fn corners(&self, at: Duration) -> Quad {
        let corners = self.settings.mount.corners((self.settings.width, self.settings.height));
        self.settings.drift.moved(corners, at)
    }

    /// The console shows a new picture from now on: 160 × 144 shades, 0 white to 3 black.
    pub fn show(&mut self, at: Duration, shades: &[u8]) {
        self.display.show(at, shades);
    }

    /// The camera was knocked and sees everything this many pixels to the right and further down.
    pub fn knock(&mut self, by: (f64, f64)) {
        self.knocked = by;
    }

    /// Light as a part of the usual: 0 is a dark room.
    pub fn set_light(&mut self, part: f32) {
        self.scene.set_light(part);
    }

    /// Takes a frame: grey pixels, until the next capture.
    pub fn capture(&mut self, at: Duration) -> &[u8] {
        let (right, down) = self.knocked;
        let corners = self.corners(at).map(|p| vision::Point::new(p.x + right, p.y + down));
        let size = (self.settings.width, self.settings.height);
        let is_steady =
            self.projected.is_some_and(|before| (0..4).all(|i| before[i].distance(corners[i]) < STEADY_PX));
        if !is_steady && let Some(projection) = project(corners, size) {
            self.projection = projection;
            self.projected = Some(corners);
        }
        let settings = &self.settings;
        let plane = self.scene.draw(&self.display, at, |row| row_delay(settings, &corners, row));
        let plane = Gray::new(PLANE_WIDTH, PLANE_HEIGHT, plane);
        // The plane has the size that the projection was made for.
        if let Some(plane) = plane {
            let _ = self.projection.apply(plane, &mut self.frame);
        }
        self.noise.add(&mut self.frame, &mut self.random);
        if let Some(quality) = self.settings.quality {
            compression::compress(&mut self.frame, size, quality);
        }
        &self.frame
    }
}

/// How long after the frame's first row a row of the screen is read out.
fn row_delay(settings: &Settings, corners: &Quad, row: usize) -> Duration {
    let part = (row as f64 + 0.5) / SCREEN_HEIGHT as f64;
    let left = corners[0].y + (corners[3].y - corners[0].y) * part;
    let right = corners[1].y + (corners[2].y - corners[1].y) * part;
    let part_of_frame = f64::midpoint(left, right) / settings.height as f64;
    settings.sensor.readout.mul_f64(part_of_frame.clamp(0.0, 1.0))
}

/// The look-up table from the plane of the screen to the frame.
fn project(corners: Quad, size: (usize, usize)) -> Option<Warp> {
    let mapping = Homography::onto(SCREEN_WIDTH as f64, SCREEN_HEIGHT as f64, corners)?;
    let margin = MARGIN as f64;
    let to_plane = Homography([1.0, 0.0, margin, 0.0, 1.0, margin, 0.0, 0.0, 1.0]);
    Some(Warp::new(&to_plane.after(&mapping.inverse()?), size, (PLANE_WIDTH, PLANE_HEIGHT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkered() -> Vec<u8> {
        (0..SCREEN_WIDTH * SCREEN_HEIGHT)
            .map(|i| (((i % SCREEN_WIDTH) / 8 + i / SCREEN_WIDTH / 8) % 4) as u8)
            .collect()
    }

    fn captured(settings: Settings, seed: u64) -> Vec<u8> {
        let mut camera = Camera::new(settings, seed);
        for i in 0..4 {
            camera.show(Duration::from_millis(17 * i), &checkered());
        }
        camera.capture(Duration::from_millis(200)).to_vec()
    }

    #[test]
    fn the_same_seed_gives_the_same_frame() {
        let settings = Settings { quality: Some(60), ..Settings::default() };
        assert_eq!(captured(settings.clone(), 7), captured(settings.clone(), 7));
        assert_ne!(captured(settings.clone(), 7), captured(settings, 8));
    }

    #[test]
    fn the_screen_is_where_the_mount_says() {
        for upside_down in [false, true] {
            let mount = Mount { tilt_degrees: 20.0, upside_down, ..Mount::default() };
            let settings = Settings { mount, ..Settings::default() };
            let camera = Camera::new(settings.clone(), 1);
            let mapping = Homography::onto(160.0, 144.0, camera.corners(Duration::ZERO)).unwrap();
            let frame = captured(settings, 1);
            let mut seen = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
            for (i, shade) in checkered().iter().enumerate() {
                let (x, y) = (i % SCREEN_WIDTH, i / SCREEN_WIDTH);
                // The middles of the tiles, away from the blur of their rims.
                if x % 8 == 4 && y % 8 == 4 {
                    let at = mapping.apply(vision::Point::new(x as f64, y as f64));
                    seen[usize::from(*shade)].push(frame[at.y as usize * 640 + at.x as usize]);
                }
            }
            let means = seen.map(|seen| seen.iter().map(|s| f64::from(*s)).sum::<f64>() / seen.len() as f64);
            assert!(means.windows(2).all(|pair| pair[0] > pair[1] + 20.0), "{means:?}");
        }
    }

    #[test]
    fn a_slow_display_shows_both_pictures_at_once() {
        let mut camera = Camera::new(Settings::default(), 3);
        camera.show(Duration::ZERO, &vec![0; SCREEN_WIDTH * SCREEN_HEIGHT]);
        let at = Duration::from_millis(500);
        let mean = |frame: &[u8]| frame.iter().map(|p| u64::from(*p)).sum::<u64>() / frame.len() as u64;
        let white = mean(camera.capture(at));
        camera.show(at, &vec![3; SCREEN_WIDTH * SCREEN_HEIGHT]);
        let between = mean(camera.capture(at));
        let black = mean(camera.capture(at + Duration::from_millis(300)));
        assert!(white > between && between > black + 5, "{white} {between} {black}");
    }
}
