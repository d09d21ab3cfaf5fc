//! Industrial Quad Relay Bricklet 2.0: channel by channel, with a processor of its own.
//!
//! Its timers begin with the next millisecond, so a pulse of t ms lasts at least t and less than t + 1.

use std::time::Duration;

use engine::Time;

use super::packet::{ErrorCode, Uid};
use super::quad_relay::ticks_between;
use super::stack::{Contacts, RELAYS};

/// What clients find this bricklet by.
pub const DEVICE: u16 = 2102;
/// The callback that tells which channel has flipped.
pub const MONOFLOP_DONE: u8 = 8;

/// LEDs show the channel, or the processor's state.
const SHOW_STATUS: u8 = 3;
const MILLISECOND: Duration = Duration::from_millis(1);

/// One bricklet; its relays are in [`Contacts`].
#[derive(Clone, Debug)]
pub struct QuadRelayV2 {
    uid: Uid,
    place: usize,
    timers: [Timer; RELAYS],
    channel_leds: [u8; RELAYS],
    status_led: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    /// As it was set last.
    milliseconds: u32,
    ends: Option<Time>,
}

impl QuadRelayV2 {
    /// As after power-up.
    pub fn new(uid: Uid, place: usize) -> Self {
        Self {
            uid,
            place,
            timers: [Timer::default(); RELAYS],
            channel_leds: [SHOW_STATUS; RELAYS],
            status_led: SHOW_STATUS,
        }
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
            (1, &[values]) => {
                for channel in 0..RELAYS {
                    self.timers[channel].ends = None;
                    contacts.set(self.relay(channel), values >> channel & 1 == 1, now);
                }
                Ok(Vec::new())
            }
            (2, []) => {
                let closed = |channel: &usize| contacts.is_closed(self.relay(*channel));
                Ok(vec![(0..RELAYS).filter(closed).map(|channel| 1 << channel).sum()])
            }
            (3, &[channel, value, t0, t1, t2, t3]) => {
                let channel = known(channel)?;
                let milliseconds = u32::from_le_bytes([t0, t1, t2, t3]);
                let ends = Some(next_millisecond(now) + MILLISECOND * milliseconds);
                // No time means that it flips at once, with the next event.
                let ends = if milliseconds == 0 { Some(now) } else { ends };
                self.timers[channel] = Timer { milliseconds, ends };
                contacts.set(self.relay(channel), value != 0, now);
                Ok(Vec::new())
            }
            (4, &[channel]) => {
                let channel = known(channel)?;
                let timer = self.timers[channel];
                let mut answer = vec![u8::from(contacts.is_closed(self.relay(channel)))];
                answer.extend(timer.milliseconds.to_le_bytes());
                answer.extend(timer.ends.map_or(0, |ends| ticks_between(now, ends)).to_le_bytes());
                Ok(answer)
            }
            (5, &[channel, value]) => {
                let channel = known(channel)?;
                self.timers[channel].ends = None;
                contacts.set(self.relay(channel), value != 0, now);
                Ok(Vec::new())
            }
            (6, &[channel, config]) => {
                self.channel_leds[known(channel)?] = led(config)?;
                Ok(Vec::new())
            }
            (7, &[channel]) => Ok(vec![self.channel_leds[known(channel)?]]),
            // Errors on the wire between Brick and Bricklet: there are none.
            (234, []) => Ok(vec![0; 16]),
            // The bootloader's mode: firmware.
            (236, []) => Ok(vec![1]),
            (239, &[config]) => {
                self.status_led = led(config)?;
                Ok(Vec::new())
            }
            (240, []) => Ok(vec![self.status_led]),
            // 31 °C.
            (242, []) => Ok(31i16.to_le_bytes().to_vec()),
            (249, []) => Ok(self.uid.0.to_le_bytes().to_vec()),
            (1..=7 | 234 | 236 | 239 | 240 | 242 | 249, _) => Err(ErrorCode::InvalidParameter),
            _ => Err(ErrorCode::NotSupported),
        }
    }

    /// When the next timer runs out.
    pub fn next_event(&self) -> Option<Time> {
        self.timers.iter().filter_map(|timer| timer.ends).min()
    }

    /// Flips every channel whose timer runs out at `now`: one callback's payload each.
    pub fn expire(&mut self, now: Time, contacts: &mut Contacts) -> Vec<Vec<u8>> {
        let mut callbacks = Vec::new();
        for channel in 0..RELAYS {
            if self.timers[channel].ends.is_some_and(|ends| ends <= now) {
                self.timers[channel].ends = None;
                let relay = self.relay(channel);
                let value = !contacts.is_closed(relay);
                contacts.set(relay, value, now);
                callbacks.push(vec![channel as u8, u8::from(value)]);
            }
        }
        callbacks
    }

    fn relay(&self, channel: usize) -> usize {
        self.place * RELAYS + channel
    }
}

fn known(channel: u8) -> Result<usize, ErrorCode> {
    if usize::from(channel) < RELAYS { Ok(usize::from(channel)) } else { Err(ErrorCode::InvalidParameter) }
}

fn led(config: u8) -> Result<u8, ErrorCode> {
    if config <= SHOW_STATUS { Ok(config) } else { Err(ErrorCode::InvalidParameter) }
}

fn next_millisecond(now: Time) -> Time {
    let unit = MILLISECOND.as_nanos() as u64;
    Time::from_nanos(now.as_nanos().div_ceil(unit) * unit)
}
