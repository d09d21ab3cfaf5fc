//! Reading a board again whose place and colours are known: a look, not a search.

use engine::Picture;
use samegame::board::Board;
use vision::patch::{distance, patch};

use super::grid::margin;
use super::{Sight, Unclear, view};

impl Sight {
    /// What the same board shows now; colours keep their numbers.
    pub fn reread(&self, picture: &Picture) -> Result<(Board, Vec<Vec<f32>>), Unclear> {
        let view = view(picture)?;
        let (columns, rows) = (self.lattice.x.count, self.lattice.y.count);
        let mut cells = vec![vec![0; rows]; columns];
        let mut confidence = vec![vec![1.0; rows]; columns];
        for column in 0..columns {
            for row in 0..rows {
                let from_top = (rows - 1 - row) as isize;
                let here = patch(&view, &self.lattice, column as isize, from_top);
                let nearest =
                    self.classes.iter().enumerate().map(|(class, known)| (class, distance(&here, known)));
                let nearest = nearest.min_by(|a, b| a.1.total_cmp(&b.1));
                let Some((class, far)) = nearest else { continue };
                let empty = self.ground.as_ref().map(|ground| distance(&here, ground));
                if empty.is_some_and(|empty| empty < far) {
                    continue;
                }
                if far <= self.tolerance {
                    cells[column][row] = class as u8 + 1;
                    confidence[column][row] = margin(&here, class, &self.classes);
                } else if self.ground.is_some() {
                    return Err(Unclear::UnknownTile { column: column + 1, row: row + 1 });
                }
            }
        }
        Ok((Board::from_columns(cells)?, confidence))
    }
}
