//! A picture by the terminal's own graphics: the protocols of kitty and iTerm2, and sixels.

use std::fmt::Write as _;

use engine::Picture;

use super::WORDS;
use super::offer::Graphics;

/// Takes back the picture that a kitty keeps; other terminals ignore it.
pub const FORGET: &str = "\x1b_Ga=d,d=I,i=1,q=2\x1b\\";
/// Characters of text in one piece of kitty's protocol.
const PIECE: usize = 4096;
/// Shades that sixels use.
const SHADES: u8 = 16;

impl Graphics {
    /// Writes the picture; returns the pixels in a column and in a row of characters, 0 where that is not known.
    pub fn draw(self, picture: &Picture, room: (u16, u16), out: &mut String) -> (u32, u32) {
        // Writing to a String cannot fail.
        let _ = write!(out, "\x1b[{};1H", WORDS + 1);
        let (columns, rows) = extent(picture, room);
        match self {
            Graphics::Kitty => kitty(&png(picture), columns, rows, out),
            Graphics::Iterm2 => {
                let size = format!("width={columns};height={rows};preserveAspectRatio=1;doNotMoveCursor=1");
                let _ = write!(out, "\x1b]1337;File=inline=1;{size}:{}\x07", base64(&png(picture)));
            }
            Graphics::Sixel => {
                sixels(picture, if picture.width <= 320 { 3 } else { 1 }, out);
                return (0, 0);
            }
            Graphics::Characters => {}
        }
        (picture.width / columns.max(1), picture.height / rows.max(1))
    }
}

/// Columns and rows of characters for a picture: a character is about twice as high as it is wide.
fn extent(picture: &Picture, (columns, rows): (u16, u16)) -> (u32, u32) {
    let (width, height) = (picture.width.max(1), picture.height.max(1));
    let most = u32::from(rows.saturating_sub(WORDS)).max(1);
    let columns = u32::from(columns).min(80).min(most * 2 * width / height).max(1);
    (columns, (columns * height / width / 2).max(1))
}

fn png(picture: &Picture) -> Vec<u8> {
    let mut png = Vec::new();
    // A picture whose size is wrong cannot be drawn; the next one may be.
    let _ = picture.write_png(&mut png);
    png
}

/// One picture with the number 1, which takes the place of the one before.
fn kitty(png: &[u8], columns: u32, rows: u32, out: &mut String) {
    let text = base64(png);
    let mut pieces = text.as_bytes().chunks(PIECE).peekable();
    let mut keys = format!("a=T,f=100,i=1,p=1,q=2,C=1,c={columns},r={rows},");
    while let Some(piece) = pieces.next() {
        let more = u8::from(pieces.peek().is_some());
        let _ = write!(out, "\x1b_G{keys}m={more};{}\x1b\\", String::from_utf8_lossy(piece));
        keys.clear();
    }
}

/// Each pixel as a square of this side.
fn sixels(picture: &Picture, side: u32, out: &mut String) {
    let (width, height) = (picture.width * side, picture.height * side);
    let _ = write!(out, "\x1bP0;1;0q\"1;1;{width};{height}");
    for shade in 0..SHADES {
        let percent = u32::from(shade) * 100 / u32::from(SHADES - 1);
        let _ = write!(out, "#{shade};2;{percent};{percent};{percent}");
    }
    let bytes = picture.format.bytes();
    let shade = |x: u32, y: u32| {
        let luma = picture.row(y / side).get((x / side) as usize * bytes).copied();
        luma.map(|luma| (u16::from(luma) * u16::from(SHADES - 1) + 127) / 255)
    };
    for band in (0..height).step_by(6) {
        for colour in 0..u16::from(SHADES) {
            let column = |x: u32| {
                let dots = (0..6).filter(|dot| shade(x, band + dot) == Some(colour));
                dots.fold(0u8, |dots, dot| dots | 1 << dot)
            };
            let columns: Vec<u8> = (0..width).map(column).collect();
            if columns.iter().all(|dots| *dots == 0) {
                continue;
            }
            let _ = write!(out, "#{colour}");
            for run in columns.chunk_by(|a, b| a == b) {
                let glyph = char::from(b'?' + run[0]);
                match run.len() {
                    1..=3 => out.extend(std::iter::repeat_n(glyph, run.len())),
                    length => {
                        let _ = write!(out, "!{length}{glyph}");
                    }
                }
            }
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number =
            group.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::PixelFormat;

    fn screen() -> Picture {
        let mut picture = Picture::black(160, 144, PixelFormat::Gray8);
        for (i, pixel) in picture.pixels.iter_mut().enumerate() {
            *pixel = [0, 85, 170, 255][(i * i / 7) % 4];
        }
        picture
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_kitty_gets_one_picture_in_pieces() {
        let mut out = String::new();
        let grain = Graphics::Kitty.draw(&screen(), (80, 50), &mut out);
        assert_eq!(grain, (2, 4));
        let pieces: Vec<&str> = out.split("\x1b_G").skip(1).collect();
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() < PIECE + 80));
        assert!(pieces[0].starts_with("a=T,f=100,i=1") && pieces[0].contains("c=80,r=36,m=1;"));
        assert!(pieces[pieces.len() - 1].starts_with("m=0;"));
    }

    #[test]
    fn iterm2_gets_a_file() {
        let mut out = String::new();
        Graphics::Iterm2.draw(&screen(), (80, 50), &mut out);
        assert!(out.contains("\x1b]1337;File=inline=1;width=80;height=36;") && out.ends_with('\x07'));
    }

    /// Reads sixels back, as a terminal would.
    #[test]
    fn sixels_show_every_pixel() {
        let mut picture = Picture::black(7, 8, PixelFormat::Gray8);
        for (i, pixel) in picture.pixels.iter_mut().enumerate() {
            *pixel = [0, 85, 170, 255][i % 4];
        }
        let mut out = String::new();
        sixels(&picture, 1, &mut out);
        let body = out.rsplit_once("#15;2;100;100;100").unwrap().1.trim_end_matches("\x1b\\");
        let mut seen = vec![None; 7 * 8];
        for (band, text) in body.split('-').enumerate() {
            for line in text.split('$').filter(|line| !line.is_empty()) {
                let digits = line[1..].find(|c: char| !c.is_ascii_digit()).unwrap() + 1;
                let colour: u32 = line[1..digits].parse().unwrap();
                let (mut x, mut rest) = (0, &line[digits..]);
                while let Some(first) = rest.chars().next() {
                    let (length, glyph) = if first == '!' {
                        let end = rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap() + 1;
                        let length = rest[1..end].parse().unwrap();
                        rest = &rest[end..];
                        (length, rest.chars().next().unwrap())
                    } else {
                        (1, first)
                    };
                    rest = &rest[1..];
                    for _ in 0..length {
                        let dots = glyph as u8 - b'?';
                        for dot in (0..6).filter(|dot| dots >> dot & 1 == 1) {
                            seen[(band * 6 + dot) * 7 + x] = Some(colour * 17);
                        }
                        x += 1;
                    }
                }
            }
        }
        let shown: Vec<u8> = seen.into_iter().map(|luma| luma.unwrap() as u8).collect();
        assert_eq!(shown, picture.pixels);
    }
}
