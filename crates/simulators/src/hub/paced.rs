//! Real time, faster or slower: for a hub that others reach through a terminal.

use engine::{Cancel, Clock, RealClock, Time};

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
