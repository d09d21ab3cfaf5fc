//! Painting on a picture: rectangles, frames and lines of stand-in text.

use engine::{Picture, PixelFormat};
use samegame::random::{Random, below};

/// Red, green, blue, 0 to 255.
pub type Rgb = [f64; 3];

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl Area {
    /// The same area, larger by this many pixels on every side.
    pub fn grown(self, by: i32) -> Self {
        Self { x: self.x - by, y: self.y - by, width: self.width + 2 * by, height: self.height + 2 * by }
    }

    /// Whether a point lies in it.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let inside = |at: f64, from: i32, length: i32| at >= f64::from(from) && at < f64::from(from + length);
        inside(x, self.x, self.width) && inside(y, self.y, self.height)
    }
}

/// A picture that is being painted.
#[derive(Clone, Debug)]
pub struct Canvas {
    picture: Picture,
}

impl Canvas {
    /// An empty canvas in one colour.
    pub fn new(width: u32, height: u32, colour: Rgb) -> Self {
        let mut canvas = Self { picture: Picture::black(width, height, PixelFormat::Rgb8) };
        canvas.fill(Area { x: 0, y: 0, width: width as i32, height: height as i32 }, colour);
        canvas
    }

    /// Pixels across and down.
    pub fn size(&self) -> (u32, u32) {
        (self.picture.width, self.picture.height)
    }

    /// The finished picture.
    pub fn into_picture(self) -> Picture {
        self.picture
    }

    /// Lays a colour over one pixel; pixels outside are ignored.
    pub fn blend(&mut self, x: i32, y: i32, colour: Rgb, opacity: f64) {
        let inside = x >= 0 && y >= 0 && x < self.picture.width as i32 && y < self.picture.height as i32;
        if !inside || opacity <= 0.0 {
            return;
        }
        let at = (y as usize * self.picture.width as usize + x as usize) * 3;
        let opacity = opacity.min(1.0);
        for (channel, value) in self.picture.pixels[at..at + 3].iter_mut().zip(colour) {
            *channel = (f64::from(*channel) * (1.0 - opacity) + value * opacity).round() as u8;
        }
    }

    /// Fills an area.
    pub fn fill(&mut self, area: Area, colour: Rgb) {
        let (width, height) = (self.picture.width as i32, self.picture.height as i32);
        let columns = area.x.clamp(0, width)..(area.x + area.width).clamp(0, width);
        let pixel = colour.map(|value| value.round() as u8);
        for y in area.y.clamp(0, height)..(area.y + area.height).clamp(0, height) {
            let at = |x: i32| (y * width + x) as usize * 3;
            for to in
                self.picture.pixels[at(columns.start)..at(columns.end.max(columns.start))].chunks_exact_mut(3)
            {
                to.copy_from_slice(&pixel);
            }
        }
    }

    /// A number with its sign, centred at a place, each dot of its digits this many pixels wide.
    pub fn number(&mut self, x: i32, y: i32, text: &str, dot: i32, colour: Rgb) {
        let left = x - text.len() as i32 * 2 * dot;
        for (place, letter) in (0..).zip(text.chars()) {
            for (row, line) in (0..).zip(glyph(letter)) {
                for column in (0..3).filter(|column| line >> (2 - column) & 1 == 1) {
                    let corner = (left + (place * 4 + column) * dot, y + (row - 2) * dot);
                    self.fill(Area { x: corner.0, y: corner.1, width: dot, height: dot }, colour);
                }
            }
        }
    }

    /// Draws the outline of an area, inside it.
    pub fn frame(&mut self, area: Area, thickness: i32, colour: Rgb) {
        let Area { x, y, width, height } = area;
        self.fill(Area { height: thickness, ..area }, colour);
        self.fill(Area { y: y + height - thickness, height: thickness, ..area }, colour);
        self.fill(Area { width: thickness, ..area }, colour);
        self.fill(Area { x: x + width - thickness, width: thickness, ..area }, colour);
    }

    /// Strokes of a made-up script: what labels, menus and documents look like from afar.
    pub fn text(&mut self, x: i32, y: i32, letters: u32, size: i32, colour: Rgb, random: &mut Random) {
        let mut at = x;
        for _ in 0..letters {
            let width = size / 3 + below(random, (size / 4 + 1) as u32) as i32;
            if below(random, 6) > 0 {
                for _ in 0..2 + below(random, 2) {
                    let upright = below(random, 2) == 0;
                    let (dx, dy) = (below(random, width as u32) as i32, below(random, size as u32) as i32);
                    let stroke = if upright {
                        Area { x: at + dx, y, width: 1 + size / 12, height: size }
                    } else {
                        Area { x: at, y: y + dy, width, height: 1 + size / 14 }
                    };
                    self.fill(stroke, colour);
                }
            }
            at += width + size / 5 + 1;
        }
    }
}

/// Three dots across and five down.
fn glyph(letter: char) -> [u8; 5] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '+' => [0, 2, 7, 2, 0],
        _ => [0, 0, 7, 0, 0],
    }
}
