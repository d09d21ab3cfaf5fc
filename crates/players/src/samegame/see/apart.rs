//! Boards whose tiles lie apart on a plain ground: each tile is an island in it, and all of them tell the grid to a
//! fraction of a pixel.

use vision::edges::{Area, Edges};
use vision::islands::{Sea, seas};
use vision::lattice::{Axis, Lattice};
use vision::view::RgbView;

use super::grid::Grid;
use super::{GOOD, Sight, UNSURE};

/// How many grounds are read closely.
const MOST_GROUNDS: usize = 3;
/// Cells around the ground that are looked at: what lies there must not be tiles.
const AROUND: f64 = 2.6;

/// The board whose tiles are islands; `None` if there is none, or if it cannot be read that way.
pub(super) fn read(view: &RgbView<'_>, most_classes: usize) -> Option<Sight> {
    let mut found: Vec<(Sea, Lattice)> =
        seas(view).into_iter().filter_map(|sea| sea.lattice().map(|lattice| (sea, lattice))).collect();
    // Of several, the one with the most tiles first.
    found.sort_by_key(|(sea, _)| std::cmp::Reverse(sea.islands.len()));
    found.iter().take(MOST_GROUNDS).find_map(|(sea, lattice)| read_on(view, sea.area, lattice, most_classes))
}

/// The board on this ground. Only the part of the picture around it is looked at.
fn read_on(view: &RgbView<'_>, ground: Area, core: &Lattice, most_classes: usize) -> Option<Sight> {
    let more = |axis: &Axis| (axis.pitch * AROUND).ceil() as usize;
    let (x, y) = (ground.x.saturating_sub(more(&core.x)), ground.y.saturating_sub(more(&core.y)));
    let right = (ground.x + ground.width + more(&core.x)).min(view.width());
    let bottom = (ground.y + ground.height + more(&core.y)).min(view.height());
    let pixels = view.part(x, y, right - x, bottom - y);
    let part = RgbView::new(right - x, bottom - y, &pixels)?;
    let moved = |lattice: &Lattice, by: f64| Lattice {
        x: Axis { origin: lattice.x.origin + by * x as f64, ..lattice.x },
        y: Axis { origin: lattice.y.origin + by * y as f64, ..lattice.y },
    };
    let core = moved(core, -1.0);
    let edges = Edges::of(&part);
    let (quality, sight) = Grid::apart(&part, &edges, &core, most_classes)?.read();
    let mut sight = sight.ok().filter(|sight| quality > GOOD && sight.least_confidence() >= UNSURE)?;
    sight.lattice = moved(&sight.lattice, 1.0);
    Some(sight)
}
