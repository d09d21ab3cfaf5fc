//! A hand with a motor: its drives take as long as they take, and some stall.

use std::rc::Rc;
use std::time::Duration;

use engine::{Clock, Fault, Hand, Latency, Mapping, Progress, Time};

use crate::action::Action;
use crate::console::SharedConsole;
use crate::direct::ButtonHand;
use crate::rules::Button;

/// Time in which the motor carries the paddle over one column.
pub const COLUMN_TIME: Latency =
    Latency { typical: Duration::from_millis(60), spread: Duration::from_millis(15) };
/// How long a motor that does not turn is watched before that counts as a stall.
const STALL_NOTICED: Duration = Duration::from_millis(200);

/// Carries the paddle with a motor and presses Start.
#[derive(Debug)]
pub struct MotorHand<C> {
    console: SharedConsole,
    clock: C,
    buttons: ButtonHand<C>,
    drive: Option<Drive>,
}

/// A drive that was begun: when it ends, and where if it stalls.
#[derive(Clone, Copy, Debug)]
struct Drive {
    ends: Time,
    stalls_at: Option<u8>,
}

impl<C: Clock> MotorHand<C> {
    /// A hand on this console.
    pub fn new(console: &SharedConsole, clock: &C) -> Self {
        let buttons = ButtonHand::new(console, clock);
        Self { console: Rc::clone(console), clock: clock.clone(), buttons, drive: None }
    }

    fn begin_drive(&mut self, to: u8) {
        let mut console = self.console.borrow_mut();
        let now = self.clock.now();
        console.advance_to(now);
        let from = console.game.paddle();
        let (button, columns) = (if to < from { Button::Left } else { Button::Right }, to.abs_diff(from));
        let stalled_drives = console.faults.stalled_drives;
        let stalls = columns > 0 && console.happens(stalled_drives);
        let reached = if stalls { console.number_below(u32::from(columns)) as u8 } else { columns };
        let mut ends = now;
        for _ in 0..reached {
            ends = ends + console.duration(COLUMN_TIME);
            console.press_at(ends, button);
        }
        let stalls_at = stalls.then(|| if to < from { from - reached } else { from + reached });
        if stalls {
            ends = ends + STALL_NOTICED;
        }
        self.drive = Some(Drive { ends, stalls_at });
    }
}

impl<C: Clock> Hand for MotorHand<C> {
    type Action = Action;

    fn begin(&mut self, action: &Action, _mapping: &Mapping) -> Result<(), Fault> {
        match action {
            Action::Press(button) => self.buttons.press(*button),
            Action::DriveTo { column } => {
                self.begin_drive(*column);
                Ok(())
            }
        }
    }

    fn wait(&mut self, _action: &Action, until: Time) -> Result<Progress, Fault> {
        let Some(drive) = self.drive else { return Ok(Progress::Done) };
        self.clock.sleep_until(drive.ends.min(until));
        if self.clock.now() < drive.ends {
            return Ok(Progress::Underway);
        }
        self.drive = None;
        match drive.stalls_at {
            None => Ok(Progress::Done),
            Some(column) => {
                let why = format!("the paddle does not move on from column {column}");
                Err(Fault::Stalled { part: "motor".to_owned(), why })
            }
        }
    }

    fn end(&mut self, _action: &Action) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        if self.drive.take().is_some() {
            self.console.borrow_mut().cancel_presses_after(self.clock.now());
        }
        Ok(())
    }
}
