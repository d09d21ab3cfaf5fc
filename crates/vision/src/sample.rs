//! Reading the brightness of squares straight from a camera's picture, without rectifying it first.

use crate::gray::Gray;
use crate::homography::{Homography, Point};
use crate::warp::WrongSize;

/// A rectangle on the seen plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Its upper left corner.
    pub corner: Point,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Patch {
    /// Its middle.
    pub fn middle(&self) -> Point {
        Point::new(self.corner.x + self.width / 2.0, self.corner.y + self.height / 2.0)
    }
}

/// The places of a number of samples in each of a number of patches, looked up once for a mapping.
#[derive(Clone, Debug)]
pub struct Sampler {
    source: (usize, usize),
    per_patch: usize,
    offsets: Vec<u32>,
}

impl Sampler {
    /// `per_side`² samples, evenly spread over each patch; `mapping` says where a point of the plane
    /// is seen in pictures of `source` size. What is seen outside counts as the nearest pixel inside.
    pub fn new(mapping: &Homography, patches: &[Patch], per_side: usize, source: (usize, usize)) -> Sampler {
        let steps = || (0..per_side).map(|i| (i as f64 + 0.5) / per_side as f64);
        let offset = |patch: &Patch, x: f64, y: f64| {
            let at = Point::new(patch.corner.x + x * patch.width, patch.corner.y + y * patch.height);
            let seen = mapping.apply(at);
            // Not a number becomes 0.
            let column = (seen.x.max(0.0) as usize).min(source.0.saturating_sub(1));
            let row = (seen.y.max(0.0) as usize).min(source.1.saturating_sub(1));
            (row * source.0 + column) as u32
        };
        let samples = |patch| steps().flat_map(move |y| steps().map(move |x| offset(patch, x, y)));
        let offsets = patches.iter().flat_map(samples).collect();
        Sampler { source, per_patch: (per_side * per_side).max(1), offsets }
    }

    /// The mean brightness of every patch, in their order.
    pub fn means(&self, picture: Gray<'_>, out: &mut Vec<f32>) -> Result<(), WrongSize> {
        if (picture.width(), picture.height()) != self.source {
            return Err(WrongSize {
                width: picture.width(),
                height: picture.height(),
                wanted_width: self.source.0,
                wanted_height: self.source.1,
            });
        }
        let pixels = picture.pixels();
        let scale = 1.0 / self.per_patch as f32;
        out.clear();
        out.extend(self.offsets.chunks_exact(self.per_patch).map(|offsets| {
            let sum: u32 = offsets.iter().map(|&at| u32::from(pixels[at as usize])).sum();
            sum as f32 * scale
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_read_through_the_mapping() {
        // Left half black, right half white, seen twice as large.
        let pixels: Vec<u8> = (0..40 * 20).map(|i| if i % 40 < 20 { 0 } else { 255 }).collect();
        let picture = Gray::new(40, 20, &pixels).unwrap();
        let twice = Homography([2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0]);
        let patch = |x| Patch { corner: Point::new(x, 0.0), width: 4.0, height: 4.0 };
        let sampler = Sampler::new(&twice, &[patch(0.0), patch(8.0), patch(12.0), patch(90.0)], 4, (40, 20));
        let mut means = Vec::new();
        sampler.means(picture, &mut means).unwrap();
        assert_eq!(means, [0.0, 127.5, 255.0, 255.0]);
        assert!(sampler.means(Gray::new(20, 40, &pixels).unwrap(), &mut means).is_err());
    }
}
