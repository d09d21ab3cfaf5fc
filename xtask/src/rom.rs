//! `cargo xtask rom`: builds the Game Boy cartridge *Stackfall* from `rom/`.

mod songs;
mod tiles;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::{install, run};

const IMAGE: &str = "rom/stackfall.gb";
const GBX_IMAGE: &str = "rom/stackfall.gbx";
const SOURCES: &str = "rom/src";
const TILES: &str = "rom/tiles.txt";
const SONGS: &str = "rom/songs.txt";
const C_FILES: [&str; 11] =
    ["main", "play", "rubble", "screen", "title", "menu", "ending", "rocket", "demo", "sound", "link"];

/// Builds the image and writes it to where the program embeds it.
pub fn rom() -> anyhow::Result<()> {
    install::debian(&[("sdcc", "sdcc")])?;
    let image = build(Path::new("target/rom"))?;
    fs::write(IMAGE, &image)?;
    eprintln!("{IMAGE}: {} bytes", image.len());
    fs::write(GBX_IMAGE, gbx(&image))?;
    eprintln!("{GBX_IMAGE}: the same for emulators that look for a logo");
    Ok(())
}

/// Builds the image in `folder` and returns its bytes.
fn build(folder: &Path) -> anyhow::Result<Vec<u8>> {
    fs::create_dir_all(folder)?;
    let sources = std::path::absolute(SOURCES)?;
    let tiles = fs::read_to_string(TILES).with_context(|| TILES.to_owned())?;
    fs::write(folder.join("tiles.c"), tiles::tiles_in_c(&tiles::pack_tiles(&tiles)?))?;
    let songs = fs::read_to_string(SONGS).with_context(|| SONGS.to_owned())?;
    let songs = songs::parse(&songs)?;
    fs::write(folder.join("songs.h"), songs::header(&songs))?;
    fs::write(folder.join("songs.c"), songs::in_c(&songs))?;
    let start = sources.join("start.s");
    tool(folder, "sdasgb", &["-o", "start.rel", text(&start)?])?;
    let mut objects = vec!["start.rel".to_owned()];
    for name in C_FILES {
        compile(folder, text(&sources.join(format!("{name}.c")))?, name, &mut objects)?;
    }
    compile(folder, "tiles.c", "tiles", &mut objects)?;
    compile(folder, "songs.c", "songs", &mut objects)?;
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
    let flags = ["-msm83", "--opt-code-speed", "--std-c11", "-I.", "-c", "-o", &object];
    tool(folder, "sdcc", &[flags.as_slice(), &[source]].concat())?;
    // The compiler leaves its assembly beside the object.
    let assembly = fs::read_to_string(folder.join(format!("{name}.asm")))?;
    if let Some(line) = misread(&assembly) {
        bail!(
            "{name}.c: sdcc 4.2 reads a 16-bit value that it has just written from the wrong address \
             ({name}.asm:{line}); compute it in a local variable and write it once"
        );
    }
    objects.push(object);
    Ok(())
}

/// The line of assembly where the compiler reads back a word that it has just written, from one byte too far.
///
/// After `ld (hl+), a` and `ld (hl), b` the pointer stands on the upper byte; sdcc 4.2 believes that it stands
/// on the lower one. A line counter compared in the statement after its sum passed 9,999 that way.
fn misread(assembly: &str) -> Option<usize> {
    let code: Vec<_> =
        assembly.lines().enumerate().map(|(number, line)| (number + 1, code_of(line))).collect();
    let code: Vec<_> = code.iter().filter(|(_, code)| !code.is_empty()).collect();
    code.windows(3).find_map(|window| {
        let [low, high, read] = window else { return None };
        let wrote_word = low.1 == "ld (hl+), a" && high.1.starts_with("ld (hl), ");
        let reads = read.1.starts_with("ld ") && (read.1.ends_with(", (hl+)") || read.1.ends_with(", (hl)"));
        (wrote_word && reads).then_some(read.0)
    })
}

/// A line of assembly without its comment, with single blanks.
fn code_of(line: &str) -> String {
    let code = line.split(';').next().unwrap_or_default();
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The image with a GBX footer (format version 1.0), which names the cartridge's kind outright.
///
/// Emulators that know the format take such a file by its footer and not by the first bytes of a logo.
fn gbx(image: &[u8]) -> Vec<u8> {
    let word = |value: usize| (value as u32).to_be_bytes();
    let mut file = image.to_vec();
    // Kind of cartridge; battery, rumble, clock: none; sizes of ROM and RAM; 32 bytes for odd mappers.
    file.extend(b"ROM\0\0\0\0\0");
    file.extend(word(image.len()));
    file.extend(word(0));
    file.extend([0; 32]);
    // Size of the footer, version, mark.
    file.extend(word(64));
    file.extend(word(1));
    file.extend(word(0));
    file.extend(b"GBX!");
    file
}

fn tool(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    run::run_command(Command::new(program).args(arguments).current_dir(folder))
}

fn text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the path of the workspace is not valid UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_read_back_from_one_byte_too_far_is_found() {
        let written = "\tld\thl, #0xc0b0\n\tld\ta, c\n\tld\t(hl+), a\n\tld\t(hl), b\n";
        assert_eq!(misread(&format!("{written};play.c:297: if\n\tld\ta, (hl+)\n")), Some(6));
        assert_eq!(misread(&format!("{written}\tld\thl, #0xc0b0\n\tld\ta, (hl+)\n")), None);
        assert_eq!(misread(&format!("{written}00108$:\n\tld\ta, (hl+)\n")), None);
    }

    #[test]
    fn a_gbx_file_is_the_image_and_a_footer_of_64_bytes() {
        let file = gbx(&vec![7; 0x8000]);
        assert_eq!(file.len(), 0x8040);
        assert_eq!(file[0x8000..0x8004], *b"ROM\0");
        assert_eq!(file[0x8030..], *b"\0\0\0\x40\0\0\0\x01\0\0\0\0GBX!");
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
        assert!(gbx(&image) == fs::read(GBX_IMAGE).unwrap(), "rom/ changed: run `cargo xtask rom`");
    }
}
