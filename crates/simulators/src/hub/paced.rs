//! Time that people can watch: the wall's, faster or slower, for a hub that others reach through a terminal; or a
//! simulated clock that is held back.

use std::time::Duration;

use engine::{Cancel, Clock, RealClock, SimulatedClock, Time};

/// Simulated time between two rests.
const STEP: Duration = Duration::from_millis(20);

/// A clock that goes some times as fast as the wall's.
#[derive(Clone, Debug)]
pub struct PacedClock {
    wall: RealClock,
    speed: f64,
}

impl PacedClock {
    /// Starts now; sleeping ends early when cancelled.
    pub fn start(speed: f64, cancel: Cancel) -> Self {
        Self { wall: RealClock::start(cancel), speed }
    }
}

impl Clock for PacedClock {
    fn now(&self) -> Time {
        Time::from_nanos((self.wall.now().as_nanos() as f64 * self.speed) as u64)
    }

    fn sleep_until(&self, moment: Time) {
        self.wall.sleep_until(Time::from_nanos((moment.as_nanos() as f64 / self.speed) as u64));
    }
}

/// Lets simulated time pass no faster than `speed` times as fast as the wall's, until cancelled. Nobody's deadline passes
/// because this computer is slow: time stands still while somebody computes.
pub fn pace(clock: &SimulatedClock, speed: f64, cancel: &Cancel) -> std::io::Result<()> {
    let (clock, cancel) = (clock.participant(), cancel.clone());
    let wall = RealClock::start(cancel.clone());
    std::thread::Builder::new().name("pace".into()).spawn(move || {
        clock.sleep_until(clock.now());
        while !cancel.is_cancelled() {
            clock.sleep(STEP);
            wall.sleep(STEP.div_f64(speed));
        }
    })?;
    Ok(())
}
