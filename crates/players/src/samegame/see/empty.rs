//! Which cells are empty: gravity says that it is the upper part of each column.

use vision::cluster::{Clusters, cluster, kinds};
use vision::patch::{LENGTH, PARTS, Patch, colour, distance, roughness};

use super::Unclear;
use super::grid::{Cell, Grid};

/// Fewer cells than this that look like no tile may be tiles of a rare colour.
const FEWEST_EMPTY: usize = 4;

/// So many cells that look alike and lie on top of all others are empty.
const MANY_EMPTY: usize = 12;

/// Least agreement with the average cell's edges of a cell that looks like one other tile.
const EDGED: f32 = 0.5;

/// Tiles in each column, counted from the bottom.
pub fn heights(grid: &Grid) -> Result<Vec<usize>, Unclear> {
    let (columns, rows) = (grid.lattice.x.count, grid.lattice.y.count);
    let evidence = evidence(grid);
    let heights: Vec<usize> = (0..columns)
        .map(|column| {
            let here: Vec<f32> = (0..rows).map(|row| evidence[(rows - 1 - row) * columns + column]).collect();
            best_height(&here)
        })
        .collect();
    without_empty_class(grid, heights)
}

/// Raises columns on which something lies that looks as a tile of the board does; says whether there were any.
///
/// On a picture the edges of a few tiles drown, but not what they look like.
pub fn raise(grid: &Grid, heights: &mut [usize], patches: &[Patch], clusters: &Clusters) -> bool {
    if !grid.separate || clusters.count > super::MOST_CLASSES {
        return false;
    }
    let mut raised = false;
    for (column, height) in heights.iter_mut().enumerate() {
        while *height < grid.lattice.y.count {
            let cell = grid.cell(column, *height);
            let alike = alike(grid, &cell.patch, patches, clusters);
            // One may be alike by chance, but hardly where the edges of a tile are too.
            if alike < 2 && (alike == 0 || cell.agreement.cosine < EDGED) {
                break;
            }
            *height += 1;
            raised = true;
        }
    }
    raised
}

/// An empty cell, as a column and a row from the bottom, that looks as some tile does: it may be one.
pub fn doubtful(
    grid: &Grid,
    heights: &[usize],
    patches: &[Patch],
    clusters: &Clusters,
) -> Option<(usize, usize)> {
    let on_picture = grid.separate && grid.between.is_none();
    let mut empty = heights
        .iter()
        .enumerate()
        .flat_map(|(column, &height)| (height..grid.lattice.y.count).map(move |row| (column, row)));
    empty.find(|&(column, row)| {
        on_picture && alike(grid, &grid.cell(column, row).patch, patches, clusters) > 0
    })
}

/// How many tiles a cell looks like, two at most.
fn alike(grid: &Grid, here: &Patch, patches: &[Patch], clusters: &Clusters) -> usize {
    let limit = clusters.within.clamp(2.0, 12.0);
    let is_ground = |ground: [f32; 3]| distance(here, &flat(ground)) <= 2.0 * limit;
    if grid.between.or(grid.around).is_some_and(is_ground) || roughness(here) <= 1.5 {
        return 0;
    }
    patches.iter().filter(|tile| middle_distance(here, tile) < limit).take(2).count()
}

/// How far the middles of two patches are from each other: around a ball its ground shows, which may be a picture.
fn middle_distance(a: &Patch, b: &Patch) -> f32 {
    let middle = |at: usize| (1..PARTS - 1).contains(&(at % PARTS)) && (1..PARTS - 1).contains(&(at / PARTS));
    let parts = || (0..LENGTH).filter(|i| middle(i / 3));
    let sum: f32 = parts().map(|i| (a[i] - b[i]).powi(2)).sum();
    (sum / parts().count() as f32).sqrt()
}

/// For each cell of the grid, above 0 if it holds a tile: what looks the same is all tiles or all empty.
fn evidence(grid: &Grid) -> Vec<f32> {
    let patches: Vec<Patch> = grid.cells.iter().map(|cell| cell.patch).collect();
    let kinds = kinds(&patches);
    let mut sums = vec![(0.0, 0.0); grid.cells.len()];
    for (cell, &kind) in grid.cells.iter().zip(&kinds) {
        sums[kind].0 += tile_evidence(grid, cell);
        sums[kind].1 += 1.0;
    }
    kinds.iter().map(|&kind| sums[kind].0 / sums[kind].1).collect()
}

/// How empty cells look: each kind that is seen, and the ground that shows between tiles or around them.
pub fn grounds(grid: &Grid, heights: &[usize]) -> Vec<Patch> {
    let rows = grid.lattice.y.count;
    let mut kinds: Vec<Patch> = grid.between.or(grid.around).into_iter().map(flat).collect();
    for (column, &height) in heights.iter().enumerate() {
        for row in height..rows {
            let here = grid.cell(column, row).patch;
            if kinds.iter().all(|kind| distance(kind, &here) > 4.0) {
                kinds.push(here);
            }
        }
    }
    kinds
}

/// A patch of one colour.
fn flat(colour: [f32; 3]) -> Patch {
    std::array::from_fn(|i| colour[i % 3])
}

/// Above 0 for a tile, below for an empty cell.
fn tile_evidence(grid: &Grid, cell: &Cell) -> f32 {
    if !grid.separate {
        return 0.1;
    }
    let least = (grid.lattice.x.pitch + grid.lattice.y.pitch) as f32 * 4.0;
    let blank = cell.agreement.energy < least;
    match grid.between {
        Some(ground) => {
            let parts = cell.patch.iter().enumerate();
            let far = parts.map(|(i, value)| (value - ground[i % 3]).abs()).fold(0.0, f32::max);
            if far < 10.0 { -1.0 } else { 0.5 }
        }
        None if blank => -0.6,
        None => cell.agreement.cosine - 0.62,
    }
}

/// The height that explains the evidence best.
fn best_height(evidence: &[f32]) -> usize {
    let mut sum = 0.0;
    let mut best = (0.0, 0);
    for (row, one) in evidence.iter().enumerate() {
        sum += one;
        if sum > best.0 {
            best = (sum, row + 1);
        }
    }
    best.1
}

/// Heights without the class of tiles that is none: empty cells that look alike
/// lie only above others.
fn without_empty_class(grid: &Grid, heights: Vec<usize>) -> Result<Vec<usize>, Unclear> {
    let places: Vec<(usize, usize)> = heights
        .iter()
        .enumerate()
        .flat_map(|(column, &height)| (0..height).map(move |row| (column, row)))
        .collect();
    let patches: Vec<Patch> = places.iter().map(|&(column, row)| grid.cell(column, row).patch).collect();
    let clusters = cluster(&patches, super::MOST_CLASSES + 1);
    for class in 0..clusters.count {
        let lowered: Vec<usize> = lowered(&heights, &places, &clusters.labels, class);
        let removed: usize = heights.iter().sum::<usize>() - lowered.iter().sum::<usize>();
        let members = clusters.labels.iter().filter(|label| **label == class).count();
        if members == removed
            && removed < places.len()
            && (looks_empty(grid, &patches, &clusters.labels, class)
                || is_without_edges(grid, &places, &clusters.labels, class))
        {
            // A few tiles of one colour can lie on top of all others by chance.
            let certain = is_around(grid, &patches, &clusters.labels, class)
                || are_sockets(grid, &patches, &clusters.labels, class) == Some(true);
            if removed < FEWEST_EMPTY && !certain {
                let column = (0..heights.len()).find(|&c| lowered[c] < heights[c]).unwrap_or(0);
                return Err(Unclear::Doubtful { column: column + 1, row: heights[column] });
            }
            return Ok(lowered);
        }
    }
    Ok(heights)
}

/// Heights when the topmost run of this class is taken off every column.
fn lowered(heights: &[usize], places: &[(usize, usize)], labels: &[usize], class: usize) -> Vec<usize> {
    let mut lowered = heights.to_vec();
    for (&(column, row), &label) in places.iter().zip(labels).rev() {
        if label == class && row + 1 == lowered[column] {
            lowered[column] = row;
        }
    }
    lowered
}

/// Whether all tiles have edges of their own, and those of this class none.
fn is_without_edges(grid: &Grid, places: &[(usize, usize)], labels: &[usize], class: usize) -> bool {
    let mean = |wanted: bool| {
        let chosen = places.iter().zip(labels).filter(|(_, label)| (**label == class) == wanted);
        let cosines = chosen.map(|(&(column, row), _)| grid.cell(column, row).agreement.cosine);
        let (sum, count) = cosines.fold((0.0, 0.0), |(sum, count), cosine| (sum + cosine, count + 1.0));
        sum / f32::max(count, 1.0)
    };
    mean(false) > 0.8 && mean(true) < 0.5
}

/// Whether a class has just the colour that surrounds the board.
fn is_around(grid: &Grid, patches: &[Patch], labels: &[usize], class: usize) -> bool {
    let mut own = patches.iter().zip(labels).filter(|(_, label)| **label == class);
    grid.around.is_some_and(|around| own.all(|(patch, _)| distance(patch, &flat(around)) < 2.0))
}

/// Whether a class differs little from what shows between tiles, where tiles differ much: then it is sockets. `None`
/// where nothing plain shows between tiles.
fn are_sockets(grid: &Grid, patches: &[Patch], labels: &[usize], class: usize) -> Option<bool> {
    let ground = grid.between?;
    let contrast = |patch: &Patch| {
        let colour = colour(patch);
        (0..3).map(|i| (colour[i] - ground[i]).abs()).fold(0.0, f32::max)
    };
    let of = |wanted: bool| patches.iter().zip(labels).filter(move |(_, label)| (**label == class) == wanted);
    let mut far: Vec<f32> = of(false).map(|(patch, _)| contrast(patch)).collect();
    far.sort_by(f32::total_cmp);
    let least = far.get(far.len() / 10)?;
    of(true).next().map(|(first, _)| contrast(first) < 0.3 * least)
}

/// Whether a class that lies on top of all others can be the ground.
fn looks_empty(grid: &Grid, patches: &[Patch], labels: &[usize], class: usize) -> bool {
    let of_class = patches.iter().zip(labels).filter(|(_, label)| **label == class);
    let own: Vec<&Patch> = of_class.map(|(patch, _)| patch).collect();
    let Some(first) = own.first() else { return false };
    let near = |ground: [f32; 3]| {
        let colour = colour(first);
        (0..3).map(|i| (colour[i] - ground[i]).abs()).fold(0.0, f32::max)
    };
    let flat = roughness(first) < 3.0;
    if flat && grid.around.is_some_and(|around| near(around) < 10.0) {
        return true;
    }
    // No colour lies on top of all others that often by chance, but a panel may.
    if flat && own.len() >= MANY_EMPTY && (!grid.separate || grid.between.is_none()) {
        return true;
    }
    if let Some(are_sockets) = are_sockets(grid, patches, labels, class) {
        return are_sockets;
    }
    // Chance puts a few tiles of one colour on top, hardly many.
    flat && !grid.separate && own.len() >= FEWEST_EMPTY
}
