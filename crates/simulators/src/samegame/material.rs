//! The surface of one tile, point by point.

use super::canvas::Rgb;
use super::look::Material;
use super::palette::mix;

const WHITE: Rgb = [255.0; 3];
const BLACK: Rgb = [0.0; 3];

/// What a tile is made of, and which neighbours are of its colour.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// How it is made.
    pub material: Material,
    /// Its colour's number, from 0.
    pub class: usize,
    /// Its colour.
    pub colour: Rgb,
    /// Whether the neighbour left, right, above, below belongs to its group.
    pub joined: [bool; 4],
}

impl Surface {
    /// Colour and opacity at a point of the tile; `x` and `y` run from 0 at
    /// the left and top to 1, `pixel` is the width of a pixel in that measure.
    pub fn at(&self, x: f64, y: f64, pixel: f64) -> (Rgb, f64) {
        let solid = (self.colour, 1.0);
        match self.material {
            Material::Flat => solid,
            Material::Rounded => (self.colour, cover(rounded_box(x, y, 0.25), pixel)),
            Material::Gradient => {
                let light = mix(self.colour, WHITE, 0.4 * (1.0 - y));
                (mix(light, BLACK, 0.35 * y), 1.0)
            }
            Material::Bevelled => (self.bevel(x, y), 1.0),
            Material::Ball => (self.gloss(x, y), cover(circle(x, y, 0.5), pixel)),
            Material::Textured => (self.texture(x, y), 1.0),
            Material::Shape => self.on_plate(x, y, pixel),
            Material::Jewel => {
                let opacity = cover(shape(self.class, x, y), pixel);
                (self.gloss(x, y), opacity)
            }
            Material::Joined => (self.outlined(x, y, pixel), 1.0),
        }
    }

    fn bevel(&self, x: f64, y: f64) -> Rgb {
        let width = 0.12;
        let nearest = [y, x, 1.0 - y, 1.0 - x].into_iter().fold(1.0, f64::min);
        if nearest > width {
            self.colour
        } else if x.min(y) <= nearest {
            mix(self.colour, WHITE, 0.5)
        } else {
            mix(self.colour, BLACK, 0.45)
        }
    }

    fn gloss(&self, x: f64, y: f64) -> Rgb {
        let shaded = mix(self.colour, BLACK, 0.5 * (x * x + y * y) / 2.0);
        let glint = ((x - 0.35).powi(2) + (y - 0.3).powi(2)).sqrt();
        mix(shaded, WHITE, (0.9 - glint * 5.0).clamp(0.0, 0.9))
    }

    fn texture(&self, x: f64, y: f64) -> Rgb {
        let band = |t: f64| (t * 4.0).rem_euclid(1.0) < 0.5;
        let marked = match self.class % 5 {
            0 => band(x),
            1 => band(y),
            2 => band(x + y),
            3 => band(x) != band(y),
            _ => circle(x, y, 0.28) < 0.0,
        };
        mix(self.colour, BLACK, if marked { 0.35 } else { 0.0 })
    }

    fn on_plate(&self, x: f64, y: f64, pixel: f64) -> (Rgb, f64) {
        let plate = [190.0; 3];
        let ink = [60.0; 3];
        let inner = |t: f64| (t - 0.5) * 1.35 + 0.5;
        (mix(plate, ink, cover(shape(self.class, inner(x), inner(y)), pixel)), 1.0)
    }

    fn outlined(&self, x: f64, y: f64, pixel: f64) -> Rgb {
        let [left, right, above, below] = self.joined;
        let width = 2.0 * pixel;
        let line = (!left && x < width)
            || (!right && x > 1.0 - width)
            || (!above && y < width)
            || (!below && y > 1.0 - width);
        if line { mix(self.colour, BLACK, 0.6) } else { self.colour }
    }
}

/// How much of a pixel lies inside, from its signed distance to the edge.
fn cover(distance: f64, pixel: f64) -> f64 {
    (0.5 - distance / pixel).clamp(0.0, 1.0)
}

fn circle(x: f64, y: f64, radius: f64) -> f64 {
    ((x - 0.5).powi(2) + (y - 0.5).powi(2)).sqrt() - radius
}

fn rounded_box(x: f64, y: f64, radius: f64) -> f64 {
    let side = |t: f64| (t - 0.5).abs() - 0.5 + radius;
    let (dx, dy) = (side(x), side(y));
    dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - radius
}

/// Nine shapes that people tell apart: signed distance, roughly.
fn shape(class: usize, x: f64, y: f64) -> f64 {
    let (dx, dy) = (x - 0.5, y - 0.5);
    let (ax, ay) = (dx.abs(), dy.abs());
    match class % 9 {
        0 => circle(x, y, 0.45),
        1 => ax.max(ay) - 0.4,
        2 => (ax + ay - 0.5) / 2_f64.sqrt(),
        3 => (ax * 2.0 + dy * 1.1 - 0.42).max(-dy - 0.45).max(dy - 0.42) * 0.7,
        4 => (ax.min(ay) - 0.14).max(ax.max(ay) - 0.46),
        5 => circle(x, y, 0.34).abs() - 0.11,
        6 => (ax * 2.0 - dy * 1.1 - 0.42).max(dy - 0.45).max(-dy - 0.42) * 0.7,
        7 => (ay - 0.17).max(ax - 0.46),
        _ => (ax - 0.17).max(ay - 0.46),
    }
}
