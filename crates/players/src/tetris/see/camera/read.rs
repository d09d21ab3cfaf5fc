//! Reading a rectified screen in whatever light: words by correlation, cells by their brightness.

use std::ops::RangeInclusive;

use engine::Picture;
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use tetris::board::WIDTH;
use vision::light::{Light, Reference};
use vision::sample::{Patch, Sampler};
use vision::{Gray, Homography, Point};

use super::super::reader::{BLANK, BRICK, FIELD_LEFT, FIELD_ROWS, Reader, Sight, tile_of};
use super::super::tiles::{COLUMNS, KnownTiles, ROWS, TILE};
use super::super::{Observation, Unclear};
use super::layout::Layout;

/// Words that correlate less with what is there are not there.
const SAYS: f32 = 0.6;
/// The same for a single tile, and by how much it must be better than any other.
const IS: f32 = 0.55;
const MARGIN: f32 = 0.04;
/// A tile that varies less than this part of the screen's own contrast has nothing on it.
const FLAT: f32 = 0.12;
/// Brightness by itself: blocks are below, flashing rows between, empty cells above.
const BLOCK: f32 = 0.56;
const EMPTY: f32 = 0.80;
/// An empty cell that a piece has just left or is about to enter; between the two, the nearer one counts.
const FILLED: f32 = 0.72;
/// Everything that can lie on the field.
const BLOCKS: [RangeInclusive<u8>; 2] = [0x80..=0x8B, 0x8F..=0x8F];
/// Below this fit of the static parts a game is not read.
pub(super) const LEAST_FIT: f64 = 0.80;

/// Reads rectified screens. Keeps what does not change from screen to screen.
#[derive(Clone, Debug)]
pub struct CameraReader {
    /// The luma of every tile by its number.
    drawings: Vec<Option<[u8; TILE * TILE]>>,
    /// Every tile of the screen.
    sampler: Sampler,
    /// Static tiles of a game, and of a game of two.
    references: [References; 2],
}

/// Tiles that do not change: their place among all, and their brightness.
type References = Vec<(usize, Reference)>;

/// What a game of two says where others show their points.
const VERSUS: (usize, usize, &str) = (14, 1, "WINS");

impl CameraReader {
    /// For our cartridge.
    pub fn new(known: &KnownTiles) -> CameraReader {
        let tiles = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (x, y)));
        let patch = |(x, y): (usize, usize)| Patch {
            corner: Point::new((x * TILE) as f64, (y * TILE) as f64),
            width: TILE as f64,
            height: TILE as f64,
        };
        let patches: Vec<_> = tiles.map(patch).collect();
        let sampler = Sampler::new(&Homography::IDENTITY, &patches, TILE, (SCREEN_WIDTH, SCREEN_HEIGHT));
        let drawings = (0..=255).map(|number| known.luma(number)).collect();
        let references = [Layout::playing(), Layout::versus()].map(|layout| references(known, &layout));
        CameraReader { drawings, sampler, references }
    }

    /// Reads a screen that shows this display period.
    pub fn see(&self, picture: &Picture, period: u64) -> Result<Observation, Unclear> {
        let (width, height) = (picture.width, picture.height);
        let is_screen = (width as usize, height as usize) == (SCREEN_WIDTH, SCREEN_HEIGHT);
        let wrong_size = Unclear::WrongSize { width, height };
        let screen = Gray::new(width as usize, height as usize, &picture.pixels).ok_or(wrong_size)?;
        let mut means = Vec::new();
        if !is_screen || self.sampler.means(screen, &mut means).is_err() {
            return Err(wrong_size);
        }
        let contrast = contrast(&means, &picture.pixels);
        let (drawings, pixels) = (&self.drawings, &picture.pixels);
        let mut sight = ThroughCamera { drawings, pixels, cells: Vec::new(), contrast };
        let (x, y, words) = VERSUS;
        let references = &self.references[usize::from(sight.says(x, y, words))];
        let places: Vec<_> = references.iter().map(|(_, reference)| *reference).collect();
        let seen: Vec<_> = references.iter().map(|(tile, _)| means[*tile]).collect();
        let light = Light::fit(&places, &seen).filter(|light| light.fit > LEAST_FIT);
        let brightness = |(tile, seen): (usize, &f32)| {
            let undone = light.as_ref()?.undo(unit(tile % COLUMNS, tile / COLUMNS), f64::from(*seen))?;
            Some(undone as f32)
        };
        sight.cells = means.iter().enumerate().map(brightness).collect();
        Ok(Observation { period, view: Reader { sight }.view() })
    }
}

/// The static tiles of a screen, each with its number among all tiles.
fn references(known: &KnownTiles, layout: &Layout) -> References {
    let tiles = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (x, y)));
    tiles
        .filter_map(|(x, y)| {
            let luma = known.luma(layout.tile(x, y)?)?;
            let brightness = luma.iter().map(|l| f64::from(*l)).sum::<f64>() / (255.0 * luma.len() as f64);
            Some((y * COLUMNS + x, Reference { at: unit(x, y), brightness }))
        })
        .collect()
}

/// A tile's middle, from -1 to 1 across the screen.
pub(super) fn unit(x: usize, y: usize) -> Point {
    Point::new((x as f64 + 0.5) / COLUMNS as f64 * 2.0 - 1.0, (y as f64 + 0.5) / ROWS as f64 * 2.0 - 1.0)
}

/// From the screen's dark to its bright pixels: a twentieth lies beyond on either side.
fn contrast(means: &[f32], pixels: &[u8]) -> f32 {
    let mut counts = [0u32; 256];
    for pixel in pixels {
        counts[usize::from(*pixel)] += 1;
    }
    let rank = |wanted: u32| {
        let mut seen = 0;
        counts.iter().position(|count| {
            seen += count;
            seen > wanted
        })
    };
    let twentieth = pixels.len() as u32 / 20;
    let (dark, bright) = (rank(twentieth).unwrap_or(0), rank(19 * twentieth).unwrap_or(255));
    if means.is_empty() { 0.0 } else { bright.saturating_sub(dark) as f32 }
}

struct ThroughCamera<'a> {
    drawings: &'a [Option<[u8; TILE * TILE]>],
    pixels: &'a [u8],
    /// Every tile's brightness by itself, where the light of a game explains the screen.
    cells: Vec<Option<f32>>,
    contrast: f32,
}

impl ThroughCamera<'_> {
    /// Correlation of these tiles, side by side, with what is there; the best of small shifts.
    fn likeness(&self, x: usize, y: usize, tiles: &[u8]) -> f32 {
        let shifts = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
        let like = |(dx, dy): (i32, i32)| {
            let mut sums = Sums::default();
            for (i, tile) in tiles.iter().enumerate() {
                let Some(luma) = &self.drawings[usize::from(*tile)] else { return -1.0 };
                for (row, luma) in luma.as_chunks::<TILE>().0.iter().enumerate() {
                    for (column, luma) in luma.iter().enumerate() {
                        let column = ((x + i) * TILE + column) as i32 + dx;
                        let row = (y * TILE + row) as i32 + dy;
                        sums.add(f32::from(self.pixel(column, row)), f32::from(*luma));
                    }
                }
            }
            sums.correlation()
        };
        shifts.into_iter().map(like).fold(-1.0, f32::max)
    }

    fn pixel(&self, x: i32, y: i32) -> u8 {
        let (x, y) = (x.clamp(0, SCREEN_WIDTH as i32 - 1), y.clamp(0, SCREEN_HEIGHT as i32 - 1));
        self.pixels.get(y as usize * SCREEN_WIDTH + x as usize).copied().unwrap_or(0)
    }

    /// Whether a tile has nothing on it, by how little its inner pixels vary.
    fn is_flat(&self, x: usize, y: usize) -> bool {
        let mut sums = Sums::default();
        for row in 0..TILE {
            for column in 0..TILE {
                let pixel = f32::from(self.pixel((x * TILE + column) as i32, (y * TILE + row) as i32));
                sums.add(pixel, pixel);
            }
        }
        sums.deviation() < FLAT * self.contrast
    }

    /// The likeliest of these tiles, and by how much it is likelier than any other.
    fn best(&self, x: usize, y: usize, among: &[RangeInclusive<u8>]) -> Option<(u8, f32)> {
        if self.is_flat(x, y) {
            return among.iter().any(|range| range.contains(&BLANK)).then_some((BLANK, 1.0));
        }
        let (mut best, mut second) = ((-1.0, None), -1.0);
        for tile in among.iter().cloned().flatten().filter(|tile| *tile != BLANK) {
            let likeness = self.likeness(x, y, &[tile]);
            if likeness > best.0 {
                second = best.0;
                best = (likeness, Some(tile));
            } else if likeness > second {
                second = likeness;
            }
        }
        best.1.filter(|_| best.0 > IS).map(|tile| (tile, best.0 - second))
    }

    fn brightness(&self, x: usize, y: usize) -> Option<f32> {
        self.cells.get(y * COLUMNS + x).copied().flatten()
    }
}

/// Sums from which a correlation follows.
#[derive(Default)]
struct Sums {
    count: f32,
    a: f32,
    b: f32,
    aa: f32,
    bb: f32,
    ab: f32,
}

impl Sums {
    fn add(&mut self, a: f32, b: f32) {
        self.count += 1.0;
        self.a += a;
        self.b += b;
        self.aa += a * a;
        self.bb += b * b;
        self.ab += a * b;
    }

    fn correlation(&self) -> f32 {
        let spread = |sum: f32, squares: f32| (squares - sum * sum / self.count).max(1.0);
        (self.ab - self.a * self.b / self.count) / (spread(self.a, self.aa) * spread(self.b, self.bb)).sqrt()
    }

    fn deviation(&self) -> f32 {
        ((self.aa - self.a * self.a / self.count.max(1.0)) / self.count.max(1.0)).max(0.0).sqrt()
    }
}

impl Sight for ThroughCamera<'_> {
    fn number(&self, x: usize, y: usize, among: &[RangeInclusive<u8>]) -> Option<u8> {
        self.best(x, y, among).filter(|(_, lead)| *lead > MARGIN).map(|(tile, _)| tile)
    }

    fn likeliest(&self, x: usize, y: usize, among: &[RangeInclusive<u8>]) -> Option<u8> {
        self.best(x, y, among).map(|(tile, _)| tile)
    }

    fn says(&self, x: usize, y: usize, words: &str) -> bool {
        let tiles: Vec<_> = words.chars().map(tile_of).collect();
        self.likeness(x, y, &tiles) > SAYS
    }

    fn is_drawn(&self, x: usize, y: usize) -> bool {
        match self.brightness(x, y) {
            Some(brightness) => brightness < FILLED,
            None => !self.is_flat(x, y),
        }
    }

    fn flashes(&self, y: usize) -> bool {
        let is_between = |x| self.brightness(FIELD_LEFT + x, y).is_some_and(|b| (BLOCK..EMPTY).contains(&b));
        y < FIELD_ROWS && (0..WIDTH).all(is_between)
    }

    /// All blocks share their outline, so that a brick is one only if it is nothing else.
    fn is_bricks(&self, y: usize) -> bool {
        let is_brick = |x: &usize| self.number(FIELD_LEFT + x, y, &BLOCKS) == Some(BRICK);
        (0..WIDTH).filter(is_brick).count() > WIDTH * 7 / 10
    }
}
