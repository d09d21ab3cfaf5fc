//! Perspective: where a point of one plane is seen in a picture of another.

/// A place in a picture, in pixels, from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// A place.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// How far apart two places are.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// Four corners: top left, top right, bottom right, bottom left as the *seen* thing names them;
/// a picture that stands upside down has its top left corner at the bottom right.
pub type Quad = [Point; 4];

/// A perspective mapping of the plane, as the nine numbers of a matrix, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography(pub [f64; 9]);

impl Homography {
    /// What changes nothing.
    pub const IDENTITY: Homography = Homography([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    /// Maps a rectangle of this size to four corners.
    ///
    /// `None` if three of the corners are in line or the sides cross: no camera sees that.
    ///
    /// ```
    /// use vision::homography::{Homography, Point};
    ///
    /// let corners = [(100.0, 50.0), (500.0, 80.0), (520.0, 400.0), (90.0, 420.0)];
    /// let seen = Homography::onto(160.0, 144.0, corners.map(|(x, y)| Point::new(x, y))).unwrap();
    /// assert!(seen.apply(Point::new(160.0, 144.0)).distance(Point::new(520.0, 400.0)) < 1e-9);
    /// ```
    pub fn onto(width: f64, height: f64, corners: Quad) -> Option<Homography> {
        if !is_convex(&corners) {
            return None;
        }
        // Heckbert, Fundamentals of Texture Mapping (1989), section 2.2: the unit square to a quadrilateral.
        let [a, b, c, d] = corners;
        let (dx1, dx2, sx) = (b.x - c.x, d.x - c.x, a.x - b.x + c.x - d.x);
        let (dy1, dy2, sy) = (b.y - c.y, d.y - c.y, a.y - b.y + c.y - d.y);
        let determinant = dx1 * dy2 - dx2 * dy1;
        let g = (sx * dy2 - dx2 * sy) / determinant;
        let h = (dx1 * sy - sx * dy1) / determinant;
        let square = Homography([
            b.x - a.x + g * b.x,
            d.x - a.x + h * d.x,
            a.x,
            b.y - a.y + g * b.y,
            d.y - a.y + h * d.y,
            a.y,
            g,
            h,
            1.0,
        ]);
        let shrink = Homography([1.0 / width, 0.0, 0.0, 0.0, 1.0 / height, 0.0, 0.0, 0.0, 1.0]);
        let mapping = square.after(&shrink);
        mapping.0.iter().all(|n| n.is_finite()).then_some(mapping)
    }

    /// Where a point is seen.
    #[inline(always)]
    pub fn apply(&self, point: Point) -> Point {
        let m = &self.0;
        let w = m[6] * point.x + m[7] * point.y + m[8];
        Point::new((m[0] * point.x + m[1] * point.y + m[2]) / w, (m[3] * point.x + m[4] * point.y + m[5]) / w)
    }

    /// This mapping after another one.
    #[must_use]
    pub fn after(&self, first: &Homography) -> Homography {
        let (a, b) = (&self.0, &first.0);
        Homography(std::array::from_fn(|i| {
            let (row, column) = (i / 3 * 3, i % 3);
            a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column]
        }))
    }

    /// The way back; `None` for a mapping that flattens the plane.
    pub fn inverse(&self) -> Option<Homography> {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let cofactors = [
            e * i - f * h,
            c * h - b * i,
            b * f - c * e,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        let determinant = a * cofactors[0] + b * cofactors[3] + c * cofactors[6];
        let inverse = cofactors.map(|n| n / determinant);
        inverse.iter().all(|n| n.is_finite()).then_some(Homography(inverse))
    }

    /// The corners of a rectangle of this size as they are seen.
    pub fn corners(&self, width: f64, height: f64) -> Quad {
        [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map(|(x, y)| self.apply(Point::new(x, y)))
    }
}

/// Whether the corners make a quadrilateral with every angle below 180°, named clockwise.
pub fn is_convex(corners: &Quad) -> bool {
    (0..4).all(|i| {
        let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]);
        // Of the three, none so close to the line through the others that rounding decides.
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 1e-6
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quad() -> impl Strategy<Value = Quad> {
        let shift = || (-60.0..60.0f64, -60.0..60.0f64);
        (shift(), shift(), shift(), shift()).prop_map(|(a, b, c, d)| {
            [(200.0, 120.0, a), (440.0, 120.0, b), (440.0, 330.0, c), (200.0, 330.0, d)]
                .map(|(x, y, (dx, dy))| Point::new(x + dx, y + dy))
        })
    }

    proptest! {
        #[test]
        fn corners_are_met_and_the_way_back_is_found(corners in quad(), x in 0.0..160.0f64, y in 0.0..144.0f64) {
            let mapping = Homography::onto(160.0, 144.0, corners).unwrap();
            for (met, wanted) in mapping.corners(160.0, 144.0).iter().zip(&corners) {
                prop_assert!(met.distance(*wanted) < 1e-6);
            }
            let back = mapping.inverse().unwrap().apply(mapping.apply(Point::new(x, y)));
            prop_assert!(back.distance(Point::new(x, y)) < 1e-6);
        }
    }

    #[test]
    fn what_no_camera_sees_is_refused() {
        let crossed = [(0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0)].map(|(x, y)| Point::new(x, y));
        assert_eq!(Homography::onto(160.0, 144.0, crossed), None);
        assert_eq!(Homography::onto(160.0, 144.0, [Point::new(3.0, 3.0); 4]), None);
        assert_eq!(Homography([0.0; 9]).inverse(), None);
    }
}
