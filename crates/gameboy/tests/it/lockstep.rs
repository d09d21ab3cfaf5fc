//! The cartridge keeps the rules to the frame. `cargo xtask lockstep` walks a thousand games.

use gameboy::{Emulator, stackfall};

use crate::walk::walk;

#[test]
fn the_cartridge_and_the_rules_agree_in_every_frame() {
    let (mut frames, mut lines) = (0, 0);
    for seed in (0..1_000).step_by(84) {
        let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
        let walked = walk(&mut console, seed, 3_000).unwrap_or_else(|difference| panic!("{difference}"));
        frames += walked.frames;
        lines += walked.lines;
        println!("{seed} {walked:?}");
    }
    assert!(frames > 15_000 && lines > 20, "{frames} frames and {lines} lines test too little");
}
