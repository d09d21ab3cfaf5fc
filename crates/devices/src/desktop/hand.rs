//! The hand: the real pointer, moved as a person would or at once, and left alone when a person takes it.

use std::time::Duration;

use engine::{Clock, Fault, Hand, Key, Mapping, Pointing};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, InputFocus, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt;

use super::display::{DesktopError, Display};
use super::eye::SLACK;
use super::{Shared, lock};

/// How the pointer moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It is there at once.
    Instant,
    /// It speeds up and slows down on its way, as an arm does.
    Human,
}

/// Steps of a movement that looks human, and the time for each.
const STEPS: u32 = 14;
const STEP: Duration = Duration::from_millis(12);
/// How long a button stays down: programs miss shorter clicks.
const DOWN: Duration = Duration::from_millis(20);
const LEFT_BUTTON: u8 = 1;
/// The keyboard symbol of the left Control key.
const CONTROL: u32 = 0xffe3;

/// Moves and clicks the mouse.
#[derive(Debug)]
pub struct MouseHand<C> {
    display: Display,
    pace: Pace,
    shared: Shared,
    clock: C,
    button_down: bool,
}

impl<C: Clock> MouseHand<C> {
    pub(super) fn new(display: Display, pace: Pace, shared: Shared, clock: C) -> Result<Self, DesktopError> {
        let version = display.connection.xtest_get_version(2, 2)?.reply();
        if version.is_err() {
            return Err(DesktopError::NoXtest);
        }
        Ok(Self { display, pace, shared, clock, button_down: false })
    }

    /// A fault if the pointer is not where it was left: somebody else moves it.
    fn check_person(&mut self) -> Result<(i32, i32), Fault> {
        let now = self.display.pointer().map_err(fault)?;
        let away = |(x, y): (i32, i32)| (x - now.0).abs() > SLACK || (y - now.1).abs() > SLACK;
        // The eye waits for the person; it is told where the pointer should have been.
        if lock(&self.shared).left_at.is_some_and(away) {
            let why = "somebody moves the mouse; waiting".to_owned();
            return Err(Fault::Refused { part: "mouse".to_owned(), why });
        }
        Ok(now)
    }

    /// A fault if the window is no longer where it was seen, or another one lies in front of it there.
    fn check_window(&self, corner: (i32, i32), at: (i32, i32)) -> Result<(), Fault> {
        let Some(window) = lock(&self.shared).window else { return Ok(()) };
        let refused = |why: &str| Fault::Refused { part: "mouse".to_owned(), why: why.to_owned() };
        let place = self.display.place(window).map_err(fault)?;
        if (place.x.max(0), place.y.max(0)) != corner {
            return Err(refused("the window has moved since the last look"));
        }
        if !self.display.is_in_front(window, at).map_err(fault)? {
            return Err(refused("another window is in front"));
        }
        Ok(())
    }

    /// Presses a key, as if the window had the keyboard: the pointer is put into it first.
    fn type_key(&mut self, key: Key) -> Result<(), Fault> {
        self.check_person()?;
        let window = lock(&self.shared).window;
        let Display { connection, .. } = &self.display;
        if let Some(window) = window {
            let focus = connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME);
            focus.map_err(|error| fault(error.into()))?;
        }
        let (control, symbol) = match key {
            Key::N => (false, u32::from(b'n')),
            Key::ControlN => (true, u32::from(b'n')),
            Key::F2 => (false, 0xffbf),
            Key::Return => (false, 0xff0d),
            Key::Space => (false, 0x20),
        };
        let code = |symbol: u32| self.display.key_code(symbol).map_err(fault);
        let Some(key) = code(symbol)? else { return Ok(()) };
        let control = if control { code(CONTROL)? } else { None };
        for code in control.into_iter().chain([key]) {
            self.send(KEY_PRESS_EVENT, code, (0, 0))?;
        }
        self.clock.sleep(DOWN);
        for code in [key].into_iter().chain(control) {
            self.send(KEY_RELEASE_EVENT, code, (0, 0))?;
        }
        Ok(())
    }

    fn move_to(&mut self, from: (i32, i32), to: (i32, i32)) -> Result<(), Fault> {
        if self.pace == Pace::Human {
            for step in 1..STEPS {
                // Minimum jerk (Flash and Hogan, 1985): how arms move.
                let t = f64::from(step) / f64::from(STEPS);
                let share = t.powi(3) * (10.0 - 15.0 * t + 6.0 * t * t);
                let between = |a: i32, b: i32| a + (f64::from(b - a) * share).round() as i32;
                self.send(MOTION_NOTIFY_EVENT, 0, (between(from.0, to.0), between(from.1, to.1)))?;
                self.clock.sleep(STEP);
            }
        }
        self.send(MOTION_NOTIFY_EVENT, 0, to)?;
        lock(&self.shared).left_at = Some(to);
        Ok(())
    }

    fn press(&mut self, at: (i32, i32)) -> Result<(), Fault> {
        self.send(BUTTON_PRESS_EVENT, LEFT_BUTTON, at)?;
        self.button_down = true;
        self.clock.sleep(DOWN);
        self.release(at)
    }

    fn release(&mut self, at: (i32, i32)) -> Result<(), Fault> {
        self.send(BUTTON_RELEASE_EVENT, LEFT_BUTTON, at)?;
        self.button_down = false;
        Ok(())
    }

    fn send(&self, event: u8, detail: u8, (x, y): (i32, i32)) -> Result<(), Fault> {
        let Display { connection, root, .. } = &self.display;
        let sent = connection.xtest_fake_input(event, detail, 0, *root, x as i16, y as i16, 0);
        sent.map_err(|error| fault(error.into()))?;
        connection.flush().map_err(|error| fault(error.into()))
    }
}

impl<C: Clock> Hand for MouseHand<C> {
    type Action = Pointing;

    fn begin(&mut self, action: &Pointing, mapping: &Mapping) -> Result<(), Fault> {
        if let Pointing::Type(key) = action {
            return self.type_key(*key);
        }
        let Some(place) = action.place().and_then(|place| mapping.to_frame(place)) else { return Ok(()) };
        let corner = lock(&self.shared).corner;
        let inside =
            |value: f64, offset: i32, size: u32| (value.floor() as i32 + offset).clamp(0, size as i32 - 1);
        let to =
            (inside(place.x, corner.0, self.display.size.0), inside(place.y, corner.1, self.display.size.1));
        let from = self.check_person()?;
        if matches!(action, Pointing::Click(_)) {
            self.check_window(corner, to)?;
        }
        self.move_to(from, to)?;
        match action {
            Pointing::Click(_) => self.press(to),
            Pointing::Rest(_) | Pointing::Type(_) => Ok(()),
        }
    }

    fn end(&mut self, _action: &Pointing) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        if self.button_down {
            let at = self.display.pointer().map_err(fault)?;
            self.release(at)?;
        }
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn fault(error: DesktopError) -> Fault {
    Fault::Lost { part: "mouse".to_owned(), why: error.to_string() }
}
