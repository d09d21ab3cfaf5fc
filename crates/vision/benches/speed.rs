//! Processor time of each step of the document's image processing on 640 × 480 grey frames.
//!
//! `cargo bench -p vision --bench speed [-- --json FOLDER]`; with a folder, the frames and what we made
//! of them are left there, so that another program can be measured and compared on the same ones.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot start says so")]

use std::path::Path;
use std::time::Duration;

use vision::bitmap::Bitmap;
use vision::light::{Light, Reference};
use vision::morphology::Opening;
use vision::sample::{Patch, Sampler};
use vision::threshold::AdaptiveThreshold;
use vision::warp::Warp;
use vision::{Gray, Homography, Point};

const FRAME: (usize, usize) = (640, 480);
const SCREEN: (usize, usize) = (160, 144);
const FRAMES: usize = 10;
const ROUNDS: usize = 100;
/// Cells of a game that matter.
const CELLS: usize = 196;
const SAMPLES_PER_SIDE: usize = 4;
/// Top left, top right, bottom right, bottom left of the screen in the frame.
const CORNERS: [(f64, f64); 4] = [(131.3, 62.1), (521.7, 80.4), (548.2, 430.9), (102.8, 405.5)];

fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let mapping = Homography::onto(160.0, 144.0, CORNERS.map(|(x, y)| Point::new(x, y))).unwrap();
    let frames: Vec<_> = (0..FRAMES as u64).map(|seed| frame(&mapping, seed)).collect();

    let warp = Warp::new(&mapping, SCREEN, FRAME);
    let mut threshold =
        AdaptiveThreshold::new(AdaptiveThreshold::BLOCK, AdaptiveThreshold::CONSTANT).unwrap();
    let mut opening = Opening::new(Opening::SIDE).unwrap();
    let mut screens = vec![Vec::new(); FRAMES];
    let mut bitmaps = vec![Bitmap::black(0, 0); FRAMES];
    let mut opened = bitmaps.clone();

    // 180 cells of the field, 16 of the preview, and 64 static ones to fit the light to.
    let places = (0..18).flat_map(|y| (2..12).map(move |x| (x, y)));
    let places = places.chain((12..16).flat_map(|y| (15..19).map(move |x| (x, y))));
    let references = (0..64).map(|i| (if i % 4 < 2 { 1 } else { 12 }, i / 4));
    let patch = |(x, y): (usize, usize)| Patch {
        corner: Point::new(x as f64 * 8.0 + 0.75, y as f64 * 8.0 + 0.75),
        width: 6.5,
        height: 6.5,
    };
    let patches: Vec<_> = places.chain(references.clone()).map(patch).collect();
    let sampler = Sampler::new(&mapping, &patches, SAMPLES_PER_SIDE, FRAME);
    let references: Vec<_> = references
        .map(|(x, y)| Reference {
            at: Point::new(x as f64 / 10.0 - 1.0, y as f64 / 9.0 - 1.0),
            brightness: (x * 7 + y) as f64 % 4.0 / 3.0,
        })
        .collect();
    let mut means = Vec::new();

    let mut best = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(micros_per_frame(|i| warp.apply(gray(&frames[i]), &mut screens[i]).unwrap()));
        best[1] = best[1].min(micros_per_frame(|i| {
            threshold.apply(Gray::new(SCREEN.0, SCREEN.1, &screens[i]).unwrap(), &mut bitmaps[i]);
        }));
        opened.clone_from_slice(&bitmaps);
        best[2] = best[2].min(micros_per_frame(|i| opening.apply(&mut opened[i])));
        best[3] = best[3].min(micros_per_frame(|i| {
            sampler.means(gray(&frames[i]), &mut means).unwrap();
            std::hint::black_box(Light::fit(&references, &means[CELLS..]));
        }));
    }

    if let Some(folder) = arguments.iter().position(|a| a == "--json").and_then(|at| arguments.get(at + 1)) {
        leave(Path::new(folder), &frames, &screens, &bitmaps, &opened);
    }
    let names = ["warp_us", "adaptive_threshold_us", "opening_us", "sampling_us"];
    let fields: Vec<_> = names.iter().zip(best).map(|(name, us)| format!("\"{name}\": {us:.3}")).collect();
    println!("{{{}}}", fields.join(", "));
}

/// A game's screen seen in perspective in uneven light, with noise.
fn frame(mapping: &Homography, seed: u64) -> Vec<u8> {
    let to_screen = mapping.inverse().unwrap();
    let hash = |n: u64| (n ^ (seed << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let pixel = |i: usize| {
        let (x, y) = (i % FRAME.0, i / FRAME.0);
        let at = to_screen.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5));
        let noise = (hash(i as u64) >> 58) as i32 - 32;
        if !(0.0..160.0).contains(&at.x) || !(0.0..144.0).contains(&at.y) {
            return (40 + noise / 4) as u8;
        }
        let (cell_x, cell_y) = (at.x as u64 / 8, at.y as u64 / 8);
        let is_block = hash(cell_y * 20 + cell_x) >> 62 == 0;
        let is_rim = [at.x, at.y].iter().any(|n| n.rem_euclid(8.0) < 1.0 || n.rem_euclid(8.0) > 7.0);
        let shade = match (is_block, is_rim) {
            (false, _) => 210,
            (true, true) => 40,
            (true, false) => 120,
        };
        (shade + noise + at.x as i32 / 8 - at.y as i32 / 6).clamp(0, 255) as u8
    };
    (0..FRAME.0 * FRAME.1).map(pixel).collect()
}

fn gray(frame: &[u8]) -> Gray<'_> {
    Gray::new(FRAME.0, FRAME.1, frame).unwrap()
}

fn micros_per_frame(mut step: impl FnMut(usize)) -> f64 {
    let start = cpu_time();
    (0..FRAMES).for_each(&mut step);
    cpu_time().saturating_sub(start).as_secs_f64() * 1e6 / FRAMES as f64
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn leave(folder: &Path, frames: &[Vec<u8>], screens: &[Vec<u8>], bitmaps: &[Bitmap], opened: &[Bitmap]) {
    std::fs::create_dir_all(folder).unwrap();
    let gray = |bitmaps: &[Bitmap]| bitmaps.iter().flat_map(Bitmap::to_gray).collect::<Vec<_>>();
    std::fs::write(folder.join("frames.raw"), frames.concat()).unwrap();
    std::fs::write(folder.join("screens.raw"), screens.concat()).unwrap();
    std::fs::write(folder.join("bitmaps.raw"), gray(bitmaps)).unwrap();
    std::fs::write(folder.join("opened.raw"), gray(opened)).unwrap();
    let corners: Vec<_> = CORNERS.iter().map(|(x, y)| format!("{x} {y}")).collect();
    std::fs::write(folder.join("corners.txt"), corners.join("\n")).unwrap();
}
