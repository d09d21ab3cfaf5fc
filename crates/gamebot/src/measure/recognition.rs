//! `gamebot measure recognition`: how reliably pieces are recognised under disturbances (G20; the
//! document's tables 4.2 and 4.3).

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use players::tetris::see::camera::trials::{Disturbance, Reliability, Shot, Trials, measure};
use runs::eyes::DocumentSightSettings;
use simulators::camera::{Camera, Lighting, Settings};

use crate::ending::Ending;
use crate::output::Output;
use crate::settings::ConfigurationFlags;
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot measure recognition                      the document's disturbances, one at a time
  gamebot measure recognition --grid --frames 500  every noise with every error of the key points
  gamebot measure recognition --reflections 2 --gradient 0.3 --json
  gamebot measure recognition --frames 20 --set document_sight.samples=3   the document's sampling";

/// Measure how reliably pieces are recognised: the document's two ways and ours.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureRecognition {
    /// Frames for each disturbance.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,

    /// Every noise with every error of the key points, not one at a time.
    #[arg(long)]
    grid: bool,

    /// Reflections on the screen.
    #[arg(long, default_value_t = 0)]
    reflections: usize,

    /// How much brighter one side of the screen is than its middle, as a part.
    #[arg(long, default_value_t = 0.12)]
    gradient: f32,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

const NOISES: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];
const KEY_POINTS: [f64; 5] = [0.0, 1.0, 2.0, 4.0, 8.0];

/// The document's per cent: known, unknown, next; by blocks and by pieces.
fn in_document(disturbance: &Disturbance) -> Option<[[f64; 3]; 2]> {
    Some(match (disturbance.key_points_px, disturbance.noise) {
        (0.0 | 1.0, 0.0) | (0.0, 0.2) => [[100.0; 3]; 2],
        (2.0, 0.0) => [[100.0; 3], [100.0, 100.0, 99.8]],
        (4.0, 0.0) => [[100.0, 98.6, 98.2], [99.2, 96.0, 90.2]],
        (8.0, 0.0) => [[95.8, 63.8, 41.8], [95.0, 68.0, 42.4]],
        (0.0, 0.4) => [[100.0, 100.0, 99.8], [100.0; 3]],
        (0.0, 0.6) => [[100.0, 99.8, 92.2], [99.8, 100.0, 99.0]],
        (0.0, 0.8) => [[97.6, 87.2, 48.0], [96.2, 94.2, 48.4]],
        _ => return None,
    })
}

/// Runs the verb.
pub fn run(
    options: &MeasureRecognition,
    flags: &ConfigurationFlags,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let sight = DocumentSightSettings::from_values(&flags.load()?).to_sight()?;
    let noises = NOISES.iter().map(|noise| (*noise, 0.0));
    let disturbances: Vec<_> = if options.grid {
        NOISES.iter().flat_map(|noise| KEY_POINTS.map(|px| (*noise, px))).collect()
    } else {
        KEY_POINTS.iter().map(|px| (0.0, *px)).chain(noises.skip(1)).collect()
    };
    let lighting =
        Lighting { reflections: options.reflections, gradient: options.gradient, ..Lighting::default() };
    let settings = Settings { lighting, ..Settings::default() };
    let cancel = crate::interrupt::on_interrupt()?;
    let bar = crate::progress::bar(disturbances.len() as u64, "disturbances");
    let mut rows = Vec::new();
    for (noise, key_points_px) in disturbances {
        let settings = settings.clone();
        let shoot = move |shades: &[u8], seed: u64| {
            let mut camera = Camera::new(settings.clone(), seed);
            camera.show(Duration::ZERO, shades);
            let at = Duration::from_millis(400);
            let pixels = camera.capture(at).to_vec();
            Shot { pixels, size: camera.size(), corners: camera.corners(at) }
        };
        let disturbance = Disturbance { noise, key_points_px };
        let (frames, seed) = (options.frames, options.seed);
        let work = move || measure(frames, disturbance, &sight, seed, shoot);
        let Some(measured) = crate::interrupt::unless_interrupted(&cancel, work)? else { break };
        rows.push(measured.context("the frames are too small")?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if options.json {
        out.json(&rows)?;
    } else {
        writeln!(out, "{}", text(&rows))?;
        writeln!(out, "Per cent right: known / unknown / next piece; of ours also answers that were wrong.")?;
    }
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn text(rows: &[Trials]) -> comfy_table::Table {
    let header = [
        "noise",
        "key points px",
        "document: blocks",
        "blocks",
        "document: pieces",
        "pieces",
        "ours",
        "ours wrong",
    ];
    let mut table = table::table(&header);
    let percents = |r: &Reliability| three([r.known.percent(), r.unknown.percent(), r.next.percent()]);
    for row in rows {
        let document = in_document(&row.disturbance);
        let of_document = |way: usize| document.map_or("–".to_owned(), |document| three(document[way]));
        let ours = &row.ours;
        table.add_row([
            format!("{:.1}", row.disturbance.noise),
            format!("{:.0}", row.disturbance.key_points_px),
            of_document(0),
            percents(&row.blocks),
            of_document(1),
            percents(&row.pieces),
            percents(ours),
            format!("{}", ours.known.wrong + ours.unknown.wrong + ours.next.wrong),
        ]);
    }
    table::figures(table)
}

fn three(percents: [f64; 3]) -> String {
    percents.map(|percent| format!("{percent:.1}")).join(" / ")
}
