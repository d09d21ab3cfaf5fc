//! The plain body: an eye on the console's screen, a hand on its buttons.

use std::rc::Rc;
use std::time::Duration;

use engine::{Body, Clock, Eye, EyePace, Fault, Focus, Frame, Hand, Latency, Mapping, Picture, PixelFormat};

use crate::action::Action;
use crate::console::SharedConsole;
use crate::rules::Button;
use crate::screen::{SCREEN_HEIGHT, SCREEN_WIDTH, draw};

/// The time between two frames: the camera's 30 a second.
pub const FRAME_PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// A body that sees the screen as it is and presses the buttons.
pub fn direct_body<C: Clock>(console: &SharedConsole, clock: &C) -> Body<ScreenEye<C>, ButtonHand<C>> {
    Body { eye: ScreenEye::new(console, clock), hand: ButtonHand::new(console, clock) }
}

/// Looks at the console's screen, 30 times a second.
#[derive(Debug)]
pub struct ScreenEye<C> {
    console: SharedConsole,
    clock: C,
    frame: Frame,
    /// The picture before the last change, the older half of a torn frame.
    previous: Picture,
    drawn_beat: Option<u32>,
    torn: bool,
    looks: u64,
}

impl<C: Clock> ScreenEye<C> {
    /// An eye on this console.
    pub fn new(console: &SharedConsole, clock: &C) -> Self {
        let frame = Frame::blank(SCREEN_WIDTH, SCREEN_HEIGHT, PixelFormat::Gray8);
        Self {
            console: Rc::clone(console),
            clock: clock.clone(),
            previous: frame.picture.clone(),
            frame,
            drawn_beat: None,
            torn: false,
            looks: 0,
        }
    }
}

impl<C: Clock> Eye for ScreenEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        self.clock.sleep_until(self.frame.captured + FRAME_PERIOD);
        let now = self.clock.now();
        self.frame.captured = now;
        let mut console = self.console.borrow_mut();
        let faults = console.faults;
        if console.happens(faults.failed_looks) {
            return Err(Fault::Silent { part: "eye".to_owned(), after: FRAME_PERIOD });
        }
        let age = console.duration(faults.eye_latency);
        console.advance_to(now - age);
        let beat = console.game.beat();
        if self.drawn_beat != Some(beat) || self.torn {
            if !self.torn {
                self.previous.clone_from(&self.frame.picture);
            }
            draw(&console.game, &mut self.frame.picture);
            // Only a frame on which something changes can show two moments.
            self.torn = self.drawn_beat != Some(beat) && console.happens(faults.torn_frames);
            self.drawn_beat = Some(beat);
            if self.torn {
                let half = self.frame.picture.pixels.len() / 2;
                self.frame.picture.pixels[half..].copy_from_slice(&self.previous.pixels[half..]);
            }
        }
        self.frame.sequence = self.looks;
        self.looks += 1;
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: Some(FRAME_PERIOD), latency: self.console.borrow().faults.eye_latency }
    }
}

/// Presses the console's buttons.
#[derive(Debug)]
pub struct ButtonHand<C> {
    console: SharedConsole,
    clock: C,
}

impl<C: Clock> ButtonHand<C> {
    /// A hand on this console.
    pub fn new(console: &SharedConsole, clock: &C) -> Self {
        Self { console: Rc::clone(console), clock: clock.clone() }
    }

    /// A press goes down now.
    pub(crate) fn press(&self, button: Button) -> Result<(), Fault> {
        let mut console = self.console.borrow_mut();
        let faults = console.faults;
        if console.happens(faults.refused_commands) {
            return Err(Fault::Refused { part: "hand".to_owned(), why: "simulated refusal".to_owned() });
        }
        if !console.happens(faults.lost_presses) {
            let effect = self.clock.now() + console.duration(faults.hand_latency);
            console.press_at(effect, button);
        }
        Ok(())
    }
}

impl<C: Clock> Hand for ButtonHand<C> {
    type Action = Action;

    fn begin(&mut self, action: &Action, _mapping: &Mapping) -> Result<(), Fault> {
        match action {
            Action::Press(button) => self.press(*button),
            Action::DriveTo { .. } => {
                Err(Fault::Refused { part: "hand".to_owned(), why: "buttons have no motor".to_owned() })
            }
        }
    }

    fn end(&mut self, _action: &Action) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn latency(&self) -> Latency {
        self.console.borrow().faults.hand_latency
    }
}
