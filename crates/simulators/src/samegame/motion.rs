//! How tiles move between two boards: the group shrinks, what lay above falls, columns close up.

use samegame::board::{Board, CellGroup};

use super::scene::Sprite;

/// Share of the time in which the group vanishes; in the rest the others fall.
const VANISHING: f64 = 0.35;

/// A move that is shown.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Where each tile comes from and where it goes; nothing to come from for new ones.
    falls: Vec<Fall>,
    gone: Vec<Sprite>,
    bounce: bool,
}

#[derive(Clone, Copy, Debug)]
struct Fall {
    colour: u8,
    from: (f64, f64),
    to: (f64, f64),
}

impl Motion {
    /// From one board to the next, which was made by removing this group and perhaps adding tiles.
    pub fn new(before: &Board, group: &CellGroup, after: &Board, bounce: bool) -> Self {
        let gone =
            group.cells.iter().map(|&(column, row)| Sprite::resting(group.colour, column as f64, row as f64));
        let left: Vec<(usize, Vec<usize>)> = before
            .columns()
            .iter()
            .enumerate()
            .map(|(column, cells)| {
                let stays = |row: &usize| cells[*row] != 0 && !group.cells.contains(&(column, *row));
                (column, (0..cells.len()).filter(stays).collect())
            })
            .filter(|(_, rows): &(usize, Vec<usize>)| !rows.is_empty())
            .collect();
        let target = matching_columns(before, &left, after);
        let mut falls = Vec::new();
        for (column, cells) in after.columns().iter().enumerate() {
            let source = target.iter().position(|&to| to == column).and_then(|at| left.get(at));
            for (row, &colour) in cells.iter().enumerate().filter(|(_, colour)| **colour != 0) {
                let to = (column as f64, row as f64);
                let from = match source.map(|(from, rows)| (*from as f64, rows.get(row))) {
                    Some((from, Some(&old))) => (from, old as f64),
                    // New tiles come in from above.
                    Some((from, None)) => (from, (cells.len() + row) as f64),
                    None => (column as f64, (cells.len() + row) as f64),
                };
                falls.push(Fall { colour, from, to });
            }
        }
        Self { falls, gone: gone.collect(), bounce }
    }

    /// The tiles when this share of the time has passed.
    pub fn sprites(&self, passed: f64) -> Vec<Sprite> {
        let mut sprites = Vec::with_capacity(self.falls.len() + self.gone.len());
        if passed < VANISHING {
            let scale = (1.0 - passed / VANISHING).clamp(0.05, 1.0);
            sprites.extend(self.gone.iter().map(|tile| Sprite { scale, ..*tile }));
        }
        let t = ((passed - VANISHING) / (1.0 - VANISHING)).clamp(0.0, 1.0);
        let (across, down) = (t * t * (3.0 - 2.0 * t), if self.bounce { bounced(t) } else { t * t });
        sprites.extend(self.falls.iter().map(|fall| {
            let at = |from: f64, to: f64, share: f64| from + (to - from) * share;
            let (column, row) = (at(fall.from.0, fall.to.0, across), at(fall.from.1, fall.to.1, down));
            Sprite::resting(fall.colour, column, row)
        }));
        sprites
    }
}

/// The column of the board after that each column with tiles left becomes: their order stays.
fn matching_columns(before: &Board, left: &[(usize, Vec<usize>)], after: &Board) -> Vec<usize> {
    let begins_with = |to: usize, (from, rows): &(usize, Vec<usize>)| {
        rows.iter().zip(&after.columns()[to]).all(|(&row, &colour)| before.columns()[*from][row] == colour)
    };
    let free = after.width().saturating_sub(left.len());
    // All close up to one side: the first offset at which every column fits is where they went.
    let spread = |offset: usize| (0..left.len()).map(move |at| at + offset).collect::<Vec<_>>();
    let fits = |targets: &[usize]| targets.iter().zip(left).all(|(&to, column)| begins_with(to, column));
    let stayed: Vec<usize> = left.iter().map(|(from, _)| *from).collect();
    if fits(&stayed) {
        return stayed;
    }
    (0..=free).map(spread).find(|targets| fits(targets)).unwrap_or(stayed)
}

/// Falls, and hops twice.
fn bounced(t: f64) -> f64 {
    let hop = |t: f64, from: f64, to: f64, height: f64| {
        let u = (t - from) / (to - from);
        1.0 - height * 4.0 * u * (1.0 - u)
    };
    match t {
        t if t < 0.5 => (t / 0.5).powi(2),
        t if t < 0.8 => hop(t, 0.5, 0.8, 0.12),
        t if t < 1.0 => hop(t, 0.8, 1.0, 0.04),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samegame::rules::Orientation;

    fn board(columns: &[&[u8]]) -> Board {
        Board::from_columns(columns.iter().map(|column| column.to_vec()).collect()).unwrap()
    }

    #[test]
    fn tiles_begin_where_they_were_and_end_where_they_go() {
        let before = board(&[&[1, 2, 1], &[2, 2, 0], &[3, 1, 3]]);
        for orientation in [Orientation::Left, Orientation::Right, Orientation::Mixed] {
            let group = before.groups(2).into_iter().find(|group| group.colour == 2).unwrap();
            let after = before.without(&group, orientation);
            let motion = Motion::new(&before, &group, &after, true);
            let place = |tile: &Sprite| (tile.colour, tile.column as usize, tile.row as usize);
            let mut first: Vec<_> = motion.sprites(0.0).iter().map(place).collect();
            let mut wanted: Vec<_> = super::super::scene::sprites(&before).iter().map(place).collect();
            first.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(first, wanted, "{orientation:?}");
            let last: Vec<_> = motion.sprites(1.0).iter().map(place).collect();
            let wanted: Vec<_> = super::super::scene::sprites(&after).iter().map(place).collect();
            assert_eq!(last, wanted, "{orientation:?}");
        }
    }
}
