//! Reading a board from a screenshot alone: where it is, what is alike, what is empty (S2, S3).
//!
//! Nothing is configured. The pitch is the distance at which edges repeat
//! ([`vision::pitch`]); the cells are where edges agree with the average cell
//! ([`vision::lattice`]); classes are what looks alike, cut where distances jump
//! ([`vision::cluster`]). What cannot be told is [`Unclear`], never guessed.

mod bounds;
mod empty;
mod grid;
mod reread;

use engine::{Picture, PixelFormat};
use samegame::board::{Board, BoardError, MAX_COLOURS, MAX_COLUMNS, MAX_ROWS};
use vision::edges::Edges;
use vision::lattice::{Lattice, Template};
use vision::patch::Patch;
use vision::pitch::{Direction, Pitch, pitches};
use vision::view::RgbView;

use grid::Grid;

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
    /// What empty cells look like, where they are all alike.
    ground: Option<Patch>,
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
    #[error("tiles cannot be told apart: {classes} kinds, unlike by {between:.0} and within themselves by {within:.0} grey levels")]
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
const PAIRS: usize = 6;
/// A reading this good needs no comparison with others.
const GOOD: f32 = 0.75;
/// A reading below this is no board.
const POOR: f32 = 0.35;

/// Finds and reads the board in a picture.
pub fn see(picture: &Picture) -> Result<Sight, Unclear> {
    let view = view(picture)?;
    let edges = Edges::of(&view);
    let pairs = pairs(&pitches(&edges, Direction::Across), &pitches(&edges, Direction::Down));
    let Some(&(first, _)) = pairs.first() else { return Err(Unclear::NoGrid) };
    let mut best: Option<(f32, Result<Sight, Unclear>)> = None;
    'search: for (pitch, _) in pairs {
        let template = Template::fold(&edges, pitch);
        for phase in template.phases() {
            let Some(grid) = Grid::find(&view, &edges, &template, phase) else { continue };
            let sight = grid.read();
            let quality = if sight.is_ok() { grid.quality() } else { grid.quality() * 0.5 };
            if best.as_ref().is_none_or(|(other, _)| quality > *other) {
                best = Some((quality, sight));
            }
            if quality > GOOD {
                break 'search;
            }
        }
    }
    match best {
        Some((quality, sight)) if quality > POOR || sight.is_err() => sight,
        _ => Err(Unclear::NoBoard { across: first.0, down: first.1 }),
    }
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
                pairs.push(((x.pixels, y.pixels), x.strength * y.strength));
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
