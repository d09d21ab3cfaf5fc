//! Buttons pressed by solenoids: which relay moves which finger, how long, how warm, and what to do
//! when the daemon is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io;
use std::time::Duration;

use engine::{Clock, Fault, Hand, Latency, Mapping, Time};
use serde::Serialize;

use super::connection::{CallError, Connection};
use super::heat::{Heat, HeatLimits};
use super::packet::Uid;
use super::relays::{Pulse, Relays};
use super::wire::Dial;

/// How long a button is pressed and then left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PressTimes {
    /// Current on.
    pub press: Duration,
    /// Current off, until the finger is home.
    pub pause: Duration,
}

impl Default for PressTimes {
    /// The document's (appendix E.3).
    fn default() -> Self {
        Self { press: Duration::from_millis(35), pause: Duration::from_millis(40) }
    }
}

/// Which hardware presses which buttons, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Config<B> {
    /// The bricklets, in the order in which relays are counted; all there are if none is named.
    pub bricklets: Vec<Uid>,
    /// The daemon's secret, if it has one.
    pub secret: Option<String>,
    /// The relay of each button.
    pub wiring: BTreeMap<B, usize>,
    /// For all buttons without times of their own.
    pub times: PressTimes,
    /// Times of single buttons: a finger in the middle moves more easily than one at the edge.
    pub own_times: BTreeMap<B, PressTimes>,
    /// From a command to the contact of its button.
    pub latency: Latency,
    /// How warm coils may get.
    pub heat: HeatLimits,
    /// How long the daemon may take to answer.
    pub patience: Duration,
    /// How long to wait before a lost daemon is dialled again.
    pub redial_after: Duration,
}

impl<B: Ord> Default for Config<B> {
    fn default() -> Self {
        Self {
            bricklets: Vec::new(),
            secret: None,
            wiring: BTreeMap::new(),
            times: PressTimes::default(),
            own_times: BTreeMap::new(),
            latency: Latency { typical: Duration::from_millis(32), spread: Duration::from_millis(2) },
            heat: HeatLimits::default(),
            patience: Duration::from_secs(1),
            redial_after: Duration::from_secs(1),
        }
    }
}

/// Fingers on the buttons `B` of some console.
#[derive(Debug)]
pub struct Solenoids<B, D: Dial, C> {
    config: Config<B>,
    dial: D,
    clock: C,
    relays: Option<Relays<D::Wire, C>>,
    /// There is no point in dialling again before this moment.
    redial_at: Time,
    heat: BTreeMap<B, Heat>,
    /// Buttons whose bricklet lets go of them by itself, at the planned time.
    timed: BTreeSet<B>,
}

impl<B: Copy + Ord + Debug, D: Dial, C: Clock> Solenoids<B, D, C> {
    /// Fingers that will connect with the first press.
    pub fn new(config: Config<B>, dial: D, clock: C) -> Self {
        Self {
            config,
            dial,
            clock,
            relays: None,
            redial_at: Time::START,
            heat: BTreeMap::new(),
            timed: BTreeSet::new(),
        }
    }

    /// How this button is pressed.
    pub fn times(&self, button: B) -> PressTimes {
        self.config.own_times.get(&button).copied().unwrap_or(self.config.times)
    }

    /// How warm this button's coil is, from 0 to 1.
    pub fn warmth(&self, button: B) -> f64 {
        let heat = self.heat.get(&button).copied().unwrap_or_default();
        heat.warmth(self.clock.now(), &self.config.heat)
    }

    /// Connects now, so that mistakes come to light before a game.
    pub fn connect(&mut self) -> Result<(), Fault> {
        self.relays().map(drop).map_err(|error| error.to_fault())
    }

    /// Presses buttons at once, each for its time, and returns as soon as the relays have closed. The
    /// bricklets open them by themselves. All buttons are pressed, or none.
    pub fn press(&mut self, presses: &[(B, Duration)]) -> Result<(), Fault> {
        let pulses = presses.iter().map(|(button, hold)| self.pulse(*button, *hold));
        let pulses = pulses.collect::<Result<Vec<_>, _>>()?;
        let now = self.clock.now();
        let before = self.heat.clone();
        for (button, hold) in presses {
            let heat = self.heat.entry(*button).or_default();
            if let Err(cooling) = heat.admit(now, *hold, &self.config.heat) {
                self.heat = before;
                return Err(Fault::Refused {
                    part: format!("finger {button:?}"),
                    why: format!(
                        "its coil is as warm as it may get ({:.0} % duty); it must cool for {:.1} s",
                        100.0 * self.config.heat.duty,
                        cooling.as_secs_f64()
                    ),
                });
            }
        }
        self.with_relays(|relays| relays.pulse(&pulses))
    }

    /// Lets a button go before its time.
    pub fn release(&mut self, button: B) -> Result<(), Fault> {
        let relay = self.relay(button)?;
        let now = self.clock.now();
        if let Some(heat) = self.heat.get_mut(&button) {
            heat.cut(now, &self.config.heat);
        }
        self.with_relays(|relays| relays.open(relay))
    }

    /// Lets go of everything.
    pub fn let_go(&mut self) -> Result<(), Fault> {
        let now = self.clock.now();
        for heat in self.heat.values_mut() {
            heat.cut(now, &self.config.heat);
        }
        if self.relays.is_none() {
            // Nothing was pressed over a connection that is not there; monoflops end by themselves.
            return Ok(());
        }
        self.with_relays(Relays::open_all)
    }

    /// Waits for the bricklet's word that a press is over; false if it does not come in time.
    pub fn wait_done(&mut self, button: B, until: Time) -> Result<bool, Fault> {
        let relay = self.relay(button)?;
        self.with_relays(|relays| relays.wait_done(relay, until))
    }

    fn relay(&self, button: B) -> Result<usize, Fault> {
        self.config.wiring.get(&button).copied().ok_or_else(|| Fault::Refused {
            part: format!("finger {button:?}"),
            why: "no relay is wired to this button".to_owned(),
        })
    }

    fn pulse(&self, button: B, hold: Duration) -> Result<Pulse, Fault> {
        let relay = self.relay(button)?;
        if hold > self.config.heat.longest_hold {
            return Err(Fault::Refused {
                part: format!("finger {button:?}"),
                why: format!(
                    "a hold of {:.1} s is longer than the {:.1} s that are allowed",
                    hold.as_secs_f64(),
                    self.config.heat.longest_hold.as_secs_f64()
                ),
            });
        }
        Ok(Pulse { relay, time: hold })
    }

    /// Does something with the relays; a connection that fails is given up, and dialled again next time.
    fn with_relays<T>(
        &mut self,
        work: impl FnOnce(&mut Relays<D::Wire, C>) -> Result<T, CallError>,
    ) -> Result<T, Fault> {
        let result = self.relays().and_then(work);
        result.map_err(|error| {
            if !matches!(error, CallError::Refused { .. }) && self.relays.take().is_some() {
                tracing::warn!(%error, "lost the relays; looking for them again");
            }
            error.to_fault()
        })
    }

    /// The relays, after connecting if need be.
    fn relays(&mut self) -> Result<&mut Relays<D::Wire, C>, CallError> {
        if let Some(relays) = self.relays.take() {
            return Ok(self.relays.insert(relays));
        }
        let now = self.clock.now();
        if now < self.redial_at {
            let why = format!("not connected; dialling again in {:?}", self.redial_at.since(now));
            return Err(io::Error::new(io::ErrorKind::NotConnected, why).into());
        }
        self.redial_at = now + self.config.redial_after;
        let found = self.dial_relays()?;
        Ok(self.relays.insert(found))
    }

    fn dial_relays(&mut self) -> Result<Relays<D::Wire, C>, CallError> {
        let wire = self.dial.dial()?;
        let mut connection = Connection::new(wire, self.clock.clone(), self.config.patience);
        if let Some(secret) = &self.config.secret {
            connection.authenticate(secret, unforeseeable())?;
        }
        let mut relays = Relays::find(connection, &self.config.bricklets)?;
        if let Some((button, relay)) = self.config.wiring.iter().find(|(_, relay)| **relay >= relays.count())
        {
            return Err(CallError::Missing {
                wanted: format!("the button {button:?} is wired to relay {relay}"),
                found: format!("relays 0 to {}", relays.count() - 1),
            });
        }
        // Whoever was here before may have left something closed.
        relays.open_all()?;
        Ok(relays)
    }
}

impl<B: Copy + Ord + Debug + Serialize, D: Dial, C: Clock> Hand for Solenoids<B, D, C> {
    type Action = B;

    /// Without a planned end the longest hold is the end.
    fn begin(&mut self, button: &B, _mapping: &Mapping) -> Result<(), Fault> {
        self.timed.remove(button);
        self.press(&[(*button, self.config.heat.longest_hold)])
    }

    /// A planned time that is too short for the finger is lengthened to what it needs.
    fn begin_for(&mut self, button: &B, hold: Duration, _mapping: &Mapping) -> Result<(), Fault> {
        self.press(&[(*button, hold.max(self.times(*button).press))])?;
        self.timed.insert(*button);
        Ok(())
    }

    fn end(&mut self, button: &B) -> Result<(), Fault> {
        // The bricklet has done so already, or does so within this millisecond.
        if self.timed.remove(button) { Ok(()) } else { self.release(*button) }
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        self.timed.clear();
        self.let_go()
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn latency(&self) -> Latency {
        self.config.latency
    }
}

/// Four bytes that nobody can foresee: the keys that the standard library draws for its hash maps.
fn unforeseeable() -> [u8; 4] {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let [a, b, c, d, ..] = RandomState::new().build_hasher().finish().to_le_bytes();
    [a, b, c, d]
}
