//! From corners that are nearly right to the right ones: Gauss–Newton on what
//! the static parts look like, with the light found at the same time.
//!
//! Lucas & Kanade (1981); the robust weights are Cauchy's.

use std::ops::RangeInclusive;

use super::pyramid::{Level, Pyramid};
use super::template::{Mark, Template};
use crate::homography::{Homography, Point, Quad, is_convex};
use crate::solve::{off_plane, solve};

/// The pose's eight unknowns.
const POSE: usize = 8;
/// And the light's six: contrast and haze, each a plane.
const UNKNOWNS: usize = POSE + 6;
/// Marks looked at in each round.
const MARKS: usize = 1_500;
/// Rounds at each size of the picture.
const ROUNDS: usize = 12;
/// Corners that move less than this have arrived.
const ARRIVED_PX: f64 = 0.02;

/// Corners and how well they fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refined {
    /// The screen's corners: top left, top right, bottom right, bottom left of the screen itself.
    pub corners: Quad,
    /// Correlation of what the static parts look like with what they are: above 0.9 they are
    /// certainly there, below 0.6 they are not.
    pub fit: f64,
}

/// Moves corners to where the static parts fit best, starting from a picture halved this many times.
/// `None` if they get lost.
pub fn refine(pyramid: &Pyramid, template: &Template, corners: Quad, halvings: usize) -> Option<Refined> {
    refine_within(pyramid, template, corners, 0..=halvings, MARKS)
}

/// The same where noise covers what single pixels show: from a picture halved this many times to one halved often enough
/// that the noise of its pixels has averaged out, with every static place that there is.
pub fn refine_in_noise(
    pyramid: &Pyramid,
    template: &Template,
    corners: Quad,
    halvings: RangeInclusive<usize>,
) -> Option<Refined> {
    refine_within(pyramid, template, corners, halvings, usize::MAX)
}

fn refine_within(
    pyramid: &Pyramid,
    template: &Template,
    corners: Quad,
    halvings: RangeInclusive<usize>,
    most_marks: usize,
) -> Option<Refined> {
    let mut refined = Refined { corners, fit: 0.0 };
    for halvings in halvings.rev() {
        let level = pyramid.level(halvings);
        // More marks than pixels say nothing new.
        let most = most_marks.min((level.width * level.height / 2).max(MARKS));
        let marks = template.marks(blur(template, &refined.corners, level), most);
        refined = refine_at(level, &marks, refined.corners, ROUNDS)?;
    }
    Some(refined)
}

/// How far a pixel of this level blurs the screen's own pixels.
pub(super) fn blur(template: &Template, corners: &Quad, level: &Level) -> usize {
    let width = corners[0].distance(corners[1]) + corners[3].distance(corners[2]);
    let per_pixel = 2.0 * template.size().0 as f64 / width.max(1.0) * level.scale;
    // No lens is sharper than a pixel of the screen.
    ((per_pixel / 2.0).round() as usize).max(1)
}

/// The same on one size of the picture.
pub(super) fn refine_at(level: &Level, marks: &[Mark], corners: Quad, rounds: usize) -> Option<Refined> {
    let mut mapping = normalised(corners)?;
    let mut weights = vec![1.0; marks.len()];
    let mut corners = corners;
    let mut fit = 0.0;
    for _ in 0..rounds {
        let system = Equations::at(level, marks, &mapping, &weights)?;
        let (change, light) = system.solve()?;
        fit = reweight(level, marks, &mapping, &light, &mut weights)?;
        let [a, b, c, d, e, f, g, h] = change;
        mapping = mapping.after(&Homography([1.0 + a, b, c, d, 1.0 + e, f, g, h, 1.0]));
        let moved = unit_corners(&mapping);
        if !is_plausible(&moved, level) {
            return None;
        }
        let furthest = (0..4).map(|i| moved[i].distance(corners[i])).fold(0.0, f64::max);
        corners = moved;
        if furthest < ARRIVED_PX {
            break;
        }
    }
    Some(Refined { corners, fit })
}

/// Whether a screen can look like this: mostly in view, not a sliver, not seen from its edge.
fn is_plausible(corners: &Quad, level: &Level) -> bool {
    if !is_convex(corners) {
        return false;
    }
    let size = [level.width, level.height].map(|n| n as f64 * level.scale);
    let rim = 0.05 * size[0];
    let is_near = |p: &Point| (-rim..size[0] + rim).contains(&p.x) && (-rim..size[1] + rim).contains(&p.y);
    let side = |i: usize| corners[i].distance(corners[(i + 1) % 4]);
    let sides = [side(0), side(1), side(2), side(3)];
    let (least, most) = sides.iter().fold((f64::INFINITY, 0.0f64), |(a, b), n| (a.min(*n), b.max(*n)));
    corners.iter().all(is_near) && least > 0.1 * size[1] && most < 3.0 * least
}

/// Maps the square from (-1, -1) to (1, 1) to the corners.
fn normalised(corners: Quad) -> Option<Homography> {
    let to_origin = Homography([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
    Some(Homography::onto(2.0, 2.0, corners)?.after(&to_origin))
}

fn unit_corners(mapping: &Homography) -> Quad {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| mapping.apply(Point::new(x, y)))
}

/// Brightness at a point of the whole picture.
#[inline(always)]
fn seen(level: &Level, at: Point) -> Option<f64> {
    level.between(at.x / level.scale - 0.5, at.y / level.scale - 0.5)
}

/// The normal equations of one round.
struct Equations {
    rows: [[f64; UNKNOWNS + 1]; UNKNOWNS],
}

impl Equations {
    fn at(level: &Level, marks: &[Mark], mapping: &Homography, weights: &[f64]) -> Option<Equations> {
        let mut rows = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
        let mut inside = 0;
        let m = &mapping.0;
        for (mark, weight) in marks.iter().zip(weights) {
            let Point { x, y } = mark.at;
            let at = mapping.apply(mark.at);
            let (u, v) = (at.x / level.scale - 0.5, at.y / level.scale - 0.5);
            let around = [(u, v), (u - 1.0, v), (u + 1.0, v), (u, v - 1.0), (u, v + 1.0)];
            let [here, left, right, above, below] = around.map(|(u, v)| level.between(u, v));
            let (Some(here), Some(left), Some(right), Some(above), Some(below)) =
                (here, left, right, above, below)
            else {
                continue;
            };
            inside += 1;
            let slope_x = (right - left) / (2.0 * level.scale);
            let slope_y = (below - above) / (2.0 * level.scale);
            let w = m[6] * x + m[7] * y + m[8];
            // How brightness changes when the mark moves on the screen.
            let along_x = (slope_x * (m[0] - at.x * m[6]) + slope_y * (m[3] - at.y * m[6])) / w;
            let along_y = (slope_x * (m[1] - at.x * m[7]) + slope_y * (m[4] - at.y * m[7])) / w;
            let tilt = along_x * x + along_y * y;
            let b = mark.brightness;
            let terms = [
                along_x * x,
                along_x * y,
                along_x,
                along_y * x,
                along_y * y,
                along_y,
                -tilt * x,
                -tilt * y,
                -b,
                -b * x,
                -b * y,
                -1.0,
                -x,
                -y,
            ];
            for row in 0..UNKNOWNS {
                let weighted = weight * terms[row];
                for column in row..UNKNOWNS {
                    rows[row][column] += weighted * terms[column];
                }
                rows[row][UNKNOWNS] -= weighted * here;
            }
        }
        // A screen of which a third is out of sight cannot be told from another thing.
        (3 * inside > 2 * marks.len() && inside > 3 * UNKNOWNS).then_some(Equations { rows })
    }

    fn solve(mut self) -> Option<([f64; POSE], [f64; 6])> {
        for row in 0..UNKNOWNS {
            self.rows[row][row] *= 1.0 + 1e-4;
            self.rows[row][row] += 1e-6;
            for column in 0..row {
                self.rows[row][column] = self.rows[column][row];
            }
        }
        let answer: [f64; UNKNOWNS] = solve(self.rows)?;
        let mut change = [0.0; POSE];
        change.copy_from_slice(&answer[..POSE]);
        // No step leads further than the picture can be trusted.
        let largest = change.iter().fold(0.0f64, |a, n| a.max(n.abs()));
        if largest > 0.15 {
            change = change.map(|n| n * 0.15 / largest);
        }
        let mut light = [0.0; 6];
        light.copy_from_slice(&answer[POSE..]);
        Some((change, light))
    }
}

/// Marks that look other than the light explains count for less. The answer is the fit.
fn reweight(
    level: &Level,
    marks: &[Mark],
    mapping: &Homography,
    light: &[f64; 6],
    weights: &mut [f64],
) -> Option<f64> {
    let off: Vec<Option<(f64, f64)>> = marks
        .iter()
        .map(|mark| {
            let here = seen(level, mapping.apply(mark.at))?;
            let Point { x, y } = mark.at;
            let [g0, g1, g2, o0, o1, o2] = light;
            let wanted = (g0 + g1 * x + g2 * y) * mark.brightness + o0 + o1 * x + o2 * y;
            Some((here, here - wanted))
        })
        .collect();
    let mut sizes: Vec<f64> = off.iter().flatten().map(|(_, off)| off.abs()).collect();
    if sizes.is_empty() || light[0] <= 0.0 {
        return None;
    }
    let middle = sizes.len() / 2;
    let spread = (2.0 * *sizes.select_nth_unstable_by(middle, f64::total_cmp).1).max(2.0);
    // Light alone explains much of any picture; only what it cannot explain counts.
    let values =
        marks.iter().zip(&off).filter_map(|(mark, off)| Some((mark.at.x, mark.at.y, off.as_ref()?.0)));
    let all = off_plane(values) + 1e-9;
    let mut left = 0.0;
    for (weight, off) in weights.iter_mut().zip(&off) {
        let Some((_, off)) = off else { continue };
        *weight = 1.0 / (1.0 + (off / spread).powi(2));
        left += off * off;
    }
    Some((1.0 - left / all).max(0.0).sqrt())
}
