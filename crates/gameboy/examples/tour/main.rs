//! A tour through the cartridge with sound on: a line for every frame with its number, picture, scene and music,
//! for comparison with another emulator. `tour FRAMES`; called by `cargo xtask bench tour`.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::fmt::Write;

mod tour;

/// The title, a demo, the title again.
const QUIET: u32 = 9_000;

use gameboy::{Emulator, stackfall};

impl tour::Open for Emulator {
    fn set(&mut self, address: u16, value: u8) {
        self.poke(address, value);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let frames = std::env::args().nth(1).map_or(Ok(100_000), |frames| frames.parse())?;
    let mut console = Emulator::new(&stackfall::cartridge())?;
    console.listen();
    let mut lines = String::new();
    let mut loudest = 0;
    tour::tour(&mut console, frames, QUIET, |console, stop| {
        let peak = console.take_sound().into_iter().map(i16::abs).max().unwrap_or(0);
        loudest = loudest.max(peak);
        let tour::Stop { frame, scene, music, picture } = stop;
        let picture = picture.map_or("-".to_owned(), |picture| format!("{picture:08x}"));
        // Writing to a String cannot fail.
        let _ = writeln!(lines, "{frame} {picture} {scene} {music}");
    })?;
    print!("{lines}");
    eprintln!("loudest {loudest}");
    Ok(())
}
