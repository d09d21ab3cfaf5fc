//! Industrial Quad Relay Bricklet, the first version: 16 pins by mask, of which 4 are its own.
//!
//! Timers count the ticks of the Master Brick's kilohertz, so a pulse of t ms lasts more than t - 1
//! and at most t. When one runs out the pin is toggled from wherever it is then.

use std::time::Duration;

use engine::Time;

use super::packet::ErrorCode;
use super::stack::{Contacts, RELAYS};

/// What clients find this bricklet by.
pub const DEVICE: u16 = 225;
/// The callback that tells which pins have flipped.
pub const MONOFLOP_DONE: u8 = 8;

const PINS: usize = 16;
const TICK: Duration = Duration::from_millis(1);
const NO_GROUP: [u8; 4] = *b"nnnn";

/// One bricklet; its relays are in [`Contacts`].
#[derive(Clone, Debug)]
pub struct QuadRelay {
    /// Its place among the bricklets, port a first.
    place: usize,
    timers: [Timer; PINS],
    group: [u8; 4],
}

#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    /// As it was set last.
    milliseconds: u32,
    ends: Option<Time>,
}

impl QuadRelay {
    /// As after power-up.
    pub fn new(place: usize) -> Self {
        Self { place, timers: [Timer::default(); PINS], group: NO_GROUP }
    }

    /// Carries out a function; the payload of the answer, or an error.
    pub fn call(
        &mut self,
        function: u8,
        payload: &[u8],
        now: Time,
        contacts: &mut Contacts,
    ) -> Result<Vec<u8>, ErrorCode> {
        match (function, payload) {
            (1, &[low, high]) => {
                self.timers.iter_mut().for_each(|timer| timer.ends = None);
                self.set(0xffff, u16::from_le_bytes([low, high]), now, contacts);
                Ok(Vec::new())
            }
            (2, []) => Ok(self.value(contacts).to_le_bytes().to_vec()),
            (3, &[s0, s1, v0, v1, t0, t1, t2, t3]) => {
                let (selection, value) = (u16::from_le_bytes([s0, s1]), u16::from_le_bytes([v0, v1]));
                let milliseconds = u32::from_le_bytes([t0, t1, t2, t3]);
                // Counted from the last tick, which was up to one tick ago. No time, no flip.
                let ends = (milliseconds > 0).then(|| last_tick(now) + TICK * milliseconds);
                for pin in self.selected(selection) {
                    self.timers[pin] = Timer { milliseconds, ends };
                }
                self.set(selection, value, now, contacts);
                Ok(Vec::new())
            }
            (4, &[pin]) => {
                let relay = self.relay(usize::from(pin)).ok_or(ErrorCode::InvalidParameter)?;
                let timer = self.timers[usize::from(pin)];
                let left = timer.ends.map_or(0, |ends| ticks_between(now, ends));
                let value = u16::from(contacts.is_closed(relay)) << pin;
                let mut answer = value.to_le_bytes().to_vec();
                answer.extend(timer.milliseconds.to_le_bytes());
                answer.extend(left.to_le_bytes());
                Ok(answer)
            }
            (5, &[a, b, c, d]) => {
                let wanted = [a, b, c, d].map(|port| port.to_ascii_lowercase());
                self.group =
                    wanted.map(|port| if contacts.group_place(port).is_some() { port } else { b'n' });
                if self.group == wanted { Ok(Vec::new()) } else { Err(ErrorCode::InvalidParameter) }
            }
            (6, []) => Ok(self.group.to_vec()),
            (7, []) => {
                let available = (0..4u8).filter(|port| contacts.group_place(b'a' + port).is_some());
                Ok(vec![available.map(|port| 1 << port).sum()])
            }
            (9, &[s0, s1, v0, v1]) => {
                let (selection, value) = (u16::from_le_bytes([s0, s1]), u16::from_le_bytes([v0, v1]));
                for pin in self.selected(selection) {
                    self.timers[pin].ends = None;
                }
                self.set(selection, value, now, contacts);
                Ok(Vec::new())
            }
            (1..=7 | 9, _) => Err(ErrorCode::InvalidParameter),
            _ => Err(ErrorCode::NotSupported),
        }
    }

    /// When the next timer runs out.
    pub fn next_event(&self) -> Option<Time> {
        self.timers.iter().filter_map(|timer| timer.ends).min()
    }

    /// Flips every pin whose timer runs out at `now`: the callback's payload, if there is one.
    pub fn expire(&mut self, now: Time, contacts: &mut Contacts) -> Option<Vec<u8>> {
        let mut flipped = 0u16;
        for pin in 0..PINS {
            if self.timers[pin].ends.is_some_and(|ends| ends <= now) {
                self.timers[pin].ends = None;
                flipped |= 1 << pin;
            }
        }
        if flipped == 0 {
            return None;
        }
        self.set(flipped, !self.value(contacts), now, contacts);
        let values = self.value(contacts) & flipped;
        Some([flipped.to_le_bytes(), values.to_le_bytes()].concat())
    }

    /// The relay behind a pin: its own four, or those of the bricklets in its group.
    fn relay(&self, pin: usize) -> Option<usize> {
        let place = if self.group == NO_GROUP {
            (pin < RELAYS).then_some(self.place)
        } else {
            Contacts::place_of_port(*self.group.get(pin / RELAYS)?)
        };
        Some(place? * RELAYS + pin % RELAYS)
    }

    /// The selected pins that have a relay behind them.
    fn selected(&self, mask: u16) -> Vec<usize> {
        (0..PINS).filter(|pin| mask >> pin & 1 == 1 && self.relay(*pin).is_some()).collect()
    }

    fn value(&self, contacts: &Contacts) -> u16 {
        let closed = |pin: &usize| self.relay(*pin).is_some_and(|relay| contacts.is_closed(relay));
        (0..PINS).filter(closed).map(|pin| 1 << pin).sum()
    }

    fn set(&self, selection: u16, value: u16, now: Time, contacts: &mut Contacts) {
        for pin in self.selected(selection) {
            if let Some(relay) = self.relay(pin) {
                contacts.set(relay, value >> pin & 1 == 1, now);
            }
        }
    }
}

fn last_tick(now: Time) -> Time {
    let tick = TICK.as_nanos() as u64;
    Time::from_nanos(now.as_nanos() / tick * tick)
}

/// Milliseconds from now to a moment, begun ones included.
pub fn ticks_between(now: Time, moment: Time) -> u32 {
    moment.since(now).as_nanos().div_ceil(TICK.as_nanos()) as u32
}
