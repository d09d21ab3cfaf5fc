//! `cargo xtask lockstep`: the Game Boy's lockstep and robustness tests in full length.

use clap::Args;

use crate::run;

/// How much to play.
#[derive(Args, Debug)]
pub struct Lockstep {
    /// Games to play on the cartridge and by the rules.
    #[arg(long, default_value_t = 1_000)]
    games: u64,

    /// Number of the first game, to continue an earlier run.
    #[arg(long, default_value_t = 0)]
    first: u64,

    /// Most frames per game.
    #[arg(long, default_value_t = 6_000)]
    frames: u32,

    /// Number of random and mutated cartridge images.
    #[arg(long, default_value_t = 10_000)]
    images: u64,
}

/// Plays everything; fails at the first difference.
pub fn lockstep(options: &Lockstep) -> anyhow::Result<()> {
    let cargo = ["run", "--quiet", "--release", "--package", "gameboy", "--example", "lockstep", "--"];
    let numbers = [options.games, u64::from(options.frames), options.images, options.first];
    let numbers = numbers.map(|number| number.to_string());
    let said = run::capture("cargo", &[cargo.as_slice(), &numbers.each_ref().map(String::as_str)].concat())?;
    // The emulator logs everything that broken cartridges do.
    for line in said.lines().filter(|line| !line.starts_with('[')) {
        eprintln!("{line}");
    }
    Ok(())
}
