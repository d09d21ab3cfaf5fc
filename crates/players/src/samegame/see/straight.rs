//! Laying a lattice along the lines that are seen between tiles: an error in the pitch adds up over the empty rows above
//! them, where nothing else tells how many there are.

use vision::edges::{Direction, Edges};
use vision::lattice::{Axis, Lattice};

use super::Sight;

/// How far a line may lie from where it was thought to be, in pixels.
const REACH: i64 = 2;
/// Tiles with a smaller pitch may show their outlines if they are cut out a pixel beside their place.
const SMALL: f64 = 20.0;
/// Boards with more cells than this tell their place well enough.
const FEW_CELLS: usize = 150;
/// Fewer lines than this tell no pitch.
const FEWEST_LINES: usize = 4;

/// The tiles of a sight on a lattice that follows the lines between them; `None` if it lies there already.
pub fn straightened(edges: &Edges, sight: &Sight) -> Option<Lattice> {
    let Lattice { x, y } = sight.lattice;
    let heights = sight.heights();
    let first = heights.iter().position(|&height| height > 0)?;
    let last = heights.iter().rposition(|&height| height > 0)?;
    let tallest = *heights.iter().max()?;
    let tiles = Lattice {
        x: x.part(first as isize, last + 1 - first),
        y: y.part((y.count - tallest) as isize, tallest),
    };
    let followed = Lattice {
        x: along_lines(edges, &tiles, Direction::Across),
        y: along_lines(edges, &tiles, Direction::Down),
    };
    // Over the whole board, the ends tell whether this makes a difference.
    let is_off = |was: &Axis, is: &Axis, count: usize| {
        (was.origin - is.origin).abs() > 0.6
            || (was.end() - is.end()).abs() > 0.6
            || (was.pitch - is.pitch).abs() * count as f64 > 0.6
    };
    (is_off(&tiles.x, &followed.x, x.count) || is_off(&tiles.y, &followed.y, y.count)).then_some(followed)
}

/// Lattices a pixel beside this one, and such whose pitch is a whole number, if tiles are so small that a pixel beside them
/// shows their outlines: what is the same each time may then be kinds of outlines, not of tiles.
pub fn beside(lattice: &Lattice) -> Vec<Lattice> {
    let Lattice { x, y } = lattice;
    if x.pitch.min(y.pitch) >= SMALL || x.count * y.count > FEW_CELLS {
        return Vec::new();
    }
    let axes = |axis: &Axis| -> Vec<Axis> {
        let (whole, count) = (axis.pitch.round(), axis.count as f64);
        let is_near = axis.pitch.fract() != 0.0 && (axis.pitch - whole).abs() * count < 2.5;
        let around_middle = |pitch: f64| {
            let origin = (axis.origin + axis.end() - pitch * count) / 2.0;
            Axis {
                origin: if pitch.fract() == 0.0 { origin.round() } else { origin },
                pitch,
                count: axis.count,
            }
        };
        let pitches = if is_near { vec![whole, axis.pitch] } else { vec![axis.pitch] };
        let shifts = |axis: Axis| [0.0, -1.0, 1.0].map(|by| Axis { origin: axis.origin + by, ..axis });
        pitches.into_iter().flat_map(|pitch| shifts(around_middle(pitch))).collect()
    };
    let (across, down) = (axes(x), axes(y));
    across.iter().flat_map(|x| down.iter().map(|y| Lattice { x: *x, y: *y })).collect()
}

/// One axis of the tiles, moved to the lines between columns (`Across`) or rows (`Down`); as it was if there are few.
fn along_lines(edges: &Edges, tiles: &Lattice, direction: Direction) -> Axis {
    let area = tiles.area(0.0, edges.width, edges.height);
    let profile = edges.profile(area, direction);
    let (axis, start) = match direction {
        Direction::Across => (tiles.x, area.x as i64),
        Direction::Down => (tiles.y, area.y as i64),
    };
    let mean = profile.iter().sum::<f32>() / profile.len().max(1) as f32;
    let value = |place: i64| {
        usize::try_from(place - start).ok().and_then(|at| profile.get(at)).copied().unwrap_or(0.0)
    };
    let mut lines: Vec<(f64, f64)> = Vec::new();
    for cell in 1..axis.count {
        // An edge is found at the pixel before it.
        let thought = axis.start(cell as isize).round() as i64 - 1;
        let near = thought - REACH..=thought + REACH;
        let strongest = near.clone().map(value).fold(0.0, f32::max);
        let (sum, places) = near
            .filter(|&place| value(place) > 0.7 * strongest)
            .fold((0.0, 0.0), |(sum, count), place| (sum + place as f64, count + 1.0));
        // A broad hump is no line.
        if strongest > 1.5 * mean && places < 4.0 {
            lines.push((cell as f64, sum / places + 1.0));
        }
    }
    if lines.len() < FEWEST_LINES || lines.len() * 2 < axis.count {
        return axis;
    }
    let count = lines.len() as f64;
    let mean_of = |of: fn(&(f64, f64)) -> f64| lines.iter().map(of).sum::<f64>() / count;
    let (cell, place) = (mean_of(|line| line.0), mean_of(|line| line.1));
    let spread: f64 = lines.iter().map(|line| (line.0 - cell).powi(2)).sum();
    let slope = lines.iter().map(|line| (line.0 - cell) * (line.1 - place)).sum::<f64>() / spread;
    // Most programs count in whole pixels.
    let whole = slope.round();
    let pitch = if (slope - whole).abs() * axis.count as f64 <= 0.8 { whole } else { slope };
    let origin = place - cell * pitch;
    let lies_off = |&(cell, place): &(f64, f64)| (origin + cell * pitch - place).abs() > 1.1;
    if lines.iter().any(lies_off) { axis } else { Axis { origin, pitch, count: axis.count } }
}
