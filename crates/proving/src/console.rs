//! The simulated console with a game in it, and what can go wrong around it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use engine::{Latency, Time};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::rules::{Button, Game, Rules};

/// What can go wrong, all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// From a command to its effect.
    pub hand_latency: Latency,
    /// From a moment to its frame.
    pub eye_latency: Latency,
    /// Share of presses that are lost, 0 to 1.
    pub lost_presses: f64,
    /// Share of frames whose lower half is older than the upper, 0 to 1.
    pub torn_frames: f64,
    /// Share of looks that fail, 0 to 1.
    pub failed_looks: f64,
    /// Share of commands that the hand refuses, 0 to 1.
    pub refused_commands: f64,
    /// Time between two knocks against the camera; none if zero.
    pub knock_every: Duration,
    /// Share of drives in which the motor stalls, 0 to 1.
    pub stalled_drives: f64,
}

/// The console as its eye and its hand share it.
pub type SharedConsole = Rc<RefCell<Console>>;

/// The console behind screen and buttons.
#[derive(Debug)]
pub struct Console {
    /// The game in it; a player must never peek.
    pub game: Game,
    pub(crate) faults: Faults,
    random: Xoshiro256PlusPlus,
    /// Presses on their way, in the order in which they take effect.
    presses: Vec<(Time, Button)>,
}

impl Console {
    /// A console that is switched on now.
    pub fn new(rules: Rules, faults: Faults, seed: u64) -> SharedConsole {
        Rc::new(RefCell::new(Console {
            game: Game::new(rules, seed),
            // Faults have random numbers of their own, so that the balls stay the same without them.
            random: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x00FA_0175),
            faults,
            presses: Vec::new(),
        }))
    }

    /// Lets presses and balls arrive until `now`.
    pub(crate) fn advance_to(&mut self, now: Time) {
        let due = self.presses.partition_point(|(moment, _)| *moment <= now);
        for (moment, button) in self.presses.drain(..due) {
            self.game.press(button, moment);
        }
        self.game.advance_to(now);
    }

    /// A press that will take effect at `moment`.
    pub(crate) fn press_at(&mut self, moment: Time, button: Button) {
        let place = self.presses.partition_point(|(earlier, _)| *earlier <= moment);
        self.presses.insert(place, (moment, button));
    }

    /// Takes back every press that has not taken effect by `now`.
    pub(crate) fn cancel_presses_after(&mut self, now: Time) {
        self.presses.retain(|(moment, _)| *moment <= now);
    }

    /// Whether something happens that happens in this share of cases.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        share > 0.0 && self.random.random_bool(share.clamp(0.0, 1.0))
    }

    /// How long something takes this time.
    pub(crate) fn duration(&mut self, latency: Latency) -> Duration {
        if latency.spread.is_zero() {
            return latency.typical;
        }
        let (least, most) = (latency.least().as_nanos() as u64, latency.most().as_nanos() as u64);
        Duration::from_nanos(self.random.random_range(least..=most))
    }

    /// A whole number below `limit`.
    pub(crate) fn number_below(&mut self, limit: u32) -> u32 {
        self.random.random_range(0..limit.max(1))
    }
}
