//! Reading a board from a screenshot alone: where it is, what is alike, what is empty (S2, S3).
//!
//! Nothing is configured. Where tiles lie apart on a plain ground, each of them is seen by itself
//! ([`vision::islands`]). Elsewhere the pitch is the distance at which edges repeat
//! ([`vision::pitch`]); the cells are where edges agree with the average cell
//! ([`vision::lattice`]); classes are what looks alike, cut where distances jump
//! ([`vision::cluster`]). What cannot be told is [`Unclear`], never guessed.

mod annotate;
mod apart;
mod bounds;
mod empty;
mod given;
mod grid;
mod growth;
mod lines;
mod proof;
mod refine;
mod reread;
mod straight;

use std::collections::BTreeMap;

use engine::{Picture, PixelFormat};
use samegame::board::{Board, BoardError, MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
use vision::edges::{Direction, Edges};
use vision::islands::seas;
use vision::lattice::{Axis, Lattice, Template};
use vision::patch::Patch;
use vision::pitch;
use vision::repeats::{Repeat, repeats};
use vision::view::RgbView;

pub use annotate::annotate;
use apart::Part;
pub use given::{Given, Place};
use grid::{Grid, Meeting};
pub use reread::Reading;

/// A board that was seen, and everything needed to find it again.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The board, in normal form.
    pub board: Board,
    /// Its cells in the picture, rows from the top.
    pub lattice: Lattice,
    /// How much it looks like a board, 0 to 1.
    pub quality: f32,
    /// How well the edges of tiles agree with each other or lie where cells meet, 0 to 1.
    pub agreement: f32,
    /// How sure each cell is, 0 to 1; columns left to right, each bottom to top.
    pub confidence: Vec<Vec<f32>>,
    /// What each colour looks like; the first is colour 1.
    classes: Vec<Patch>,
    /// Largest distance of a tile from its class that still counts.
    tolerance: f32,
    /// Largest distance between neighbours within a class.
    spread: f32,
    /// What empty cells look like: the ground between tiles, and what was seen in empty cells.
    ground: Vec<Patch>,
    /// What cells look like that were seen empty after a move.
    bare: BTreeMap<(usize, usize), Patch>,
}

/// Why no board was read.
#[derive(Clone, Debug, PartialEq, thiserror::Error, schemars::JsonSchema, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// Nothing repeats.
    #[error("no grid of tiles: no edges repeat at equal distances in both directions")]
    NoGrid,
    /// Things repeat, but they do not look like tiles.
    #[error("edges repeat every {across:.1} × {down:.1} pixels, but not as a board of tiles does")]
    NoBoard {
        /// Pixels across.
        across: f64,
        /// Pixels down.
        down: f64,
    },
    /// The kinds of tiles cannot be told apart.
    #[error(
        "tiles cannot be told apart: {classes} kinds, unlike by {between:.0} and within themselves by {within:.0} grey levels"
    )]
    Indistinct {
        /// Kinds found.
        classes: usize,
        /// Distance between kinds.
        between: f32,
        /// Distance within a kind.
        within: f32,
    },
    /// Whether a tile stands in a cell cannot be told.
    #[error("column {column}, row {row}: cannot tell whether it is empty")]
    Doubtful {
        /// Counted from 1.
        column: usize,
        /// Counted from 1, from the bottom.
        row: usize,
    },
    /// A cell looks like nothing seen on this board before.
    #[error("column {column}, row {row}: looks like no tile of this game")]
    UnknownTile {
        /// Counted from 1.
        column: usize,
        /// Counted from 1, from the bottom.
        row: usize,
    },
    /// What was read cannot be a board at rest.
    #[error("what was read is no board at rest: {why}")]
    NotAtRest {
        /// What is wrong with it.
        why: String,
    },
    /// A board was found, but not the one that is meant.
    #[error(
        "a board of {columns} columns and {rows} rows at {left:.0},{top:.0} was found, which is not what the settings say"
    )]
    NotAsGiven {
        /// Columns found.
        columns: usize,
        /// Rows found.
        rows: usize,
        /// Its left edge, in pixels.
        left: f64,
        /// Its top edge, in pixels.
        top: f64,
    },
    /// The picture has no colours.
    #[error("the picture is not made of red, green and blue bytes")]
    Format,
}

impl Sight {
    /// How sure the least sure tile is, 0 to 1.
    pub fn least_confidence(&self) -> f32 {
        self.confidence.iter().flatten().copied().fold(1.0, f32::min)
    }

    /// How many tiles stand in each column.
    fn heights(&self) -> Vec<usize> {
        let tiles = |column: &Vec<u8>| column.iter().filter(|colour| **colour != 0).count();
        self.board.columns().iter().map(tiles).collect()
    }

    /// The least sure tile: column and row from the bottom, counted from 0.
    fn least_sure_cell(&self) -> (usize, usize) {
        let cells = self.confidence.iter().enumerate().flat_map(|(column, cells)| {
            cells.iter().enumerate().map(move |(row, &sure)| (column, row, sure))
        });
        cells.min_by(|a, b| a.2.total_cmp(&b.2)).map_or((0, 0), |(column, row, _)| (column, row))
    }
}

impl From<BoardError> for Unclear {
    fn from(error: BoardError) -> Self {
        Self::NotAtRest { why: error.to_string() }
    }
}

/// How many parts of a picture are looked at closely.
const PLACES: usize = 6;
/// How many pitches are tried in each.
const PITCHES: usize = 6;
/// How many readings are tried in all: what is not found by then is unclear.
const MOST_READINGS: usize = 80;
/// How many readings are tried in a part of the picture that may be a board.
const READINGS_OF_PLACE: usize = 16;
/// Pixels around it that are looked at too.
const AROUND_PLACE: usize = 24;
/// A reading this good needs no comparison with others.
const GOOD: f32 = 0.9;
/// A reading below this is no board.
const POOR: f32 = 0.9;

/// Cells surer than this need no closer look.
const SURE: f32 = 0.9;
/// A board whose cells were found by differences alone has none less sure than this.
const SURE_BY_GAP: f32 = 0.75;
/// Edges of its tiles agree at least so much.
const AGREED_BY_GAP: f32 = 0.75;
/// A board with a cell less sure than this is not read.
const UNSURE: f32 = 0.6;

/// Finds and reads the board in a picture.
pub fn see(picture: &Picture) -> Result<Sight, Unclear> {
    see_given(picture, &Given::default())
}

/// Finds and reads the board in a picture of which something is known already.
pub fn see_given(picture: &Picture, given: &Given) -> Result<Sight, Unclear> {
    let view = view(picture)?;
    if let Some(lattice) = given.lattice() {
        return given::read_given(&view, &Edges::of(&view), &lattice, given);
    }
    let most_classes = given.most_classes();
    let is_given = |sight: &Sight| given.check(sight).is_ok();
    let seas = seas(&view);
    if let Some(sight) = apart::read(&view, &seas, most_classes).filter(is_given) {
        return Ok(sight);
    }
    // A board is searched for where it may be before letters around it are tried.
    for place in apart::places(&seas, (view.width(), view.height())) {
        let part = Part::around(&view, place, (AROUND_PLACE, AROUND_PLACE));
        let Some(view) = part.view() else { continue };
        let (quality, sight) = search(&view, most_classes, READINGS_OF_PLACE);
        if let Some(sight) = sight.ok().filter(|_| quality > GOOD).map(|sight| part.outside(sight))
            && is_given(&sight)
        {
            return Ok(sight);
        }
    }
    let (quality, sight) = search(&view, most_classes, MOST_READINGS);
    let sight = sight?;
    if quality <= POOR {
        return Err(Unclear::NoGrid);
    }
    given.check(&sight)?;
    Ok(sight)
}

/// The best reading anywhere in a picture, and how good it is.
fn search(view: &RgbView<'_>, most_classes: usize, readings: usize) -> (f32, Result<Sight, Unclear>) {
    let edges = Edges::of(view);
    let mut best = (0.0, Err(Unclear::NoGrid));
    let mut effort = Effort { readings, tried: Vec::new(), most_classes };
    for repeat in repeats(&edges, PLACES) {
        let (quality, sight) = read_around(view, &edges, &repeat, &mut effort);
        if quality > best.0 {
            best = (quality, sight);
        }
        if quality > GOOD {
            break;
        }
    }
    best
}

/// What is left to try, and what was tried.
struct Effort {
    /// Readings that may still be tried.
    readings: usize,
    /// Grids that were read.
    tried: Vec<Lattice>,
    /// Kinds of tiles that there may be.
    most_classes: usize,
}

impl Effort {
    /// Whether this grid was not read before; it counts as read from now on.
    fn is_new(&mut self, lattice: &Lattice) -> bool {
        let same = |a: &Axis, b: &Axis| {
            a.count == b.count && (a.origin - b.origin).abs() < 0.2 && (a.end() - b.end()).abs() < 0.2
        };
        let is_new = !self.tried.iter().any(|other| same(&other.x, &lattice.x) && same(&other.y, &lattice.y));
        if is_new {
            self.tried.push(*lattice);
        }
        is_new
    }
}

/// The best reading of the grid around a part of the picture, and how good it is.
fn read_around(
    view: &RgbView<'_>,
    edges: &Edges,
    repeat: &Repeat,
    effort: &mut Effort,
) -> (f32, Result<Sight, Unclear>) {
    let near = |direction, coarse| pitch::candidates(&edges.profile(repeat.area, direction), coarse);
    let (across, down) = (near(Direction::Across, repeat.pitch.0), near(Direction::Down, repeat.pitch.1));
    // Most cells are square: what surrounds the board may hide the pitch in one direction.
    let square = |own: &[f64], direction: Direction, other: &[f64]| {
        let pitch = pitch::refine(&edges.profile(repeat.area, direction), *other.first()?);
        own.iter().all(|own| (own - pitch).abs() > 1.0).then_some(pitch)
    };
    let squares = [
        square(&across, Direction::Across, &down).zip(down.first().copied()),
        across.first().copied().zip(square(&down, Direction::Down, &across)),
    ];
    let mut pairs: Vec<_> = (0..across.len()).flat_map(|x| (0..down.len()).map(move |y| (x, y))).collect();
    pairs.sort_by_key(|(x, y)| x + y);
    let mut pairs = pairs.into_iter().map(|(x, y)| (across[x], down[y]));
    let pitches: Vec<(f64, f64)> = pairs
        .next()
        .into_iter()
        .chain(squares.into_iter().flatten())
        .chain(pairs)
        .filter(|(x, y)| (0.45..2.2).contains(&(x / y)))
        .collect();
    let mut best = (0.0, Err(Unclear::NoBoard { across: repeat.pitch.0, down: repeat.pitch.1 }));
    // Where edges do not tell where cells meet, differences may: at a wrong pitch they tell it too, so they come last.
    let beside = [(false, false), (true, true), (true, false), (false, true)];
    let meetings = [&beside.map(|(x, y)| Meeting::Beside(x, y))[..], &[Meeting::Gap]];
    for (meetings, &pitch) in
        meetings.iter().flat_map(|meetings| pitches.iter().take(PITCHES).map(move |pitch| (meetings, pitch)))
    {
        let reading = read_at(view, edges, repeat, pitch, meetings, effort);
        if reading.0 > best.0 {
            best = reading;
        }
        if best.0 > GOOD {
            // Twice the pitch also repeats: a smaller one that does as well is the pitch.
            for &finer in pitches.iter().filter(|finer| divides(**finer, pitch)) {
                let reading = read_at(view, edges, repeat, finer, meetings, effort);
                if reading.0 > 0.9 * best.0 && reading.1.is_ok() {
                    best = reading;
                }
            }
            break;
        }
    }
    best
}

/// The best reading at this pitch with cells that meet in one of these ways, and how good it is.
fn read_at(
    view: &RgbView<'_>,
    edges: &Edges,
    repeat: &Repeat,
    pitch: (f64, f64),
    meetings: &[Meeting],
    effort: &mut Effort,
) -> (f32, Result<Sight, Unclear>) {
    let template = Template::fold(edges, pitch, repeat.area);
    let mut best = (0.0, Err(Unclear::NoBoard { across: pitch.0, down: pitch.1 }));
    for &meeting in meetings {
        if effort.readings == 0 {
            break;
        }
        effort.readings -= 1;
        let most = effort.most_classes;
        let Some(grid) = Grid::find(view, edges, &template, repeat.area, meeting, most) else { continue };
        if !effort.is_new(&grid.lattice) {
            continue;
        }
        let (quality, sight) = read_mended(view, edges, grid);
        // Where edges are, cells meet: half a cell beside it needs good reasons.
        let quality = if meeting == Meeting::Beside(false, false) { quality } else { 0.95 * quality };
        // Differences alone are a weak reason: each tile must be sure, and have edges as the others.
        let is_weak =
            |sight: &Sight| sight.least_confidence() < SURE_BY_GAP || sight.agreement < AGREED_BY_GAP;
        if meeting == Meeting::Gap && sight.as_ref().is_ok_and(is_weak) {
            continue;
        }
        if quality > best.0 {
            best = (quality, sight);
        }
        if quality > GOOD {
            break;
        }
    }
    best
}

/// How often a reading is mended.
const MOST_MENDING: usize = 8;
/// How often its cells are moved: each time they move a little.
const MOST_REFINING: usize = 3;

/// The reading of a grid, mended by what was read: with all that belongs to the same board beside it, without
/// what does not, and with its cells where tiles are most alike.
fn read_mended(view: &RgbView<'_>, edges: &Edges, grid: Grid) -> (f32, Result<Sight, Unclear>) {
    let mut grid = grid;
    let mut reading = grid.read();
    if let Some(core) = reading.1.as_ref().ok().and_then(|sight| straight::straightened(edges, sight))
        && let Some(straight) = grid.with_core(view, edges, &core)
    {
        let (quality, sight) = straight.read();
        if quality >= reading.0 - 0.02 && sight.is_ok() {
            (grid, reading) = (straight, (quality, sight));
        }
    }
    for lattice in reading.1.as_ref().map_or_else(|_| Vec::new(), |sight| straight::beside(&sight.lattice)) {
        let Some(beside) = grid.with_core(view, edges, &lattice) else { continue };
        let (quality, sight) = beside.read();
        let kinds = |sight: &Result<Sight, Unclear>| sight.as_ref().map_or(usize::MAX, |s| s.classes.len());
        if quality >= reading.0 - 0.02 && kinds(&sight) < kinds(&reading.1) {
            (grid, reading) = (beside, (quality, sight));
        }
    }
    let mut refined = 0;
    for _ in 0..MOST_MENDING {
        let Ok(sight) = &reading.1 else { break };
        let no_board = Unclear::NoBoard { across: sight.lattice.x.pitch, down: sight.lattice.y.pitch };
        let change = growth::cut(sight).or_else(|| growth::grown(view, edges, sight));
        let change = change.or_else(|| bounds::room(view, sight)).or_else(|| {
            let wanted = refined < MOST_REFINING && sight.least_confidence() < SURE;
            refined += usize::from(wanted);
            if wanted { refine::refined(view, sight) } else { None }
        });
        let Some(core) = change else { break };
        let Some(mended) = grid.with_core(view, edges, &core) else { return (0.2, Err(no_board)) };
        grid = mended;
        reading = grid.read();
    }
    if let Some(core) = reading.1.as_ref().ok().and_then(|sight| growth::grown_by_edges(edges, &grid, sight))
        && let Some(larger) = grid.with_core(view, edges, &core)
    {
        let (quality, sight) = larger.read();
        if quality > GOOD && sight.as_ref().is_ok_and(|sight| sight.least_confidence() >= UNSURE) {
            (grid, reading) = (larger, (quality, sight));
        }
    }
    if let Some(finer) = reading.1.as_ref().ok().and_then(|sight| halved(view, edges, &grid, sight)) {
        reading = finer;
    }
    match reading.1 {
        Ok(sight) if sight.least_confidence() < UNSURE => {
            let (column, row) = sight.least_sure_cell();
            (0.3, Err(Unclear::UnknownTile { column: column + 1, row: row + 1 }))
        }
        Ok(sight) if proof::skips_tiles(view, &sight) || proof::goes_on(view, edges, &sight) => {
            (0.2, Err(Unclear::NoBoard { across: sight.lattice.x.pitch, down: sight.lattice.y.pitch }))
        }
        sight => (reading.0, sight),
    }
}

/// The reading with two cells for each across, down or both, if that explains the picture with no more kinds of
/// tiles: a cell with two tiles is a kind of its own for every pair.
fn halved(
    view: &RgbView<'_>,
    edges: &Edges,
    grid: &Grid,
    sight: &Sight,
) -> Option<(f32, Result<Sight, Unclear>)> {
    let (x, y) = (sight.lattice.x, sight.lattice.y);
    let half = |axis: Axis| Axis { pitch: axis.pitch / 2.0, count: axis.count * 2, ..axis };
    let finer = [Lattice { x, y: half(y) }, Lattice { x: half(x), y }, Lattice { x: half(x), y: half(y) }];
    let is_large = |lattice: &Lattice| lattice.x.pitch.min(lattice.y.pitch) >= pitch::SMALLEST;
    finer.into_iter().filter(is_large).find_map(|core| {
        let (quality, reading) = grid.with_core(view, edges, &core)?.read();
        let no_more = reading.as_ref().is_ok_and(|finer| finer.classes.len() <= sight.classes.len());
        (no_more && quality > GOOD).then_some((quality, reading))
    })
}

/// Whether the smaller pitch goes into the larger a whole number of times in both directions.
fn divides(smaller: (f64, f64), larger: (f64, f64)) -> bool {
    let whole = |times: f64| times > 0.9 && (times - times.round()).abs() < 0.12;
    smaller != larger && whole(larger.0 / smaller.0) && whole(larger.1 / smaller.1)
}

/// The picture as pixels.
fn view(picture: &Picture) -> Result<RgbView<'_>, Unclear> {
    match picture.format {
        PixelFormat::Rgb8 => RgbView::new(picture.width as usize, picture.height as usize, &picture.pixels)
            .ok_or(Unclear::Format),
        PixelFormat::Gray8 => Err(Unclear::Format),
    }
}

/// Most cells in each direction, and most kinds of tiles.
const MOST: (usize, usize) = (MAX_COLUMNS, MAX_ROWS);
const MOST_CLASSES: usize = MAX_COLOURS as usize;
