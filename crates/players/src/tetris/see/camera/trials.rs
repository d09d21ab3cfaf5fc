//! How reliably pieces are recognised under the document's disturbances (section 4.2), by its two ways
//! and by ours. Whoever measures brings the camera.

use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::gameboy::{SPAWN_ROW, SPAWN_X};
use tetris::{Board, Piece};
use vision::register::Template;
use vision::warp::Warp;
use vision::{Gray, Homography, Point, Quad};

use super::super::tiles::KnownTiles;
use super::document::{DocumentSight, Method, Processed, Recogniser, agreed};
use super::layout::{Layout, Lying, draw_game, tile_of_piece};
use super::recognise::{CellReader, registered};

/// How far below its first row a piece is looked for, in rows; it is there in one of the first three.
const SEARCH: i32 = 3;

/// A frame of a camera that saw a screen, and where the screen's corners are in it.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Grey pixels.
    pub pixels: Vec<u8>,
    /// Width and height.
    pub size: (usize, usize),
    /// The truth.
    pub corners: Quad,
}

/// What is done to a frame. The document's are noise and key points; light and ghosts are up to whoever brings the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Disturbance {
    /// Part of black and white noise blended over the frame, 0 to 1.
    pub noise: f64,
    /// Most that each coordinate of the four key points is off, in pixels.
    pub key_points_px: f64,
    /// Part of the picture before that a slow display still shows, 0 to 1.
    pub ghost: f64,
    /// How much brighter one side of the screen is than its middle, as a part.
    pub gradient: f32,
    /// Reflections on the screen.
    pub reflections: usize,
}

/// Answers to one question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// Right ones.
    pub right: u32,
    /// Wrong ones.
    pub wrong: u32,
    /// "Unclear".
    pub unclear: u32,
}

impl Answers {
    fn add<T: PartialEq>(&mut self, answer: Option<T>, truth: &T) {
        match answer {
            Some(answer) if answer == *truth => self.right += 1,
            Some(_) => self.wrong += 1,
            None => self.unclear += 1,
        }
    }

    /// The share of right ones in per cent.
    pub fn percent(&self) -> f64 {
        100.0 * f64::from(self.right) / f64::from((self.right + self.wrong + self.unclear).max(1))
    }
}

/// The three questions of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reliability {
    /// Where the current piece is, when it is known which it is.
    pub known: Answers,
    /// Which piece is the current one, and where.
    pub unknown: Answers,
    /// Which piece comes next.
    pub next: Answers,
}

/// All three ways under one disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Trials {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// The document's block-based way.
    pub blocks: Reliability,
    /// Its piece-based way.
    pub pieces: Reliability,
    /// Ours.
    pub ours: Reliability,
}

/// A game's screen with a random stack, a piece near its beginning and another one next.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What stands.
    pub board: Board,
    /// What falls.
    pub falling: Lying,
    /// What comes next.
    pub next: Piece,
    /// 160 × 144 shades, 0 white to 3 black.
    pub shades: Vec<u8>,
    /// Those of the picture before, in which the piece was a row higher or had not yet appeared.
    pub before: Vec<u8>,
}

impl Scene {
    /// A random one.
    pub fn random(known: &KnownTiles, random: &mut Xoshiro256PlusPlus) -> Scene {
        let height = random.random_range(0..12u32);
        let mut columns = [0; WIDTH];
        for column in &mut columns {
            *column = random.random_range(0..1u32 << height);
        }
        let board = Board::from_columns(columns);
        let tiles: Vec<u8> = (0..32).map(|_| tile_of_piece(Piece::ALL[random.random_range(0..7)])).collect();
        let falling = Lying {
            piece: Piece::ALL[random.random_range(0..7)],
            orientation: 0,
            x: SPAWN_X,
            row: SPAWN_ROW - random.random_range(0..SEARCH),
        };
        let next = Piece::ALL[random.random_range(0..7)];
        let tile = |x: usize, row: usize| tiles[(x * 7 + row * 3) % tiles.len()];
        let draw = |falling: Option<Lying>, next: Piece| -> Vec<u8> {
            let luma = draw_game(known, &board, tile, falling, Some(next));
            luma.iter().map(|luma| 3 - (luma >> 6)).collect()
        };
        let before = if falling.row == SPAWN_ROW {
            draw(None, falling.piece)
        } else {
            draw(Some(Lying { row: falling.row + 1, ..falling }), next)
        };
        Scene { board, falling, next, shades: draw(Some(falling), next), before }
    }
}

/// The document's measurement with this many frames, its own way with these settings. `shoot` shows a scene to a camera,
/// with a number to seed it.
pub fn measure(
    frames: u32,
    disturbance: Disturbance,
    sight: &DocumentSight,
    seed: u64,
    mut shoot: impl FnMut(&Scene, u64) -> Shot,
) -> Option<Trials> {
    let known = KnownTiles::stackfall();
    let template = Layout::playing().template(&known)?;
    let mut document = Recogniser::new(&known, sight)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut trials = Trials {
        disturbance,
        blocks: Reliability::default(),
        pieces: Reliability::default(),
        ours: Reliability::default(),
    };
    for frame in 0..frames {
        let scene = Scene::random(&known, &mut random);
        let number = seed.wrapping_mul(1_000_003).wrapping_add(frame.into());
        let mut shot = shoot(&scene, number);
        blend_noise(&mut shot.pixels, disturbance.noise, &mut random);
        let off = disturbance.key_points_px;
        let mut shift = || if off > 0.0 { random.random_range(-off..=off) } else { 0.0 };
        let corners = shot.corners.map(|p| Point::new(p.x + shift(), p.y + shift()));
        let picture = Gray::new(shot.size.0, shot.size.1, &shot.pixels)?;
        let mut samples: Vec<Processed> = processed(&mut document, picture, corners).into_iter().collect();
        // The same screen once more, with other noise; the key points stay as wrong as they are.
        for sample in 1..sight.samples as u64 {
            let mut again = shoot(&scene, number.wrapping_add(sample << 40));
            blend_noise(&mut again.pixels, disturbance.noise, &mut random);
            let picture = Gray::new(again.size.0, again.size.1, &again.pixels)?;
            samples.extend(processed(&mut document, picture, corners));
        }
        ask_document(&document, &samples, Method::Blocks, &scene, &mut trials.blocks);
        ask_document(&document, &samples, Method::Pieces, &scene, &mut trials.pieces);
        ask_ours(&known, &template, picture, corners, &scene, &mut trials.ours);
    }
    Some(trials)
}

/// Black and white noise, blended over a frame.
fn blend_noise(pixels: &mut [u8], part: f64, random: &mut Xoshiro256PlusPlus) {
    if part <= 0.0 {
        return;
    }
    let kept = 1.0 - part;
    for chunk in pixels.chunks_mut(64) {
        let mut bits: u64 = random.random();
        for pixel in chunk {
            let speck = if bits & 1 == 1 { 255.0 } else { 0.0 };
            bits >>= 1;
            *pixel = (f64::from(*pixel) * kept + speck * part) as u8;
        }
    }
}

fn processed(document: &mut Recogniser, picture: Gray<'_>, corners: Quad) -> Option<Processed> {
    let mapping = Homography::onto(SCREEN_WIDTH as f64, SCREEN_HEIGHT as f64, corners)?;
    let warp = Warp::new(&mapping, (SCREEN_WIDTH, SCREEN_HEIGHT), (picture.width(), picture.height()));
    let mut screen = Vec::new();
    warp.apply(picture, &mut screen).ok()?;
    Some(document.process(Gray::new(SCREEN_WIDTH, SCREEN_HEIGHT, &screen)?))
}

fn ask_document(
    document: &Recogniser,
    samples: &[Processed],
    method: Method,
    scene: &Scene,
    answers: &mut Reliability,
) {
    let rows = || (SPAWN_ROW - SEARCH..=SPAWN_ROW).rev();
    let at = |piece: Piece| rows().map(move |row| Lying { piece, orientation: 0, x: SPAWN_X, row });
    let known: Vec<_> = at(scene.falling.piece).collect();
    let unknown: Vec<_> = Piece::ALL.into_iter().flat_map(at).collect();
    let thresholds = document.thresholds;
    let find = |places: &[Lying], least: f64| {
        agreed(samples.iter().map(|screen| document.find(screen, method, places, least)), samples.len())
    };
    answers.known.add(find(&known, thresholds.moved), &scene.falling);
    answers.unknown.add(find(&unknown, thresholds.current), &scene.falling);
    let next = agreed(samples.iter().map(|screen| document.next(screen, method)), samples.len());
    answers.next.add(next, &scene.next);
}

fn ask_ours(
    known: &KnownTiles,
    template: &Template,
    picture: Gray<'_>,
    corners: Quad,
    scene: &Scene,
    answers: &mut Reliability,
) {
    let size = (picture.width(), picture.height());
    let sight = CellReader::new(known, registered(picture, template, corners), size)
        .and_then(|reader| reader.read(picture).ok());
    let rows = SPAWN_ROW - SEARCH..=SPAWN_ROW;
    let ask = sight.as_ref();
    answers
        .known
        .add(ask.and_then(|s| s.known(&scene.board, scene.falling, rows.clone()).ok()), &scene.falling);
    answers.unknown.add(ask.and_then(|s| s.unknown(&scene.board, rows.clone()).ok()), &scene.falling);
    answers.next.add(ask.and_then(|s| s.next().ok()), &scene.next);
}
