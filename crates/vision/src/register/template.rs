//! What a screen always shows, whatever happens on it.

use crate::gray::Gray;
use crate::homography::Point;

/// A screen's static parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    width: usize,
    height: usize,
    /// 0 black to 1 white; `None` where the screen changes.
    pixels: Vec<Option<f32>>,
}

/// A static place, and how bright it is by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// From (-1, -1), the screen's upper left corner, to (1, 1).
    pub at: Point,
    pub brightness: f64,
}

impl Template {
    /// Takes as static what is the same on all of these screens, which are of one size.
    pub fn of_screens<'a>(mut screens: impl Iterator<Item = Gray<'a>>) -> Option<Template> {
        let first = screens.next()?;
        let luma = |pixel: &u8| Some(f32::from(*pixel) / 255.0);
        let mut pixels: Vec<_> = first.pixels().iter().map(luma).collect();
        for screen in screens {
            if (screen.width(), screen.height()) != (first.width(), first.height()) {
                return None;
            }
            for (known, pixel) in pixels.iter_mut().zip(screen.pixels()) {
                *known = known.filter(|known| Some(*known) == luma(pixel));
            }
        }
        Some(Template { width: first.width(), height: first.height(), pixels })
    }

    /// Static where `is_static` says so for a pixel's column and row.
    #[must_use]
    pub fn only(mut self, is_static: impl Fn(usize, usize) -> bool) -> Template {
        for (i, pixel) in self.pixels.iter_mut().enumerate() {
            *pixel = pixel.filter(|_| is_static(i % self.width, i / self.width));
        }
        self
    }

    /// Width and height of the screen.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// How bright a pixel is, 0 to 1, if it is static.
    pub fn at(&self, x: usize, y: usize) -> Option<f32> {
        if x < self.width { self.pixels.get(y * self.width + x).copied().flatten() } else { None }
    }

    /// The mean brightness of a rectangle, if all of it is static.
    pub fn mean(&self, left: usize, top: usize, width: usize, height: usize) -> Option<f32> {
        let pixels = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let sum = pixels.map(|(x, y)| self.at(x, y)).sum::<Option<f32>>()?;
        Some(sum / (width * height) as f32)
    }

    /// Static places as they look through a blur of this radius in pixels, at most this many, spread evenly.
    pub(crate) fn marks(&self, radius: usize, most: usize) -> Vec<Mark> {
        let mut blurred = self.blurred(radius);
        // What surrounds the screen is unknown and bleeds into its rim.
        let rim = radius + 2;
        for (i, pixel) in blurred.iter_mut().enumerate() {
            let (x, y) = (i % self.width, i / self.width);
            let is_inside = x >= rim && y >= rim && x + rim < self.width && y + rim < self.height;
            *pixel = pixel.filter(|_| is_inside);
        }
        let count = blurred.iter().flatten().count();
        let mut marks = Vec::with_capacity(most);
        // Every nth, in an order that does not fall in step with columns of tiles.
        let keep = (most as f64 / count.max(1) as f64).min(1.0);
        let mut due = 0.0;
        for (i, brightness) in blurred.iter().enumerate() {
            let Some(brightness) = brightness else { continue };
            due += keep * (0.5 + (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as f64 / u64::MAX as f64);
            if due >= 1.0 {
                due -= 1.0;
                let (x, y) = (i % self.width, i / self.width);
                let unit = |n: usize, size: usize| (n as f64 + 0.5) / size as f64 * 2.0 - 1.0;
                let at = Point::new(unit(x, self.width), unit(y, self.height));
                marks.push(Mark { at, brightness: f64::from(*brightness) });
            }
        }
        marks
    }

    /// Means over squares of side 2 `radius` + 1, where most of the square is static. Applied twice,
    /// which is nearly what a lens does; a radius of 1 is a lens in focus, half as blurred as a square.
    fn blurred(&self, radius: usize) -> Vec<Option<f32>> {
        let once = self.blurred_once(&self.pixels, radius);
        match radius {
            0 => once,
            1 => once.iter().zip(&self.pixels).map(|(a, b)| Some(f32::midpoint((*a)?, (*b)?))).collect(),
            _ => self.blurred_once(&once, radius / 2),
        }
    }

    fn blurred_once(&self, pixels: &[Option<f32>], radius: usize) -> Vec<Option<f32>> {
        let (width, height) = (self.width, self.height);
        // Sums of brightness and of known pixels over everything above and to the left.
        let stride = width + 1;
        let mut sums = vec![(0.0f64, 0u32); stride * (height + 1)];
        for y in 0..height {
            let mut row = (0.0, 0);
            for x in 0..width {
                if let Some(pixel) = pixels[y * width + x] {
                    row = (row.0 + f64::from(pixel), row.1 + 1);
                }
                let above = sums[y * stride + x + 1];
                sums[(y + 1) * stride + x + 1] = (above.0 + row.0, above.1 + row.1);
            }
        }
        let mean = |i: usize| {
            let (x, y) = (i % width, i / width);
            pixels[i]?;
            let (left, top) = (x.saturating_sub(radius), y.saturating_sub(radius));
            let (right, bottom) = ((x + radius + 1).min(width), (y + radius + 1).min(height));
            let at = |x: usize, y: usize| sums[y * stride + x];
            let (a, b, c, d) = (at(left, top), at(right, top), at(left, bottom), at(right, bottom));
            let known = a.1 + d.1 - b.1 - c.1;
            let area = ((right - left) * (bottom - top)) as u32;
            (4 * known >= 3 * area).then(|| ((a.0 + d.0 - b.0 - c.0) / f64::from(known)) as f32)
        };
        (0..width * height).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_not_static() {
        let one: Vec<u8> = (0..100).map(|i| i as u8).collect();
        let mut other = one.clone();
        other[55] = 200;
        let screens = [&one, &other].map(|pixels| Gray::new(10, 10, pixels).unwrap());
        let template = Template::of_screens(screens.into_iter()).unwrap();
        assert_eq!(template.at(5, 5), None);
        assert_eq!(template.at(4, 5), Some(54.0 / 255.0));
        assert_eq!(template.mean(4, 4, 2, 2), None);
        assert!(template.mean(0, 0, 4, 4).is_some());
        // 6 × 6 pixels away from the rim, one of which changes.
        let marks = template.marks(0, 1000).len();
        assert!((30..36).contains(&marks), "{marks}");
        assert!((8..13).contains(&template.marks(0, 10).len()));
    }
}
