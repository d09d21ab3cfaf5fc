//! Reading a board again whose place and colours are known: a look, not a search.

use engine::Picture;
use samegame::board::Board;
use vision::patch::{Patch, colour, distance, is_nearer, patch, roughness};

use super::{Sight, Unclear, view};

/// What a known board shows now.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A board at rest; colours keep their numbers.
    Board(Board),
    /// Cells (column, row from the bottom) that look like none of the known tiles, and not empty:
    /// marked, on their way, or covered.
    Strange {
        /// Counted from 0.
        cells: Vec<(usize, usize)>,
        /// How they look, in the same order.
        looks: Vec<Patch>,
        /// What all cells show, columns from the left and each from the bottom; 0 for strange ones.
        others: Vec<Vec<u8>>,
    },
}

impl Sight {
    /// What the same board shows now.
    pub fn reread(&self, picture: &Picture) -> Result<Reading, Unclear> {
        let view = view(picture)?;
        let (columns, rows) = (self.lattice.x.count, self.lattice.y.count);
        let mut cells = vec![vec![0; rows]; columns];
        let (mut strange, mut looks) = (Vec::new(), Vec::new());
        for column in 0..columns {
            for row in 0..rows {
                let from_top = (rows - 1 - row) as isize;
                let here = patch(&view, &self.lattice, column as isize, from_top);
                if let Some(colour) = self.recognise((column, row), &here) {
                    cells[column][row] = colour;
                } else {
                    strange.push((column, row));
                    looks.push(here);
                }
            }
        }
        if strange.is_empty() {
            Ok(Reading::Board(Board::from_columns(cells)?))
        } else {
            Ok(Reading::Strange { cells: strange, looks, others: cells })
        }
    }

    /// Remembers how these cells look when they are empty: on a picture each looks different.
    pub(crate) fn learn_empty(&mut self, cells: &[(usize, usize)], looks: &[Patch]) {
        self.bare.extend(cells.iter().copied().zip(looks.iter().copied()));
    }

    /// Whether this sight can follow another in the same window: the same board elsewhere, or a new one that
    /// is nearly full.
    pub(crate) fn may_follow(&self, before: &Self) -> bool {
        let cells = |sight: &Self| sight.lattice.x.count * sight.lattice.y.count;
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
        let (a, b) = (&before.lattice, &self.lattice);
        let same_pitch = near(a.x.pitch, b.x.pitch) && near(a.y.pitch, b.y.pitch);
        // On a busy ground a board's extent is not always seen the same.
        (same_pitch && cells(self) * 10 >= cells(before) * 7) || self.board.cells() * 3 > cells(self) * 2
    }

    /// A cell of another sight of the same cells (column and row from the bottom) whose kind of tile was not
    /// there before.
    pub(crate) fn first_new_kind(&self, other: &Self) -> Option<(usize, usize)> {
        let near = |a: f64, b: f64| (a - b).abs() < 3.0;
        let (own, its) = (&self.lattice, &other.lattice);
        let same = near(own.x.origin, its.x.origin) && near(own.y.end(), its.y.end());
        let known =
            |class: &Patch| self.classes.iter().any(|own| distance(own, class) < self.tolerance * 1.5);
        let new = other.classes.iter().position(|class| same && !known(class))?;
        let columns = other.board.columns().iter().enumerate();
        columns
            .flat_map(|(column, cells)| {
                cells.iter().enumerate().map(move |(row, &colour)| (column, row, colour))
            })
            .find(|&(.., colour)| usize::from(colour) == new + 1)
            .map(|(column, row, _)| (column, row))
    }

    /// The colour that a changed tile is clearly nearest to; `None` if it might be another, or no tile.
    pub(crate) fn nearest_colour(&self, look: &Patch) -> Option<u8> {
        let mut far: Vec<(f32, u8)> =
            self.classes.iter().zip(1..).map(|(class, colour)| (distance(look, class), colour)).collect();
        far.extend(self.ground.iter().map(|ground| (distance(look, ground), 0)));
        far.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (nearest, colour) = *far.first()?;
        let other = far.iter().find(|(_, other)| *other != colour).map_or(f32::INFINITY, |(far, _)| *far);
        (colour != 0 && nearest < 0.6 * other).then_some(colour)
    }

    /// Whether these looks can be marked tiles of one colour: all are marked alike, and a mark leaves the
    /// tile's picture visible where it has one.
    pub(crate) fn may_be_marked(&self, colour: u8, looks: &[Patch]) -> bool {
        let Some(class) = usize::from(colour).checked_sub(1).and_then(|at| self.classes.get(at)) else {
            return false;
        };
        let alike = looks.iter().all(|look| distance(look, &looks[0]) < (self.spread * 1.5).max(8.0));
        let flat = roughness(class) < 4.0;
        alike && (flat || looks.first().is_none_or(|look| correlation(look, class) > 0.6))
    }

    /// Whether a patch looks like one of the tiles that were seen, with nothing allowed for changes.
    pub(super) fn is_surely_tile(&self, here: &Patch) -> bool {
        self.kind_within(here, (self.spread * 1.5).max(8.0).min(self.tolerance)).is_some()
    }

    /// The kind of tile that a patch looks like, counted from 0.
    pub(super) fn kind(&self, here: &Patch) -> Option<usize> {
        self.kind_within(here, self.tolerance)
    }

    fn kind_within(&self, here: &Patch, limit: f32) -> Option<usize> {
        let near = self.classes.iter().enumerate().filter(|(_, class)| is_nearer(here, class, limit));
        let far = near.map(|(kind, class)| (kind, distance(here, class)));
        let (kind, tile) = far.min_by(|a, b| a.1.total_cmp(&b.1))?;
        self.ground.iter().all(|ground| distance(here, ground) > tile).then_some(kind)
    }

    /// The colour of a patch, 0 for an empty cell; `None` if it is like neither.
    fn recognise(&self, cell: (usize, usize), here: &Patch) -> Option<u8> {
        let known = self.classes.iter().zip(1..).map(|(class, colour)| (colour, distance(here, class)));
        let (colour, far) = known.min_by(|a, b| a.1.total_cmp(&b.1))?;
        // On a picture there are hundreds of grounds: most are told apart by a part of them.
        let limit = far.min(self.tolerance);
        let is_like = |ground: &Patch| is_nearer(here, ground, limit);
        if self.bare.get(&cell).is_some_and(is_like) || self.ground.iter().any(is_like) {
            return Some(0);
        }
        (far <= self.tolerance).then_some(colour)
    }
}

/// How much two patches vary alike, −1 to 1, whatever their colours.
fn correlation(a: &Patch, b: &Patch) -> f32 {
    let (mean_a, mean_b) = (colour(a), colour(b));
    let (mut product, mut square_a, mut square_b) = (0.0, 1e-6, 1e-6);
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let (a, b) = (a - mean_a[i % 3], b - mean_b[i % 3]);
        product += a * b;
        square_a += a * a;
        square_b += b * b;
    }
    product / f32::sqrt(square_a * square_b)
}
