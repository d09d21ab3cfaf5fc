//! Time, real or simulated. All waiting of a run goes through [`Clock`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Add, Sub};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::cancel::Cancel;

/// A moment: nanoseconds since the run's clock was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(u64);

impl Time {
    /// The moment the clock was started.
    pub const START: Time = Time(0);

    /// The moment this many nanoseconds after the start.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Time since the start.
    pub const fn elapsed(self) -> Duration {
        Duration::from_nanos(self.0)
    }

    /// Time since `earlier`; zero if it is later.
    pub const fn since(self, earlier: Time) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Time {
    type Output = Time;
    fn add(self, duration: Duration) -> Time {
        // 2^64 ns are 584 years: saturation is never met by an honest duration.
        Time(self.0.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl Sub<Duration> for Time {
    type Output = Time;
    fn sub(self, duration: Duration) -> Time {
        Time(self.0.saturating_sub(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.elapsed().as_secs_f64())
    }
}

/// Where a run takes its time from.
pub trait Clock: Clone + Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Time;

    /// Returns at `moment`, at once if it is past, earlier if the run is cancelled.
    fn sleep_until(&self, moment: Time);

    /// Returns after `duration`.
    fn sleep(&self, duration: Duration) {
        self.sleep_until(self.now() + duration);
    }

    /// A handle for another thread that lives on the same time. Its first call must be
    /// [`Clock::sleep_until`].
    #[must_use]
    fn for_thread(&self) -> Self {
        self.clone()
    }
}

/// The machine's monotonic clock; sleeping ends early when the run is cancelled.
#[derive(Clone, Debug)]
pub struct RealClock {
    start: Instant,
    cancel: Cancel,
}

impl RealClock {
    /// A clock that starts now.
    #[expect(clippy::disallowed_methods, reason = "this is the Clock that the ban points to")]
    pub fn start(cancel: Cancel) -> Self {
        Self { start: Instant::now(), cancel }
    }
}

impl Clock for RealClock {
    fn now(&self) -> Time {
        Time::START + self.start.elapsed()
    }

    fn sleep_until(&self, moment: Time) {
        let left = moment.since(self.now());
        if !left.is_zero() {
            self.cancel.wait(left);
        }
    }
}

/// Either clock, for programs that learn only when they run which one it is: whatever runs on it is compiled once.
#[derive(Clone, Debug)]
pub enum AnyClock {
    /// The machine's.
    Real(RealClock),
    /// A simulated one.
    Simulated(SimulatedClock),
}

impl Clock for AnyClock {
    fn now(&self) -> Time {
        match self {
            AnyClock::Real(clock) => clock.now(),
            AnyClock::Simulated(clock) => clock.now(),
        }
    }

    fn sleep_until(&self, moment: Time) {
        match self {
            AnyClock::Real(clock) => clock.sleep_until(moment),
            AnyClock::Simulated(clock) => clock.sleep_until(moment),
        }
    }

    fn for_thread(&self) -> Self {
        match self {
            AnyClock::Real(clock) => AnyClock::Real(clock.for_thread()),
            AnyClock::Simulated(clock) => AnyClock::Simulated(clock.for_thread()),
        }
    }
}

/// A discrete-event clock: when everyone who takes part sleeps, time jumps to
/// the earliest wake-up.
///
/// Each thread of a simulation takes part with a handle of its own
/// ([`SimulatedClock::participant`]); exactly one of them is awake at a time,
/// and equal wake-up times go in order of joining, so the same program always
/// runs in the same order.
pub struct SimulatedClock {
    id: u64,
    shared: Arc<Shared>,
}

struct Shared {
    schedule: Mutex<Schedule>,
    turn_changed: Condvar,
}

struct Schedule {
    now: Time,
    next_id: u64,
    /// Who is awake; the others sleep until their moment in `sleepers`.
    awake: Option<u64>,
    /// How many handles each participant has.
    handles: BTreeMap<u64, usize>,
    sleepers: BTreeSet<(Time, u64)>,
}

impl SimulatedClock {
    /// A clock at [`Time::START`]; the caller is its first participant, and awake.
    pub fn new() -> Self {
        let schedule = Schedule {
            now: Time::START,
            next_id: 1,
            awake: Some(0),
            handles: BTreeMap::from([(0, 1)]),
            sleepers: BTreeSet::new(),
        };
        Self {
            id: 0,
            shared: Arc::new(Shared { schedule: Mutex::new(schedule), turn_changed: Condvar::new() }),
        }
    }

    /// A handle for another thread, asleep until the present moment: it must
    /// call [`Clock::sleep_until`] first, which waits for its turn.
    #[must_use]
    pub fn participant(&self) -> Self {
        let mut schedule = self.lock();
        let id = schedule.next_id;
        schedule.next_id += 1;
        schedule.handles.insert(id, 1);
        let now = schedule.now;
        schedule.sleepers.insert((now, id));
        Self { id, shared: Arc::clone(&self.shared) }
    }

    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.shared.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Schedule {
    /// Wakes the next participant.
    fn pass_turn(&mut self) {
        self.awake = self.sleepers.pop_first().map(|(moment, id)| {
            self.now = self.now.max(moment);
            id
        });
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Time {
        self.lock().now
    }

    fn sleep_until(&self, moment: Time) {
        let mut schedule = self.lock();
        if schedule.awake == Some(self.id) {
            // The only one, or still the first after sleeping: no hand-over needed.
            let first_sleeper = schedule.sleepers.first().copied();
            let wake_up = (moment.max(schedule.now), self.id);
            if first_sleeper.is_none_or(|first| wake_up < first) {
                schedule.now = wake_up.0;
                return;
            }
            schedule.sleepers.insert(wake_up);
            schedule.pass_turn();
            self.shared.turn_changed.notify_all();
        } else {
            // The first call of a new participant replaces its place in the queue.
            schedule.sleepers.retain(|(_, id)| *id != self.id);
            let wake_up = moment.max(schedule.now);
            schedule.sleepers.insert((wake_up, self.id));
            if schedule.awake.is_none() {
                schedule.pass_turn();
                self.shared.turn_changed.notify_all();
            }
        }
        while schedule.awake != Some(self.id) {
            schedule = self.shared.turn_changed.wait(schedule).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn for_thread(&self) -> Self {
        self.participant()
    }
}

impl Default for SimulatedClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for SimulatedClock {
    /// Another handle of the same participant.
    fn clone(&self) -> Self {
        *self.lock().handles.entry(self.id).or_default() += 1;
        Self { id: self.id, shared: Arc::clone(&self.shared) }
    }
}

impl Drop for SimulatedClock {
    /// A participant whose last handle is gone takes part no more.
    fn drop(&mut self) {
        let mut schedule = self.lock();
        let Some(handles) = schedule.handles.get_mut(&self.id) else { return };
        *handles -= 1;
        if *handles > 0 {
            return;
        }
        schedule.handles.remove(&self.id);
        schedule.sleepers.retain(|(_, id)| *id != self.id);
        if schedule.awake == Some(self.id) {
            schedule.pass_turn();
            self.shared.turn_changed.notify_all();
        }
    }
}

impl fmt::Debug for SimulatedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulatedClock")
            .field("id", &self.id)
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn simulated_time_jumps() {
        let clock = SimulatedClock::new();
        clock.sleep(3600 * SECOND);
        assert_eq!(clock.now(), Time::START + 3600 * SECOND);
        clock.sleep_until(Time::START);
        assert_eq!(clock.now(), Time::START + 3600 * SECOND, "time never goes back");
    }

    #[test]
    fn participants_wake_in_order_of_time_then_joining() {
        let clock = SimulatedClock::new();
        let log = Arc::new(Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for (name, period) in [("a", 2), ("b", 3)] {
                let clock = clock.participant();
                let log = Arc::clone(&log);
                scope.spawn(move || {
                    for beat in 1..=3 {
                        clock.sleep_until(Time::START + beat * period * SECOND);
                        log.lock().unwrap().push((clock.now().elapsed().as_secs(), name));
                    }
                });
            }
            clock.sleep_until(Time::START + 6 * SECOND);
            log.lock().unwrap().push((clock.now().elapsed().as_secs(), "main"));
            clock.sleep_until(Time::START + 10 * SECOND);
        });
        assert_eq!(
            *log.lock().unwrap(),
            [(2, "a"), (3, "b"), (4, "a"), (6, "main"), (6, "a"), (6, "b"), (9, "b")]
        );
    }

    #[test]
    fn a_cancelled_run_does_not_sleep_on() {
        let cancel = Cancel::new();
        let clock = RealClock::start(cancel.clone());
        cancel.cancel();
        clock.sleep(3600 * SECOND);
        assert!(clock.now() < Time::START + 3600 * SECOND);
    }
}
