//! `gamebot measure recognition`: how reliably pieces are recognised under disturbances (G20; the
//! document's tables 4.2 and 4.3).

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use players::tetris::see::camera::trials::{Disturbance, Reliability, Scene, Shot, Trials, measure};
use runs::eyes::DocumentSightSettings;
use simulators::camera::{Camera, Display, Lighting, Settings};

use crate::ending::Ending;
use crate::output::Output;
use crate::plot::{Chart, Curve, PlotFile};
use crate::settings::ConfigurationFlags;
use crate::table;

const EXAMPLES: &str = "\
Examples:
  gamebot measure recognition                      the document's disturbances, one at a time, then light and ghosts
  gamebot measure recognition --grid --frames 500  every noise with every error of the key points, then the others
  gamebot measure recognition --reflections 2 --gradient 0.3 --json
  gamebot measure recognition --plot recognition.svg
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

    /// Reflections on the screen under the document's disturbances.
    #[arg(long, default_value_t = 0)]
    reflections: usize,

    /// How much brighter one side of the screen is than its middle there, as a part.
    #[arg(long, default_value_t = 0.12)]
    gradient: f32,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Draw what is right, in per cent, into this file (.svg or .png); may be repeated.
    #[arg(long, value_name = "FILE")]
    plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

const NOISES: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];
const KEY_POINTS: [f64; 5] = [0.0, 1.0, 2.0, 4.0, 8.0];

/// Beside the document's disturbances: the picture before, light from one side, reflections; all of them, with its own.
const OTHERS: [Disturbance; 8] = {
    let none = Disturbance { noise: 0.0, key_points_px: 0.0, ghost: 0.0, gradient: 0.12, reflections: 0 };
    [
        Disturbance { ghost: 0.2, ..none },
        Disturbance { ghost: 0.4, ..none },
        Disturbance { gradient: 0.3, ..none },
        Disturbance { gradient: 0.5, ..none },
        Disturbance { reflections: 1, ..none },
        Disturbance { reflections: 3, ..none },
        Disturbance { ghost: 0.2, gradient: 0.3, reflections: 2, ..none },
        Disturbance { noise: 0.4, key_points_px: 4.0, ghost: 0.2, gradient: 0.3, reflections: 1 },
    ]
};

/// The document's per cent: known, unknown, next; by blocks and by pieces.
fn in_document(disturbance: &Disturbance) -> Option<[[f64; 3]; 2]> {
    if disturbance.ghost > 0.0 || disturbance.gradient > 0.2 || disturbance.reflections > 0 {
        return None;
    }
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
    let (gradient, reflections) = (options.gradient, options.reflections);
    let of_document =
        |noise, key_points_px| Disturbance { noise, key_points_px, ghost: 0.0, gradient, reflections };
    let mut disturbances: Vec<_> = if options.grid {
        NOISES.iter().flat_map(|noise| KEY_POINTS.map(|px| of_document(*noise, px))).collect()
    } else {
        let noises = NOISES.iter().skip(1).map(|noise| of_document(*noise, 0.0));
        KEY_POINTS.iter().map(|px| of_document(0.0, *px)).chain(noises).collect()
    };
    disturbances.extend(OTHERS);
    let cancel = crate::interrupt::on_interrupt()?;
    let bar = crate::progress::bar(disturbances.len() as u64, "disturbances");
    let mut rows = Vec::new();
    for disturbance in disturbances {
        let shoot = move |scene: &Scene, seed: u64| shoot(&disturbance, scene, seed);
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
    out.flush()?;
    options.plot.iter().try_for_each(|file| file.draw(&picture(&rows)))?;
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

/// A camera that sees this scene so.
fn shoot(disturbance: &Disturbance, scene: &Scene, seed: u64) -> Shot {
    let Disturbance { gradient, reflections, ghost, .. } = *disturbance;
    let lighting = Lighting { reflections, gradient, ..Lighting::default() };
    let mut camera = Camera::new(Settings { lighting, ..Settings::default() }, seed);
    let mut at = Duration::from_millis(400);
    if ghost > 0.0 {
        camera.show(Duration::ZERO, &scene.before);
        camera.show(at, &scene.shades);
        // The display follows exponentially, and is drawn about as fast as the camera reads its rows.
        at += Display::default().response.mul_f64((1.0 / ghost).ln());
    } else {
        camera.show(Duration::ZERO, &scene.shades);
    }
    let pixels = camera.capture(at).to_vec();
    Shot { pixels, size: camera.size(), corners: camera.corners(at) }
}

/// The least of the three questions' per cent over the document's disturbances, one at a time.
fn picture(rows: &[Trials]) -> Chart {
    let ways: [(&str, fn(&Trials) -> &Reliability); 3] =
        [("blocks", |row| &row.blocks), ("pieces", |row| &row.pieces), ("ours", |row| &row.ours)];
    let curves = ways.into_iter().flat_map(|(way, of)| {
        let least = move |row: &Trials| {
            let Reliability { known, unknown, next } = of(row);
            known.percent().min(unknown.percent()).min(next.percent())
        };
        let of_document = || rows.iter().filter(|row| !OTHERS.contains(&row.disturbance));
        let by_noise = of_document().filter(|row| row.disturbance.key_points_px == 0.0);
        let by_px = of_document().filter(|row| row.disturbance.noise == 0.0);
        [
            Curve {
                name: format!("{way}, noise"),
                points: by_noise.map(|row| (10.0 * row.disturbance.noise, least(row))).collect(),
            },
            Curve {
                name: format!("{way}, key points"),
                points: by_px.map(|row| (row.disturbance.key_points_px, least(row))).collect(),
            },
        ]
    });
    Chart {
        title: "Pieces recognised: the least of known, unknown and next piece".to_owned(),
        x: "noise in tenths; key points off, in pixels".to_owned(),
        y: "per cent right".to_owned(),
        curves: curves.collect(),
    }
}

fn text(rows: &[Trials]) -> comfy_table::Table {
    let header = [
        "noise",
        "key points px",
        "ghost",
        "gradient",
        "reflections",
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
            format!("{:.1}", row.disturbance.ghost),
            format!("{:.2}", row.disturbance.gradient),
            row.disturbance.reflections.to_string(),
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
