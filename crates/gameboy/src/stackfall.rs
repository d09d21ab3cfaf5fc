//! *Stackfall*, our own free cartridge: a falling-block game that keeps the
//! Game Boy's rules to the frame. Source, pictures and memory map: `rom/`.

use crate::cartridge::Cartridge;

/// The image as `cargo xtask rom` built it.
pub const IMAGE: &[u8] = include_bytes!("../../../rom/stackfall.gb");

/// The cartridge.
pub fn cartridge() -> Cartridge {
    Cartridge::ours(IMAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_cartridge_is_in_order_and_small() {
        assert_eq!(Cartridge::new(IMAGE.to_vec()), Ok(cartridge()));
        assert!(IMAGE.len() <= 0x8000);
    }
}
