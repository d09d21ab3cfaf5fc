//! Keeps a coil from overheating: how warm it must be, from what it was made to do.
//!
//! A coil under constant power warms up and cools down exponentially, so its warmth is the mean of its
//! current over the past, weighted by e^(-age/τ): 0 when cold, 1 when it has been on for ever.

use std::time::Duration;

use engine::Time;

/// How warm coils may get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatLimits {
    /// The duty cycle that a coil can bear indefinitely, from 0 to 1.
    pub duty: f64,
    /// Time in which it warms up (τ).
    pub warm_up: Duration,
    /// The longest single hold.
    pub longest_hold: Duration,
}

impl Default for HeatLimits {
    /// The document's solenoid takes 8 W. Its data sheet (appendix D.1) allows 45 % at 10.2 W and 100 %
    /// at 5.2 W, about 4.7 W on average, so 59 % at 8 W. Without fans one was 65 °C hot after ten
    /// minutes of play; a time constant of five minutes is on the safe side of that.
    fn default() -> Self {
        Self { duty: 0.59, warm_up: Duration::from_mins(5), longest_hold: Duration::from_secs(5) }
    }
}

/// The warmth of one coil.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heat {
    warmth: f64,
    at: Time,
}

impl Heat {
    /// How warm the coil is, from 0 to 1.
    pub fn warmth(&self, now: Time, limits: &HeatLimits) -> f64 {
        self.warmth * decay(now.since(self.at), limits)
    }

    /// Notes a pulse that begins now. If the coil would get too warm nothing is noted, and the answer
    /// is how long it must cool first.
    pub fn admit(&mut self, now: Time, hold: Duration, limits: &HeatLimits) -> Result<(), Duration> {
        let before = self.warmth(now, limits);
        let kept = decay(hold, limits);
        let after = 1.0 - (1.0 - before) * kept;
        if after <= limits.duty {
            *self = Self { warmth: after, at: now + hold };
            return Ok(());
        }
        // The warmth at which the pulse would just be allowed.
        let allowed = 1.0 - (1.0 - limits.duty) / kept;
        if allowed <= 0.0 {
            // A pulse of this length is too much even for a cold coil.
            return Err(limits.warm_up);
        }
        Err(limits.warm_up.mul_f64((before / allowed).ln().max(0.0)) + Duration::from_millis(1))
    }

    /// The pulse ended early, now.
    pub fn cut(&mut self, now: Time, limits: &HeatLimits) {
        let unused = self.at.since(now);
        if !unused.is_zero() {
            // The exact inverse of what `admit` added for the rest of the pulse.
            let warmth = 1.0 - (1.0 - self.warmth) / decay(unused, limits);
            *self = Self { warmth: warmth.max(0.0), at: now };
        }
    }
}

fn decay(time: Duration, limits: &HeatLimits) -> f64 {
    (-time.as_secs_f64() / limits.warm_up.as_secs_f64().max(1e-9)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: HeatLimits =
        HeatLimits { duty: 0.5, warm_up: Duration::from_secs(100), longest_hold: Duration::from_secs(5) };

    /// Presses of `on` every `period` ms for ten minutes: how many were refused.
    fn refused(on: u64, period: u64) -> usize {
        let mut heat = Heat::default();
        let beats = (0..600_000).step_by(period as usize);
        beats
            .filter(|beat| {
                let now = Time::from_nanos(beat * 1_000_000);
                heat.admit(now, Duration::from_millis(on), &LIMITS).is_err()
            })
            .count()
    }

    #[test]
    fn a_coil_may_be_on_as_long_as_its_duty_cycle_allows() {
        assert_eq!(refused(35, 75), 0, "35 of 75 ms are 47 %");
        assert_eq!(refused(480, 1000), 0);
        let all = 600_000 / 1000;
        assert!((all / 10..all / 2).contains(&refused(800, 1000)), "{}", refused(800, 1000));
    }

    #[test]
    fn the_time_to_cool_is_right() {
        let mut heat = Heat { warmth: 0.5, at: Time::START };
        let hold = Duration::from_secs(1);
        let cooling = heat.admit(Time::START, hold, &LIMITS).unwrap_err();
        assert!(heat.admit(Time::START + cooling - Duration::from_millis(10), hold, &LIMITS).is_err());
        assert!(heat.admit(Time::START + cooling, hold, &LIMITS).is_ok());
    }

    #[test]
    fn a_pulse_that_is_cut_warms_only_for_as_long_as_it_lasted() {
        let (mut whole, mut cut) = (Heat::default(), Heat::default());
        let end = Time::START + Duration::from_secs(2);
        whole.admit(Time::START, Duration::from_secs(2), &LIMITS).unwrap();
        cut.admit(Time::START, Duration::from_secs(5), &LIMITS).unwrap();
        cut.cut(end, &LIMITS);
        assert!((whole.warmth(end, &LIMITS) - cut.warmth(end, &LIMITS)).abs() < 1e-12);
    }
}
