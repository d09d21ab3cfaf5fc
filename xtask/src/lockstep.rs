//! `cargo xtask lockstep`: what the tests of the Game Boy do on a stride, in full.

use clap::Args;

use crate::run;

/// How much is played.
#[derive(Args, Debug)]
pub struct Lockstep {
    /// Games of the cartridge beside the rules.
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Number of the first game, to go on from an earlier run.
    #[arg(long, default_value_t = 0)]
    first: u64,

    /// Frames a game at most.
    #[arg(long, default_value_t = 6_000)]
    frames: u32,

    /// Random and mutated cartridge images.
    #[arg(long, default_value_t = 10_000)]
    images: u64,
}

/// Plays all of it; an error at the first difference.
pub fn lockstep(options: &Lockstep) -> anyhow::Result<()> {
    let cargo = ["run", "--quiet", "--release", "--package", "gameboy", "--example", "lockstep", "--"];
    let numbers = [options.games, u64::from(options.frames), options.images, options.first];
    let numbers = numbers.map(|number| number.to_string());
    let said = run::capture("cargo", &[cargo.as_slice(), &numbers.each_ref().map(String::as_str)].concat())?;
    // The emulator comments on everything broken cartridges do.
    for line in said.lines().filter(|line| !line.starts_with('[')) {
        eprintln!("{line}");
    }
    Ok(())
}
