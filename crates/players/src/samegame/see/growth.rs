//! Growing a reading to the whole board: rows and columns beside it whose tiles look like its own.

use vision::edges::Edges;
use vision::lattice::{Axis, Lattice};
use vision::patch::patch;
use vision::view::RgbView;

use super::grid::Grid;
use super::{MOST, Sight};

/// The lattice with the rows and columns that belong to the same board; `None` if there are none. It may be
/// larger than any board: then its cells are no tiles.
pub fn grown(view: &RgbView<'_>, edges: &Edges, sight: &Sight) -> Option<Lattice> {
    let lattice = &sight.lattice;
    let (columns, rows) = (lattice.x.count, lattice.y.count);
    let fits = |axis: &Axis, cell: isize, limit: usize| {
        axis.start(cell) > -1.0 && axis.start(cell + 1) < limit as f64 + 1.0
    };
    let is_tile = |column: isize, row_from_top: isize| {
        fits(&lattice.x, column, view.width())
            && fits(&lattice.y, row_from_top, view.height())
            && has_edges(edges, lattice, column, row_from_top)
            && sight.is_surely_tile(&patch(view, lattice, column, row_from_top))
    };
    let heights = sight.heights();
    let filled: Vec<usize> = (0..columns).filter(|&column| heights[column] > 0).collect();
    let (first, last) = (*filled.first()?, *filled.last()?);
    // Above full columns only; at the bottom under all of them; at the sides at the bottom.
    let mut above = 0;
    let mut tall: Vec<usize> = (0..columns).filter(|&column| heights[column] == rows).collect();
    while !tall.is_empty() && rows + above <= MOST.1 {
        tall.retain(|&column| is_tile(column as isize, -1 - above as isize));
        above += usize::from(!tall.is_empty());
    }
    let mut below = 0;
    while rows + above + below <= MOST.1
        && filled.iter().all(|&column| is_tile(column as isize, (rows + below) as isize))
    {
        below += 1;
    }
    let bottom = (rows + below - 1) as isize;
    let mut left = 0;
    while first == 0 && columns + left <= MOST.0 && is_tile(-1 - left as isize, bottom) {
        left += 1;
    }
    let mut right = 0;
    while last + 1 == columns
        && columns + left + right <= MOST.0
        && is_tile((columns + right) as isize, bottom)
    {
        right += 1;
    }
    (above + below + left + right > 0).then(|| Lattice {
        x: lattice.x.part(-(left as isize), columns + left + right),
        y: lattice.y.part(-(above as isize), rows + above + below),
    })
}

/// The lattice with a row or column beside it whose cells have the edges of tiles, whatever they look like: on a small
/// board none of them may look like any other. `None` if there is none.
pub fn grown_by_edges(edges: &Edges, grid: &Grid, sight: &Sight) -> Option<Lattice> {
    let (x, y) = (sight.lattice.x, sight.lattice.y);
    let (columns, rows) = (x.count, y.count);
    let around = Lattice { x: x.part(-1, columns + 2), y: y.part(-1, rows + 2) };
    let agreements = grid.agreements(edges, &around);
    let least = 0.85 * sight.agreement;
    let is_tile = |column: usize, row: usize| {
        let here = agreements[row * (columns + 2) + column];
        here.energy > (x.pitch + y.pitch) as f32 * 4.0 && here.cosine > least
    };
    let heights = sight.board.columns().iter().map(|column| column.iter().filter(|&&c| c != 0).count());
    let heights: Vec<usize> = heights.collect();
    // Two tiles from the bottom are no chance.
    let is_column =
        |column: usize, height: usize| height > 1 && is_tile(column, rows) && is_tile(column, rows - 1);
    let (left, right) = (is_column(0, heights[0]), is_column(columns + 1, heights[columns - 1]));
    let all = |row: usize, wanted: &dyn Fn(usize) -> bool| {
        let mut filled = (0..columns).filter(|&column| wanted(heights[column])).peekable();
        filled.peek().is_some() && filled.all(|column| is_tile(column + 1, row))
    };
    let (above, below) = (all(0, &|height| height == rows), all(rows + 1, &|height| height > 0));
    let more = |before: bool, after: bool| usize::from(before) + usize::from(after);
    (left || right || above || below).then(|| Lattice {
        x: x.part(-isize::from(left), columns + more(left, right)),
        y: y.part(-isize::from(above), rows + more(above, below)),
    })
}

/// Whether a cell has edges at all: a plain area may have the colour of a tile.
pub fn has_edges(edges: &Edges, lattice: &Lattice, column: isize, row: isize) -> bool {
    let span = |axis: &Axis, cell: isize, limit: usize| {
        let at = |place: f64| place.round().clamp(0.0, limit as f64) as usize;
        // An outline lies at the very border, and an edge is found at the pixel before it.
        at(axis.start(cell) - 2.0)..at(axis.start(cell + 1) + 1.0)
    };
    let columns = span(&lattice.x, column, edges.width);
    let sum: u32 = span(&lattice.y, row, edges.height)
        .map(|y| {
            let line = &edges.counted[y * edges.width..(y + 1) * edges.width];
            line[columns.clone()].iter().map(|&edge| u32::from(edge)).sum::<u32>()
        })
        .sum();
    f64::from(sum) > (lattice.x.pitch + lattice.y.pitch) * 4.0
}

/// The lattice without rows at the bottom, or columns at a side, whose kinds of tiles are found nowhere else:
/// a frame or a panel was taken for tiles. `None` if there are no such rows and columns.
pub fn cut(sight: &Sight) -> Option<Lattice> {
    let columns = sight.board.columns();
    let (width, height) = (sight.lattice.x.count, sight.lattice.y.count);
    let kinds = |columns: &[Vec<u8>], rows: std::ops::Range<usize>| {
        let mut kinds = [false; 10];
        columns.iter().flat_map(|column| &column[rows.clone()]).for_each(|&c| kinds[usize::from(c)] = true);
        kinds[0] = false;
        kinds
    };
    let are_strangers = |own: [bool; 10], others: [bool; 10]| {
        own.contains(&true) && others.contains(&true) && !own.iter().zip(others).any(|(a, b)| *a && b)
    };
    // A panel may have been taken for tiles at the opposite side too.
    for lines in 1..=(height / 3).min(4) {
        if are_strangers(kinds(columns, 0..lines), kinds(columns, lines..height - lines)) {
            let y = sight.lattice.y.part(0, height - lines);
            return Some(Lattice { y, ..sight.lattice });
        }
    }
    // At the top a kind of its own is a panel where it fills the row, and a rare tile where it does not.
    let is_full = |row: usize| columns.iter().all(|column| column[row] != 0);
    for lines in (1..=(height / 3).min(4)).take_while(|&lines| is_full(height - lines)) {
        if are_strangers(kinds(columns, height - lines..height), kinds(columns, 0..height - lines)) {
            let y = sight.lattice.y.part(lines as isize, height - lines);
            return Some(Lattice { y, ..sight.lattice });
        }
    }
    for lines in 1..=(width / 3).min(4) {
        let inner = kinds(&columns[lines..width - lines], 0..height);
        if are_strangers(kinds(&columns[..lines], 0..height), inner) {
            return Some(Lattice { x: sight.lattice.x.part(lines as isize, width - lines), ..sight.lattice });
        }
        if are_strangers(kinds(&columns[width - lines..], 0..height), inner) {
            return Some(Lattice { x: sight.lattice.x.part(0, width - lines), ..sight.lattice });
        }
    }
    None
}
