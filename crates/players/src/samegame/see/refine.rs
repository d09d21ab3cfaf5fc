//! Moving a lattice by fractions of a cell to where tiles of a class are most alike.
//!
//! Edges tell a pitch to a pixel in all, and less on small boards and round tiles; what tiles look like
//! tells more, once their classes are known.

use vision::lattice::{Axis, Lattice};
use vision::patch::{LENGTH, Patch, distance, patch};
use vision::view::RgbView;

use super::Sight;

/// Tiles that are compared; more say no more.
const SAMPLES: usize = 80;
/// How far the ends of an axis may move, in pixels, and in which steps.
const REACH: i32 = 2;
const STEP: f64 = 0.75;
/// How often the axes are moved in turn.
const MOST_PASSES: usize = 6;
/// A change must make tiles of a class so much more alike to be worth it.
const BETTER: f32 = 0.8;

/// A lattice on which tiles of a class are more alike; `None` if the present one is best.
pub fn refined(view: &RgbView<'_>, sight: &Sight) -> Option<Lattice> {
    let samples = samples(sight);
    let unlike = |lattice: &Lattice| spread(view, lattice, &samples, sight.classes.len());
    let first = unlike(&sight.lattice);
    let mut best = (first, sight.lattice);
    // One axis after the other, as long as that helps.
    for pass in 0..MOST_PASSES {
        let start = best;
        for (from, to) in ends() {
            let moved = |axis: &Axis| moved(axis, from, to);
            let lattice = if pass % 2 == 0 {
                Lattice { x: moved(&start.1.x), ..start.1 }
            } else {
                Lattice { y: moved(&start.1.y), ..start.1 }
            };
            let here = unlike(&lattice);
            if here < 0.97 * best.0 {
                best = (here, lattice);
            }
        }
        if pass > 0 && best.0 >= start.0 {
            break;
        }
    }
    (best.0 < BETTER * first).then_some(best.1)
}

/// Changes of both ends of an axis, in pixels.
fn ends() -> impl Iterator<Item = (f64, f64)> {
    let steps = -REACH..=REACH;
    let far = |from: i32, to: i32| from.abs().max(to.abs());
    let mut ends: Vec<(i32, i32)> =
        steps.clone().flat_map(|from| steps.clone().map(move |to| (from, to))).collect();
    ends.retain(|&end| end != (0, 0));
    ends.sort_by_key(|&(from, to)| far(from, to));
    ends.into_iter().map(|(from, to)| (f64::from(from) * STEP, f64::from(to) * STEP))
}

fn moved(axis: &Axis, from: f64, to: f64) -> Axis {
    let (start, end) = (axis.origin + from, axis.end() + to);
    Axis { origin: start, pitch: (end - start) / axis.count as f64, count: axis.count }
}

/// Cells with their class: column, row from the top, class.
fn samples(sight: &Sight) -> Vec<(isize, isize, usize)> {
    let rows = sight.lattice.y.count;
    let mut all = Vec::new();
    for (column, cells) in sight.board.columns().iter().enumerate() {
        for (row, &colour) in cells.iter().enumerate().filter(|(_, colour)| **colour != 0) {
            all.push((column as isize, (rows - 1 - row) as isize, usize::from(colour) - 1));
        }
    }
    let every = all.len().div_ceil(SAMPLES).max(1);
    all.into_iter().step_by(every).collect()
}

/// How unlike tiles of a class are, compared to how unlike all tiles are.
fn spread(view: &RgbView<'_>, lattice: &Lattice, samples: &[(isize, isize, usize)], classes: usize) -> f32 {
    let patches: Vec<Patch> =
        samples.iter().map(|&(column, row, _)| patch(view, lattice, column, row)).collect();
    // The last mean is that of all.
    let mut means = vec![([0.0_f32; LENGTH], 0.0_f32); classes + 1];
    for (patch, &(.., class)) in patches.iter().zip(samples) {
        for of in [class, classes] {
            let (mean, count) = &mut means[of];
            mean.iter_mut().zip(patch).for_each(|(mean, value)| *mean += value);
            *count += 1.0;
        }
    }
    for (mean, count) in &mut means {
        for value in mean.iter_mut() {
            *value /= count.max(1.0);
        }
    }
    let (mut within, mut all) = (0.0, 1e-3);
    for (patch, &(.., class)) in patches.iter().zip(samples) {
        within += distance(patch, &means[class].0).powi(2);
        all += distance(patch, &means[classes].0).powi(2);
    }
    within / all
}
