//! Where the screen lies in the frame: a perspective mapping that goes both ways.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in pixels; `x` to the right, `y` down, the middle of the first pixel at (0.5, 0.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Point {
    /// From the left edge.
    pub x: f64,
    /// From the upper edge.
    pub y: f64,
}

impl Point {
    /// The place at these coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The middle of the pixel in this column and row.
    pub fn middle_of(column: u32, row: u32) -> Self {
        Self { x: f64::from(column) + 0.5, y: f64::from(row) + 0.5 }
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Column of its left edge.
    pub x: u32,
    /// Row of its upper edge.
    pub y: u32,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

type Matrix = [[f64; 3]; 3];

/// Maps places of the screen to places of the frame and back.
///
/// ```
/// use engine::{Mapping, Point};
///
/// // A screen of 160 × 144 pixels, drawn twice as large at (100, 50) of the frame.
/// let mapping = Mapping::placed(Point::new(100.0, 50.0), 2.0, 2.0);
/// assert_eq!(mapping.to_frame(Point::new(80.0, 72.0)), Some(Point::new(260.0, 194.0)));
/// assert_eq!(mapping.to_screen(Point::new(260.0, 194.0)), Some(Point::new(80.0, 72.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Mapping {
    to_frame: Matrix,
    #[serde(skip)]
    to_screen: Matrix,
}

impl Mapping {
    /// Screen and frame are the same.
    pub const IDENTITY: Mapping = {
        let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Mapping { to_frame: one, to_screen: one }
    };

    /// The mapping of homogeneous coordinates by this matrix; `None` if it cannot be inverted.
    pub fn from_matrix(to_frame: [[f64; 3]; 3]) -> Option<Self> {
        Some(Self { to_frame, to_screen: inverse(&to_frame)? })
    }

    /// An upright screen whose upper left corner lies at `origin` and whose pixels are
    /// `x_scale` × `y_scale` pixels of the frame. Scales of zero count as one.
    pub fn placed(origin: Point, x_scale: f64, y_scale: f64) -> Self {
        let [x_scale, y_scale] = [x_scale, y_scale].map(|scale| if scale.is_normal() { scale } else { 1.0 });
        let to_frame = [[x_scale, 0.0, origin.x], [0.0, y_scale, origin.y], [0.0, 0.0, 1.0]];
        let to_screen = [
            [1.0 / x_scale, 0.0, -origin.x / x_scale],
            [0.0, 1.0 / y_scale, -origin.y / y_scale],
            [0.0, 0.0, 1.0],
        ];
        Self { to_frame, to_screen }
    }

    /// The mapping that brings four places of the screen to four places of the frame, such as the
    /// screen's corners to where they are seen; `None` if three of either are on a line.
    pub fn from_corners(screen: [Point; 4], frame: [Point; 4]) -> Option<Self> {
        Self::from_matrix(product(&square_to_quad(frame)?, &inverse(&square_to_quad(screen)?)?))
    }

    /// The corners of a screen of this size: upper left, upper right, lower right, lower left.
    pub const fn corners(width: f64, height: f64) -> [Point; 4] {
        [Point::new(0.0, 0.0), Point::new(width, 0.0), Point::new(width, height), Point::new(0.0, height)]
    }

    /// The matrix from screen to frame, in homogeneous coordinates.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        self.to_frame
    }

    /// Whether screen and frame are the same.
    pub fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }

    /// Where a place of the screen lies in the frame; `None` behind the camera.
    pub fn to_frame(&self, place: Point) -> Option<Point> {
        apply(&self.to_frame, place)
    }

    /// Where a place of the frame lies on the screen; `None` behind the camera.
    pub fn to_screen(&self, place: Point) -> Option<Point> {
        apply(&self.to_screen, place)
    }

    /// The smallest region of the frame that holds a region of the screen, cut off at the frame's
    /// upper and left edges; `None` if part of it is behind the camera.
    pub fn region_to_frame(&self, region: Region) -> Option<Region> {
        let (left, top) = (f64::from(region.x), f64::from(region.y));
        let (right, bottom) = (left + f64::from(region.width), top + f64::from(region.height));
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let mut bounds = [f64::INFINITY, f64::INFINITY, 0.0f64, 0.0f64];
        for (x, y) in corners {
            let place = self.to_frame(Point { x, y })?;
            bounds[0] = bounds[0].min(place.x);
            bounds[1] = bounds[1].min(place.y);
            bounds[2] = bounds[2].max(place.x);
            bounds[3] = bounds[3].max(place.y);
        }
        let [left, top] = [bounds[0], bounds[1]].map(|edge| edge.max(0.0).floor() as u32);
        let [right, bottom] = [bounds[2], bounds[3]].map(|edge| edge.ceil() as u32);
        Some(Region {
            x: left,
            y: top,
            width: right.saturating_sub(left),
            height: bottom.saturating_sub(top),
        })
    }
}

fn apply(matrix: &Matrix, Point { x, y }: Point) -> Option<Point> {
    let [u, v, w] = matrix.map(|row| row[0] * x + row[1] * y + row[2]);
    // The horizon: what lies on it or beyond has no place in the picture.
    (w > 1e-12).then(|| Point { x: u / w, y: v / w })
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}

/// By the adjugate, scaled so that the last entry is 1 where that is possible.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let minor = |r0: usize, c0: usize, r1: usize, c1: usize| m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0];
    let adjugate = [
        [minor(1, 1, 2, 2), -minor(0, 1, 2, 2), minor(0, 1, 1, 2)],
        [-minor(1, 0, 2, 2), minor(0, 0, 2, 2), -minor(0, 0, 1, 2)],
        [minor(1, 0, 2, 1), -minor(0, 0, 2, 1), minor(0, 0, 1, 1)],
    ];
    let determinant = m[0][0] * adjugate[0][0] + m[0][1] * adjugate[1][0] + m[0][2] * adjugate[2][0];
    if !determinant.is_finite() || determinant.abs() < 1e-12 {
        return None;
    }
    let scale = if adjugate[2][2].abs() > 1e-12 { adjugate[2][2] } else { determinant };
    Some(adjugate.map(|row| row.map(|entry| entry / scale)))
}

/// The unit square onto four corners, after Heckbert, "Fundamentals of Texture Mapping and Image
/// Warping" (1989), section 2.2.3.
fn square_to_quad([p0, p1, p2, p3]: [Point; 4]) -> Option<Matrix> {
    let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y);
    let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y);
    let (sx, sy) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y);
    let determinant = dx1 * dy2 - dx2 * dy1;
    if !determinant.is_finite() || determinant.abs() < 1e-9 {
        return None;
    }
    let g = (sx * dy2 - dx2 * sy) / determinant;
    let h = (dx1 * sy - sx * dy1) / determinant;
    Some([
        [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x],
        [p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y],
        [g, h, 1.0],
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Point, b: Point) -> bool {
        (a.x - b.x).abs() < 1e-6 && (a.y - b.y).abs() < 1e-6
    }

    /// A screen of 160 × 144 seen at an angle.
    const TILTED: [Point; 4] = [
        Point::new(120.0, 80.0),
        Point::new(500.0, 110.0),
        Point::new(470.0, 420.0),
        Point::new(90.0, 400.0),
    ];

    #[test]
    fn corners_go_to_corners_and_every_place_comes_back() {
        let screen = Mapping::corners(160.0, 144.0);
        let mapping = Mapping::from_corners(screen, TILTED).unwrap();
        for (place, corner) in screen.into_iter().zip(TILTED) {
            assert!(close(mapping.to_frame(place).unwrap(), corner));
        }
        for x in 0..16 {
            for y in 0..14 {
                let place = Point::middle_of(10 * x, 10 * y);
                let there = mapping.to_frame(place).unwrap();
                assert!(close(mapping.to_screen(there).unwrap(), place), "{place:?}");
            }
        }
    }

    #[test]
    fn a_region_is_mapped_to_its_bounding_box() {
        let mapping = Mapping::placed(Point::new(10.5, 20.0), 3.0, 2.5);
        let region = Region { x: 2, y: 1, width: 4, height: 2 };
        assert_eq!(mapping.region_to_frame(region), Some(Region { x: 16, y: 22, width: 13, height: 6 }));
    }

    #[test]
    fn what_cannot_be_inverted_is_refused() {
        assert!(Mapping::from_matrix([[0.0; 3]; 3]).is_none());
        let line = [0.0, 1.0, 2.0, 3.0].map(|x| Point::new(x, x));
        let screen = Mapping::corners(10.0, 10.0);
        assert!(Mapping::from_corners(screen, line).is_none());
        assert!(Mapping::from_corners(line, screen).is_none());
        assert!(Mapping::from_corners(screen, [Point::new(f64::NAN, 0.0); 4]).is_none());
    }
}
