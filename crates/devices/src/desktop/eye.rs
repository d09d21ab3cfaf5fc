//! The eye: what the screen shows where the target is, wherever it has moved to.

use std::time::Duration;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, PixelFormat};
use x11rb::protocol::xproto::Window;

use super::display::{DesktopError, Display, Place};
use super::veil::veil;
use super::{Shared, Target, lock};

/// Least time between two looks: a screen shows no more.
const PERIOD: Duration = Duration::from_millis(16);

/// How long a person must have left the mouse alone.
const QUIET: Duration = Duration::from_millis(1_500);
/// How often a person is waited for in one look.
const MOST_WAITING: u32 = 400;
/// The server moves a pointer off by this much at most by itself, in pixels.
pub(super) const SLACK: i32 = 2;

/// Looks at a part of the desktop.
#[derive(Debug)]
pub struct ScreenEye<C> {
    display: Display,
    target: Target,
    window: Option<Window>,
    shared: Shared,
    clock: C,
    frame: Frame,
    looks: u64,
}

impl<C: Clock> ScreenEye<C> {
    /// An eye on this target; an error if there is no such window.
    pub(super) fn new(
        display: Display,
        target: Target,
        shared: Shared,
        clock: C,
    ) -> Result<Self, DesktopError> {
        let window = match &target {
            Target::Window(title) => Some(display.find_window(title)?),
            Target::Screen | Target::Region { .. } => None,
        };
        let frame = Frame::blank(1, 1, PixelFormat::Rgb8);
        Ok(Self { display, target, window, shared, clock, frame, looks: 0 })
    }

    /// Where the target is now: a window is followed, and found again if it was closed and reopened.
    fn place(&mut self) -> Result<Place, Fault> {
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

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn lost(error: DesktopError) -> Fault {
    Fault::Lost { part: "window".to_owned(), why: error.to_string() }
}

impl<C: Clock> ScreenEye<C> {
    /// Looks away while a person moves the mouse or has just pressed Escape, for some time at most: whoever
    /// waits for this eye may have been told to stop.
    fn wait_for_person(&mut self) -> Result<(), DesktopError> {
        let (mut quiet_since, mut told) = (self.clock.now(), false);
        let mut disturbed = false;
        for _ in 0..MOST_WAITING {
            let pointer = self.display.pointer()?;
            let left_at = lock(&self.shared).left_at.replace(pointer);
            let moved =
                left_at.is_some_and(|(x, y)| (x - pointer.0).abs() > SLACK || (y - pointer.1).abs() > SLACK);
            let escape = self.display.is_escape_down()?;
            if moved || escape {
                (quiet_since, disturbed) = (self.clock.now(), true);
            }
            if !disturbed || self.clock.now().since(quiet_since) >= QUIET {
                break;
            }
            if !told {
                let what = if escape { "Escape was pressed" } else { "somebody moves the mouse" };
                tracing::info!("{what}; waiting until all is quiet for {QUIET:?}");
                told = true;
            }
            self.clock.sleep(PERIOD * 4);
        }
        Ok(())
    }
}

impl<C: Clock> Eye for ScreenEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        if self.looks > 0 {
            self.clock.sleep_until(self.frame.captured + PERIOD);
        }
        self.wait_for_person().map_err(lost)?;
        let place = self.place()?;
        let captured = self.clock.now();
        let lost_screen =
            |error: DesktopError| Fault::Lost { part: "screen".to_owned(), why: error.to_string() };
        // Other windows come and go while the picture is taken.
        let covers = |eye: &Self| match eye.window {
            Some(window) => eye.display.covers(window).map_err(lost_screen),
            None => Ok(Vec::new()),
        };
        let before = covers(self)?;
        let (mut picture, corner) = self.display.capture(place).map_err(lost_screen)?;
        veil(&mut picture, corner, &before);
        veil(&mut picture, corner, &covers(self)?);
        let mut shared = lock(&self.shared);
        (shared.corner, shared.window) = (corner, self.window);
        drop(shared);
        self.frame = Frame { sequence: self.looks, captured, origin: (0, 0), picture };
        self.looks += 1;
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: Some(PERIOD), ..EyePace::default() }
    }
}
