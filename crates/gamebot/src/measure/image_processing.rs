//! `gamebot measure image-processing`: how long the document's steps take on this machine (G20; its
//! table 4.1). `cargo xtask bench vision` compares them with OpenCV.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use players::tetris::see::KnownTiles;
use players::tetris::see::camera::recognise::CellReader;
use players::tetris::see::camera::trials::Scene;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::Serialize;
use simulators::camera::{Camera, Settings};
use vision::bitmap::Bitmap;
use vision::morphology::Opening;
use vision::threshold::AdaptiveThreshold;
use vision::warp::Warp;
use vision::{Gray, Homography};

use crate::ending::Ending;
use crate::output::Output;
use crate::plot::{PlotFile, Share, Shares};
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot measure image-processing               1,000 frames of 640 × 480, as in the document
  gamebot measure image-processing --frames 100 --json
  gamebot measure image-processing --plot steps.svg";

/// Measure how long rectifying, binarising and opening take, beside the document's figures.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureImageProcessing {
    /// Frames to process.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,

    /// Draw the time of each step into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// One step.
#[derive(Debug, Serialize)]
struct Row {
    step: &'static str,
    document_ms: Option<f64>,
    frame_ms: f64,
}

/// Milliseconds that a frame took the document in all.
const DOCUMENT_TOTAL_MS: f64 = 0.451;
/// Frames that are made; they are processed again and again.
const DIFFERENT: usize = 20;

/// Runs the verb.
#[expect(clippy::disallowed_methods, reason = "this is what is measured")]
pub fn run(options: &MeasureImageProcessing, out: &mut Output) -> anyhow::Result<Ending> {
    let cancel = crate::interrupt::on_interrupt()?;
    let known = KnownTiles::stackfall();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut camera = Camera::new(Settings::default(), 1);
    let at = |i: usize| Duration::from_millis(500 * i as u64 + 400);
    let frames: Vec<_> = (0..DIFFERENT)
        .map(|i| {
            camera.show(Duration::from_millis(500 * i as u64), &Scene::random(&known, &mut random).shades);
            camera.capture(at(i)).to_vec()
        })
        .collect();
    let (size, corners) = (camera.size(), camera.corners(Duration::ZERO));
    let mapping = Homography::onto(160.0, 144.0, corners).context("the camera sees no screen")?;
    let warp = Warp::new(&mapping, (160, 144), size);
    let mut threshold = AdaptiveThreshold::new(AdaptiveThreshold::BLOCK, AdaptiveThreshold::CONSTANT)
        .context("the document's block")?;
    let mut opening = Opening::new(Opening::SIDE).context("the document's square")?;
    let cells = CellReader::new(&known, corners, size).context("the camera sees no screen")?;

    let mut spent = [Duration::ZERO; 4];
    let (mut screen, mut bitmap) = (Vec::new(), Bitmap::black(160, 144));
    let bar = crate::progress::bar(options.frames.into(), "frames");
    let mut processed = 0u32;
    while processed < options.frames && !cancel.is_cancelled() {
        let i = processed as usize;
        let frame = Gray::new(size.0, size.1, &frames[i % DIFFERENT]).context("a frame")?;
        let mut stop_watch = Instant::now();
        let mut lap = |step: usize| {
            let now = Instant::now();
            spent[step] += now - stop_watch;
            stop_watch = now;
        };
        warp.apply(frame, &mut screen)?;
        lap(0);
        threshold.apply(Gray::new(160, 144, &screen).context("a screen")?, &mut bitmap);
        lap(1);
        opening.apply(&mut bitmap);
        lap(2);
        std::hint::black_box(cells.read(frame)).ok();
        lap(3);
        processed += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ms = |spent: Duration| spent.as_secs_f64() * 1e3 / f64::from(processed.max(1));
    let total: Duration = spent[..3].iter().sum();
    let rows = [
        Row { step: "rectify", document_ms: Some(0.275), frame_ms: ms(spent[0]) },
        Row { step: "binarise", document_ms: Some(0.123), frame_ms: ms(spent[1]) },
        Row { step: "open", document_ms: Some(0.052), frame_ms: ms(spent[2]) },
        Row { step: "total", document_ms: Some(DOCUMENT_TOTAL_MS), frame_ms: ms(total) },
        Row { step: "ours, cells sampled directly", document_ms: None, frame_ms: ms(spent[3]) },
    ];
    let bars = rows.iter().map(|row| Share {
        name: row.step.to_owned(),
        measured: row.frame_ms / DOCUMENT_TOTAL_MS,
        // Ours takes the place of all its steps.
        model: row.document_ms.unwrap_or(DOCUMENT_TOTAL_MS) / DOCUMENT_TOTAL_MS,
    });
    let picture = Shares {
        title: format!("Time a frame takes, of the document's {DOCUMENT_TOTAL_MS} ms (line: its own steps)"),
        bars: bars.collect(),
    };
    if options.json {
        out.json(&rows)?;
    } else {
        let mut table = table::table(&["step", "document, ms a frame", "here, ms a frame"]);
        for row in rows {
            let document = row.document_ms.map_or("–".to_owned(), |ms| format!("{ms:.3}"));
            table.add_row([row.step.to_owned(), document, format!("{:.4}", row.frame_ms)]);
        }
        writeln!(out, "{}", table::figures(table))?;
    }
    out.flush()?;
    options.plot.iter().try_for_each(|file| file.draw(&picture))?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}
