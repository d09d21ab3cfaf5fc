//! Boards whose tiles lie apart on a plain ground: each tile is an island in it, and all of them tell the grid to a
//! fraction of a pixel.

use vision::edges::{Area, Edges};
use vision::islands::Sea;
use vision::lattice::{Axis, Lattice};
use vision::view::RgbView;

use super::grid::Grid;
use super::{GOOD, Sight, UNSURE};

/// How many grounds are read closely.
const MOST_GROUNDS: usize = 3;
/// Cells around the ground that are looked at: what lies there must not be tiles.
const AROUND: f64 = 2.6;
/// Things that are smaller than this in either direction, in pixels, are no boards.
const SMALLEST_BOARD: usize = 54;
/// Things smaller than this in one direction are no tiles but letters, and where there are so many of them there is text.
const LETTER: usize = 9;
const FEWEST_LETTERS: usize = 3;
/// How many things are searched for a board.
const MOST_PLACES: usize = 6;

/// The board whose tiles are islands; `None` if there is none, or if it cannot be read that way.
pub(super) fn read(view: &RgbView<'_>, seas: &[Sea], most_classes: usize) -> Option<Sight> {
    let mut found: Vec<(&Sea, Lattice)> =
        seas.iter().filter_map(|sea| sea.lattice().map(|lattice| (sea, lattice))).collect();
    // Of several, the one with the most tiles first.
    found.sort_by_key(|(sea, _)| std::cmp::Reverse(sea.islands.len()));
    found.iter().take(MOST_GROUNDS).find_map(|(sea, core)| {
        let more = |axis: &Axis| (axis.pitch * AROUND).ceil() as usize;
        let part = Part::around(view, sea.area, (more(&core.x), more(&core.y)));
        let view = part.view()?;
        let edges = Edges::of(&view);
        let grid = Grid::apart(&view, &edges, &part.inside(core), most_classes)?;
        let (quality, sight) = grid.read();
        let sight = sight.ok().filter(|sight| quality > GOOD && sight.least_confidence() >= UNSURE)?;
        Some(part.outside(sight))
    })
}

/// Plain areas with something on them that may be a board, the smallest first: a board lies on its ground or in a
/// window, and that on a desktop. The ground belongs to it: it is where tiles were.
pub(super) fn places(seas: &[Sea], whole: (usize, usize)) -> Vec<Area> {
    let is_large = |area: &Area| area.width.min(area.height) >= SMALLEST_BOARD;
    // A panel frames what lies on it; a group of tiles of one colour, which is plain too, hardly does.
    let frames = |sea: &&Sea| {
        let all = sea.area;
        let is_inside = |area: &Area| {
            area.x > all.x
                && area.y > all.y
                && area.x + area.width < all.x + all.width
                && area.y + area.height < all.y + all.height
        };
        sea.islands.iter().all(is_inside) && sea.islands.iter().any(is_large)
    };
    let size = |area: &Area| area.width * area.height;
    // Letters lie on a panel: what else lies there is a board with its ground. Where there are none the plain area itself
    // may be the ground.
    let letters = |sea: &Sea| sea.islands.iter().filter(|one| one.width.min(one.height) < LETTER).count();
    let mut places: Vec<Area> = Vec::new();
    for sea in seas.iter().filter(frames) {
        if letters(sea) >= FEWEST_LETTERS {
            places.extend(sea.islands.iter().filter(|area| is_large(area)));
        }
        places.push(sea.area);
    }
    places.retain(|area| size(area) * 10 < whole.0 * whole.1 * 8);
    places.sort_by_key(|area| (size(area), area.x, area.y));
    places.truncate(MOST_PLACES);
    places
}

/// A part of a picture, as a picture of its own.
pub(super) struct Part {
    x: usize,
    y: usize,
    size: (usize, usize),
    pixels: Vec<u8>,
}

impl Part {
    /// The part that holds an area and so many pixels around it.
    pub fn around(view: &RgbView<'_>, area: Area, (across, down): (usize, usize)) -> Self {
        let (x, y) = (area.x.saturating_sub(across), area.y.saturating_sub(down));
        let right = (area.x + area.width + across).min(view.width());
        let bottom = (area.y + area.height + down).min(view.height());
        let size = (right.saturating_sub(x), bottom.saturating_sub(y));
        Self { x, y, size, pixels: view.part(x, y, size.0, size.1) }
    }

    /// Its pixels.
    pub fn view(&self) -> Option<RgbView<'_>> {
        RgbView::new(self.size.0, self.size.1, &self.pixels)
    }

    /// A lattice of the picture, seen from this part.
    fn inside(&self, lattice: &Lattice) -> Lattice {
        self.moved(lattice, -1.0)
    }

    /// What was seen in this part, seen from the picture.
    pub fn outside(&self, sight: Sight) -> Sight {
        Sight { lattice: self.moved(&sight.lattice, 1.0), ..sight }
    }

    fn moved(&self, lattice: &Lattice, by: f64) -> Lattice {
        let axis = |axis: &Axis, from: usize| Axis { origin: axis.origin + by * from as f64, ..*axis };
        Lattice { x: axis(&lattice.x, self.x), y: axis(&lattice.y, self.y) }
    }
}
