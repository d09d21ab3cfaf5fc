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
    /// The same area with so many more pixels on every side.
    pub fn grown(self, by: i32) -> Self {
        Self { x: self.x - by, y: self.y - by, width: self.width + 2 * by, height: self.height + 2 * by }
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
        for y in area.y..area.y + area.height {
            for x in area.x..area.x + area.width {
                self.blend(x, y, colour, 1.0);
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
