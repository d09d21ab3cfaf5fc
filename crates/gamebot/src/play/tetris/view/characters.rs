//! A picture in characters, as many pixels in each as it takes to fit, and only those that changed.

use std::fmt::Write as _;

use engine::Picture;

use super::WORDS;

/// The characters that stand there.
#[derive(Debug, Default)]
pub struct Characters {
    /// By row; empty before the first drawing and after the terminal changed its size.
    shown: Vec<Vec<Cell>>,
    room: (u16, u16),
}

/// A character with its two greys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    glyph: char,
    ink: u8,
    paper: u8,
}

/// How many pixels a character shows, and by which glyphs.
#[derive(Clone, Copy, Debug)]
struct Mosaic {
    columns: u32,
    rows: u32,
    glyph: fn(u32) -> char,
}

/// From the sharpest to the densest.
const MOSAICS: [Mosaic; 4] = [
    Mosaic { columns: 1, rows: 2, glyph: half },
    Mosaic { columns: 2, rows: 2, glyph: quadrant },
    Mosaic { columns: 2, rows: 3, glyph: sextant },
    Mosaic { columns: 2, rows: 4, glyph: braille },
];

impl Characters {
    /// Writes what changed; returns the pixels in a column and in a row of characters.
    pub fn draw(&mut self, picture: &Picture, room: (u16, u16), out: &mut String) -> (u32, u32) {
        if self.room != room {
            // Writing to a String cannot fail. Terminals count from 1.
            let _ = write!(out, "\x1b[0m\x1b[{};1H\x1b[J", WORDS + 1);
            *self = Characters { shown: Vec::new(), room };
        }
        let (mosaic, step) = fitting(picture, room);
        let next = cells(picture, mosaic, step);
        let mut colours = None;
        for (y, row) in next.iter().enumerate() {
            let before = self.shown.get(y).filter(|before| before.len() == row.len());
            let mut written = None;
            for (x, cell) in row.iter().enumerate() {
                if before.is_some_and(|before| before[x] == *cell) {
                    continue;
                }
                if written != Some(x) {
                    let _ = write!(out, "\x1b[{};{}H", y + 1 + usize::from(WORDS), x + 1);
                }
                if colours != Some((cell.ink, cell.paper)) {
                    let _ = write!(out, "\x1b[38;5;{};48;5;{}m", grey(cell.ink), grey(cell.paper));
                    colours = Some((cell.ink, cell.paper));
                }
                out.push(cell.glyph);
                written = Some(x + 1);
            }
        }
        self.shown = next;
        (mosaic.columns * step, mosaic.rows * step)
    }
}

/// The sharpest way that fits, and the side of the square of pixels that counts as one.
fn fitting(picture: &Picture, (columns, rows): (u16, u16)) -> (Mosaic, u32) {
    let (columns, rows) = (u32::from(columns).max(1), u32::from(rows.saturating_sub(WORDS)).max(1));
    let fits = |mosaic: &Mosaic, step: u32| {
        picture.width.div_ceil(mosaic.columns * step) <= columns
            && picture.height.div_ceil(mosaic.rows * step) <= rows
    };
    let [sharpest, .., densest] = MOSAICS;
    if let Some(mosaic) = MOSAICS.into_iter().find(|mosaic| fits(mosaic, 1)) {
        return (mosaic, 1);
    }
    // Camera pictures have pixels to spare; their greys matter more.
    let mosaic = if picture.width > 320 { sharpest } else { densest };
    let step = (2..=picture.width.max(2)).find(|step| fits(&mosaic, *step));
    (mosaic, step.unwrap_or(1))
}

fn cells(picture: &Picture, mosaic: Mosaic, step: u32) -> Vec<Vec<Cell>> {
    let bytes = picture.format.bytes();
    // Outside the picture it is white.
    let luma =
        |x: u32, y: u32| picture.row(y * step).get((x * step) as usize * bytes).copied().unwrap_or(255);
    let cell = |column: u32, row: u32| {
        let pixels = (0..mosaic.columns * mosaic.rows).map(|i| {
            luma(column * mosaic.columns + i % mosaic.columns, row * mosaic.rows + i / mosaic.columns)
        });
        let (ink, paper) =
            pixels.clone().fold((255, 0), |(dark, light), luma| (luma.min(dark), luma.max(light)));
        let middle = u8::midpoint(ink, paper);
        let bits = pixels
            .enumerate()
            .fold(0, |bits, (i, luma)| bits | u32::from(luma <= middle && ink < paper) << i);
        Cell { glyph: (mosaic.glyph)(bits), ink, paper }
    };
    let columns = picture.width.div_ceil(mosaic.columns * step);
    let rows = picture.height.div_ceil(mosaic.rows * step);
    (0..rows).map(|row| (0..columns).map(|column| cell(column, row)).collect()).collect()
}

/// A colour of the terminal's grey ramp, 232 black to 255 white.
fn grey(luma: u8) -> u8 {
    232 + (u16::from(luma) * 23 / 255) as u8
}

fn half(bits: u32) -> char {
    [' ', '▀', '▄', '█'][bits as usize & 3]
}

fn quadrant(bits: u32) -> char {
    const GLYPHS: [char; 16] =
        [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];
    GLYPHS[bits as usize & 15]
}

/// U+1FB00 and on; those that other characters show as well are left out there.
fn sextant(bits: u32) -> char {
    let left_out = match bits {
        0 => return ' ',
        21 => return '▌',
        42 => return '▐',
        63 => return '█',
        1..21 => 1,
        22..42 => 2,
        _ => 3,
    };
    char::from_u32(0x1FB00 + bits - left_out).unwrap_or('█')
}

/// The dots of a braille character are numbered down the columns, the fourth row last.
fn braille(bits: u32) -> char {
    const DOTS: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
    let dots =
        DOTS.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).fold(0, |dots, (_, dot)| dots | dot);
    char::from_u32(0x2800 + dots).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::PixelFormat;

    fn screen() -> Picture {
        let mut picture = Picture::black(160, 144, PixelFormat::Gray8);
        picture.pixels.fill(255);
        picture
    }

    /// What a terminal of this size shows of each pixel.
    fn shows_every_pixel(room: (u16, u16)) -> bool {
        let white = screen();
        let (mosaic, step) = fitting(&white, room);
        let blank = cells(&white, mosaic, step);
        (0..white.pixels.len()).step_by(37).all(|pixel| {
            let mut dotted = white.clone();
            dotted.pixels[pixel] = 0;
            cells(&dotted, mosaic, step) != blank
        })
    }

    #[test]
    fn every_pixel_is_shown_where_there_is_room() {
        for room in [(160, 74), (80, 74), (80, 50), (80, 38), (200, 100)] {
            assert!(shows_every_pixel(room), "{room:?}");
        }
        assert!(!shows_every_pixel((80, 24)));
    }

    #[test]
    fn the_picture_fits_into_the_terminal() {
        for (columns, rows) in [(160, 74), (80, 50), (80, 38), (80, 24), (40, 12)] {
            for picture in [screen(), Picture::black(640, 480, PixelFormat::Gray8)] {
                let (mosaic, step) = fitting(&picture, (columns, rows));
                let drawn = cells(&picture, mosaic, step);
                assert!(drawn.len() <= usize::from(rows - WORDS) && drawn[0].len() <= usize::from(columns));
            }
        }
    }

    #[test]
    fn only_changes_are_sent() {
        let (mut characters, mut picture) = (Characters::default(), screen());
        let mut draw = |picture: &Picture| {
            let mut out = String::new();
            characters.draw(picture, (80, 50), &mut out);
            out
        };
        assert!(draw(&picture).chars().filter(|glyph| *glyph == ' ' || *glyph == '█').count() >= 80 * 48);
        assert_eq!(draw(&picture), "");
        picture.pixels[0] = 0;
        // The first cell, with one of its six pixels black.
        assert_eq!(draw(&picture), "\x1b[3;1H\x1b[38;5;232;48;5;255m\u{1FB00}");
    }

    #[test]
    fn glyphs_show_the_pixels_they_stand_for() {
        assert_eq!((half(1), half(2), quadrant(0b1001), quadrant(0b0101)), ('▀', '▄', '▚', '▌'));
        // U+1FB13 and U+1FB14 lie on both sides of the left half, U+1FB27 and U+1FB28 of the right half.
        assert_eq!(
            [20, 22, 41, 43, 62].map(sextant),
            ['\u{1FB13}', '\u{1FB14}', '\u{1FB27}', '\u{1FB28}', '\u{1FB3B}']
        );
        assert_eq!((braille(0), braille(1), braille(2), braille(0xFF)), ('\u{2800}', '⠁', '⠈', '⣿'));
    }
}
