//! The robot's eyes: from settings to a camera, real or simulated (X2).

use std::time::Duration;

use configuration::settings;
use devices::camera::{Address, CameraSettings};
use players::tetris::see::camera::document::{DocumentSight, Thresholds};
use simulators::camera::{Display, Drift, Lighting, Mount, Sensor, Settings};
use simulators::console::film::Film;
use vision::{Point, Quad};

use crate::error::RunError;
use crate::settings::{latency, milliseconds};

settings! {
    /// How the robot's document sees pieces (its appendix E.3), for gamebot measure recognition; our own way of seeing needs none of it.
    pub struct DocumentSightSettings in "document_sight" {
        /// Frames that may be looked at for one answer; more than half must agree.
        samples: u32 = 1, range 1..=99, unit "frames";
        /// Probability at which the next piece counts as recognised.
        next_piece: f64 = 0.7, range 0.0..=1.0;
        /// The same for the current piece.
        current_piece: f64 = 0.7, range 0.0..=1.0;
        /// The same for a current piece that is known and was moved.
        moved_piece: f64 = 0.5, range 0.0..=1.0;
        /// Side of the square around a pixel with which it is compared; odd.
        threshold_block: u32 = 17, range 3..=255, unit "pixels";
        /// By how much a pixel may be darker than that square and still be white.
        threshold_constant: u32 = 13, range 0..=255;
    }
}

impl DocumentSightSettings {
    /// As the measurement takes them.
    pub fn to_sight(&self) -> Result<DocumentSight, RunError> {
        if self.threshold_block.is_multiple_of(2) {
            let block = self.threshold_block;
            return Err(RunError::Setting(format!(
                "document_sight.threshold_block: {block} is even; allowed are odd numbers from 3 to 255"
            )));
        }
        let thresholds =
            Thresholds { next: self.next_piece, current: self.current_piece, moved: self.moved_piece };
        Ok(DocumentSight {
            thresholds,
            block: self.threshold_block as usize,
            constant: self.threshold_constant as i32,
            samples: self.samples as usize,
        })
    }
}

settings! {
    /// The robot's camera: where it is, and how old its frames are.
    pub struct RobotCameraSettings in "camera" {
        /// Where it is: http://host:port/path, v4l2:/dev/video0, cmd:program arguments, or dir:folder.
        address: String = "http://127.0.0.1:8090/".to_owned();
        /// Width of raw video, and of what a camera on USB is asked for; other cameras say it themselves.
        width: u32 = 640, range 160..=4_096, unit "pixels";
        /// Its height.
        height: u32 = 480, range 120..=4_096, unit "pixels";
        /// Frames a second.
        fps: f64 = 30.0, range 1.0..=240.0;
        /// Whether frames are turned by 180°.
        rotate: bool = false;
        /// Whether exposure and focus of a camera on USB are locked once they have settled.
        lock: bool = true;
        /// From a moment on the console's screen to the arrival of the frame that shows it.
        latency_ms: u32 = 50, range 0..=1_000, unit "milliseconds";
        /// The most that time deviates, either way.
        latency_spread_ms: u32 = 8, range 0..=1_000, unit "milliseconds";
        /// How long a look waits for a frame; then the game is stopped until one comes.
        patience_ms: u32 = 300, range 10..=60_000, unit "milliseconds";
        /// Corners of the screen to start from, as gamebot calibrate prints them: x,y four times, separated by spaces; empty to find it.
        points: String = String::new();
    }
}

impl RobotCameraSettings {
    /// Where the camera is.
    pub fn address(&self) -> Result<Address, RunError> {
        self.address.parse().map_err(|error| RunError::Setting(format!("camera.address: {error}")))
    }

    /// As the driver wants them.
    pub fn to_camera(&self) -> CameraSettings {
        CameraSettings {
            width: self.width,
            height: self.height,
            fps: self.fps,
            rotate: self.rotate,
            latency: latency(self.latency_ms, self.latency_spread_ms),
            patience: milliseconds(self.patience_ms),
            locks: self.lock,
        }
    }

    /// The corners to start from, if any are given.
    pub fn corners(&self) -> Result<Option<Quad>, RunError> {
        let words: Vec<_> = self.points.split_whitespace().collect();
        if words.is_empty() {
            return Ok(None);
        }
        let point = |word: &&str| {
            let (x, y) = word.split_once(',')?;
            let (x, y): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
            (x.is_finite() && y.is_finite()).then_some(Point::new(x, y))
        };
        let points = words.iter().map(point).collect::<Option<Vec<_>>>();
        let corners = points.and_then(|points| Quad::try_from(points).ok());
        corners.map(Some).ok_or_else(|| {
            let message =
                format!("camera.points = {:?}: write x,y four times, separated by spaces", self.points);
            RunError::Setting(message)
        })
    }
}

settings! {
    /// The camera of the simulated robot: its mount, the room's light, its sensor, and how often it fails.
    pub struct SimulatedCameraSettings in "simulated_camera" {
        /// Frames a second.
        fps: f64 = 30.0, range 1.0..=240.0;
        /// Pixels in a row of a frame.
        width: u32 = 640, range 160..=4_096, unit "pixels";
        /// Rows of a frame.
        height: u32 = 480, range 120..=4_096, unit "pixels";
        /// How far the screen is tilted away from the camera.
        tilt_degrees: f64 = 12.0, range 0.0..=60.0, unit "degrees";
        /// In which direction; 0 tilts its lower edge away.
        direction_degrees: f64 = 0.0, range 0.0..=360.0, unit "degrees";
        /// How far the screen is turned in the picture.
        turn_degrees: f64 = 0.0, range 0.0..=45.0, unit "degrees";
        /// Whether the camera stands on its head.
        upside_down: bool = false;
        /// The screen's height as a part of the frame's.
        screen_height: f64 = 0.8, range 0.2..=1.0;
        /// How far the mount gives way in the course of a run.
        drift_px: f64 = 0.0, range 0.0..=100.0, unit "pixels";
        /// How long that takes.
        drift_s: u32 = 600, range 1..=1_000_000, unit "seconds";
        /// Standard deviation of the sensor's noise.
        noise: f64 = 4.0, range 0.0..=40.0, unit "grey levels";
        /// From the first to the last row of a frame.
        readout_ms: f64 = 16.0, range 0.0..=100.0, unit "milliseconds";
        /// From there to the frame's arrival.
        delivery_ms: f64 = 8.0, range 0.0..=1_000.0, unit "milliseconds";
        /// Quality of the camera's compression; 0 for raw frames.
        quality: u32 = 0, range 0..=100;
        /// How much brighter one side of the screen is than its middle, as a part.
        gradient: f64 = 0.12, range 0.0..=1.0;
        /// Bright spots on the screen.
        reflections: u32 = 0, range 0..=20, unit "reflections";
        /// Grey levels that a reflection adds in its middle.
        glare: f64 = 60.0, range 0.0..=255.0, unit "grey levels";
        /// Radius of the blur in the screen's own pixels.
        blur: f64 = 0.5, range 0.0..=4.0, unit "pixels";
        /// After this time a pixel of the display is two thirds of the way to its new shade.
        response_ms: f64 = 9.0, range 0.0..=100.0, unit "milliseconds";
        /// Mean time between two drop-outs of the camera; 0 for never.
        drop_out_every_s: u32 = 0, range 0..=1_000_000, unit "seconds";
        /// How long it is out then.
        drop_out_ms: u32 = 2_000, range 0..=600_000, unit "milliseconds";
        /// When the console is switched on, after the run has begun.
        switched_on_ms: f64 = 6.0, range 0.0..=10_000.0, unit "milliseconds";
    }
}

impl SimulatedCameraSettings {
    /// As the simulator wants them.
    pub fn to_camera(&self) -> Settings {
        let drift = self.drift_px / std::f64::consts::SQRT_2;
        Settings {
            width: self.width as usize,
            height: self.height as usize,
            fps: self.fps,
            mount: Mount {
                tilt_degrees: self.tilt_degrees,
                direction_degrees: self.direction_degrees,
                turn_degrees: self.turn_degrees,
                upside_down: self.upside_down,
                height: self.screen_height,
                ..Mount::default()
            },
            drift: Drift { by: [(drift, drift); 4], within: Duration::from_secs(u64::from(self.drift_s)) },
            display: Display { response: ms(self.response_ms), ..Display::default() },
            lighting: Lighting {
                gradient: self.gradient as f32,
                reflections: self.reflections as usize,
                glare: self.glare as f32,
                blur: self.blur as f32,
                ..Lighting::default()
            },
            sensor: Sensor { noise: self.noise as f32, readout: ms(self.readout_ms) },
            quality: u8::try_from(self.quality).ok().filter(|quality| *quality > 0),
        }
    }

    /// How its frames come.
    pub fn to_film(&self, seed: u64) -> Film {
        Film {
            delivery: ms(self.delivery_ms),
            switched_on: ms(self.switched_on_ms),
            drop_out_every: Duration::from_secs(u64::from(self.drop_out_every_s)),
            drop_out: Duration::from_millis(u64::from(self.drop_out_ms)),
            seed,
        }
    }
}

fn ms(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G18: the defaults are the document's, and a square without a middle is named.
    #[test]
    fn the_documents_sight_is_set_as_in_its_appendix() {
        let settings = DocumentSightSettings::default();
        assert_eq!(settings.to_sight().unwrap(), DocumentSight::default());
        let even = DocumentSightSettings { threshold_block: 16, ..settings };
        let problem = even.to_sight().unwrap_err().to_string();
        assert_eq!(
            problem,
            "document_sight.threshold_block: 16 is even; allowed are odd numbers from 3 to 255"
        );
    }

    #[test]
    fn corners_are_four_points_or_refused() {
        let corners = |points: &str| {
            RobotCameraSettings { points: points.to_owned(), ..RobotCameraSettings::default() }.corners()
        };
        assert!(corners(" ").unwrap().is_none());
        let found = corners("1,2 3,4.5 5,6 7,8").unwrap().unwrap();
        assert_eq!(found[1], Point::new(3.0, 4.5));
        for wrong in ["1,2", "1,2 3,4 5,6 7", "a,b 1,2 3,4 5,6", "1,2 3,4 5,6 7,inf"] {
            assert!(corners(wrong).unwrap_err().to_string().contains("four times"), "{wrong}");
        }
    }

    #[test]
    fn the_defaults_are_the_simulators() {
        let settings = SimulatedCameraSettings::default();
        let camera = Settings { drift: settings.to_camera().drift, ..Settings::default() };
        assert_eq!(settings.to_camera(), camera);
        let film = settings.to_film(3);
        assert_eq!(film, Film { switched_on: film.switched_on, seed: 3, ..Film::default() });
    }
}
