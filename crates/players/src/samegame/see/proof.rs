//! Whether a reading explains the picture: what turns a misreading into "unclear".

use vision::cluster::Clusters;
use vision::edges::Edges;
use vision::lattice::{Axis, Lattice};
use vision::patch::{LENGTH, PARTS, Patch, distance, patch};
use vision::view::RgbView;

use super::{Sight, growth};

/// The share of the differences between tiles that their classes explain, 0 to 1.
///
/// On the right grid tiles of a class are equal but for rounding and what shines through. Cells that lie
/// across tiles are not, however they are grouped.
pub fn explained(patches: &[Patch], labels: &[usize], classes: &[Patch]) -> f32 {
    let mut mean = [0.0_f32; LENGTH];
    for patch in patches {
        mean.iter_mut().zip(patch).for_each(|(mean, value)| *mean += value / patches.len() as f32);
    }
    let (mut left, mut all) = (0.0, 1e-6);
    for (patch, &label) in patches.iter().zip(labels) {
        left += distance(patch, &classes[label]).powi(2);
        all += distance(patch, &mean).powi(2);
    }
    (1.0_f32 - left / all).max(0.0)
}

/// Whether tiles are found half a cell beside this reading too: then it skips every second one.
///
/// Between two tiles of one colour there may be more of it; between two of different colours there is both.
pub fn skips_tiles(view: &RgbView<'_>, sight: &Sight) -> bool {
    let (x, y) = (sight.lattice.x, sight.lattice.y);
    let beside = |axis: Axis| Axis { origin: axis.origin + axis.pitch / 2.0, ..axis };
    let skips = |lattice: Lattice, step: (usize, usize)| {
        let columns = sight.board.columns();
        let (mut pairs, mut tiles) = (0_u32, 0_u32);
        for (column, cells) in columns.iter().enumerate() {
            for (row, &colour) in cells.iter().enumerate() {
                let next = columns.get(column + step.0).and_then(|cells| cells.get(row + step.1));
                let Some(&next) = next.filter(|next| **next != colour && **next != 0 && colour != 0) else {
                    continue;
                };
                // The cell below is the one whose lower half is meant: rows count from the top in pictures.
                let from_top = y.count - 1 - row - step.1;
                let here = patch(view, &lattice, column as isize, from_top as isize);
                pairs += 1;
                tiles += u32::from(next != colour && sight.is_surely_tile(&here));
            }
        }
        pairs >= 4 && tiles * 4 > pairs
    };
    skips(Lattice { x: beside(x), y }, (1, 0)) || skips(Lattice { x, y: beside(y) }, (0, 1))
}

/// Whether tiles lie around the board or on top of it, wherever they would lie in a cell: then it is a part of one, read at a
/// distance that is not its own.
pub fn goes_on(view: &RgbView<'_>, edges: &Edges, sight: &Sight) -> bool {
    let (x, y) = (sight.lattice.x, sight.lattice.y);
    let is_inside = |axis: &Axis, limit: usize| axis.origin >= 0.0 && axis.start(1) <= limit as f64;
    let mut kinds: Vec<usize> = Vec::new();
    let mut look_at = |from: (f64, f64)| {
        let at =
            |axis: &Axis, from: f64| Axis { origin: axis.start(0) + from * axis.pitch, count: 1, ..*axis };
        let one = Lattice { x: at(&x, from.0), y: at(&y, from.1) };
        if !is_inside(&one.x, view.width()) || !is_inside(&one.y, view.height()) {
            return;
        }
        let here = patch(view, &one, 0, 0);
        if let Some(kind) = sight.kind(&here)
            && growth::has_edges(edges, &one, 0, 0)
        {
            kinds.push(kind);
        }
    };
    let (columns, rows) = (x.count as f64, y.count as f64);
    let halves = |count: usize| (0..2 * count - 1).map(|i| i as f64 / 2.0);
    // A pitch that is a little off is a good part of a small tile off at the end.
    for far in [0.875, 1.0, 1.125, 1.25, 1.375, 1.5, 1.75, 2.0] {
        for along in halves(y.count) {
            look_at((-far, along));
            look_at((columns - 1.0 + far, along));
        }
        for along in halves(x.count) {
            look_at((along, -far));
            look_at((along, rows - 1.0 + far));
        }
    }
    // What counts as empty above the tiles.
    for (column, cells) in sight.board.columns().iter().enumerate() {
        if let Some(height) = cells.iter().position(|&colour| colour == 0) {
            let row = rows - 1.0 - height as f64;
            (-4..=2).for_each(|down| look_at((column as f64, row + f64::from(down) / 8.0)));
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    // One kind may have the colour of a panel.
    kinds.len() >= 2
}

/// Whether every cell holds one tile: not two of them, nor a part of one, nor parts of several.
pub fn is_one_tile_a_cell(places: &[(usize, usize)], clusters: &Clusters, classes: &[Patch]) -> bool {
    clusters.count < 2
        || !(is_doubled(clusters, classes)
            || depends_on_neighbour(places, clusters)
            || depends_on_line(places, clusters))
}

/// Whether cells hold two tiles each: then there is a kind of cell for every pair of halves.
fn is_doubled(clusters: &Clusters, classes: &[Patch]) -> bool {
    let part = |patch: &Patch, x: usize, y: usize| -> [f32; 3] {
        let at = (y * PARTS + x) * 3;
        [patch[at], patch[at + 1], patch[at + 2]]
    };
    let kinds = |half: &dyn Fn(&Patch) -> Vec<f32>| {
        let mut kinds: Vec<Vec<f32>> = Vec::new();
        for half in classes.iter().map(half) {
            let alike = |kind: &Vec<f32>| {
                let far = || kind.iter().zip(&half).map(|(a, b)| (a - b).abs());
                let square = far().map(|far| far * far).sum::<f32>() / half.len() as f32;
                far().all(|far| far < 8.0) || square.sqrt() < 0.25 * clusters.between
            };
            if !kinds.iter().any(alike) {
                kinds.push(half);
            }
        }
        kinds.len()
    };
    let upright = |rows: [usize; 2]| {
        kinds(&move |patch| {
            rows.iter().flat_map(|&y| (0..PARTS).flat_map(move |x| part(patch, x, y))).collect()
        })
    };
    let sideways = |columns: [usize; 2]| {
        kinds(&move |patch| {
            columns.iter().flat_map(|&x| (0..PARTS).flat_map(move |y| part(patch, x, y))).collect()
        })
    };
    let (near, far) = ([0, 1], [PARTS - 2, PARTS - 1]);
    let are_pairs =
        |first: usize, second: usize| first.max(second) < classes.len() && first * second >= classes.len();
    are_pairs(upright(near), upright(far)) || are_pairs(sideways(near), sideways(far))
}

/// Fewer pairs of neighbours than this tell nothing: chance makes as many equal.
const FEWEST_PAIRS: usize = 24;

/// Whether cells are parts of tiles: then, pair by pair, one says what its neighbour is.
fn depends_on_neighbour(places: &[(usize, usize)], clusters: &Clusters) -> bool {
    let count = clusters.count;
    let label_at = |place: (usize, usize)| {
        let at = places.binary_search(&place).ok()?;
        clusters.labels.get(at).copied()
    };
    let depends = |step: (usize, usize), number: &dyn Fn(&(usize, usize)) -> usize| {
        (0..2).any(|phase| {
            let mut followers = vec![0_usize; count * count];
            for (place, &label) in places.iter().zip(&clusters.labels) {
                if number(place) % 2 == phase
                    && let Some(next) = label_at((place.0 + step.0, place.1 + step.1))
                {
                    followers[label * count + next] += 1;
                }
            }
            let pairs: usize = followers.iter().sum();
            let told: usize =
                followers.chunks_exact(count).map(|one| one.iter().copied().max().unwrap_or(0)).sum();
            // Where nearly all tiles are of one kind, that is what tells.
            let next = |kind: usize| followers.iter().skip(kind).step_by(count).sum::<usize>();
            let anyway = (0..count).map(next).max().unwrap_or(0);
            // With few pairs of each kind chance tells as much.
            pairs >= (3 * count).max(FEWEST_PAIRS)
                && told * 100 >= pairs * 95
                && (pairs - told) * 4 <= pairs - anyway
        })
    };
    depends((1, 0), &|place| place.0) || depends((0, 1), &|place| place.1)
}

/// Whether each kind is found in certain rows, or columns, only: then cells lie at a different place of the
/// tiles in each of them.
fn depends_on_line(places: &[(usize, usize)], clusters: &Clusters) -> bool {
    let pure = |number: &dyn Fn(&(usize, usize)) -> usize| {
        let lines = places.iter().map(number).max().map_or(0, |last| last + 1);
        let mut counts = vec![0_usize; lines * clusters.count];
        for (place, &label) in places.iter().zip(&clusters.labels) {
            counts[label * lines + number(place)] += 1;
        }
        let of_kinds = counts.chunks_exact(lines.max(1));
        let most: usize = of_kinds.map(|one| one.iter().copied().max().unwrap_or(0)).sum();
        lines >= 3 && places.len() >= 4 * clusters.count && most * 100 >= places.len() * 85
    };
    pure(&|place| place.0) || pure(&|place| place.1)
}
