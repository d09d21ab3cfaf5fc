//! The rectifier of the tilted camera: finds the screen by the light bezel around it.

use engine::{Frame, Mapping, NoScreen, NoScreenReason, Picture, PixelFormat, Point, Rectified, Rectify};

use crate::camera::{BEZEL, BEZEL_LUMA};
use crate::screen::{SCREEN_HEIGHT, SCREEN_WIDTH};

/// Below this fit the screen is not where it was.
const LEAST_FIT: f64 = 0.95;
/// Points along each side of the bezel that are looked at to judge the fit.
const POINTS: u32 = 16;

/// Keeps the place of the screen while it fits, and searches when it does not.
#[derive(Debug)]
pub struct BezelRectifier {
    found: Option<Place>,
    screen: Picture,
}

/// Where the screen is, and which pixel of the frame each of its pixels comes from.
#[derive(Debug)]
struct Place {
    mapping: Mapping,
    sources: Vec<u32>,
}

impl Default for BezelRectifier {
    fn default() -> Self {
        Self { found: None, screen: Picture::black(SCREEN_WIDTH, SCREEN_HEIGHT, PixelFormat::Gray8) }
    }
}

impl Rectify for BezelRectifier {
    fn rectify<'a>(&'a mut self, frame: &'a Frame) -> Result<Rectified<'a>, NoScreen> {
        let picture = &frame.picture;
        let place = match self.found.take() {
            Some(place) => place,
            None => find(picture)?,
        };
        let fit = fit(picture, &place.mapping);
        if fit < LEAST_FIT {
            // The next frame is searched from scratch.
            let evidence = "the bezel is not where it was".to_owned();
            return Err(NoScreen { reason: NoScreenReason::CalibrationLost, fit, evidence });
        }
        for (pixel, source) in self.screen.pixels.iter_mut().zip(&place.sources) {
            *pixel = picture.pixels.get(*source as usize).copied().unwrap_or(0);
        }
        let mapping = place.mapping;
        self.found = Some(place);
        Ok(Rectified { screen: &self.screen, mapping, fit })
    }

    fn resynchronise(&mut self) {
        self.found = None;
    }
}

fn find(picture: &Picture) -> Result<Place, NoScreen> {
    let missing = |evidence: &str| NoScreen {
        reason: NoScreenReason::NotFound,
        fit: 0.0,
        evidence: evidence.to_owned(),
    };
    let corners = bezel_corners(picture).ok_or_else(|| missing("nothing is as light as the bezel"))?;
    let (bezel, right, bottom) = (f64::from(BEZEL), f64::from(SCREEN_WIDTH), f64::from(SCREEN_HEIGHT));
    let outside = Mapping::corners(right + 2.0 * bezel, bottom + 2.0 * bezel)
        .map(|corner| Point::new(corner.x - bezel, corner.y - bezel));
    let mapping =
        Mapping::from_corners(outside, corners).ok_or_else(|| missing("the bezel has no corners"))?;
    let pixels = (0..SCREEN_HEIGHT).flat_map(|y| (0..SCREEN_WIDTH).map(move |x| Point::middle_of(x, y)));
    let sources = pixels.map(|place| pixel_at(picture, &mapping, place).unwrap_or(u32::MAX)).collect();
    Ok(Place { mapping, sources })
}

/// The outermost pixels of the bezel along both diagonals.
fn bezel_corners(picture: &Picture) -> Option<[Point; 4]> {
    let light = (picture.pixels.iter().enumerate())
        .filter(|(_, luma)| is_bezel(**luma))
        .map(|(index, _)| (index as i64 % i64::from(picture.width), index as i64 / i64::from(picture.width)));
    let mut best = [None::<(i64, Point)>; 4];
    for (x, y) in light {
        let outward = [-x - y, x - y, x + y, y - x];
        let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
        for ((best, outward), (x, y)) in best.iter_mut().zip(outward).zip(corners) {
            if best.is_none_or(|(distance, _)| outward > distance) {
                *best = Some((outward, Point::new(x as f64, y as f64)));
            }
        }
    }
    let [a, b, c, d] = best.map(|corner| corner.map(|(_, place)| place));
    Some([a?, b?, c?, d?])
}

fn is_bezel(luma: u8) -> bool {
    luma == BEZEL_LUMA
}

/// The share of points in the middle of the bezel that are as light as it is.
fn fit(picture: &Picture, mapping: &Mapping) -> f64 {
    let (half, right, bottom) = (f64::from(BEZEL) / 2.0, f64::from(SCREEN_WIDTH), f64::from(SCREEN_HEIGHT));
    let along = (0..POINTS).map(|point| (f64::from(point) + 0.5) / f64::from(POINTS));
    let points = along.flat_map(|part| {
        [
            Point::new(part * right, -half),
            Point::new(part * right, bottom + half),
            Point::new(-half, part * bottom),
            Point::new(right + half, part * bottom),
        ]
    });
    let light = points.filter(|place| {
        let pixel = pixel_at(picture, mapping, *place).and_then(|index| picture.pixels.get(index as usize));
        pixel.is_some_and(|luma| is_bezel(*luma))
    });
    light.count() as f64 / f64::from(4 * POINTS)
}

/// The index of the frame's pixel that shows a place of the screen.
fn pixel_at(picture: &Picture, mapping: &Mapping, place: Point) -> Option<u32> {
    let Point { x, y } = mapping.to_frame(place)?;
    let inside = x >= 0.0 && y >= 0.0 && x < f64::from(picture.width) && y < f64::from(picture.height);
    inside.then(|| y as u32 * picture.width + x as u32)
}
