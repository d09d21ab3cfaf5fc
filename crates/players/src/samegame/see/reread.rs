//! Reading a board again whose place and colours are known: a look, not a search.

use engine::Picture;
use samegame::board::Board;
use vision::patch::{Patch, distance, patch};

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
                if let Some(colour) = self.recognise(&here) {
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
            Ok(Reading::Strange { cells: strange, looks })
        }
    }

    /// The colour of a patch, 0 for an empty cell; `None` if it is like neither.
    fn recognise(&self, here: &Patch) -> Option<u8> {
        let known = self.classes.iter().zip(1..).map(|(class, colour)| (colour, distance(here, class)));
        let (colour, far) = known.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let empty = self.ground.iter().map(|ground| distance(here, ground)).fold(f32::INFINITY, f32::min);
        if empty < far && empty < self.tolerance {
            return Some(0);
        }
        (far <= self.tolerance).then_some(colour)
    }
}
