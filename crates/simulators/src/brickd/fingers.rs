//! Solenoids that push cables that push buttons: from relay edges to button edges.
//!
//! ```text
//!  current   ____┌───────────────┐______________
//!                 ◄── reach ──►│  ◄ leave ►│
//!  contact   __________________┌────────────┐____
//!                                ◄──── home ─────►  ready for the next stroke
//! ```
//!
//! A finger whose current ends before it has reached the contact falls back without a press. One that
//! is not home yet has no swing for another stroke. The cross is one part on one pivot: while a finger
//! on one of its arms is not home, a push on another arm only rocks it.

use std::time::Duration;

use engine::Time;
use gameboy::Button;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::stack::RelayEdge;
use crate::switches::FaultSwitches;

/// How the solenoids move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mechanics {
    /// From current to contact.
    pub reach: Duration,
    /// From the end of current to the end of contact.
    pub leave: Duration,
    /// From the end of current until the finger is back.
    pub home: Duration,
    /// By how much `reach` and `leave` differ from stroke to stroke, at most.
    pub spread: Duration,
    /// Share of strokes that slip off the button.
    pub missed: f64,
    /// Share of strokes that bounce and press twice.
    pub doubled: f64,
}

impl Default for Mechanics {
    /// The document's (table 4.8): currents of 33 ms with pauses of 37 ms work, 32 or 36 do not.
    /// It lifts off the contact slowly enough for a console that looks every 16.74 ms.
    fn default() -> Self {
        Self {
            reach: Duration::from_millis(32),
            leave: Duration::from_millis(20),
            home: Duration::from_millis(37),
            spread: Duration::ZERO,
            missed: 0.0,
            doubled: 0.0,
        }
    }
}

/// A button went down or came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ButtonEdge {
    /// When.
    pub at: Time,
    /// Which.
    pub button: Button,
    /// Whether it is down now.
    pub down: bool,
}

/// Between the two presses of a bounce, and how long the second lasts: a little more than a console's look.
const BOUNCE: Duration = Duration::from_millis(18);

#[derive(Clone, Copy, Debug)]
struct Finger {
    button: Button,
    current: bool,
    /// Whether this stroke will touch, or has touched, the contact.
    in_stroke: bool,
    doubled: bool,
    home_at: Time,
}

impl Finger {
    fn is_home(&self, now: Time) -> bool {
        !self.current && now >= self.home_at
    }
}

/// One finger a relay.
#[derive(Clone, Debug)]
pub struct Fingers {
    mechanics: Mechanics,
    random: Xoshiro256PlusPlus,
    all: Vec<Finger>,
    /// What will happen, in order of time.
    coming: Vec<ButtonEdge>,
    switches: FaultSwitches,
}

impl Fingers {
    /// A finger on each of these buttons, moved by the relay of the same number.
    pub fn new(buttons: &[Button], mechanics: Mechanics, seed: u64) -> Self {
        let finger = |button: &Button| Finger {
            button: *button,
            current: false,
            in_stroke: false,
            doubled: false,
            home_at: Time::START,
        };
        Self {
            mechanics,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            all: buttons.iter().map(finger).collect(),
            coming: Vec::new(),
            switches: FaultSwitches::default(),
        }
    }

    /// The same fingers, which slip as these switches say.
    #[must_use]
    pub fn obeying(mut self, switches: FaultSwitches) -> Self {
        self.switches = switches;
        self
    }

    /// When the next button moves.
    pub fn next_event(&self) -> Option<Time> {
        self.coming.first().map(|edge| edge.at)
    }

    /// Moves the fingers as the relays say and lets time pass; appends what the buttons did.
    pub fn advance(&mut self, relays: &[RelayEdge], to: Time, buttons: &mut Vec<ButtonEdge>) {
        for edge in relays {
            // At the same moment the current's end comes first: the finger had just not arrived.
            let before = self.coming.partition_point(|coming| coming.at < edge.at);
            buttons.extend(self.coming.drain(..before));
            self.switch(edge);
        }
        let due = self.coming.partition_point(|coming| coming.at <= to);
        buttons.extend(self.coming.drain(..due));
    }

    fn switch(&mut self, edge: &RelayEdge) {
        let Some(&finger) = self.all.get(edge.relay) else { return };
        let blocked =
            self.all.iter().any(|other| hinders(other.button, finger.button) && !other.is_home(edge.at));
        if edge.closed {
            // Both random are thrown for every stroke, so that rates do not move each other's luck.
            let share = self.switches.now().missed_presses.unwrap_or(self.mechanics.missed);
            let (missed, doubled) = (self.chance(share), self.chance(self.mechanics.doubled));
            let in_stroke = !blocked && !missed;
            if in_stroke {
                let down = edge.at + self.vary(self.mechanics.reach);
                self.push(ButtonEdge { at: down, button: finger.button, down: true });
            }
            self.all[edge.relay] = Finger { current: true, in_stroke, doubled, ..finger };
        } else {
            if finger.in_stroke {
                self.lift(edge.at, finger);
            }
            let home_at = edge.at + self.mechanics.home;
            self.all[edge.relay] = Finger { current: false, in_stroke: false, home_at, ..finger };
        }
    }

    /// The current ends: the finger leaves the contact, or never reaches it.
    fn lift(&mut self, at: Time, finger: Finger) {
        let waiting = self.coming.iter().position(|coming| coming.button == finger.button && coming.down);
        if let Some(waiting) = waiting {
            self.coming.remove(waiting);
            return;
        }
        let up = at + self.vary(self.mechanics.leave);
        self.push(ButtonEdge { at: up, button: finger.button, down: false });
        if finger.doubled {
            self.push(ButtonEdge { at: up + BOUNCE, button: finger.button, down: true });
            self.push(ButtonEdge { at: up + 2 * BOUNCE, button: finger.button, down: false });
        }
    }

    fn push(&mut self, edge: ButtonEdge) {
        let place = self.coming.partition_point(|coming| coming.at <= edge.at);
        self.coming.insert(place, edge);
    }

    fn chance(&mut self, share: f64) -> bool {
        self.random.random::<f64>() < share
    }

    fn vary(&mut self, time: Duration) -> Duration {
        let spread = self.mechanics.spread.mul_f64(2.0 * self.random.random::<f64>());
        (time + spread).saturating_sub(self.mechanics.spread)
    }
}

/// Whether a finger that is not home on one button spoils a stroke on the other.
fn hinders(one: Button, other: Button) -> bool {
    let on_cross = |button| matches!(button, Button::Up | Button::Down | Button::Left | Button::Right);
    one == other || (on_cross(one) && on_cross(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    /// Currents as (relay, from, to); presses as (button, down, up).
    fn presses(currents: &[(usize, u64, u64)], mechanics: Mechanics) -> Vec<(Button, u64, u64)> {
        let mut relays: Vec<_> = currents
            .iter()
            .flat_map(|&(relay, on, off)| [(on, relay, true), (off, relay, false)])
            .map(|(at, relay, closed)| RelayEdge { at: ms(at), relay, closed })
            .collect();
        relays.sort_by_key(|edge| (edge.at, edge.closed));
        let mut fingers = Fingers::new(&[Button::Left, Button::Down, Button::A], mechanics, 1);
        let mut edges = Vec::new();
        fingers.advance(&relays, ms(10_000), &mut edges);
        assert!(edges.is_sorted_by_key(|edge| edge.at));
        let mut presses = Vec::new();
        for button in [Button::Left, Button::Down, Button::A] {
            let own: Vec<_> = edges.iter().filter(|edge| edge.button == button).collect();
            for pair in own.chunks(2) {
                assert!(pair[0].down && !pair[1].down, "{own:?}");
                let at = |edge: &ButtonEdge| edge.at.elapsed().as_millis() as u64;
                presses.push((button, at(pair[0]), at(pair[1])));
            }
        }
        presses
    }

    #[test]
    fn a_stroke_presses_once_if_the_current_is_long_enough() {
        let usual = Mechanics::default();
        assert_eq!(presses(&[(0, 0, 33)], usual), [(Button::Left, 32, 53)]);
        assert_eq!(presses(&[(0, 0, 500)], usual), [(Button::Left, 32, 520)]);
        assert_eq!(presses(&[(0, 0, 32)], usual), []);
        assert_eq!(presses(&[(0, 0, 1)], usual), []);
        assert_eq!(presses(&[(9, 0, 40)], usual), [], "a relay without a finger");
    }

    #[test]
    fn a_finger_needs_its_way_home_and_the_cross_rocks() {
        let usual = Mechanics::default();
        assert_eq!(presses(&[(2, 0, 33), (2, 69, 110)], usual).len(), 1, "36 ms are too short");
        assert_eq!(presses(&[(2, 0, 33), (2, 70, 110)], usual).len(), 2);
        assert_eq!(presses(&[(0, 0, 33), (1, 69, 110)], usual).len(), 1, "another arm of the cross");
        assert_eq!(presses(&[(0, 0, 33), (1, 70, 110)], usual).len(), 2);
        assert_eq!(presses(&[(0, 0, 33), (2, 0, 33)], usual).len(), 2, "cross and A at once");
    }

    #[test]
    fn strokes_miss_and_bounce_by_rate() {
        let never = Mechanics { missed: 1.0, ..Mechanics::default() };
        assert_eq!(presses(&[(0, 0, 33)], never), []);
        let twice = Mechanics { doubled: 1.0, ..Mechanics::default() };
        assert_eq!(presses(&[(0, 0, 33)], twice), [(Button::Left, 32, 53), (Button::Left, 71, 89)]);
        let often = Mechanics { missed: 0.25, ..Mechanics::default() };
        let strokes: Vec<_> = (0..100).map(|n| (2, 100 * n, 100 * n + 40)).collect();
        let count = presses(&strokes, often).len();
        assert!((60..90).contains(&count), "{count}");
    }
}
