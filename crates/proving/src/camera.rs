//! A camera that sees the console at an angle and is sometimes bumped.

use std::rc::Rc;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, Mapping, PixelFormat, Point, Time};

use crate::console::SharedConsole;
use crate::direct::ScreenEye;
use crate::screen::{SCREEN_HEIGHT, SCREEN_WIDTH};

/// Pixels in a row of a frame.
pub const FRAME_WIDTH: u32 = 960;
/// Rows of a frame.
pub const FRAME_HEIGHT: u32 = 720;
/// Width of the light bezel around the screen, in pixels of the screen.
pub const BEZEL: u32 = 8;
/// Luma of the bezel.
pub const BEZEL_LUMA: u8 = 170;
/// Luma of the table the console lies on.
const TABLE_LUMA: u8 = 20;
/// Where the corners of the screen are seen before the first knock.
const CORNERS: [Point; 4] =
    [Point::new(130.0, 95.0), Point::new(830.0, 120.0), Point::new(790.0, 630.0), Point::new(100.0, 600.0)];
/// The most a knock moves a corner, in pixels of the frame.
const KNOCK: u32 = 24;

/// Sees the console's screen, its bezel and the table around it.
#[derive(Debug)]
pub struct TiltedCamera<C> {
    console: SharedConsole,
    screen: ScreenEye<C>,
    frame: Frame,
    /// For every pixel of a frame what it shows.
    pose: Vec<Shown>,
    next_knock: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Table,
    Bezel,
    Screen(u32),
}

impl<C: Clock> TiltedCamera<C> {
    /// A camera above this console.
    pub fn new(console: &SharedConsole, clock: &C) -> Self {
        let knock_every = console.borrow().faults.knock_every;
        Self {
            console: Rc::clone(console),
            screen: ScreenEye::new(console, clock),
            frame: Frame::blank(FRAME_WIDTH, FRAME_HEIGHT, PixelFormat::Gray8),
            pose: pose(CORNERS),
            next_knock: Time::START + knock_every,
        }
    }

    /// The camera is bumped: every corner moves.
    fn knock(&mut self) {
        let mut console = self.console.borrow_mut();
        let mut shifted =
            |middle: f64| middle + f64::from(console.number_below(2 * KNOCK)) - f64::from(KNOCK);
        self.pose = pose(CORNERS.map(|corner| Point::new(shifted(corner.x), shifted(corner.y))));
    }
}

impl<C: Clock> Eye for TiltedCamera<C> {
    fn look(&mut self, focus: &Focus) -> Result<&Frame, Fault> {
        let (captured, sequence) = {
            let frame = self.screen.look(focus)?;
            for (pixel, shown) in self.frame.picture.pixels.iter_mut().zip(&self.pose) {
                *pixel = match shown {
                    Shown::Table => TABLE_LUMA,
                    Shown::Bezel => BEZEL_LUMA,
                    Shown::Screen(index) => frame.picture.pixels[*index as usize],
                };
            }
            (frame.captured, frame.sequence)
        };
        (self.frame.captured, self.frame.sequence) = (captured, sequence);
        let knock_every = self.console.borrow().faults.knock_every;
        if !knock_every.is_zero() && captured >= self.next_knock {
            self.next_knock = captured + knock_every;
            self.knock();
        }
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        self.screen.pace()
    }
}

/// What each pixel of a frame shows when the screen's corners are seen there.
fn pose(corners: [Point; 4]) -> Vec<Shown> {
    let screen = Mapping::corners(f64::from(SCREEN_WIDTH), f64::from(SCREEN_HEIGHT));
    // Corners a knock apart from a rectangle are never on a line.
    let mapping = Mapping::from_corners(screen, corners).unwrap_or(Mapping::IDENTITY);
    let bezel = f64::from(BEZEL);
    let pixels = (0..FRAME_HEIGHT).flat_map(|y| (0..FRAME_WIDTH).map(move |x| (x, y)));
    let shown = |(x, y): (u32, u32)| {
        let Some(Point { x, y }) = mapping.to_screen(Point::middle_of(x, y)) else { return Shown::Table };
        let (right, bottom) = (f64::from(SCREEN_WIDTH), f64::from(SCREEN_HEIGHT));
        if (0.0..right).contains(&x) && (0.0..bottom).contains(&y) {
            Shown::Screen(y as u32 * SCREEN_WIDTH + x as u32)
        } else if (-bezel..right + bezel).contains(&x) && (-bezel..bottom + bezel).contains(&y) {
            Shown::Bezel
        } else {
            Shown::Table
        }
    };
    pixels.map(shown).collect()
}
