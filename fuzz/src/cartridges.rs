//! Game Boy images.

use gameboy::cartridge::header_sum;
use gameboy::{Cartridge, Console, Emulator};
use tetris::gameboy::Buttons;

/// Enough to leave the reset and run into what is broken.
const PERIODS: u32 = 3;

/// Plays some periods of the image, as it is and with a header that is made valid.
pub fn insert(bytes: &[u8]) {
    play(bytes.to_vec());
    let mut image = bytes.to_vec();
    image.resize(image.len().next_multiple_of(0x4000).clamp(0x8000, 0x10000), 0);
    image[0x14D] = header_sum(&image);
    play(image);
}

fn play(image: Vec<u8>) {
    let Ok(cartridge) = Cartridge::new(image) else { return };
    let Ok(mut console) = Emulator::new(&cartridge) else { return };
    for _ in 0..PERIODS {
        // A crash is an answer; a panic would not be.
        if console.step(Buttons::START).is_err() {
            return;
        }
    }
}
