//! What a person, or an earlier run, tells about a board before it is looked for.

use vision::edges::Edges;
use vision::lattice::{Axis, Lattice};
use vision::view::RgbView;

use super::grid::Grid;
use super::{MOST_CLASSES, Sight, UNSURE, Unclear};

/// What is known of a board; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// Where its cells lie in the picture, empty ones included.
    pub place: Option<Place>,
    /// How many columns it has.
    pub columns: Option<usize>,
    /// How many rows it has.
    pub rows: Option<usize>,
    /// How many kinds of tiles there are at most.
    pub colours: Option<usize>,
}

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Pixels across.
    pub width: f64,
    /// Pixels down.
    pub height: f64,
}

impl Given {
    /// The cells, if place and numbers are known: then nothing is searched.
    pub(super) fn lattice(&self) -> Option<Lattice> {
        let Place { left, top, width, height } = self.place?;
        let axis =
            |origin: f64, length: f64, count: usize| Axis { origin, pitch: length / count as f64, count };
        Some(Lattice { x: axis(left, width, self.columns?), y: axis(top, height, self.rows?) })
    }

    /// How many kinds of tiles there may be.
    pub(super) fn most_classes(&self) -> usize {
        self.colours.map_or(MOST_CLASSES, |colours| colours.min(MOST_CLASSES))
    }

    /// Whether a board that was found is the one that is meant.
    pub(super) fn check(&self, sight: &Sight) -> Result<(), Unclear> {
        let (x, y) = (&sight.lattice.x, &sight.lattice.y);
        let is_count = |given: Option<usize>, found: usize| given.is_none_or(|given| given == found);
        let is_inside = |axis: &Axis, from: f64, length: f64| {
            axis.origin > from - axis.pitch / 2.0 && axis.end() < from + length + axis.pitch / 2.0
        };
        let in_place = self.place.is_none_or(|Place { left, top, width, height }| {
            is_inside(x, left, width) && is_inside(y, top, height)
        });
        if is_count(self.columns, x.count) && is_count(self.rows, y.count) && in_place {
            return Ok(());
        }
        Err(Unclear::NotAsGiven { columns: x.count, rows: y.count, left: x.origin, top: y.origin })
    }
}

/// Reads the board in cells whose place is known.
pub(super) fn read_given(
    view: &RgbView<'_>,
    edges: &Edges,
    lattice: &Lattice,
    given: &Given,
) -> Result<Sight, Unclear> {
    let sight = Grid::at(view, edges, lattice, given.most_classes()).read().1?;
    if sight.least_confidence() < UNSURE {
        let (column, row) = sight.least_sure_cell();
        return Err(Unclear::UnknownTile { column: column + 1, row: row + 1 });
    }
    Ok(sight)
}
