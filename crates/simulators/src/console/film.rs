//! A camera above the console: frames at the camera's own times, delivered late, and sometimes not at all.

use std::time::Duration;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, Latency, PixelFormat, Time};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Shared, lock};
use crate::camera::Camera;
use crate::switches::{FaultSwitches, Faults};

/// How long a look waits for a camera that is out before it says so.
const PATIENCE: Duration = Duration::from_millis(100);

/// What is left of the light when it is off.
const DARKNESS: f32 = 0.02;

/// When the frames of a camera arrive, and when none do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Film {
    /// From the end of a frame's readout to its arrival.
    pub delivery: Duration,
    /// When the console was switched on, after the run's clock started.
    pub switched_on: Duration,
    /// Mean time from one drop-out to the next; zero for none.
    pub drop_out_every: Duration,
    /// How long the camera is out then.
    pub drop_out: Duration,
    /// Seed of the drop-outs.
    pub seed: u64,
}

impl Default for Film {
    fn default() -> Film {
        Film {
            delivery: Duration::from_millis(8),
            switched_on: Duration::ZERO,
            drop_out_every: Duration::ZERO,
            drop_out: Duration::from_secs(2),
            seed: 0,
        }
    }
}

/// Sees a console through a simulated camera.
#[derive(Debug)]
pub struct FilmingEye<C> {
    desk: Shared,
    side: usize,
    clock: C,
    camera: Camera,
    film: Film,
    frame: Frame,
    /// Number of the frame that comes next.
    next: u64,
    random: Xoshiro256PlusPlus,
    /// When the camera is out next.
    out_at: Option<Time>,
    /// Periods whose pictures the camera has been shown.
    shown: u64,
    switches: FaultSwitches,
    /// Decides how a camera shakes; frames of a steady one do not depend on it.
    shaking: Xoshiro256PlusPlus,
}

impl<C: Clock> FilmingEye<C> {
    pub(super) fn new(desk: Shared, side: usize, clock: &C, film: Film, camera: Camera) -> FilmingEye<C> {
        let (width, height) = camera.size();
        let mut eye = FilmingEye {
            desk,
            side,
            clock: clock.clone(),
            camera,
            film,
            frame: Frame::blank(width as u32, height as u32, PixelFormat::Gray8),
            next: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(film.seed),
            out_at: None,
            shown: 0,
            switches: FaultSwitches::default(),
            shaking: Xoshiro256PlusPlus::seed_from_u64(film.seed ^ 0x5_4A4E),
        };
        eye.out_at = eye.next_drop_out(Time::START);
        eye
    }

    /// The same eye, disturbed as these switches say.
    #[must_use]
    pub fn obeying(mut self, switches: FaultSwitches) -> FilmingEye<C> {
        self.switches = switches;
        self
    }

    fn disturb(&mut self, faults: &Faults) {
        let mut off = || {
            if faults.shake_px > 0.0 {
                faults.shake_px * (2.0 * self.shaking.random::<f64>() - 1.0)
            } else {
                0.0
            }
        };
        let by = (off(), off());
        self.camera.knock(by);
        self.camera.set_light(if faults.dark { DARKNESS } else { 1.0 });
    }

    fn next_drop_out(&mut self, after: Time) -> Option<Time> {
        let every = self.film.drop_out_every;
        (!every.is_zero()).then(|| after + every.mul_f64(0.5 + self.random.random::<f64>()))
    }

    /// When a frame arrives that was begun at `taken`.
    fn arrives(&self, taken: Duration) -> Time {
        Time::START + taken + self.camera.readout() + self.film.delivery
    }

    /// Lets the console play and shows the camera its last pictures.
    fn play_until(&mut self, moment: Time) -> Result<(), Fault> {
        let mut desk = lock(&self.desk);
        desk.advance_to(moment)?;
        let reel = desk.reels[self.side].iter().flat_map(|reel| &reel.0);
        for (period, shades) in reel.filter(|(period, _)| *period >= self.shown) {
            self.camera.show(desk.begins(*period).elapsed(), shades);
        }
        self.shown = desk.passed;
        Ok(())
    }
}

impl<C: Clock> Eye for FilmingEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        let now = self.clock.now();
        let faults = self.switches.now();
        if faults.camera_out {
            self.clock.sleep_until(now + PATIENCE);
            return Err(Fault::Silent { part: "camera".to_owned(), after: PATIENCE });
        }
        if let Some(out) = self.out_at.filter(|out| now >= *out) {
            let back = out + self.film.drop_out;
            if now + PATIENCE < back {
                self.clock.sleep_until(now + PATIENCE);
                return Err(Fault::Silent { part: "camera".to_owned(), after: PATIENCE });
            }
            self.clock.sleep_until(back);
            self.out_at = self.next_drop_out(back);
        }
        let now = self.clock.now();
        while self.arrives(self.camera.taken(self.next)) <= now {
            self.next += 1;
        }
        let taken = self.camera.taken(self.next);
        self.next += 1;
        // The last row is read out then. Before, nobody knows which buttons will be pressed.
        let read_out = Time::START + taken + self.camera.readout();
        self.clock.sleep_until(read_out);
        self.play_until(read_out)?;
        let arrives = self.arrives(taken);
        self.clock.sleep_until(arrives);
        self.frame.captured = arrives;
        self.frame.sequence = self.next - 1;
        self.disturb(&faults);
        let pixels = self.camera.capture(taken);
        self.frame.picture.pixels.clear();
        self.frame.picture.pixels.extend_from_slice(pixels);
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        let seen = self.camera.seen_after();
        let typical = seen.typical + self.camera.readout() + self.film.delivery;
        EyePace { frame_period: Some(self.camera.frame_period()), latency: Latency { typical, ..seen } }
    }
}
