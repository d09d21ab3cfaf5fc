//! What the robot's scan looks like: one pixel a cell, and below the board one row for the robot's own sensors.
//!
//! ```text
//! columns 0 … 6, the near one first; rows from the top
//!   rows 0 … 5   the board; NOT_LOOKED_AT where this look was not
//!   row  6       pixel 0: the force on the start sensor, as gray; pixel 1: white after a push that was blocked
//! ```

use connect_four::{COLUMNS, ROWS};
use engine::{Focus, Picture, PixelFormat};
use schemars::JsonSchema;
use serde::Serialize;

/// Pixels of a scan.
pub const WIDTH: u32 = COLUMNS as u32;
/// Rows of a scan: the board's and the sensors'.
pub const HEIGHT: u32 = ROWS as u32 + 1;
/// The pixel of a cell that this look was not at.
pub const NOT_LOOKED_AT: [u8; 3] = [255, 0, 255];
/// The row of the sensors.
pub const SENSORS: u32 = ROWS as u32;
/// The pixel that is white after a push that was blocked.
pub const PUSH: (u32, u32) = (1, SENSORS);
/// Force that counts as pressed: 30 of 100 tenths of a newton, as a pixel of 255.
const PRESSED: u8 = 76;

/// What [`PUSH`] shows after a push that was blocked.
pub const WHITE: [u8; 3] = [255; 3];

/// An empty scan.
pub fn blank() -> Picture {
    let mut picture = Picture::black(WIDTH, HEIGHT, PixelFormat::Rgb8);
    for pixel in picture.pixels.as_chunks_mut().0 {
        *pixel = NOT_LOOKED_AT;
    }
    picture
}

/// Where a cell of the board is in a scan; rows of the board count from the bottom.
pub fn pixel_of(column: usize, row: usize) -> (u32, u32) {
    (column as u32, (ROWS - 1 - row) as u32)
}

/// The cell of the board at a pixel; nothing for the row of the sensors.
pub fn cell_at((x, y): (u32, u32)) -> Option<(usize, usize)> {
    let (column, row) = (x as usize, (ROWS as u32).checked_sub(y + 1)? as usize);
    (column < COLUMNS).then_some((column, row))
}

/// A look at the start sensor alone.
pub fn sensor_focus() -> Focus {
    Focus::Cells(vec![(0, SENSORS)])
}

/// Puts a pixel into a scan.
pub fn put(picture: &mut Picture, (x, y): (u32, u32), pixel: [u8; 3]) {
    let at = (y * WIDTH + x) as usize * 3;
    if let Some(place) = picture.pixels.get_mut(at..at + 3) {
        place.copy_from_slice(&pixel);
    }
}

/// The pixel of a scan; nothing where it was not looked at.
pub fn get(picture: &Picture, (x, y): (u32, u32)) -> Option<[u8; 3]> {
    let pixel: [u8; 3] = *picture.row(y).get(x as usize * 3..)?.first_chunk()?;
    (pixel != NOT_LOOKED_AT).then_some(pixel)
}

/// Whether the start sensor is pressed; nothing if it was not looked at.
pub fn is_pressed(picture: &Picture) -> Option<bool> {
    get(picture, (0, SENSORS)).map(|[gray, _, _]| gray > PRESSED)
}

/// Whether the last push was blocked: its disc is still in the slide, as far as the arm can feel.
pub fn was_blocked(picture: &Picture) -> bool {
    get(picture, PUSH) == Some(WHITE)
}

/// What one cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// No disc.
    Empty,
    /// A red disc.
    Red,
    /// A yellow disc.
    Yellow,
    /// None of these: the board's own plastic, a hand, the edge of a hole.
    Strange,
}

/// What the sensor shows of the three things that a cell can hold, and how far a reading may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// A red disc.
    pub red: [u8; 3],
    /// A yellow disc.
    pub yellow: [u8; 3],
    /// An empty cell.
    pub empty: [u8; 3],
}

impl Default for Calibration {
    /// LEGO's sensor at 7 mm from standard discs.
    fn default() -> Self {
        Self { red: [130, 22, 20], yellow: [175, 130, 27], empty: [10, 12, 15] }
    }
}

impl Calibration {
    /// What a pixel shows: the nearest of the three, unless it is nearer to none than they are to each other.
    pub fn sight(&self, pixel: [u8; 3]) -> Sight {
        let known = [(Sight::Empty, self.empty), (Sight::Red, self.red), (Sight::Yellow, self.yellow)];
        let away = |color: [u8; 3]| distance(color, pixel);
        let apart = self.apart();
        let nearest = known.into_iter().min_by_key(|&(_, color)| away(color));
        // A third of the way to the next colour, squared.
        nearest.filter(|&(_, color)| away(color) * 9 <= apart).map_or(Sight::Strange, |(sight, _)| sight)
    }

    /// How far the two that are most alike are apart, squared.
    pub fn apart(&self) -> u32 {
        let Self { red, yellow, empty } = *self;
        distance(red, yellow).min(distance(red, empty)).min(distance(yellow, empty))
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_told_apart_and_plastic_is_none_of_them() {
        let calibration = Calibration::default();
        assert_eq!(calibration.sight([125, 25, 22]), Sight::Red);
        assert_eq!(calibration.sight([180, 125, 30]), Sight::Yellow);
        assert_eq!(calibration.sight([8, 14, 12]), Sight::Empty);
        assert_eq!(calibration.sight([15, 32, 105]), Sight::Strange);
        // Half disc, half plastic.
        assert_eq!(calibration.sight([72, 27, 62]), Sight::Strange);
    }

    #[test]
    fn a_scan_has_one_pixel_a_cell() {
        let mut scan = blank();
        assert_eq!(get(&scan, pixel_of(2, 0)), None);
        put(&mut scan, pixel_of(2, 0), [1, 2, 3]);
        assert_eq!(scan.row(5)[6..9], [1, 2, 3]);
        assert_eq!(get(&scan, pixel_of(2, 0)), Some([1, 2, 3]));
        assert_eq!(cell_at(pixel_of(6, 5)), Some((6, 5)));
        assert_eq!(cell_at((0, SENSORS)), None);
        assert_eq!(is_pressed(&scan), None);
        put(&mut scan, (0, SENSORS), [127; 3]);
        assert_eq!(is_pressed(&scan), Some(true));
    }
}
