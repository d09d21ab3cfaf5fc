//! `cargo xtask rom`: builds the Game Boy cartridge *Stackfall* from `rom/`.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::{install, run};

const IMAGE: &str = "rom/stackfall.gb";
const SOURCES: &str = "rom/src";
const TILES: &str = "rom/tiles.txt";
/// Number of tiles that the cartridge loads; missing ones are blank.
const TILE_COUNT: usize = 0x90;
const C_FILES: [&str; 5] = ["main", "play", "screen", "menu", "link"];

/// Builds the image and writes it to where the program embeds it.
pub fn rom() -> anyhow::Result<()> {
    install::debian(&[("sdcc", "sdcc")])?;
    let image = build(Path::new("target/rom"))?;
    fs::write(IMAGE, &image)?;
    eprintln!("{IMAGE}: {} bytes", image.len());
    Ok(())
}

/// Builds the image in `folder` and returns its bytes.
fn build(folder: &Path) -> anyhow::Result<Vec<u8>> {
    fs::create_dir_all(folder)?;
    let sources = std::path::absolute(SOURCES)?;
    let tiles = fs::read_to_string(TILES).with_context(|| TILES.to_owned())?;
    fs::write(folder.join("tiles.c"), tiles_in_c(&pack_tiles(&tiles)?))?;
    let start = sources.join("start.s");
    tool(folder, "sdasgb", &["-o", "start.rel", text(&start)?])?;
    let mut objects = vec!["start.rel".to_owned()];
    for name in C_FILES {
        compile(folder, text(&sources.join(format!("{name}.c")))?, name, &mut objects)?;
    }
    compile(folder, "tiles.c", "tiles", &mut objects)?;
    // Code follows the header and start-up code; the fixed addresses of memory.h end below 0xC700.
    let flags =
        ["-msm83", "--no-std-crt0", "--code-loc", "0x200", "--data-loc", "0xC700", "-o", "stackfall.ihx"];
    let objects: Vec<_> = objects.iter().map(String::as_str).collect();
    tool(folder, "sdcc", &[flags.as_slice(), &objects].concat())?;
    // -Z: a Game Boy image with checksums; -yN: no logo in the header.
    tool(folder, "makebin", &["-Z", "-yN", "-yn", "STACKFALL", "stackfall.ihx", "stackfall.gb"])?;
    Ok(fs::read(folder.join("stackfall.gb"))?)
}

fn compile(folder: &Path, source: &str, name: &str, objects: &mut Vec<String>) -> anyhow::Result<()> {
    let object = format!("{name}.rel");
    tool(folder, "sdcc", &["-msm83", "--opt-code-speed", "--std-c11", "-c", "-o", &object, source])?;
    objects.push(object);
    Ok(())
}

fn tool(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    run::run_command(Command::new(program).args(arguments).current_dir(folder))
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the path of the workspace is not valid UTF-8")
}

/// Packs two bits per pixel in the console's order: for each row the low bits, then the high bits.
fn pack_tiles(drawing: &str) -> anyhow::Result<Vec<u8>> {
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

fn tiles_in_c(bytes: &[u8]) -> String {
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
        assert!(pack_tiles("90 too far\n").is_err());
        assert!(pack_tiles("00 half\n########\n").is_err());
    }

    #[test]
    fn the_committed_image_is_what_the_sources_give() {
        run::enter_workspace_root().unwrap();
        // Other compiler releases produce other bytes; the committed image was built with Debian's.
        let version = run::capture("sdcc", &["--version"]).unwrap_or_default();
        if !version.contains(" 4.2.0 ") {
            eprintln!("sdcc 4.2.0 is not installed: nothing to compare");
            return;
        }
        let folder = std::env::temp_dir().join(format!("stackfall-{}", std::process::id()));
        let image = build(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(image == fs::read(IMAGE).unwrap(), "rom/ changed: run `cargo xtask rom`");
    }
}
