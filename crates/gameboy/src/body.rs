//! A body on an emulated console: its screen is what the eye sees, its buttons
//! are what the hand holds (G2, G5).
//!
//! The console runs in step with the run's clock: its n-th display period
//! begins n periods after the start with the buttons that are held then, and
//! an eye waits for the next complete picture.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Body, Clock, Eye, Fault, Frame, Hand, Picture, PixelFormat, Time};
use serde::{Deserialize, Serialize};
use tetris::gameboy::Buttons;

use crate::console::{Console, Crash, SCREEN_HEIGHT, SCREEN_WIDTH, Screen};
use crate::emulator::Emulator;
use crate::link::LinkedConsoles;

/// When display period `number` begins. One takes 70,224 of 4,194,304 ticks a second.
pub fn period_start(number: u64) -> Time {
    Time::from_nanos((u128::from(number) * 70_224 * 1_000_000_000).div_ceil(4_194_304) as u64)
}

/// The number of the period that begins at or before this moment.
pub fn period_at(time: Time) -> u64 {
    (u128::from(time.as_nanos()) * 4_194_304 / (70_224 * 1_000_000_000)) as u64
}

/// How long so many display periods take.
pub fn periods(count: u32) -> Duration {
    period_start(u64::from(count)).elapsed()
}

/// Luma of the four shades, white first.
pub const LUMA: [u8; 4] = [255, 170, 85, 0];

/// A button, by the name it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is named after its label")]
pub enum Button {
    Right,
    Left,
    Up,
    Down,
    A,
    B,
    Select,
    Start,
}

impl Button {
    /// All of them in the console's bit order.
    pub const ALL: [Button; 8] = [
        Button::Right,
        Button::Left,
        Button::Up,
        Button::Down,
        Button::A,
        Button::B,
        Button::Select,
        Button::Start,
    ];

    /// The set with this button alone.
    pub fn alone(self) -> Buttons {
        Buttons(1 << self as u8)
    }
}

/// One console or two on a cable.
#[derive(Debug)]
enum Consoles {
    One(Box<Emulator>),
    Two(Box<LinkedConsoles>),
}

#[derive(Debug)]
struct Desk {
    consoles: Consoles,
    held: [Buttons; 2],
    /// Display periods that have passed.
    passed: u64,
    crash: Option<Crash>,
}

impl Desk {
    /// Lets every period pass that began before `now`.
    fn advance_to(&mut self, now: Time) -> Result<(), Fault> {
        while self.crash.is_none() && period_start(self.passed) < now {
            let step = match &mut self.consoles {
                Consoles::One(console) => console.step(self.held[0]),
                Consoles::Two(consoles) => consoles.step(self.held),
            };
            self.passed += 1;
            self.crash = step.err();
        }
        match &self.crash {
            None => Ok(()),
            Some(crash) => Err(Fault::Lost { part: "console".to_owned(), why: crash.to_string() }),
        }
    }

    fn screen(&mut self, side: usize) -> &Screen {
        match &mut self.consoles {
            Consoles::One(console) => console.screen(),
            Consoles::Two(consoles) => consoles.console(side).screen(),
        }
    }
}

type Shared = Arc<Mutex<Desk>>;

fn lock(desk: &Shared) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A body on one console.
pub fn body<C: Clock>(console: Emulator, clock: &C) -> Body<ConsoleEye<C>, ConsoleHand<C>> {
    on(&desk(Consoles::One(Box::new(console))), 0, clock)
}

/// A body on each of two linked consoles; every body waits on a clock handle of its own.
pub fn linked_bodies<C: Clock>(
    consoles: LinkedConsoles,
    clocks: [&C; 2],
) -> [Body<ConsoleEye<C>, ConsoleHand<C>>; 2] {
    let desk = desk(Consoles::Two(Box::new(consoles)));
    [on(&desk, 0, clocks[0]), on(&desk, 1, clocks[1])]
}

fn desk(consoles: Consoles) -> Shared {
    Arc::new(Mutex::new(Desk { consoles, held: [Buttons::NONE; 2], passed: 0, crash: None }))
}

fn on<C: Clock>(desk: &Shared, side: usize, clock: &C) -> Body<ConsoleEye<C>, ConsoleHand<C>> {
    let frame = Frame { sequence: 0, captured: Time::START, picture: blank_picture() };
    let eye = ConsoleEye { desk: Arc::clone(desk), side, clock: clock.clone(), frame, looks: 0 };
    let hand = ConsoleHand { desk: Arc::clone(desk), side, clock: clock.clone() };
    Body { eye, hand }
}

/// Sees the console's screen, every picture once.
#[derive(Debug)]
pub struct ConsoleEye<C> {
    desk: Shared,
    side: usize,
    clock: C,
    frame: Frame,
    looks: u64,
}

impl<C: Clock> Eye for ConsoleEye<C> {
    fn look(&mut self) -> Result<&Frame, Fault> {
        let seen = period_at(self.frame.captured);
        self.clock.sleep_until(period_start(period_at(self.clock.now()).max(seen) + 1));
        let now = self.clock.now();
        self.frame.captured = now;
        self.frame.sequence = self.looks;
        self.looks += 1;
        let mut desk = lock(&self.desk);
        desk.advance_to(now)?;
        draw(desk.screen(self.side), &mut self.frame.picture);
        Ok(&self.frame)
    }
}

/// A grey picture of the right size, to draw screens on.
pub fn blank_picture() -> Picture {
    Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8)
}

/// Draws a screen as a grey picture.
pub fn draw(screen: &Screen, picture: &mut Picture) {
    for (luma, shade) in picture.pixels.iter_mut().zip(screen.shades.iter()) {
        *luma = LUMA[usize::from(shade & 3)];
    }
}

/// Holds the console's buttons.
#[derive(Debug)]
pub struct ConsoleHand<C> {
    desk: Shared,
    side: usize,
    clock: C,
}

impl<C: Clock> ConsoleHand<C> {
    fn change(&self, change: impl FnOnce(Buttons) -> Buttons) -> Result<(), Fault> {
        let mut desk = lock(&self.desk);
        desk.advance_to(self.clock.now())?;
        desk.held[self.side] = change(desk.held[self.side]);
        Ok(())
    }
}

impl<C: Clock> Hand for ConsoleHand<C> {
    type Action = Button;

    fn begin(&mut self, button: &Button) -> Result<(), Fault> {
        self.change(|held| held | button.alone())
    }

    fn end(&mut self, button: &Button) -> Result<(), Fault> {
        self.change(|held| held & !button.alone())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        lock(&self.desk).held[self.side] = Buttons::NONE;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_and_moments_are_inverse() {
        for number in [0, 1, 2, 59, 60, 61, 4_194_304, 1 << 40] {
            assert_eq!(period_at(period_start(number)), number);
            assert_eq!(period_at(Time::from_nanos(period_start(number + 1).as_nanos() - 1)), number);
        }
    }

    #[test]
    fn buttons_are_in_the_consoles_order() {
        assert_eq!(Button::Right.alone(), Buttons::RIGHT);
        assert_eq!(Button::Down.alone(), Buttons::DOWN);
        assert_eq!(Button::A.alone(), Buttons::A);
        assert_eq!(Button::Start.alone(), Buttons::START);
        assert_eq!(Button::ALL.map(|button| button as u8), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
