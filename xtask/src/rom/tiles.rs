//! The pictures, from text to the console's tiles.

use std::fmt::Write;

use anyhow::{Context, bail};

use super::TILES;

/// Number of tiles that the cartridge loads; missing ones are blank.
const TILE_COUNT: usize = 0xB0;

/// Packs two bits per pixel in the console's order: for each row the low bits, then the high bits.
pub fn pack_tiles(drawing: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = vec![0; TILE_COUNT * 16];
    let mut lines =
        drawing.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with("# "));
    while let Some((number, title)) = lines.next() {
        let tile = title.get(..2).and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(tile) = tile.filter(|tile| *tile < TILE_COUNT) else {
            bail!(
                "{TILES}:{}: “{title}” must start with the number of a tile, 00 to {:02X}",
                number + 1,
                TILE_COUNT - 1
            );
        };
        for row in 0..8 {
            let (number, line) = lines.next().unwrap_or((number, ""));
            let (low, high) = pack_row(line).with_context(|| {
                format!("{TILES}:{}: expected eight characters of . - + #, found “{line}”", number + 1)
            })?;
            bytes[tile * 16 + row * 2] = low;
            bytes[tile * 16 + row * 2 + 1] = high;
        }
    }
    Ok(bytes)
}

fn pack_row(line: &str) -> Option<(u8, u8)> {
    if line.len() != 8 {
        return None;
    }
    line.chars().try_fold((0, 0), |(low, high), pixel| {
        let shade = ['.', '-', '+', '#'].iter().position(|known| *known == pixel)? as u8;
        Some((low << 1 | shade & 1, high << 1 | shade >> 1))
    })
}

pub fn tiles_in_c(bytes: &[u8]) -> String {
    let mut code = format!("const unsigned char tiles[{}] = {{", bytes.len());
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(code, "{byte},");
    }
    code + "};\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_become_two_planes() {
        assert_eq!(pack_row(".-+#.-+#"), Some((0b0101_0101, 0b0011_0011)));
        assert_eq!(pack_row("short"), None);
        assert_eq!(pack_row("........."), None);
        assert!(pack_tiles("B0 too far\n").is_err());
        assert!(pack_tiles("00 half\n########\n").is_err());
    }
}
