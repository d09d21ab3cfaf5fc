//! Random and mutated cartridge images: whatever is in a file, the answer is
//! an error or a console that goes on, in bounded time.

use std::fmt;
use std::ops::Range;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::gameboy::Buttons;

use gameboy::cartridge::{Cartridge, header_sum};
use gameboy::{Console, Emulator, stackfall};

/// Display periods an image gets.
const PERIODS: u32 = 12;

/// What became of images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// Not accepted as a cartridge.
    pub refused: u64,
    /// Stopped with an error while running.
    pub crashed: u64,
    /// Still running at the end of its time.
    pub running: u64,
}

impl fmt::Display for Fates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fates { refused, crashed, running } = self;
        write!(f, "{refused} refused, {crashed} crashed with an error, {running} ran on")
    }
}

/// Tries the images with these numbers.
pub fn images(numbers: Range<u64>) -> Fates {
    let mut fates = Fates::default();
    for number in numbers {
        let Ok(cartridge) = Cartridge::new(image(number)) else {
            fates.refused += 1;
            continue;
        };
        let Ok(mut console) = Emulator::new(&cartridge) else {
            fates.refused += 1;
            continue;
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let survived = (0..PERIODS).all(|_| console.step(Buttons(random.random())).is_ok());
        if survived {
            fates.running += 1;
        } else {
            fates.crashed += 1;
        }
    }
    fates
}

/// Image number `number`: noise, our cartridge with some bytes changed, or cut short.
fn image(number: u64) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number ^ 0x00CA_57E7);
    let mut image = if number.is_multiple_of(3) {
        let mut noise = vec![0; 0x8000 << random.random_range(0..3)];
        random.fill_bytes(&mut noise);
        noise
    } else {
        stackfall::IMAGE.to_vec()
    };
    let length = image.len();
    for _ in 0..1 << random.random_range(0..10) {
        image[random.random_range(0..length)] = random.random();
    }
    if random.random_bool(0.1) {
        image.truncate(random.random_range(0..length));
    }
    // Most headers are made valid again, so that the body is put to the test and not the sum.
    if image.len() > 0x150 && random.random_bool(0.9) {
        image[0x147] = [0, 0, 1, 3, 5, 0x13, 0x19, 0x1E][random.random_range(0..8)];
        image[0x14D] = header_sum(&image);
    }
    image
}
