//! The interface of a console, independent of the emulator behind it.

use tetris::gameboy::Buttons;
use thiserror::Error;

use crate::display::Screen;

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

/// The program did something that no cartridge may do; the console is halted from then on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the console crashed after {frames} pictures: {why}")]
pub struct Crash {
    /// Complete pictures until then.
    pub frames: u64,
    /// What the emulator said.
    pub why: String,
}
