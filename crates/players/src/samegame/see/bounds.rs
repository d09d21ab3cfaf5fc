//! How far a board reaches: the tiles that stand, and the empty room around them.

use std::ops::RangeInclusive;

use vision::edges::{Area, Direction, Edges};
use vision::lattice::{Axis, Lattice, line_share};
use vision::patch::{Patch, distance, patch, roughness};
use vision::view::RgbView;

use super::Sight;

/// Cells from `left` to `right` and from `top` to `bottom`, all included.
#[derive(Clone, Copy, Debug)]
pub struct Box {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Box {
    pub fn columns(&self) -> usize {
        self.right + 1 - self.left
    }

    pub fn rows(&self) -> usize {
        self.bottom + 1 - self.top
    }

    /// The part of a lattice that it covers.
    pub fn lattice(&self, whole: &Lattice) -> Lattice {
        Lattice {
            x: whole.x.part(self.left as isize, self.columns()),
            y: whole.y.part(self.top as isize, self.rows()),
        }
    }
}

/// How far cells may be from each other to hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Side by side.
    Touching,
    /// With a cell between them: the middle of a group without outlines shows no edges.
    OneApart,
}

/// The box around the cells that hang together and of which the most lie in an area.
pub fn component_in(marked: &[bool], whole: &Lattice, area: Area, reach: Reach) -> Option<Box> {
    let neighbours: &[(isize, isize)] = match reach {
        Reach::Touching => &[(-1, 0), (1, 0), (0, -1), (0, 1)],
        Reach::OneApart => &[
            (-1, 0),
            (1, 0),
            (0, -1),
            (0, 1),
            (-1, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-2, 0),
            (2, 0),
            (0, -2),
            (0, 2),
        ],
    };
    let width = whole.x.count;
    let inside = |cell: usize| {
        let (x, y) = (whole.x.middle(cell % width) as usize, whole.y.middle(cell / width) as usize);
        (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y)
    };
    let mut seen = vec![false; marked.len()];
    let mut best: Option<(usize, Box)> = None;
    for start in 0..marked.len() {
        if !marked[start] || seen[start] || !inside(start) {
            continue;
        }
        seen[start] = true;
        let mut queue = vec![start];
        let (mut at, x, y) = (0, start % width, start / width);
        let mut found = Box { left: x, right: x, top: y, bottom: y };
        while let Some(&cell) = queue.get(at) {
            at += 1;
            let (x, y) = (cell % width, cell / width);
            found = Box {
                left: found.left.min(x),
                right: found.right.max(x),
                top: found.top.min(y),
                bottom: found.bottom.max(y),
            };
            for &(dx, dy) in neighbours {
                let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                    continue;
                };
                let next = y * width + x;
                if x < width && next < marked.len() && marked[next] && !seen[next] {
                    seen[next] = true;
                    queue.push(next);
                }
            }
        }
        let size = queue.iter().filter(|&&cell| inside(cell)).count();
        if best.is_none_or(|(most, _)| size > most) {
            best = Some((size, found));
        }
    }
    best.map(|(_, found)| found)
}

/// Cuts off outer rows and columns that belong to something else: no tile of
/// theirs looks like one of the inner cells. A frame's line along a cell looks
/// like the edge of a tile, and so does a letter.
pub fn trim(view: &RgbView<'_>, whole: &Lattice, tile_like: &[bool], found: Box) -> Box {
    let mut found = found;
    let (start, width) = ((found.left, found.top), found.columns());
    let tiles: Vec<Option<Patch>> = (found.top..=found.bottom)
        .flat_map(|row| (found.left..=found.right).map(move |column| (column, row)))
        .map(|(column, row)| {
            let is_tile = tile_like[row * whole.x.count + column];
            is_tile.then(|| patch(view, whole, column as isize, row as isize))
        })
        .collect();
    let tiles_in = |columns: RangeInclusive<usize>, rows: RangeInclusive<usize>| {
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
            .filter_map(|(column, row)| tiles[(row - start.1) * width + column - start.0].as_ref())
            .collect::<Vec<_>>()
    };
    loop {
        let Box { left, right, top, bottom } = found;
        if found.columns() < 4 || found.rows() < 4 {
            return found;
        }
        let inner = tiles_in(left + 1..=right - 1, top + 1..=bottom - 1);
        let alike = alike(&inner);
        let is_known = |tile: &Patch| inner.iter().any(|other| distance(tile, other) < alike);
        // A letter may look like a tile, a row of them does not.
        let belong = |tiles: &[&Patch]| {
            let known = tiles.iter().filter(|tile| is_known(tile)).count();
            known > 0 && known * 3 >= tiles.len()
        };
        let row_belongs = |row: usize| belong(&tiles_in(left..=right, row..=row));
        // Tiles lie at the bottom of a column, whether or not they show an edge there.
        let column_belongs = |column: usize| {
            let lowest = patch(view, whole, column as isize, bottom as isize);
            (tile_like[bottom * whole.x.count + column] || is_known(&lowest))
                && tiles_in(column..=column, top..=bottom).iter().any(|tile| is_known(tile))
        };
        if !row_belongs(bottom) {
            found.bottom -= 1;
        } else if !row_belongs(top) {
            found.top += 1;
        } else if !column_belongs(left) {
            found.left += 1;
        } else if !column_belongs(right) {
            found.right -= 1;
        } else {
            return found;
        }
    }
}

/// Patches nearer than this are alike, judged by how far apart most of them are.
fn alike(patches: &[&Patch]) -> f32 {
    let mut far: Vec<f32> =
        patches.iter().zip(patches.iter().skip(patches.len() / 3)).map(|(a, b)| distance(a, b)).collect();
    far.sort_by(f32::total_cmp);
    far.get(far.len() / 2).map_or(6.0, |median| (median * 0.25).clamp(6.0, 20.0))
}

/// The colour where four tiles meet, if it is the same nearly everywhere.
pub fn colour_between(view: &RgbView<'_>, core: &Lattice) -> Option<[f32; 3]> {
    let mut colours = Vec::new();
    for row in 1..core.y.count {
        for column in 1..core.x.count {
            let place = (core.x.start(column as isize) - 0.5, core.y.start(row as isize) - 0.5);
            colours.push(view.pixel(place.0.round() as i64, place.1.round() as i64));
        }
    }
    plain(&colours, 0.93)
}

/// The colour just outside the board, if it is plain.
pub fn colour_around(view: &RgbView<'_>, lattice: &Lattice) -> Option<[f32; 3]> {
    let (left, right) = (lattice.x.origin.round() as i64, lattice.x.end().round() as i64);
    let top = lattice.y.origin.round() as i64 - 2;
    let colours: Vec<_> = (left..right).map(|x| view.pixel(x, top)).collect();
    plain(&colours, 0.9)
}

/// The median colour, if this share of all is close to it.
fn plain(colours: &[[u8; 3]], share: f64) -> Option<[f32; 3]> {
    if colours.is_empty() {
        return None;
    }
    let median = [0, 1, 2].map(|channel| {
        let mut values: Vec<u8> = colours.iter().map(|colour| colour[channel]).collect();
        values.sort_unstable();
        values[values.len() / 2]
    });
    let near = colours.iter().filter(|colour| is_near(**colour, median)).count();
    (near as f64 >= share * colours.len() as f64).then(|| median.map(f32::from))
}

fn is_near(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 12)
}

/// The core with the empty rows and columns around it: as far as the ground
/// reaches, or up to the first line that frames it.
pub fn extend(
    view: &RgbView<'_>,
    edges: &Edges,
    core: &Lattice,
    between: Option<[f32; 3]>,
    separate: bool,
) -> Lattice {
    let ground = if separate { between } else { room_above(view, core) };
    let ground = ground.map(|colour| colour.map(|value| value as u8));
    let rows = (core.y.origin.max(0.0) as usize, (core.y.end() as usize).min(view.height()));
    let columns = (core.x.origin.max(0.0) as usize, (core.x.end() as usize).min(view.width()));
    let free = |direction: Direction, from: f64, step: i64, span: (usize, usize)| -> f64 {
        let limit = match direction {
            Direction::Down => view.width(),
            Direction::Across => view.height(),
        };
        match ground {
            Some(ground) => run_of_ground(view, ground, direction, from, step, span, limit),
            None if separate => run_to_line(edges, direction, from, step, span, limit),
            None => Some(0.0),
        }
        .unwrap_or(0.0)
    };
    with_room(core, free, (rows, columns))
}

/// The lattice without rows above the core that are all of one colour: a picture is not, a panel is.
pub fn without_panel(view: &RgbView<'_>, core: &Lattice, lattice: &Lattice) -> Lattice {
    let above = ((core.y.origin - lattice.y.origin) / lattice.y.pitch).round().max(0.0) as usize;
    let is_plain = |row: usize| {
        let cells: Vec<Patch> =
            (0..lattice.x.count).map(|column| patch(view, lattice, column as isize, row as isize)).collect();
        let mut plain: Vec<&Patch> = cells.iter().filter(|cell| roughness(cell) < 0.05).collect();
        plain.sort_by(|a, b| a[0].total_cmp(&b[0]));
        // There may be a title and buttons on it.
        let Some(middle) = plain.get(plain.len() / 2) else { return false };
        plain.iter().filter(|cell| distance(cell, middle) < 0.5).count() * 2 > cells.len()
    };
    let plain = (0..above.min(lattice.y.count)).rev().find(|&row| is_plain(row)).map_or(0, |row| row + 1);
    Lattice { y: lattice.y.part(plain as isize, lattice.y.count - plain), ..*lattice }
}

/// The lattice of a sight with the empty rows and columns around it, once empty cells were seen; `None` if
/// there are none.
pub fn room(view: &RgbView<'_>, sight: &Sight) -> Option<Lattice> {
    let lattice = &sight.lattice;
    let columns = sight.board.columns().iter().enumerate();
    let mut free = columns.filter_map(|(column, cells)| {
        let row = cells.iter().position(|&colour| colour == 0)?;
        let here = patch(view, lattice, column as isize, (lattice.y.count - 1 - row) as isize);
        (roughness(&here) < 1.5).then(|| vision::patch::colour(&here).map(|value| value as u8))
    });
    let ground = free.next()?;
    let (x, y) = (&lattice.x, &lattice.y);
    let span = |axis: &Axis, limit: usize| (axis.origin.max(0.0) as usize, (axis.end() as usize).min(limit));
    let extended = with_room(
        lattice,
        |direction, from, step, span| {
            let limit = if direction == Direction::Down { view.width() } else { view.height() };
            run_of_ground(view, ground, direction, from, step, span, limit).unwrap_or(0.0)
        },
        (span(y, view.height()), span(x, view.width())),
    );
    (extended != *lattice).then_some(extended)
}

/// A lattice with as many cells at its sides and above it as fit into the room that is free there.
fn with_room(
    core: &Lattice,
    free: impl Fn(Direction, f64, i64, (usize, usize)) -> f64,
    (rows, columns): ((usize, usize), (usize, usize)),
) -> Lattice {
    // Cells of the ground beyond; a margin is less than a cell.
    let cells = |pixels: f64, pitch: f64| (pixels / pitch + 0.1).floor().max(0.0) as isize;
    let left = cells(free(Direction::Down, core.x.origin, -1, rows), core.x.pitch);
    let right = cells(free(Direction::Down, core.x.end(), 1, rows), core.x.pitch);
    let above = cells(free(Direction::Across, core.y.origin, -1, columns), core.y.pitch);
    let count = |cells: usize, more: isize| cells + more.unsigned_abs();
    Lattice {
        x: core.x.part(-left, count(core.x.count, left + right)),
        y: core.y.part(-above, count(core.y.count, above)),
    }
}

/// The ground's colour where a column of the core has room above it.
fn room_above(view: &RgbView<'_>, core: &Lattice) -> Option<[f32; 3]> {
    let highest = |column: usize| {
        let here = patch(view, core, column as isize, 0);
        (roughness(&here) < 1.5).then(|| vision::patch::colour(&here))
    };
    let outside = |column: usize| {
        let (x, y) = (core.x.middle(column), core.y.origin - 2.0);
        view.pixel(x as i64, y as i64)
    };
    (0..core.x.count).find_map(|column| {
        let colour = highest(column)?;
        is_near(outside(column), colour.map(|value| value as u8)).then_some(colour)
    })
}

/// Pixels by which the edge of a board may be off.
const OFF: i64 = 3;

/// How many pixels of pure ground lie beyond; none if it never ends.
fn run_of_ground(
    view: &RgbView<'_>,
    ground: [u8; 3],
    direction: Direction,
    from: f64,
    step: i64,
    span: (usize, usize),
    limit: usize,
) -> Option<f64> {
    let start = from.round() as i64 - i64::from(step < 0);
    let (mut at, mut begun) = (start, false);
    loop {
        if at < 0 || at >= limit as i64 {
            return None;
        }
        let pixels = (span.0..span.1).map(|i| match direction {
            Direction::Down => view.pixel(at, i as i64),
            Direction::Across => view.pixel(i as i64, at),
        });
        let near = pixels.filter(|pixel| is_near(*pixel, ground)).count();
        let is_ground = near * 20 >= (span.1 - span.0) * 19;
        // The outermost tiles may reach a little beyond where they were found.
        begun |= is_ground;
        let beyond = (at - start).abs();
        if !is_ground && (begun || beyond >= OFF) {
            return Some(if begun { beyond as f64 } else { 0.0 });
        }
        at += step;
    }
}

/// How many pixels lie between here and the first line that runs along the whole board.
fn run_to_line(
    edges: &Edges,
    direction: Direction,
    from: f64,
    step: i64,
    span: (usize, usize),
    limit: usize,
) -> Option<f64> {
    let start = from.round() as i64;
    let mut at = start;
    while at > 0 && at < limit as i64 - 1 {
        if line_share(edges, direction, at as usize, span.0, span.1) > 0.85 {
            return Some((at - start).unsigned_abs() as f64);
        }
        at += step;
    }
    None
}
