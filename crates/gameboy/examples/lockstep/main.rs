//! Plays games of the cartridge beside the rules, then broken cartridges: `lockstep GAMES FRAMES IMAGES FIRST`.
//! Called by `cargo xtask lockstep`.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;

mod images;
mod walk;

use gameboy::{Emulator, stackfall};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    let (games, frames, images, first) = (next(1_000)?, next(6_000)?, next(10_000)?, next(0)?);
    let mut total = walk::Walk::default();
    let mut ended = 0;
    for seed in first..first + games {
        let mut console = Emulator::new(&stackfall::cartridge())?;
        let walk = walk::walk(&mut console, seed, frames as u32)?;
        total.frames += walk.frames;
        total.lines += walk.lines;
        total.pieces += walk.pieces;
        ended += u32::from(walk.ended);
        if (seed + 1).is_multiple_of(50) {
            eprintln!("{} games, {} frames", seed + 1, total.frames);
        }
    }
    println!(
        "lockstep: {games} games from {first} on agree in all of {} frames; {} pieces, {} lines, {ended} games ended by themselves",
        total.frames, total.pieces, total.lines
    );
    let fates = images::images(0..images);
    println!("images: {images} random and mutated, none hung or panicked; {fates}");
    Ok(())
}
