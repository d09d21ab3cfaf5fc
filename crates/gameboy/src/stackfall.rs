//! *Stackfall*, our own free cartridge: a falling-block game that keeps the
//! Game Boy's rules to the frame. Source, pictures and memory map: `rom/`.

use crate::cartridge::Cartridge;

/// The image as `cargo xtask rom` built it.
pub const IMAGE: &[u8] = include_bytes!("../../../rom/stackfall.gb");

/// The cartridge.
pub fn cartridge() -> Cartridge {
    #[expect(clippy::expect_used, reason = "the image is part of the program, and a test checks it")]
    Cartridge::new(IMAGE.to_vec()).expect("our own cartridge is in order")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_cartridge_is_in_order_and_small() {
        assert!(cartridge().bytes().len() <= 0x8000);
    }
}
