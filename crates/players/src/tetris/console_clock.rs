//! Which display period of the console a moment belongs to.
//!
//! On an emulator the run's clock is the console's. Elsewhere two things are
//! unknown: how old the picture in a frame is (the body declares it, with its
//! spread), and the console's phase: when, on the run's clock, its periods
//! begin. The phase is estimated from what is seen. The rules say to the
//! period when the next piece will appear; a frame that does not show it yet
//! and the next one that does enclose that moment, and where many such
//! enclosures overlap lies the phase.

use std::time::Duration;

use engine::{BodyPace, Latency, Time};
use gameboy::display::{period_at, period_start, periods};

/// Turns moments of the run's clock into display periods of the console.
#[derive(Clone, Debug)]
pub struct ConsoleClock {
    pace: BodyPace,
    phase: Phase,
    /// When the phase was narrowed last.
    narrowed: Time,
}

/// By how much two crystals may differ.
const DRIFT: f64 = 5e-5;
/// By how much, in seconds, a frame that contradicts the phase moves and widens it.
const CREEP: f64 = 0.000_5;

/// What is known of when period 0 began, on the run's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// At its start: the clock is the console's own.
    Exact,
    /// Between these seconds after its start; may be before it.
    Between { earliest: f64, latest: f64 },
}

/// When a command must be given to work in a display period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Periods after the one shown in which the first press can work, less one: 0 on an emulator.
    pub delay: u32,
    /// From now to the command that works in that period.
    pub wait: Duration,
}

impl ConsoleClock {
    /// The clock of a console that is seen and held by such a body.
    pub fn new(pace: BodyPace) -> Self {
        let is_exact = pace.shown_to_captured == Latency::NONE
            && pace.commanded_to_done == Latency::NONE
            && pace.frame_period.is_none_or(|period| period == periods(1));
        let phase = if is_exact {
            Phase::Exact
        } else {
            Phase::Between { earliest: 0.0, latest: seconds(periods(1)) }
        };
        Self { pace, phase, narrowed: Time::START }
    }

    /// The period whose picture a frame shows that was captured then.
    pub fn period_shown(&self, captured: Time) -> u64 {
        match self.phase {
            Phase::Exact => period_at(captured.elapsed()),
            Phase::Between { .. } => self.periods_since_start(captured).max(0.0) as u64,
        }
    }

    /// When to give a command after looking at a frame captured then.
    pub fn start(&self, captured: Time) -> Start {
        let Phase::Between { .. } = self.phase else { return Start { delay: 0, wait: Duration::ZERO } };
        let period = seconds(periods(1));
        let shown = self.periods_since_start(captured);
        // The press should work in the middle of a period, so that the spread of all times stays inside.
        let latest = seconds(self.pace.shown_to_captured.typical + self.pace.commanded_to_done.most());
        let reached = shown + latest / period;
        let target = (reached - 0.5).ceil().max(shown.floor() + 1.0);
        let lead = target + 0.5 - shown;
        let command = lead * period
            - seconds(self.pace.shown_to_captured.typical + self.pace.commanded_to_done.typical);
        Start {
            delay: (target - shown.floor() - 1.0).max(0.0) as u32,
            wait: Duration::try_from_secs_f64(command).unwrap_or_default(),
        }
    }

    /// Periods by which what is seen may come later than the rules say: until the next frame, and by
    /// the spread of all times.
    pub fn tolerance(&self) -> u64 {
        let Phase::Between { .. } = self.phase else { return 0 };
        let late = self.pace.frame_period.unwrap_or_default()
            + 2 * self.pace.shown_to_captured.spread
            + 2 * self.pace.commanded_to_done.spread;
        (seconds(late) / seconds(periods(1))).ceil() as u64 + 1
    }

    /// From a command to the first frame that is sure to show its effect, beyond what an emulator needs.
    pub fn unseen(&self) -> Duration {
        match self.phase {
            Phase::Exact => Duration::ZERO,
            Phase::Between { .. } => {
                let BodyPace { frame_period, shown_to_captured, commanded_to_done, .. } = self.pace;
                frame_period.unwrap_or_default() + shown_to_captured.most() + commanded_to_done.most()
            }
        }
    }

    /// Whether a frame is older than its time stamp, so that the picture it shows must be worked out.
    pub fn is_late(&self) -> bool {
        self.pace.shown_to_captured != Latency::NONE
    }

    /// Whether two buttons that are commanded together go down in the same period of the console.
    pub fn is_in_step(&self) -> bool {
        self.pace.commanded_to_done.spread + self.uncertainty() / 2 < periods(1) / 2
    }

    /// Whether the hands let go of a button by themselves.
    pub fn hand_keeps_time(&self) -> bool {
        self.pace.hand_keeps_time
    }

    /// Time between two frames.
    pub fn frame_period(&self) -> Duration {
        self.pace.frame_period.unwrap_or(periods(1))
    }

    /// The display periods, first and last, whose pictures a frame captured then may show.
    pub fn pictures_shown(&self, captured: Time) -> (u64, u64) {
        let shown = self.periods_since_start(captured);
        let unsure = seconds(self.pace.shown_to_captured.spread + self.uncertainty() / 2);
        let around = |off: f64| (shown + off / seconds(periods(1))).max(0.0) as u64;
        (around(-unsure), around(unsure))
    }

    /// The first period in which a press works that is commanded now or later: its contact closes in the
    /// middle of the period before, so that all times may spread by half a period.
    pub fn first_period(&self, now: Time) -> u64 {
        let reached = seconds(now.elapsed() + self.pace.commanded_to_done.typical) - self.began();
        (reached / seconds(periods(1)) + 0.5).ceil().max(0.0) as u64
    }

    /// From now to the command of a press that works in this period.
    pub fn wait_for(&self, period: u64, now: Time) -> Duration {
        let contact = self.began() + (period as f64 - 0.5) * seconds(periods(1));
        let wait = contact - seconds(self.pace.commanded_to_done.typical) - seconds(now.elapsed());
        Duration::try_from_secs_f64(wait).unwrap_or_default()
    }

    /// A frame captured then showed the picture of one of these periods and of no other.
    pub fn narrow(&mut self, captured: Time, first: u64, last: u64) {
        let Phase::Between { earliest, latest } = self.phase else { return };
        // Crystals of console and computer drift apart.
        let passed = seconds(captured.since(self.narrowed));
        self.narrowed = captured;
        let (earliest, latest) = (earliest - DRIFT * passed, latest + DRIFT * passed);
        let Latency { typical, spread } = self.pace.shown_to_captured;
        let shown = seconds(captured.elapsed()) - seconds(typical);
        let period = seconds(periods(1));
        let after = shown - seconds(spread) - (last + 1) as f64 * period;
        let before = shown + seconds(spread) - first as f64 * period;
        let overlap = (earliest.max(after), latest.min(before));
        // What contradicts all that was seen before is a frame that was late, or tells of a wrong belief.
        self.phase = if overlap.0 <= overlap.1 {
            Phase::Between { earliest: overlap.0, latest: overlap.1 }
        } else {
            let (middle, reach) = (f64::midpoint(earliest, latest), f64::midpoint(after, before));
            let shift = (reach - middle).clamp(-CREEP, CREEP);
            Phase::Between { earliest: earliest + shift - CREEP, latest: latest + shift + CREEP }
        };
    }

    /// What the rules expected in `period` was seen first in a frame captured at `seen`, and not in the
    /// one before it, captured at `unseen`.
    pub fn learn(&mut self, period: u64, unseen: Time, seen: Time) {
        let Phase::Between { earliest, latest } = self.phase else { return };
        let Latency { typical, spread } = self.pace.shown_to_captured;
        let begins = seconds(period_start(period));
        let after = seconds(unseen.elapsed()) - seconds(typical) - seconds(spread) - begins;
        let before = seconds(seen.elapsed()) - seconds(typical) + seconds(spread) - begins;
        let (overlap_start, overlap_end) = (earliest.max(after), latest.min(before));
        self.phase = if overlap_start <= overlap_end {
            Phase::Between { earliest: overlap_start, latest: overlap_end }
        } else {
            // A press worked a period early or late, or the console was restarted: start over.
            Phase::Between { earliest: after, latest: before }
        };
    }

    /// How well the phase is known; nothing on an emulator.
    pub fn uncertainty(&self) -> Duration {
        match self.phase {
            Phase::Exact => Duration::ZERO,
            Phase::Between { earliest, latest } => {
                Duration::try_from_secs_f64(latest - earliest).unwrap_or_default()
            }
        }
    }

    fn periods_since_start(&self, captured: Time) -> f64 {
        let shown_at = seconds(captured.elapsed()) - seconds(self.pace.shown_to_captured.typical);
        (shown_at - self.began()) / seconds(periods(1))
    }

    /// When period 0 began, in seconds after the start of the run's clock.
    fn began(&self) -> f64 {
        match self.phase {
            Phase::Exact => 0.0,
            Phase::Between { earliest, latest } => f64::midpoint(earliest, latest),
        }
    }
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn camera() -> BodyPace {
        BodyPace {
            frame_period: Some(Duration::from_nanos(1_000_000_000 / 30)),
            shown_to_captured: Latency { typical: ms(25), spread: ms(3) },
            commanded_to_done: Latency { typical: ms(12), spread: ms(2) },
            hand_keeps_time: false,
        }
    }

    #[test]
    fn an_emulator_needs_no_estimate() {
        let pace = BodyPace { frame_period: Some(periods(1)), ..BodyPace::default() };
        for pace in [pace, BodyPace::default()] {
            let clock = ConsoleClock::new(pace);
            assert_eq!(clock.period_shown(Time::START + period_start(1_234)), 1_234);
            assert_eq!(clock.start(Time::START), Start { delay: 0, wait: Duration::ZERO });
            assert_eq!((clock.tolerance(), clock.uncertainty()), (0, Duration::ZERO));
        }
    }

    /// Events at known periods of a console whose period 0 began 9.4 ms after the clock, seen by a camera.
    #[test]
    fn the_phase_is_found_from_what_is_seen() {
        let mut clock = ConsoleClock::new(camera());
        let began = Time::START + Duration::from_micros(9_400);
        let frame = |n: u64| Time::START + Duration::from_nanos(n * 1_000_000_000 / 30);
        for event in 1..60u64 {
            let period = 100 * event;
            let shows = began + period_start(period) + ms(25);
            let seen = (0..10_000).map(frame).find(|captured| *captured >= shows).unwrap();
            let unseen = seen - Duration::from_nanos(1_000_000_000 / 30);
            clock.learn(period, unseen, seen);
        }
        assert!(clock.uncertainty() < ms(9), "{:?}", clock.uncertainty());
        let shown = clock.period_shown(began + period_start(500) + periods(1) / 2 + ms(25));
        assert_eq!(shown, 500);
    }

    #[test]
    fn a_contradiction_starts_over() {
        let mut clock = ConsoleClock::new(camera());
        for shift in [0, 500] {
            let moment = Time::START + period_start(600) + ms(shift) + ms(25);
            clock.learn(600, moment, moment + ms(10));
            assert_eq!(clock.period_shown(moment + ms(14)), 600, "{shift} ms");
        }
    }

    #[test]
    fn commands_are_early_by_what_they_take() {
        let clock = ConsoleClock::new(camera());
        for captured in (0..40).map(|n| Time::START + ms(1_000 + 7 * n)) {
            let start = clock.start(captured);
            let shown = clock.period_shown(captured);
            // Where the command works, on the console's time.
            let works = captured + start.wait + ms(12);
            let period = clock.period_shown(works + ms(25));
            assert_eq!(period, shown + 1 + u64::from(start.delay), "at {captured}");
            assert!(start.delay >= 1, "a picture that old leaves no time for the next period");
        }
    }
}
