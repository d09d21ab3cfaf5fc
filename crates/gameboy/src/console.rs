//! What we want from a console, whoever emulates it.

use tetris::gameboy::Buttons;
use thiserror::Error;

/// Pixels in a row of the display.
pub const SCREEN_WIDTH: usize = 160;
/// Rows of the display.
pub const SCREEN_HEIGHT: usize = 144;
/// Clock ticks of one display period; 4,194,304 make a second.
pub const PERIOD: u64 = 70_224;

/// A console with a cartridge in it.
pub trait Console {
    /// One display period with these buttons held: from the moment a picture is complete to the
    /// moment the next one is. While the display is off, one period of time.
    fn step(&mut self, held: Buttons) -> Result<(), Crash>;

    /// The last complete picture.
    fn screen(&self) -> &Screen;

    /// A byte of memory. For tests: a player that peeks does not play.
    fn peek(&mut self, address: u16) -> u8;

    /// Everything the console is, to go back to; slow.
    fn save(&mut self) -> Result<Vec<u8>, Crash>;

    /// Goes back to what [`Console::save`] gave.
    fn restore(&mut self, state: &[u8]) -> Result<(), Crash>;
}

/// A picture of 160 × 144 shades, 0 white to 3 black, top row first.
#[derive(Clone, PartialEq, Eq)]
pub struct Screen {
    /// One byte a pixel.
    pub shades: Box<[u8]>,
}

impl Screen {
    /// A white screen.
    pub fn white() -> Screen {
        Screen { shades: vec![0; SCREEN_WIDTH * SCREEN_HEIGHT].into() }
    }

    /// The shade of a pixel; white outside the screen.
    pub fn shade(&self, x: usize, y: usize) -> u8 {
        if x < SCREEN_WIDTH { self.shades.get(y * SCREEN_WIDTH + x).copied().unwrap_or(0) } else { 0 }
    }
}

impl std::fmt::Debug for Screen {
    /// Every second row and pixel, as much as a failing test can show.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in (0..SCREEN_HEIGHT).step_by(2) {
            let row = (0..SCREEN_WIDTH).step_by(2);
            let line: String = row.map(|x| [' ', '-', '+', '#'][usize::from(self.shade(x, y) & 3)]).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// A program in the console did what no cartridge may do; the console stands still from then on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the console crashed after {frames} pictures: {why}")]
pub struct Crash {
    /// Complete pictures until then.
    pub frames: u64,
    /// What the emulator said.
    pub why: String,
}
