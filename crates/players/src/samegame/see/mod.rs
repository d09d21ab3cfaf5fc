//! Reading a board from a screenshot alone: where it is, what is alike, what is empty (S2, S3).
//!
//! Nothing is configured. The pitch is the distance at which edges repeat
//! ([`vision::pitch`]); the cells are where edges agree with the average cell
//! ([`vision::lattice`]); classes are what looks alike, cut where distances jump
//! ([`vision::cluster`]). What cannot be told is [`Unclear`], never guessed.

mod annotate;
mod bounds;
mod empty;
mod grid;
mod reread;

use engine::{Picture, PixelFormat};
use samegame::board::{Board, BoardError, MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
use vision::edges::Edges;
use vision::lattice::{Axis, Lattice, Template};
use vision::patch::Patch;
use vision::pitch::{Direction, Pitch, Pitches};
use vision::view::RgbView;

pub use annotate::annotate;
use grid::Grid;
pub use reread::Reading;

/// A board that was seen, and everything needed to find it again.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The board, in normal form.
    pub board: Board,
    /// Its cells in the picture, rows from the top.
    pub lattice: Lattice,
    /// How sure each cell is, 0 to 1; columns left to right, each bottom to top.
    pub confidence: Vec<Vec<f32>>,
    /// What each colour looks like; the first is colour 1.
    classes: Vec<Patch>,
    /// Largest distance of a tile from its class that still counts.
    tolerance: f32,
    /// What empty cells look like: the ground between tiles, and what was seen in empty cells.
    ground: Vec<Patch>,
}

impl Sight {
    /// The same board in a picture that begins so much further left and up.
    fn moved(mut self, x: f64, y: f64) -> Self {
        self.lattice.x.origin += x;
        self.lattice.y.origin += y;
        self
    }
}

/// Why no board was read.
#[derive(Clone, Debug, PartialEq, thiserror::Error, serde::Serialize)]
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
    /// The picture has no colours.
    #[error("the picture is not made of red, green and blue bytes")]
    Format,
}

impl From<BoardError> for Unclear {
    fn from(error: BoardError) -> Self {
        Self::NotAtRest { why: error.to_string() }
    }
}

/// How many pairs of pitches are tried.
const PAIRS: usize = 8;
/// A reading this good needs no comparison with others.
const GOOD: f32 = 0.62;
/// Side of the parts in which a small board is looked for, in pixels.
const PART: usize = 440;
/// A reading below this is no board.
const POOR: f32 = 0.55;
/// How often a board that was found is read again without what is around it.
const CLOSER_LOOKS: usize = 2;

/// Finds and reads the board in a picture.
pub fn see(picture: &Picture) -> Result<Sight, Unclear> {
    let view = view(picture)?;
    let mut best = search(&view);
    if best.0 <= GOOD {
        // A small board on a busy screen: look at parts of it.
        let parts = search_parts(&view);
        if parts.0 > best.0 {
            best = parts;
        }
    }
    // A part that was found may grow at each closer look.
    for _ in 0..CLOSER_LOOKS {
        let again = closer(&view, &best);
        let Some(again) = again else { break };
        let same = matches!((&again.1, &best.1), (Ok(a), Ok(b)) if a.board == b.board);
        best = again;
        if same {
            break;
        }
    }
    let (quality, sight) = best;
    if quality > POOR || sight.is_err() { sight } else { Err(Unclear::NoGrid) }
}

/// The same board read again without what is around it, which disturbs the pitch; `None` where there
/// is little around it, or where that reads worse.
fn closer(
    view: &RgbView<'_>,
    found: &(f32, Result<Sight, Unclear>),
) -> Option<(f32, Result<Sight, Unclear>)> {
    let (quality, Ok(sight)) = found else { return None };
    let around = |axis: &Axis, limit: usize| {
        let from = (axis.origin - 1.5 * axis.pitch).max(0.0) as usize;
        (from, ((axis.end() + 1.5 * axis.pitch) as usize).min(limit).saturating_sub(from))
    };
    let (x, width) = around(&sight.lattice.x, view.width());
    let (y, height) = around(&sight.lattice.y, view.height());
    if width * height * 3 > view.width() * view.height() * 2 {
        return None;
    }
    let pixels = view.part(x, y, width, height);
    let (closer, again) = search(&RgbView::new(width, height, &pixels)?);
    (closer >= 0.9 * quality).then(|| (closer, again.map(|sight| sight.moved(x as f64, y as f64))))
}

/// The best reading of a picture, and how good it is.
fn search(view: &RgbView<'_>) -> (f32, Result<Sight, Unclear>) {
    let edges = Edges::of(view);
    let mut across = Pitches::of(&edges, Direction::Across);
    let mut down = Pitches::of(&edges, Direction::Down);
    let pairs = pairs(across.peaks(), down.peaks());
    let mut best = (0.0, Err(Unclear::NoGrid));
    let mut done = Vec::new();
    let mut queue: Vec<(f64, f64)> = pairs.iter().rev().map(|(pitch, _)| *pitch).collect();
    while let Some(pitch) = queue.pop() {
        if done.contains(&pitch) {
            continue;
        }
        done.push(pitch);
        let (quality, sight) = read_at(view, &edges, (across.refine(pitch.0), down.refine(pitch.1)));
        // Twice the pitch also repeats: a smaller one that does as well is the pitch.
        let needed = if best.0 > GOOD { 0.9 * best.0 } else { best.0 };
        if quality > needed {
            best = (quality, sight);
        }
        if quality > GOOD {
            let strength =
                pairs.iter().find(|(other, _)| *other == pitch).map_or(0.0, |(_, strength)| *strength);
            let finer =
                pairs.iter().filter(|(other, weight)| divides(*other, pitch) && *weight > 0.1 * strength);
            queue = finer.map(|(other, _)| *other).collect();
        }
    }
    best
}

/// The best reading of overlapping parts of a picture.
fn search_parts(view: &RgbView<'_>) -> (f32, Result<Sight, Unclear>) {
    let mut best = (0.0, Err(Unclear::NoGrid));
    let starts = |length: usize| (0..length.saturating_sub(PART / 2)).step_by(PART / 2);
    for y in starts(view.height()) {
        for x in starts(view.width()) {
            let (width, height) = (PART.min(view.width() - x), PART.min(view.height() - y));
            let pixels = view.part(x, y, width, height);
            let Some(part) = RgbView::new(width, height, &pixels) else { continue };
            let (quality, sight) = search(&part);
            let Ok(sight) = sight else { continue };
            if quality > best.0 {
                let found = sight.moved(x as f64, y as f64).lattice;
                best = whole_board(view, &found);
            }
        }
    }
    best
}

/// The best reading around a board of which perhaps only a part was found.
fn whole_board(view: &RgbView<'_>, found: &Lattice) -> (f32, Result<Sight, Unclear>) {
    let around = |axis: &Axis, limit: usize| {
        let more = MOST.0.max(MOST.1) as f64 * axis.pitch / 2.0;
        let from = (axis.origin - more).max(0.0) as usize;
        (from, ((axis.end() + more) as usize).min(limit) - from)
    };
    let (x, width) = around(&found.x, view.width());
    let (y, height) = around(&found.y, view.height());
    let pixels = view.part(x, y, width, height);
    let Some(part) = RgbView::new(width, height, &pixels) else { return (0.0, Err(Unclear::NoGrid)) };
    let (quality, sight) = read_at(&part, &Edges::of(&part), (found.x.pitch, found.y.pitch));
    (quality, sight.map(|sight| sight.moved(x as f64, y as f64)))
}

/// The best reading at this pitch, and how good it is.
fn read_at(view: &RgbView<'_>, edges: &Edges, pitch: (f64, f64)) -> (f32, Result<Sight, Unclear>) {
    let template = Template::fold(edges, pitch);
    let mut best = (0.0, Err(Unclear::NoBoard { across: pitch.0, down: pitch.1 }));
    for (number, phase) in template.phases().into_iter().enumerate() {
        let Some(grid) = Grid::find(view, edges, &template, phase) else { continue };
        let (quality, sight) = grid.read();
        // Where edges are, cells meet: half a cell beside it needs good reasons.
        let quality = if number == 0 { quality } else { 0.75 * quality };
        if quality > best.0 {
            best = (quality, sight);
        }
        if quality > GOOD {
            break;
        }
    }
    best
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

/// Pitches across and down that go together, the most promising first.
fn pairs(across: &[Pitch], down: &[Pitch]) -> Vec<((f64, f64), f64)> {
    let mut pairs = Vec::new();
    for x in across {
        for y in down {
            let ratio = x.pixels / y.pixels;
            if (0.5..2.0).contains(&ratio) {
                // Tiles are about square.
                let square = (-ratio.ln().abs()).exp();
                pairs.push(((x.pixels, y.pixels), x.strength * y.strength * square));
            }
        }
    }
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs.truncate(PAIRS);
    pairs
}

/// Most cells in each direction, and most kinds of tiles.
const MOST: (usize, usize) = (MAX_COLUMNS, MAX_ROWS);
const MOST_CLASSES: usize = MAX_COLOURS as usize;
