//! The relays of a stack, numbered through, whichever version their bricklets are.

use std::time::Duration;

use engine::{Clock, Time};

use super::connection::{CallError, Connection, Device};
use super::packet::{Request, Uid};
use super::wire::Wire;

/// Relays of a bricklet.
const CHANNELS: usize = 4;
const SET_VALUE: u8 = 1;
const SET_MONOFLOP: u8 = 3;
const SET_SELECTED_V2: u8 = 5;
const MONOFLOP_DONE: u8 = 8;
const SET_SELECTED_V1: u8 = 9;

/// Which functions a bricklet has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Industrial Quad Relay: masks of 16 bits.
    One,
    /// Industrial Quad Relay 2.0: channel by channel.
    Two,
}

impl Version {
    fn of(kind: u16) -> Option<Self> {
        match kind {
            225 => Some(Self::One),
            2102 => Some(Self::Two),
            _ => None,
        }
    }
}

/// A relay closed for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// Which: 0 to 3 are those of the first bricklet, 4 to 7 of the second.
    pub relay: usize,
    /// How long, in full milliseconds.
    pub time: Duration,
}

/// All relays behind one connection.
#[derive(Debug)]
pub struct Relays<W, C> {
    connection: Connection<W, C>,
    bricklets: Vec<(Uid, Version)>,
}

impl<W: Wire, C: Clock> Relays<W, C> {
    /// Finds the bricklets: those named, in their order, or all there are, in order of Brick and port.
    pub fn find(mut connection: Connection<W, C>, named: &[Uid]) -> Result<Self, CallError> {
        let mut devices = connection.enumerate(named)?;
        devices.sort_by_key(|device| (device.parent.clone(), device.position, device.uid));
        let bricklets = choose(&devices, named)?;
        for (uid, version) in &bricklets {
            tracing::info!(%uid, ?version, "found an Industrial Quad Relay");
        }
        Ok(Self { connection, bricklets })
    }

    /// How many relays there are.
    pub fn count(&self) -> usize {
        CHANNELS * self.bricklets.len()
    }

    /// Closes relays for the given times, all at once; the bricklets open them by themselves.
    pub fn pulse(&mut self, pulses: &[Pulse]) -> Result<(), CallError> {
        let requests = pulse_requests(&self.bricklets, pulses);
        self.connection.call_all(&requests)?;
        Ok(())
    }

    /// Opens a relay now, whatever it was doing.
    pub fn open(&mut self, relay: usize) -> Result<(), CallError> {
        let Some(&(uid, version)) = self.bricklets.get(relay / CHANNELS) else { return Ok(()) };
        let channel = relay % CHANNELS;
        match version {
            Version::One => {
                let mask = (1u16 << channel).to_le_bytes();
                self.connection.call(uid, SET_SELECTED_V1, &[mask[0], mask[1], 0, 0])?;
            }
            Version::Two => {
                self.connection.call(uid, SET_SELECTED_V2, &[channel as u8, 0])?;
            }
        }
        Ok(())
    }

    /// Opens every relay now.
    pub fn open_all(&mut self) -> Result<(), CallError> {
        let request = |&(uid, version): &(Uid, Version)| Request {
            uid,
            function: SET_VALUE,
            payload: match version {
                Version::One => vec![0, 0],
                Version::Two => vec![0],
            },
        };
        let requests: Vec<_> = self.bricklets.iter().map(request).collect();
        self.connection.call_all(&requests)?;
        Ok(())
    }

    /// Waits for the bricklet's word that this relay's pulse is over; false if it does not come in time.
    pub fn wait_done(&mut self, relay: usize, until: Time) -> Result<bool, CallError> {
        let Some(&(uid, version)) = self.bricklets.get(relay / CHANNELS) else { return Ok(false) };
        let channel = relay % CHANNELS;
        while let Some(payload) = self.connection.callback(uid, MONOFLOP_DONE, until)? {
            let done = match (version, payload.as_slice()) {
                (Version::One, &[low, high, ..]) => u16::from_le_bytes([low, high]) >> channel & 1 == 1,
                (Version::Two, &[which, ..]) => usize::from(which) == channel,
                (_, _) => false,
            };
            if done {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn choose(devices: &[Device], named: &[Uid]) -> Result<Vec<(Uid, Version)>, CallError> {
    let relay = |device: &Device| Some((device.uid, Version::of(device.kind)?));
    let missing = |wanted: String| CallError::Missing { wanted, found: listed(devices) };
    if named.is_empty() {
        let all: Vec<_> = devices.iter().filter_map(relay).collect();
        return if all.is_empty() {
            Err(missing("no Industrial Quad Relay was found".to_owned()))
        } else {
            Ok(all)
        };
    }
    let find = |uid: &Uid| {
        let device = devices.iter().find(|device| device.uid == *uid);
        let device = device.ok_or_else(|| missing(format!("the bricklet {uid} is not connected")))?;
        relay(device).ok_or_else(|| missing(format!("{uid} is not an Industrial Quad Relay")))
    };
    named.iter().map(find).collect()
}

/// The devices in words, for messages.
fn listed(devices: &[Device]) -> String {
    let name = |kind: u16| match kind {
        13 => "Master Brick".to_owned(),
        225 => "Industrial Quad Relay".to_owned(),
        2102 => "Industrial Quad Relay 2.0".to_owned(),
        other => format!("device {other}"),
    };
    let words: Vec<_> =
        devices.iter().map(|device| format!("{} ({})", device.uid, name(device.kind))).collect();
    if words.is_empty() { "no devices (is a secret needed?)".to_owned() } else { words.join(", ") }
}

/// As few packets as possible: version one takes all pulses of equal length in one.
fn pulse_requests(bricklets: &[(Uid, Version)], pulses: &[Pulse]) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    for (place, &(uid, version)) in bricklets.iter().enumerate() {
        let mut masks: Vec<(u32, u16)> = Vec::new();
        for pulse in pulses.iter().filter(|pulse| pulse.relay / CHANNELS == place) {
            let (channel, time) = (pulse.relay % CHANNELS, whole_milliseconds(pulse.time));
            match version {
                Version::One => match masks.iter_mut().find(|(other, _)| *other == time) {
                    Some((_, mask)) => *mask |= 1 << channel,
                    None => masks.push((time, 1 << channel)),
                },
                Version::Two => {
                    let payload = [&[channel as u8, 1], time.to_le_bytes().as_slice()].concat();
                    requests.push(Request { uid, function: SET_MONOFLOP, payload });
                }
            }
        }
        requests.extend(masks.into_iter().map(|(time, mask)| {
            let mask = mask.to_le_bytes();
            let payload = [mask.as_slice(), &mask, &time.to_le_bytes()].concat();
            Request { uid, function: SET_MONOFLOP, payload }
        }));
    }
    requests
}

/// At least one: a pulse without time would stay closed for ever (version one).
fn whole_milliseconds(time: Duration) -> u32 {
    (time.as_micros().div_ceil(1_000) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulses(pulses: &[(usize, u64)]) -> Vec<Pulse> {
        pulses.iter().map(|&(relay, ms)| Pulse { relay, time: Duration::from_millis(ms) }).collect()
    }

    #[test]
    fn parallel_pulses_take_as_few_packets_as_can_be() {
        let bricklets = [(Uid(7), Version::One), (Uid(8), Version::Two)];
        let requests = pulse_requests(&bricklets, &pulses(&[(0, 35), (3, 35), (1, 40), (4, 35), (6, 35)]));
        let seen: Vec<_> = requests.iter().map(|r| (r.uid.0, r.payload.as_slice())).collect();
        assert_eq!(
            seen,
            [
                (7, [9, 0, 9, 0, 35, 0, 0, 0].as_slice()),
                (7, &[2, 0, 2, 0, 40, 0, 0, 0]),
                (8, &[0, 1, 35, 0, 0, 0]),
                (8, &[2, 1, 35, 0, 0, 0]),
            ]
        );
    }

    #[test]
    fn a_pulse_is_never_endless() {
        assert_eq!(whole_milliseconds(Duration::ZERO), 1);
        assert_eq!(whole_milliseconds(Duration::from_micros(34_001)), 35);
    }

    #[test]
    fn missing_bricklets_are_named_with_what_is_there() {
        let master = Device { uid: Uid(3_765_503_281), parent: "0".into(), position: '0', kind: 13 };
        let error = choose(std::slice::from_ref(&master), &[Uid(70_272)]).unwrap_err().to_string();
        assert_eq!(error, "the bricklet mTA is not connected; the daemon has 6JKbWn (Master Brick)");
        let error = choose(std::slice::from_ref(&master), &[master.uid]).unwrap_err().to_string();
        assert!(error.contains("6JKbWn is not an Industrial Quad Relay"), "{error}");
        assert!(choose(&[], &[]).unwrap_err().to_string().contains("no devices"));
    }
}
