//! The two ways of the robot's document (section 3.6.2): by blocks and by whole pieces, on the
//! binarised screen. Ours is measured beside them.

use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use tetris::Piece;
use vision::Gray;
use vision::bitmap::Bitmap;
use vision::morphology::Opening;
use vision::threshold::AdaptiveThreshold;

use super::super::reader::{FIELD_LEFT, FIELD_ROWS, PREVIEW};
use super::super::tiles::{KnownTiles, TILE};
use super::layout::{Lying, tile_of_piece};

/// The probability that must be reached (appendix E.3 of the document).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// For the next piece.
    pub next: f64,
    /// For the current one.
    pub current: f64,
    /// For one that was moved and is known.
    pub moved: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { next: 0.7, current: 0.7, moved: 0.5 }
    }
}

/// The document's settings of how it sees (appendix E.3, G18).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DocumentSight {
    /// What must be reached.
    pub thresholds: Thresholds,
    /// Side of the square around a pixel that it is compared with, odd.
    pub block: usize,
    /// By how much a pixel may be darker than that square and still be white.
    pub constant: i32,
    /// Frames that may be looked at for one answer (G9).
    pub samples: usize,
}

impl Default for DocumentSight {
    fn default() -> DocumentSight {
        DocumentSight {
            thresholds: Thresholds::default(),
            block: AdaptiveThreshold::BLOCK,
            constant: AdaptiveThreshold::CONSTANT,
            samples: 1,
        }
    }
}

/// Sampling (G9): the first answer that more than half of the samples give, looking at no more of them than that takes.
///
/// ```
/// use players::tetris::see::camera::document::agreed;
///
/// let mut looks = ["T", "L", "T", "never looked at"].into_iter().map(Some);
/// assert_eq!(agreed(&mut looks, 3), Some("T"));
/// assert_eq!(looks.next(), Some(Some("never looked at")));
/// assert_eq!(agreed([Some("T"), None, Some("L")].into_iter(), 3), None);
/// ```
pub fn agreed<T: PartialEq>(answers: impl Iterator<Item = Option<T>>, samples: usize) -> Option<T> {
    let enough = samples.div_ceil(2);
    let mut given: Vec<(T, usize)> = Vec::new();
    for answer in answers.take(samples).flatten() {
        let place = given.iter().position(|(other, _)| *other == answer).unwrap_or_else(|| {
            given.push((answer, 0));
            given.len() - 1
        });
        given[place].1 += 1;
        if given[place].1 >= enough {
            return Some(given.swap_remove(place).0);
        }
    }
    None
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Four blocks, each by how black its 8 × 8 pixels are after the opening.
    Blocks,
    /// The piece's drawing, as binarisation leaves it, in a neighbourhood of 3 × 3 pixels.
    Pieces,
}

/// A rectified screen after the document's image processing.
#[derive(Clone, Debug)]
pub struct Processed {
    binary: Bitmap,
    opened: Bitmap,
}

/// The document's image processing and its templates.
#[derive(Clone, Debug)]
pub struct Recogniser {
    threshold: AdaptiveThreshold,
    opening: Opening,
    /// Each piece's tile, binarised between its own kind.
    tiles: [[bool; TILE * TILE]; 7],
    /// What must be reached.
    pub thresholds: Thresholds,
}

impl Recogniser {
    /// Nothing if the block's side is not odd, from 3 to 255.
    pub fn new(known: &KnownTiles, sight: &DocumentSight) -> Option<Recogniser> {
        let mut threshold = AdaptiveThreshold::new(sight.block, sight.constant)?;
        let thresholds = sight.thresholds;
        let tiles = Piece::ALL.map(|piece| binarised_tile(known, piece, &mut threshold));
        Some(Recogniser { threshold, opening: Opening::new(Opening::SIDE)?, tiles, thresholds })
    }

    /// Binarises and opens a rectified screen.
    pub fn process(&mut self, screen: Gray<'_>) -> Processed {
        let mut binary = Bitmap::black(SCREEN_WIDTH, SCREEN_HEIGHT);
        self.threshold.apply(screen, &mut binary);
        let mut opened = binary.clone();
        self.opening.apply(&mut opened);
        Processed { binary, opened }
    }

    /// The likeliest of these places, if it reaches `least`.
    pub fn find(&self, screen: &Processed, method: Method, places: &[Lying], least: f64) -> Option<Lying> {
        let pixels = |lying: &Lying| -> Vec<_> {
            let corner = |(x, row): (usize, usize)| ((FIELD_LEFT + x) * TILE, (FIELD_ROWS - 1 - row) * TILE);
            lying.cells().map(corner).collect()
        };
        let rated =
            places.iter().map(|lying| (self.rate(screen, method, lying.piece, &pixels(lying)), *lying));
        best(rated, least)
    }

    /// The piece in the preview.
    pub fn next(&self, screen: &Processed, method: Method) -> Option<Piece> {
        let (left, top) = PREVIEW;
        let rated = Piece::ALL.into_iter().map(|piece| {
            let corner = |(x, row): (usize, usize)| ((left + x) * TILE, (top + 3 - row) * TILE);
            let cells: Vec<_> = piece.shape(0).cells().map(corner).collect();
            (self.rate(screen, method, piece, &cells), piece)
        });
        best(rated, self.thresholds.next)
    }

    fn rate(&self, screen: &Processed, method: Method, piece: Piece, corners: &[(usize, usize)]) -> f64 {
        if corners.is_empty() {
            return 0.0;
        }
        let area = (TILE * TILE * corners.len()) as f64;
        match method {
            Method::Blocks => {
                let white: u32 =
                    corners.iter().map(|(x, y)| screen.opened.count_white(*x, *y, TILE, TILE)).sum();
                1.0 - f64::from(white) / area
            }
            Method::Pieces => {
                let shifts = (-1..=1isize).flat_map(|dy| (-1..=1isize).map(move |dx| (dx, dy)));
                let alike = |(dx, dy): (isize, isize)| {
                    let cells = corners.iter().map(|(x, y)| self.matching(screen, piece, (*x, *y), (dx, dy)));
                    cells.sum::<usize>() as f64 / area
                };
                shifts.map(alike).fold(0.0, f64::max)
            }
        }
    }

    fn matching(
        &self,
        screen: &Processed,
        piece: Piece,
        corner: (usize, usize),
        shift: (isize, isize),
    ) -> usize {
        let tile = &self.tiles[piece as usize];
        (0..TILE * TILE)
            .filter(|i| {
                let x = (corner.0 + i % TILE).saturating_add_signed(shift.0);
                let y = (corner.1 + i / TILE).saturating_add_signed(shift.1);
                screen.binary.is_white(x, y) == tile[*i]
            })
            .count()
    }
}

/// The first of the best, if it reaches `least`.
fn best<T: Copy>(rated: impl Iterator<Item = (f64, T)>, least: f64) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for (rating, place) in rated {
        if rating >= least && best.is_none_or(|(other, _)| rating > other) {
            best = Some((rating, place));
        }
    }
    best.map(|(_, place)| place)
}

/// A tile as it looks in the middle of three by three of its kind on white, binarised.
fn binarised_tile(
    known: &KnownTiles,
    piece: Piece,
    threshold: &mut AdaptiveThreshold,
) -> [bool; TILE * TILE] {
    const SIDE: usize = 5 * TILE;
    let mut pixels = vec![255; SIDE * SIDE];
    let luma = known.luma(tile_of_piece(piece)).unwrap_or([0; TILE * TILE]);
    // Two side by side: most cells of a piece have a neighbour on one side and white on the others.
    for (i, pixel) in pixels.iter_mut().enumerate() {
        let (x, y) = (i % SIDE, i / SIDE);
        if (2 * TILE..3 * TILE).contains(&y) && (2 * TILE..4 * TILE).contains(&x) {
            *pixel = luma[y % TILE * TILE + x % TILE];
        }
    }
    let mut binary = Bitmap::black(SIDE, SIDE);
    if let Some(picture) = Gray::new(SIDE, SIDE, &pixels) {
        threshold.apply(picture, &mut binary);
    }
    std::array::from_fn(|i| binary.is_white(2 * TILE + i % TILE, 2 * TILE + i / TILE))
}
