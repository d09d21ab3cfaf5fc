//! Our way of recognising a piece in one frame: the brightness of cells,
//! sampled straight from the frame and freed of the light, against every place
//! where the rules allow a piece to be.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::gameboy::SPAWN_X;
use tetris::{Board, Piece};
use thiserror::Error;
use vision::light::{Light, Reference};
use vision::register::{Pyramid, Refined, Template, refine, refine_in_noise};
use vision::sample::{Patch, Sampler};
use vision::{Gray, Homography, Point, Quad};

use super::super::reader::{FIELD_LEFT, FIELD_ROWS, PREVIEW};
use super::super::tiles::{COLUMNS, KnownTiles, ROWS, TILE};
use super::layout::{Layout, Lying, tile_of_piece};
use super::read::unit;

/// A first glance: samples begin this far inside a tile, in pixels of the screen, so that a corner that is off by half
/// a pixel costs nothing, and there are so many along its side.
const GLANCE: (f64, usize) = (0.75, 12);
/// A close look, where there is noise: nearly every pixel of the frame counts.
const CLOSE_LOOK: (f64, usize) = (0.25, 20);
/// Cells whose brightness is less certain than this are looked at closely.
const NOISY: f64 = 0.085;
/// How far a cell's brightness may be off without noise: blur, ghosts, tiles that look different.
const TOLERANCE: f64 = 0.07;
/// By how much the best place must be likelier than any other, in logarithms: one answer in two thousand may be wrong.
const CERTAIN: f64 = 7.6;
/// Squared deviations of the best place's cells, on average; more is none of the places.
const LARGEST_MISFIT: f64 = 9.0;
/// Below this, the static parts are not where they should be.
const LEAST_FIT: f64 = 0.6;
/// Corners that fit so well in every pixel are not doubted.
const CLEAR_FIT: f64 = 0.85;
/// The same in a picture of a quarter the size, where noise has averaged out; and what is no fit there.
const CERTAIN_FIT: f64 = 0.8;
const LEAST_FIT_IN_NOISE: f64 = 0.3;
/// Where else the search begins in noise, in pixels from the corners that were given.
const AROUND: [(f64, f64); 4] = [(5.0, 5.0), (-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0)];

/// Why a piece was not recognised.
#[derive(Clone, Copy, Debug, PartialEq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unrecognised {
    /// The static parts are not seen.
    #[error("the static parts fit with {fit:.2} only")]
    NoScreen {
        /// Their fit.
        fit: f64,
    },
    /// Two places are about as likely.
    #[error("two places are alike, {lead:.1} apart")]
    Ambiguous {
        /// How much likelier the better one is.
        lead: f64,
    },
    /// No place explains what is seen: a frame between two pictures, or something else.
    #[error("nothing fits; the best is off by {misfit:.1}")]
    NothingFits {
        /// Its mean squared deviation.
        misfit: f64,
    },
}

/// What one frame says about the cells of a game.
#[derive(Clone, Debug)]
pub struct CellSight {
    /// Brightness by itself of every tile of the screen: 0 black, 1 white.
    tiles: Vec<f64>,
    /// Its standard deviation.
    deviation: f64,
    /// Fit of the static parts.
    pub fit: f64,
    pieces: [f64; 7],
}

/// Samples cells from frames, for one calibration.
#[derive(Clone, Debug)]
pub struct CellReader {
    glance: Look,
    /// Made when it is needed first.
    close_look: OnceCell<Look>,
    known: KnownTiles,
    mapping: Homography,
    size: (usize, usize),
}

/// Where the samples of a look are, and how bright what is known looks there.
#[derive(Clone, Debug)]
struct Look {
    sampler: Sampler,
    references: Vec<(usize, Reference)>,
    pieces: [f64; 7],
}

/// Corrects corners by the static parts of a game; those that were given, if that fails.
pub fn registered(frame: Gray<'_>, template: &Template, corners: Quad) -> Quad {
    let pyramid = Pyramid::new(frame, 3);
    let clear = refine(&pyramid, template, corners, 3);
    if let Some(refined) = clear.filter(|refined| refined.fit > CLEAR_FIT) {
        return refined.corners;
    }
    let around = AROUND.iter().map(|(x, y)| corners.map(|p| Point::new(p.x + x, p.y + y)));
    let starts = std::iter::once(corners).chain(clear.map(|refined| refined.corners)).chain(around);
    let mut best: Option<Refined> = None;
    for start in starts {
        let Some(refined) = refine_in_noise(&pyramid, template, start, 2..=3) else { continue };
        if best.is_none_or(|best| refined.fit > best.fit) {
            best = Some(refined);
        }
        if refined.fit > CERTAIN_FIT {
            break;
        }
    }
    best.filter(|best| best.fit > LEAST_FIT_IN_NOISE).map_or(corners, |best| best.corners)
}

impl CellReader {
    /// For frames of this size in which the screen has these corners.
    pub fn new(known: &KnownTiles, corners: Quad, size: (usize, usize)) -> Option<CellReader> {
        let mapping = Homography::onto(SCREEN_WIDTH as f64, SCREEN_HEIGHT as f64, corners)?;
        let glance = Look::new(known, &mapping, GLANCE, size);
        Some(CellReader { glance, close_look: OnceCell::new(), known: known.clone(), mapping, size })
    }

    /// Reads a frame; what a glance leaves uncertain is looked at closely.
    pub fn read(&self, frame: Gray<'_>) -> Result<CellSight, Unrecognised> {
        match self.glance.read(frame) {
            Ok(sight) if sight.deviation < NOISY => Ok(sight),
            _ => {
                let make = || Look::new(&self.known, &self.mapping, CLOSE_LOOK, self.size);
                self.close_look.get_or_init(make).read(frame)
            }
        }
    }
}

impl Look {
    fn new(
        known: &KnownTiles,
        mapping: &Homography,
        (inset, per_side): (f64, usize),
        size: (usize, usize),
    ) -> Look {
        let side = TILE as f64;
        let patches: Vec<_> = (0..ROWS * COLUMNS)
            .map(|tile| Patch {
                corner: Point::new(
                    (tile % COLUMNS) as f64 * side + inset,
                    (tile / COLUMNS) as f64 * side + inset,
                ),
                width: side - 2.0 * inset,
                height: side - 2.0 * inset,
            })
            .collect();
        let layout = Layout::playing();
        let references = (0..ROWS * COLUMNS)
            .filter_map(|tile| {
                let (x, y) = (tile % COLUMNS, tile / COLUMNS);
                let brightness = inner_brightness(&known.luma(layout.tile(x, y)?)?, inset);
                Some((tile, Reference { at: unit(x, y), brightness }))
            })
            .collect();
        let pieces = Piece::ALL
            .map(|piece| known.luma(tile_of_piece(piece)).map_or(0.3, |luma| inner_brightness(&luma, inset)));
        Look { sampler: Sampler::new(mapping, &patches, per_side, size), references, pieces }
    }

    fn read(&self, frame: Gray<'_>) -> Result<CellSight, Unrecognised> {
        let mut means = Vec::new();
        let dark = Unrecognised::NoScreen { fit: 0.0 };
        self.sampler.means(frame, &mut means).map_err(|_| dark)?;
        let places: Vec<_> = self.references.iter().map(|(_, reference)| *reference).collect();
        let seen: Vec<_> = self.references.iter().map(|(tile, _)| means[*tile]).collect();
        let light = Light::fit(&places, &seen).ok_or(dark)?;
        if light.fit < LEAST_FIT {
            return Err(Unrecognised::NoScreen { fit: light.fit });
        }
        let middle = Point::new(0.0, 0.0);
        let contrast = light.of(middle, 1.0) - light.of(middle, 0.0);
        let undo =
            |(tile, seen): (usize, &f32)| light.undo(unit(tile % COLUMNS, tile / COLUMNS), f64::from(*seen));
        let tiles = means.iter().enumerate().map(undo).collect::<Option<_>>().ok_or(dark)?;
        // The median of deviations is two thirds of their standard deviation.
        let deviation = (1.5 * light.residual / contrast.max(1.0)).hypot(TOLERANCE);
        Ok(CellSight { tiles, deviation, fit: light.fit, pieces: self.pieces })
    }
}

/// Mean brightness of a tile without its rim of `inset` pixels.
fn inner_brightness(luma: &[u8; TILE * TILE], inset: f64) -> f64 {
    let weight = |n: usize| if n == 0 || n == TILE - 1 { 1.0 - inset } else { 1.0 };
    let (mut sum, mut weights) = (0.0, 0.0);
    for (i, luma) in luma.iter().enumerate() {
        let weight = weight(i % TILE) * weight(i / TILE);
        sum += weight * f64::from(*luma) / 255.0;
        weights += weight;
    }
    sum / weights
}

impl CellSight {
    /// Where a known piece is, turned and shifted as it should be, in one of these rows.
    pub fn known(
        &self,
        board: &Board,
        piece: Lying,
        rows: RangeInclusive<i32>,
    ) -> Result<Lying, Unrecognised> {
        self.likeliest(board, &rows.map(|row| Lying { row, ..piece }).collect::<Vec<_>>())
    }

    /// Which piece has appeared, and in which of these rows it is by now.
    pub fn unknown(&self, board: &Board, rows: RangeInclusive<i32>) -> Result<Lying, Unrecognised> {
        let appeared = |piece| rows.clone().map(move |row| Lying { piece, orientation: 0, x: SPAWN_X, row });
        self.likeliest(board, &Piece::ALL.into_iter().flat_map(appeared).collect::<Vec<_>>())
    }

    /// The piece in the preview.
    pub fn next(&self) -> Result<Piece, Unrecognised> {
        let (left, top) = PREVIEW;
        let cells = |piece: &Piece| -> Vec<usize> {
            piece.shape(0).cells().map(|(x, row)| (top + 3 - row) * COLUMNS + left + x).collect()
        };
        let places = Piece::ALL.map(|piece| (piece, piece, cells(&piece)));
        self.choose(&places)
    }

    fn likeliest(&self, board: &Board, places: &[Lying]) -> Result<Lying, Unrecognised> {
        let cells = |lying: &Lying| -> Option<Vec<usize>> {
            let cells: Vec<_> = lying.cells().collect();
            let is_free = cells.iter().all(|&(x, row)| !board.is_filled(x, row));
            is_free.then(|| {
                cells.iter().map(|(x, row)| (FIELD_ROWS - 1 - row) * COLUMNS + FIELD_LEFT + x).collect()
            })
        };
        let places: Vec<_> =
            places.iter().filter_map(|lying| Some((*lying, lying.piece, cells(lying)?))).collect();
        self.choose(&places)
    }

    /// The likeliest of these, each with the tiles that it darkens; all other tiles that any of them
    /// would darken are white.
    fn choose<T: Copy>(&self, places: &[(T, Piece, Vec<usize>)]) -> Result<T, Unrecognised> {
        let mut concerned: Vec<_> = places.iter().flat_map(|(_, _, tiles)| tiles).copied().collect();
        concerned.sort_unstable();
        concerned.dedup();
        let misfit = |(_, piece, tiles): &(T, Piece, Vec<usize>)| -> f64 {
            let deviation = |tile: &usize| {
                let wanted = if tiles.contains(tile) { self.pieces[*piece as usize] } else { 1.0 };
                (self.tiles[*tile] - wanted) / self.deviation
            };
            concerned.iter().map(|tile| deviation(tile).powi(2)).sum()
        };
        let mut ranked: Vec<_> = places.iter().map(|place| (misfit(place), place.0)).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((best, place)) = ranked.first().copied() else {
            return Err(Unrecognised::NothingFits { misfit: f64::INFINITY });
        };
        let mean = best / concerned.len().max(1) as f64;
        if mean > LARGEST_MISFIT {
            return Err(Unrecognised::NothingFits { misfit: mean });
        }
        let lead = ranked.get(1).map_or(f64::INFINITY, |(second, _)| (second - best) / 2.0);
        if lead < CERTAIN {
            return Err(Unrecognised::Ambiguous { lead });
        }
        Ok(place)
    }
}

/// Rows in which a piece can be that appeared in `spawn_row` and fell for this long, with some grace.
pub fn search_rows(spawn_row: i32, seconds: f64, seconds_per_row: f64, grace_s: f64) -> RangeInclusive<i32> {
    let most = ((seconds + grace_s) / seconds_per_row.max(1e-3)).ceil() as i32;
    spawn_row - most.min(WIDTH as i32 + FIELD_ROWS as i32)..=spawn_row
}
