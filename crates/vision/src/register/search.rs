//! Finding a screen without a starting guess: a rough look at every pose that
//! the mount allows, then the promising ones are refined.

use super::pyramid::{Level, Pyramid};
use super::refine::{Refined, blur, refine, refine_at};
use super::template::{Mark, Template};
use crate::gray::Gray;
use crate::homography::{Homography, Point, Quad};

/// The rough look's picture is at most this wide.
const ROUGH_WIDTH: usize = 100;
/// Marks of the rough look.
const ROUGH_MARKS: usize = 160;
/// Marks of the second look.
const SECOND_MARKS: usize = 400;
/// Poses that get a second look, and those of them that get a third.
const PROMISING: usize = 150;
const CLOSER: usize = 24;
/// Poses that are refined in full.
const FINALISTS: usize = 4;
/// A fit that leaves no doubt; below it the other templates are tried as well.
const CERTAIN: f64 = 0.95;
/// Degrees by which the screen is tilted away from the camera.
const TILTS: [f64; 3] = [0.0, 17.0, 31.0];
/// Directions of the tilt.
const DIRECTIONS: usize = 8;
/// Degrees by which it is turned, upright and upside down.
const TURNS: [f64; 6] = [0.0, -9.0, 9.0, 180.0, 171.0, 189.0];
/// Height of the screen as a part of the picture's, from step to step.
const SMALLEST: f64 = 0.30;
const STEP: f64 = 1.13;
const STEPS: usize = 11;
/// How far around the screen the bezel is looked for, in the screen's pixels.
const BEZEL: f64 = 8.0;
/// Focal length as a part of the picture's width: what most webcams have.
const FOCAL: f64 = 0.95;

/// A screen that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Which of the templates it shows.
    pub template: usize,
    /// Its corners: top left, top right, bottom right, bottom left of the screen itself.
    pub corners: Quad,
    /// See [`Refined::fit`].
    pub fit: f64,
}

/// Looks for a screen that shows one of the templates, anywhere in the picture, tilted and turned.
/// Returns the best one, however bad; its fit says whether to believe it.
pub fn find(picture: Gray<'_>, templates: &[Template]) -> Option<Found> {
    let mut halvings = 0;
    while picture.width() >> halvings > ROUGH_WIDTH {
        halvings += 1;
    }
    let pyramid = Pyramid::new(picture, halvings);
    let mut best: Option<Found> = None;
    for (index, template) in templates.iter().enumerate() {
        if let Some(Refined { corners, fit }) = find_one(&pyramid, template, halvings)
            && best.is_none_or(|best| fit > best.fit)
        {
            best = Some(Found { template: index, corners, fit });
        }
        if best.is_some_and(|best| best.fit > CERTAIN) {
            break;
        }
    }
    best
}

fn find_one(pyramid: &Pyramid, template: &Template, halvings: usize) -> Option<Refined> {
    let rough = pyramid.level(halvings);
    let blurs = Blurs::new(template);
    let mut poses: Vec<(f32, Quad)> =
        shapes(pyramid.size(), template).filter_map(|shape| best_place(rough, &blurs, &shape)).collect();
    poses.sort_by(|a, b| b.0.total_cmp(&a.0));

    let looked = |level: &Level, corners: Quad| {
        let marks = &blurs.of(blur(template, &corners, level)).second;
        refine_at(level, marks, corners, 6)
    };
    let best_first = |mut looks: Vec<Refined>| {
        looks.sort_by(|a, b| b.fit.total_cmp(&a.fit));
        looks
    };
    let closer = pyramid.level(halvings.saturating_sub(1));
    let second = poses.iter().take(PROMISING).filter_map(|(_, corners)| looked(rough, *corners));
    let second = best_first(second.collect());
    let third = second.iter().take(CLOSER).filter_map(|near| looked(closer, near.corners));
    let third = best_first(third.collect());
    let finalists = third.iter().take(FINALISTS);
    finalists
        .filter_map(|near| refine(pyramid, template, near.corners, 2))
        .max_by(|a, b| a.fit.total_cmp(&b.fit))
}

/// The template's marks through every blur that occurs, because most poses share one.
struct Blurs {
    width: usize,
    marks: Vec<Marks>,
}

struct Marks {
    rough: Vec<Mark>,
    second: Vec<Mark>,
}

impl Blurs {
    const LARGEST: usize = 8;

    fn new(template: &Template) -> Blurs {
        let with_bezel = |marks: Vec<Mark>, count| marks.into_iter().chain(bezel(template, count)).collect();
        let marks = |radius| Marks {
            rough: with_bezel(template.marks(radius, ROUGH_MARKS), ROUGH_MARKS / 3),
            second: with_bezel(template.marks(radius, SECOND_MARKS), SECOND_MARKS / 3),
        };
        Blurs { width: template.size().0, marks: (0..=Self::LARGEST).map(marks).collect() }
    }

    fn of(&self, radius: usize) -> &Marks {
        &self.marks[radius.min(Self::LARGEST)]
    }
}

/// Places around the screen: displays sit in a dark bezel. It helps to find the rough place and is left
/// out of the fit.
fn bezel(template: &Template, count: usize) -> impl Iterator<Item = Mark> {
    let (width, height) = template.size();
    let (right, bottom) = (1.0 + 2.0 * BEZEL / width as f64, 1.0 + 2.0 * BEZEL / height as f64);
    (0..count).map(move |i| {
        let along = 4.0 * i as f64 / count as f64;
        let part = 2.0 * along.fract() - 1.0;
        let (x, y) = match along as usize {
            0 => (part * right, -bottom),
            1 => (right, part * bottom),
            2 => (-part * right, bottom),
            _ => (-right, -part * bottom),
        };
        Mark { at: Point::new(x, y), brightness: 0.0 }
    })
}

/// The corners of every tilted, turned and scaled screen, around (0, 0), in pixels of the whole picture.
fn shapes((width, height): (usize, usize), template: &Template) -> impl Iterator<Item = Quad> {
    let size = template.size();
    let focal = FOCAL * width as f64;
    let tilts = TILTS.iter().flat_map(|&tilt| {
        let directions = if tilt == 0.0 { 1 } else { DIRECTIONS };
        (0..directions).map(move |i| (tilt, 360.0 * i as f64 / directions as f64))
    });
    tilts.flat_map(move |(tilt, direction)| {
        TURNS.iter().flat_map(move |&turn| {
            (0..STEPS).map(move |step| {
                let wanted = height as f64 * SMALLEST * STEP.powi(step as i32);
                project(size, tilt, direction, turn, focal, focal * size.1 as f64 / wanted)
            })
        })
    })
}

/// A screen of `size` at a distance (in its own pixels), as a pinhole camera sees it; angles in degrees.
pub(crate) fn project(
    size: (usize, usize),
    tilt: f64,
    direction: f64,
    turn: f64,
    focal: f64,
    distance: f64,
) -> Quad {
    let (half_width, half_height) = (size.0 as f64 / 2.0, size.1 as f64 / 2.0);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    corners.map(|(x, y)| {
        let (x, y) = rotate(x * half_width, y * half_height, turn);
        // Turned so that the axis of the tilt lies along x, tilted, and turned back.
        let (x, y) = rotate(x, y, -direction);
        let (sin, cos) = tilt.to_radians().sin_cos();
        let (x, y, z) = (x, y * cos, y * sin);
        let (x, y) = rotate(x, y, direction);
        Point::new(focal * x / (distance + z), focal * y / (distance + z))
    })
}

fn rotate(x: f64, y: f64, degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

/// Where in the rough picture this shape shows most of the template, and how much.
fn best_place(rough: &Level, blurs: &Blurs, shape: &Quad) -> Option<(f32, Quad)> {
    let small = shape.map(|point| Point::new(point.x / rough.scale, point.y / rough.scale));
    let range = |values: [f64; 4], size: usize| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Half a pixel of grace: the search goes in steps of one.
        (1.5 - least).floor() as i32..=(size as f64 - 1.5 - most).ceil() as i32
    };
    let columns = range(small.map(|p| p.x), rough.width);
    let rows = range(small.map(|p| p.y), rough.height);
    if columns.is_empty() || rows.is_empty() {
        return None;
    }
    let probe = Probe::new(rough, blurs, &small)?;
    let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let scored = places.map(|(x, y)| (probe.score(rough, y * rough.width as i32 + x), x, y));
    let (score, x, y) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (x, y) = (f64::from(x) * rough.scale, f64::from(y) * rough.scale);
    Some((score, shape.map(|point| Point::new(point.x + x, point.y + y))))
}

/// Where the marks of a shape are relative to its middle, and what they should look like.
struct Probe {
    offsets: Vec<i32>,
    /// Less their mean, scaled to length 1.
    wanted: Vec<f32>,
}

impl Probe {
    fn new(rough: &Level, blurs: &Blurs, corners: &Quad) -> Option<Probe> {
        let width = corners[0].distance(corners[1]);
        let radius = (blurs.width as f64 / width.max(1.0) / 2.0).round() as usize;
        let marks = &blurs.of(radius.max(1)).rough;
        let to_origin = Homography([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
        let mapping = Homography::onto(2.0, 2.0, *corners)?.after(&to_origin);
        let offset = |mark: &Mark| {
            let at = mapping.apply(mark.at);
            at.y.floor() as i32 * rough.width as i32 + at.x.floor() as i32
        };
        let mean = marks.iter().map(|mark| mark.brightness).sum::<f64>() / marks.len().max(1) as f64;
        let length = marks.iter().map(|mark| (mark.brightness - mean).powi(2)).sum::<f64>().sqrt();
        let wanted = marks.iter().map(|mark| ((mark.brightness - mean) / length) as f32).collect();
        (length > 0.0).then(|| Probe { offsets: marks.iter().map(offset).collect(), wanted })
    }

    /// Correlation with the picture around this pixel.
    fn score(&self, rough: &Level, middle: i32) -> f32 {
        let (mut sum, mut squares, mut along) = (0i32, 0i32, 0.0);
        for (offset, wanted) in self.offsets.iter().zip(&self.wanted) {
            let pixel = rough.pixels.get((middle + offset) as usize).copied().unwrap_or(0);
            let pixel = i32::from(pixel);
            sum += pixel;
            squares += pixel * pixel;
            along += wanted * pixel as f32;
        }
        let count = self.offsets.len() as f32;
        let spread = squares as f32 - sum as f32 * sum as f32 / count;
        along / spread.max(count).sqrt()
    }
}
