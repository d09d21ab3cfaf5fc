//! An eye that must be directed: a light sensor on an arm above the field, one cell at a time.

use std::rc::Rc;
use std::time::Duration;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, PixelFormat};

use crate::console::SharedConsole;
use crate::rules::{COLUMNS, ROWS};
use crate::screen::cell_luma;

/// The pixel of a cell that this scan did not look at.
pub const NOT_LOOKED_AT: u8 = 1;
/// Time to read a cell.
const READ: Duration = Duration::from_millis(4);
/// Time to drive over one cell.
const DRIVE: Duration = Duration::from_millis(1);

/// Scans the field; a scan is a picture with one pixel a cell.
#[derive(Debug)]
pub struct Scanner<C> {
    console: SharedConsole,
    clock: C,
    frame: Frame,
    /// Where the sensor is: column, and row from the top.
    at: (u32, u32),
    looks: u64,
}

impl<C: Clock> Scanner<C> {
    /// A sensor above this console's field.
    pub fn new(console: &SharedConsole, clock: &C) -> Self {
        let frame = Frame::blank(u32::from(COLUMNS), u32::from(ROWS), PixelFormat::Gray8);
        Self { console: Rc::clone(console), clock: clock.clone(), frame, at: (0, 0), looks: 0 }
    }

    fn read(&mut self, (x, y): (u32, u32)) {
        let distance = x.abs_diff(self.at.0).max(y.abs_diff(self.at.1));
        self.clock.sleep(READ + DRIVE * distance);
        self.at = (x, y);
        let mut console = self.console.borrow_mut();
        console.advance_to(self.clock.now());
        // Rows count from the bottom in the game, from the top in pixels.
        let cell = (x as u8, ROWS - 1 - y as u8);
        self.frame.picture.pixels[(y * u32::from(COLUMNS) + x) as usize] = cell_luma(&console.game, cell);
    }
}

impl<C: Clock> Eye for Scanner<C> {
    /// Upwards, so that a falling ball is met, and to and fro.
    fn look(&mut self, focus: &Focus) -> Result<&Frame, Fault> {
        let failed_looks = self.console.borrow().faults.failed_looks;
        if self.console.borrow_mut().happens(failed_looks) {
            self.clock.sleep(READ);
            return Err(Fault::Silent { part: "sensor".to_owned(), after: READ });
        }
        let (columns, rows) = (u32::from(COLUMNS), u32::from(ROWS));
        self.frame.picture.pixels.fill(NOT_LOOKED_AT);
        let region = focus.bounds().filter(|_| !matches!(focus, Focus::Cells(_)));
        let inside = |&(x, y): &(u32, u32)| {
            region.is_none_or(|r| (r.x..r.x + r.width).contains(&x) && (r.y..r.y + r.height).contains(&y))
        };
        match focus {
            Focus::Cells(cells) => {
                for &(x, y) in cells.iter().filter(|(x, y)| *x < columns && *y < rows) {
                    self.read((x, y));
                }
            }
            Focus::Everything | Focus::Region(_) => {
                let to_and_fro = |y: u32| {
                    (0..columns).map(move |x| (if y.is_multiple_of(2) { x } else { columns - 1 - x }, y))
                };
                for cell in (0..rows).rev().flat_map(to_and_fro).filter(inside) {
                    self.read(cell);
                }
            }
        }
        self.frame.captured = self.clock.now();
        self.frame.sequence = self.looks;
        self.looks += 1;
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: None, ..EyePace::default() }
    }
}
