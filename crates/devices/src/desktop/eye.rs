//! The eye: what the screen shows where the target is, wherever it has moved to.

use std::sync::PoisonError;
use std::time::Duration;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, PixelFormat};
use x11rb::protocol::xproto::Window;

use super::display::{DesktopError, Display, Place};
use super::{Origin, Target};

/// Least time between two looks: a screen shows no more.
const PERIOD: Duration = Duration::from_millis(16);

/// Looks at a part of the desktop.
#[derive(Debug)]
pub struct ScreenEye<C> {
    display: Display,
    target: Target,
    window: Option<Window>,
    origin: Origin,
    clock: C,
    frame: Frame,
    looks: u64,
}

impl<C: Clock> ScreenEye<C> {
    /// An eye on this target; an error if there is no such window.
    pub(super) fn new(
        display: Display,
        target: Target,
        origin: Origin,
        clock: C,
    ) -> Result<Self, DesktopError> {
        let window = match &target {
            Target::Window(title) => Some(display.find_window(title)?),
            Target::Screen | Target::Region { .. } => None,
        };
        let frame = Frame::blank(1, 1, PixelFormat::Rgb8);
        Ok(Self { display, target, window, origin, clock, frame, looks: 0 })
    }

    /// Where the target is now: a window is followed, and found again if it was opened anew.
    fn place(&mut self) -> Result<Place, Fault> {
        let lost = |error: DesktopError| Fault::Lost { part: "window".to_owned(), why: error.to_string() };
        let (width, height) = self.display.size;
        match &self.target {
            Target::Screen => Ok(Place { x: 0, y: 0, width, height }),
            &Target::Region { x, y, width, height } => Ok(Place { x, y, width, height }),
            Target::Window(title) => {
                let known = self.window.filter(|&window| self.display.place(window).is_ok());
                let window = match known {
                    Some(window) => window,
                    None => self.display.find_window(title).map_err(lost)?,
                };
                self.window = Some(window);
                if !self.display.is_visible(window).map_err(lost)? {
                    let why = format!("`{title}` is minimised");
                    return Err(Fault::Lost { part: "window".to_owned(), why });
                }
                self.display.place(window).map_err(lost)
            }
        }
    }
}

impl<C: Clock> Eye for ScreenEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        if self.looks > 0 {
            self.clock.sleep_until(self.frame.captured + PERIOD);
        }
        let place = self.place()?;
        let captured = self.clock.now();
        let (picture, corner) = self
            .display
            .capture(place)
            .map_err(|error| Fault::Lost { part: "screen".to_owned(), why: error.to_string() })?;
        *self.origin.lock().unwrap_or_else(PoisonError::into_inner) = corner;
        self.frame = Frame { sequence: self.looks, captured, origin: (0, 0), picture };
        self.looks += 1;
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: Some(PERIOD), ..EyePace::default() }
    }
}
