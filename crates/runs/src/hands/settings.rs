//! The settings of the robot's hands, real and simulated.

#![allow(
    clippy::struct_field_names,
    reason = "a setting's name ends with its unit, even if all of a section do"
)]

use std::collections::BTreeMap;
use std::time::Duration;

use configuration::settings;
use devices::tinkerforge::{Config, HeatLimits, PressTimes, TcpDial, Uid};
use engine::Clock;
use gameboy::Button;
use simulators::brickd::Mechanics;
use thiserror::Error;

use crate::settings::{latency, milliseconds as ms};

settings! {
    /// The robot's hands: relays behind a Brick Daemon, and how they press.
    pub struct RelaySettings in "relays" {
        /// Host of the Brick Daemon.
        host: String = "localhost".to_owned();
        /// Its port.
        port: u32 = 4_223, range 1..=65_535;
        /// Its secret; empty if it has none.
        secret: String = String::new();
        /// UIDs of the relay bricklets in the order in which their relays are counted, such as mTA,mTC; empty for all, by port.
        bricklets: String = String::new();
        /// Relay of the button Up, counted from 0 over all bricklets.
        up: u32 = 0, range 0..=15;
        /// Relay of the button Down.
        down: u32 = 1, range 0..=15;
        /// Relay of the button Left.
        left: u32 = 2, range 0..=15;
        /// Relay of the button Right.
        right: u32 = 3, range 0..=15;
        /// Relay of the button A.
        a: u32 = 4, range 0..=15;
        /// Relay of the button B.
        b: u32 = 5, range 0..=15;
        /// Relay of the button Start.
        start: u32 = 6, range 0..=15;
        /// Relay of the button Select.
        select: u32 = 7, range 0..=15;
        /// How long a coil is on for a press.
        press_ms: u32 = 35, range 1..=1_000, unit "milliseconds";
        /// How long it is off afterwards, until the finger is home.
        pause_ms: u32 = 40, range 0..=1_000, unit "milliseconds";
        /// From a command to the contact of its button.
        latency_ms: u32 = 32, range 0..=1_000, unit "milliseconds";
        /// The most that time deviates, either way.
        latency_spread_ms: u32 = 2, range 0..=1_000, unit "milliseconds";
        /// Other times for single buttons, as button=press+pause: left=37+40,down=35+45.
        own_times: String = String::new();
        /// Duty cycle that a coil can bear indefinitely; 59 % for 8 W by the data sheet.
        duty: f64 = 0.59, range 0.01..=1.0;
        /// Time in which a coil warms up.
        warm_up_s: u32 = 300, range 1..=86_400, unit "seconds";
        /// The longest single hold of a button.
        longest_hold_ms: u32 = 5_000, range 10..=60_000, unit "milliseconds";
        /// How long the daemon may take to answer.
        patience_ms: u32 = 1_000, range 10..=60_000, unit "milliseconds";
        /// How long to wait before a lost daemon is dialled again.
        redial_ms: u32 = 1_000, range 0..=600_000, unit "milliseconds";
    }
}

settings! {
    /// The solenoids of the simulated robot: how they move, and how often they fail.
    pub struct SimulatedFingersSettings in "simulated_fingers" {
        /// From current to contact.
        reach_ms: f64 = 32.0, range 0.0..=1_000.0, unit "milliseconds";
        /// From the end of current to the end of contact.
        leave_ms: f64 = 20.0, range 0.0..=1_000.0, unit "milliseconds";
        /// From the end of current until the finger is home.
        home_ms: f64 = 37.0, range 0.0..=1_000.0, unit "milliseconds";
        /// By how much the first two differ from press to press, at most.
        spread_ms: f64 = 0.0, range 0.0..=100.0, unit "milliseconds";
        /// Share of presses that slip off the button.
        missed: f64 = 0.0, range 0.0..=1.0;
        /// Share of presses that bounce and press twice.
        doubled: f64 = 0.0, range 0.0..=1.0;
    }
}

/// A setting of the hands that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("relays.{key} = \"{value}\": {why}")]
pub struct BadRelays {
    key: &'static str,
    value: String,
    why: String,
}

impl RelaySettings {
    /// As the driver wants them.
    pub fn to_config(&self) -> Result<Config<Button>, BadRelays> {
        let secret = Some(self.secret.clone()).filter(|secret| !secret.is_empty());
        Ok(Config {
            bricklets: self.bricklets()?,
            secret,
            wiring: self.wiring()?,
            times: PressTimes { press: ms(self.press_ms), pause: ms(self.pause_ms) },
            own_times: self.own_times()?,
            latency: latency(self.latency_ms, self.latency_spread_ms),
            heat: HeatLimits {
                duty: self.duty,
                warm_up: Duration::from_secs(u64::from(self.warm_up_s)),
                longest_hold: ms(self.longest_hold_ms),
            },
            patience: ms(self.patience_ms),
            redial_after: ms(self.redial_ms),
        })
    }

    /// How the daemon is reached.
    pub fn to_dial<C: Clock>(&self, clock: C) -> TcpDial<C> {
        // The range of the key keeps it a port.
        let port = u16::try_from(self.port).unwrap_or(u16::MAX);
        TcpDial { host: self.host.clone(), port, patience: ms(self.patience_ms), clock }
    }

    fn bricklets(&self) -> Result<Vec<Uid>, BadRelays> {
        let bad = |why: String| BadRelays { key: "bricklets", value: self.bricklets.clone(), why };
        let names = self.bricklets.split(',').map(str::trim).filter(|name| !name.is_empty());
        names.map(|name| name.parse::<Uid>().map_err(|error| bad(error.to_string()))).collect()
    }

    fn wiring(&self) -> Result<BTreeMap<Button, usize>, BadRelays> {
        use Button::{A, B, Down, Left, Right, Select, Start, Up};
        let pairs = [
            ("up", Up, self.up),
            ("down", Down, self.down),
            ("left", Left, self.left),
            ("right", Right, self.right),
            ("a", A, self.a),
            ("b", B, self.b),
            ("start", Start, self.start),
            ("select", Select, self.select),
        ];
        let mut wiring = BTreeMap::new();
        for (key, button, relay) in pairs {
            if let Some((other, _)) = wiring.iter().find(|(_, taken)| **taken == relay as usize) {
                let why = format!("the button {other:?} has this relay already");
                return Err(BadRelays { key, value: relay.to_string(), why });
            }
            wiring.insert(button, relay as usize);
        }
        Ok(wiring)
    }

    fn own_times(&self) -> Result<BTreeMap<Button, PressTimes>, BadRelays> {
        let parts = self.own_times.split(',').map(str::trim).filter(|part| !part.is_empty());
        let read = |part: &str| {
            let (name, times) = part.split_once('=')?;
            let (press, pause) = times.split_once('+')?;
            let time = |text: &str| text.trim().parse::<u32>().ok().filter(|ms| *ms <= 1_000).map(ms);
            Some((button(name.trim())?, PressTimes { press: time(press)?, pause: time(pause)? }))
        };
        let bad = |part: &str| BadRelays {
            key: "own_times",
            value: self.own_times.clone(),
            why: format!(
                "`{part}` is not as in left=37+40 (buttons: {}; times up to 1000 ms)",
                Button::ALL.map(name).join(", ")
            ),
        };
        parts.map(|part| read(part).ok_or_else(|| bad(part))).collect()
    }
}

impl SimulatedFingersSettings {
    /// As the simulator wants them.
    pub fn mechanics(&self) -> Mechanics {
        let ms = |ms: f64| Duration::from_secs_f64(ms / 1_000.0);
        Mechanics {
            reach: ms(self.reach_ms),
            leave: ms(self.leave_ms),
            home: ms(self.home_ms),
            spread: ms(self.spread_ms),
            missed: self.missed,
            doubled: self.doubled,
        }
    }
}

/// A button's name in settings and reports.
pub fn name(button: Button) -> &'static str {
    match button {
        Button::Right => "right",
        Button::Left => "left",
        Button::Up => "up",
        Button::Down => "down",
        Button::A => "a",
        Button::B => "b",
        Button::Select => "select",
        Button::Start => "start",
    }
}

fn button(text: &str) -> Option<Button> {
    Button::ALL.into_iter().find(|button| name(*button).eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults of the settings are those of driver and simulator.
    #[test]
    fn defaults_agree() {
        let config = RelaySettings::default().to_config().unwrap();
        let theirs = Config { wiring: config.wiring.clone(), ..Config::default() };
        assert_eq!(config, theirs);
        assert_eq!(SimulatedFingersSettings::default().mechanics(), Mechanics::default());
        let wired = simulators::brickd::Wiring::default().0;
        assert!(wired.into_iter().enumerate().all(|(relay, button)| config.wiring[&button] == relay));
    }

    #[test]
    fn texts_are_read_or_refused_with_the_key() {
        let settings = RelaySettings {
            bricklets: "mTA, mTC".to_owned(),
            own_times: "left=37+40, A=30+35".to_owned(),
            ..RelaySettings::default()
        };
        let config = settings.to_config().unwrap();
        assert_eq!(config.bricklets, [Uid(70_272), Uid(70_274)]);
        assert_eq!(config.own_times[&Button::Left], PressTimes { press: ms(37), pause: ms(40) });
        assert_eq!(config.own_times.len(), 2);
        let problem = |change: fn(&mut RelaySettings)| {
            let mut settings = RelaySettings::default();
            change(&mut settings);
            settings.to_config().unwrap_err().to_string()
        };
        assert!(
            problem(|s| s.bricklets = "m0A".to_owned())
                .starts_with("relays.bricklets = \"m0A\": `m0A` is not a UID")
        );
        assert!(problem(|s| s.own_times = "jump=1+2".to_owned()).contains("buttons: right, left, up"));
        assert_eq!(problem(|s| s.b = 4), "relays.b = \"4\": the button A has this relay already");
    }
}
