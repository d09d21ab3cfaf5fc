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
use vision::edges::{Direction, Edges};
use vision::lattice::{Lattice, Template};
use vision::patch::Patch;
use vision::pitch;
use vision::repeats::{Repeat, repeats};
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

/// How many parts of a picture are looked at closely.
const PLACES: usize = 6;
/// How many pitches are tried in each.
const PITCHES: usize = 4;
/// A reading this good needs no comparison with others.
const GOOD: f32 = 0.62;
/// A reading below this is no board.
const POOR: f32 = 0.55;

/// Finds and reads the board in a picture.
pub fn see(picture: &Picture) -> Result<Sight, Unclear> {
    let view = view(picture)?;
    let edges = Edges::of(&view);
    let mut best = (0.0, Err(Unclear::NoGrid));
    for repeat in repeats(&edges, PLACES) {
        let (quality, sight) = read_around(&view, &edges, &repeat);
        if quality > best.0 {
            best = (quality, sight);
        }
        if quality > GOOD {
            break;
        }
    }
    let (quality, sight) = best;
    if quality > POOR || sight.is_err() { sight } else { Err(Unclear::NoGrid) }
}

/// The best reading of the grid around a part of the picture, and how good it is.
fn read_around(view: &RgbView<'_>, edges: &Edges, repeat: &Repeat) -> (f32, Result<Sight, Unclear>) {
    let near = |direction, coarse| pitch::candidates(&edges.profile(repeat.area, direction), coarse);
    let (across, down) = (near(Direction::Across, repeat.pitch.0), near(Direction::Down, repeat.pitch.1));
    let mut pairs: Vec<_> = (0..across.len()).flat_map(|x| (0..down.len()).map(move |y| (x, y))).collect();
    pairs.sort_by_key(|(x, y)| x + y);
    let pitches: Vec<(f64, f64)> = pairs
        .into_iter()
        .map(|(x, y)| (across[x], down[y]))
        .filter(|(x, y)| (0.45..2.2).contains(&(x / y)))
        .collect();
    let mut best = (0.0, Err(Unclear::NoBoard { across: repeat.pitch.0, down: repeat.pitch.1 }));
    for &pitch in pitches.iter().take(PITCHES) {
        let reading = read_at(view, edges, repeat, pitch);
        if reading.0 > best.0 {
            best = reading;
        }
        if best.0 > GOOD {
            // Twice the pitch also repeats: a smaller one that does as well is the pitch.
            for &finer in pitches.iter().filter(|finer| divides(**finer, pitch)) {
                let reading = read_at(view, edges, repeat, finer);
                if reading.0 > 0.9 * best.0 && reading.1.is_ok() {
                    best = reading;
                }
            }
            break;
        }
    }
    best
}

/// The best reading at this pitch, and how good it is.
fn read_at(
    view: &RgbView<'_>,
    edges: &Edges,
    repeat: &Repeat,
    pitch: (f64, f64),
) -> (f32, Result<Sight, Unclear>) {
    let template = Template::fold(edges, pitch, repeat.area);
    let mut best = (0.0, Err(Unclear::NoBoard { across: pitch.0, down: pitch.1 }));
    for beside in [(false, false), (true, true), (true, false), (false, true)] {
        let Some(grid) = Grid::find(view, edges, &template, repeat.area, beside) else { continue };
        let (quality, sight) = grid.read();
        // Where edges are, cells meet: half a cell beside it needs good reasons.
        let quality = if beside == (false, false) { quality } else { 0.75 * quality };
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

/// Most cells in each direction, and most kinds of tiles.
const MOST: (usize, usize) = (MAX_COLUMNS, MAX_ROWS);
const MOST_CLASSES: usize = MAX_COLOURS as usize;
