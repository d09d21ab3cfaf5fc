//! `gamebot calibrate`: where the console's screen is in the camera's frames (G8).

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use devices::camera::{Address, CameraEye, CameraSettings};
use engine::{Eye, Focus, Picture, PixelFormat, RealClock};
use players::tetris::see::KnownTiles;
use players::tetris::see::camera::layout::Layout;
use players::tetris::see::camera::rectifier::GOOD_FIT;
use players::tetris::see::camera::trials::Scene;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::Serialize;
use simulators::camera::{Camera, Mount, Settings};
use vision::register::{Found, Pyramid, Template, find, refine};
use vision::{Gray, Homography, Point, Quad};

use crate::ending::{Ending, UsageError};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot calibrate --camera http://127.0.0.1:8090/ --picture found.png
                                             find the screen, draw it into a frame
  gamebot calibrate --camera 'cmd:ffmpeg -f v4l2 -i /dev/video0 -pix_fmt gray -f rawvideo -'
                                             a camera on USB
  gamebot calibrate --camera http://cam/ --points 120,60 510,80 530,430 100,410
                                             start from points marked by hand
  gamebot calibrate --poses 300 --json       300 random poses of the simulated mount

Points are the screen's own corners: top left, top right, bottom right, bottom left. On a screen that
stands upside down the first point is at the lower right.";

/// Find the console's screen in the camera's frames, without a human or from points marked by hand.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Calibrate {
    /// Where the camera is: http://host:port/path, v4l2:/dev/video0, cmd:program arguments, or dir:folder.
    /// Without it, the simulated one.
    #[arg(long, value_name = "ADDRESS")]
    camera: Option<Address>,

    /// Four points to start from, marked by hand.
    #[arg(long, value_name = "X,Y", num_args = 4, value_parser = point)]
    points: Option<Vec<(f64, f64)>>,

    /// Turn frames by 180° first.
    #[arg(long)]
    rotate: bool,

    /// Draw the corners into the frame and write it here (.png).
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    /// Random poses of the simulated mount to try.
    #[arg(long, default_value_t = 1, value_name = "N", conflicts_with = "camera")]
    poses: u32,

    /// Random seed of the simulated camera.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// One calibration.
#[derive(Debug, Serialize)]
struct Calibrated {
    /// Top left, top right, bottom right, bottom left of the screen itself.
    points: [[f64; 2]; 4],
    fit: f64,
    is_found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_px: Option<f64>,
}

/// Many poses of the simulated mount.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "as the JSON fields are named")]
struct Poses {
    poses: u32,
    within_1_5_px: u32,
    error_px_median: f64,
    error_px_largest: f64,
    /// Found with a good fit, but more than 5 pixels off: what must never happen.
    confidently_wrong: u32,
    ms_mean: f64,
}

fn point(text: &str) -> Result<(f64, f64), String> {
    let parsed =
        text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    parsed
        .filter(|(x, y): &(f64, f64)| x.is_finite() && y.is_finite())
        .ok_or("write x,y in pixels".to_owned())
}

/// Runs the verb.
pub fn run(calibrate: &Calibrate, out: &mut Output) -> anyhow::Result<Ending> {
    let known = KnownTiles::stackfall();
    let templates: Vec<Template> =
        Layout::all().iter().filter_map(|layout| layout.template(&known)).collect();
    if calibrate.poses > 1 {
        return many(calibrate, &known, &templates, out);
    }
    let (frame, truth) = if let Some(address) = &calibrate.camera {
        (real_frame(address, calibrate.rotate)?, None)
    } else {
        let (frame, truth) = simulated_frame(&known, calibrate.seed);
        (frame, Some(truth))
    };
    let gray = gray(&frame)?;
    let found = match &calibrate.points {
        None => find(gray, &templates),
        Some(points) => {
            let corners: Quad = std::array::from_fn(|i| Point::new(points[i].0, points[i].1));
            by_hand(gray, &templates, corners)?
        }
    };
    let Some(found) = found else {
        anyhow::bail!("the screen is not in the frame: nothing in it looks like one of our screens");
    };
    let calibrated = Calibrated {
        points: found.corners.map(|p| [round(p.x), round(p.y)]),
        fit: round(found.fit),
        is_found: found.fit >= GOOD_FIT,
        error_px: truth.map(|truth| round(error_px(&found.corners, &truth))),
    };
    if let Some(path) = &calibrate.picture {
        let mut png = Vec::new();
        annotated(&frame, &found.corners)?.write_png(&mut png)?;
        fs::write(path, png).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if calibrate.json {
        out.json(&calibrated)?;
    } else {
        let names = ["top left", "top right", "bottom right", "bottom left"];
        for (name, [x, y]) in names.iter().zip(calibrated.points) {
            writeln!(out, "{name:13} {x:7.1} {y:7.1}")?;
        }
        writeln!(out, "fit           {:7.3}", calibrated.fit)?;
        if let Some(error_px) = calibrated.error_px {
            writeln!(out, "off by        {error_px:7.2} px")?;
        }
        if !calibrated.is_found {
            writeln!(out, "not believed: a fit of {GOOD_FIT} is needed; is the console on and in view?")?;
        }
    }
    Ok(if calibrated.is_found { Ending::Success } else { Ending::Negative })
}

fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn error_px(found: &Quad, truth: &Quad) -> f64 {
    (0..4).map(|i| found[i].distance(truth[i])).fold(0.0, f64::max)
}

fn gray(frame: &Picture) -> anyhow::Result<Gray<'_>> {
    Gray::new(frame.width as usize, frame.height as usize, &frame.pixels).context("the frame is not grey")
}

fn by_hand(frame: Gray<'_>, templates: &[Template], corners: Quad) -> anyhow::Result<Option<Found>> {
    if Homography::onto(160.0, 144.0, corners).is_none() {
        return Err(UsageError(
            "the four points do not make a screen: name its corners clockwise".to_owned(),
        )
        .into());
    }
    let pyramid = Pyramid::new(frame, 3);
    let refined = templates.iter().enumerate().filter_map(|(template, wanted)| {
        let refined = refine(&pyramid, wanted, corners, 2)?;
        Some(Found { template, corners: refined.corners, fit: refined.fit })
    });
    Ok(refined.max_by(|a, b| a.fit.total_cmp(&b.fit)))
}

fn real_frame(address: &Address, rotate: bool) -> anyhow::Result<Picture> {
    let clock = RealClock::start(crate::interrupt::on_interrupt()?);
    let settings = CameraSettings { rotate, patience: Duration::from_secs(5), ..CameraSettings::default() };
    let mut eye = CameraEye::open(address.clone(), settings, &clock)?;
    let frame = eye.look(&Focus::Everything)?;
    Ok(frame.picture.clone())
}

/// A game seen by the simulated camera from a random pose, and where its corners are.
fn simulated_frame(known: &KnownTiles, seed: u64) -> (Picture, Quad) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mount = Mount::random(&mut random, (640, 480));
    let scene = Scene::random(known, &mut random);
    let mut camera = Camera::new(Settings { mount, ..Settings::default() }, seed);
    camera.show(Duration::ZERO, &scene.shades);
    let at = Duration::from_millis(400);
    let pixels = camera.capture(at).to_vec();
    (Picture { width: 640, height: 480, format: PixelFormat::Gray8, pixels }, camera.corners(at))
}

#[expect(clippy::disallowed_methods, reason = "measures how long the search takes; nothing depends on it")]
fn many(
    calibrate: &Calibrate,
    known: &KnownTiles,
    templates: &[Template],
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let cancel = crate::interrupt::on_interrupt()?;
    let bar = crate::progress::bar(calibrate.poses.into(), "poses");
    let mut errors = Vec::new();
    let mut confidently_wrong = 0;
    let mut spent = Duration::ZERO;
    for pose in 0..calibrate.poses {
        if cancel.is_cancelled() {
            break;
        }
        let (frame, truth) = simulated_frame(known, calibrate.seed.wrapping_add(pose.into()));
        let began = std::time::Instant::now();
        let found = find(gray(&frame)?, templates);
        spent += began.elapsed();
        let error = found.map_or(f64::INFINITY, |found| error_px(&found.corners, &truth));
        confidently_wrong += u32::from(error > 5.0 && found.is_some_and(|found| found.fit >= GOOD_FIT));
        errors.push(error);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let poses = errors.len() as u32;
    errors.sort_by(f64::total_cmp);
    let report = Poses {
        poses,
        within_1_5_px: errors.iter().filter(|error| **error <= 1.5).count() as u32,
        error_px_median: errors.get(errors.len() / 2).copied().unwrap_or(f64::NAN),
        error_px_largest: errors.last().copied().unwrap_or(f64::NAN),
        confidently_wrong,
        ms_mean: spent.as_secs_f64() * 1e3 / f64::from(poses.max(1)),
    };
    if calibrate.json {
        out.json(&report)?;
    } else {
        writeln!(out, "poses               {:6}", report.poses)?;
        writeln!(out, "within 1.5 px       {:6}", report.within_1_5_px)?;
        writeln!(out, "median error        {:6.2} px", report.error_px_median)?;
        writeln!(out, "largest error       {:6.2} px", report.error_px_largest)?;
        writeln!(out, "confidently wrong   {:6}", report.confidently_wrong)?;
        writeln!(out, "time a pose         {:6.0} ms", report.ms_mean)?;
    }
    Ok(match 100 * report.within_1_5_px >= 99 * report.poses {
        _ if cancel.is_cancelled() => Ending::Interrupted,
        true => Ending::Success,
        false => Ending::Negative,
    })
}

/// The frame with the screen's outline in red, and its upper edge in green.
fn annotated(frame: &Picture, corners: &Quad) -> anyhow::Result<Picture> {
    let gray = gray(frame)?;
    let pixels = gray.pixels().iter().flat_map(|luma| [*luma; 3]).collect();
    let mut picture = Picture { format: PixelFormat::Rgb8, pixels, ..*frame };
    for side in 0..4 {
        let (from, to) = (corners[side], corners[(side + 1) % 4]);
        let color = if side == 0 { [0, 255, 0] } else { [255, 0, 0] };
        let steps = from.distance(to).ceil().clamp(1.0, 10_000.0) as usize;
        for step in 0..=steps {
            let part = step as f64 / steps as f64;
            let (x, y) = (from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
            let is_inside = x >= 0.0 && y >= 0.0 && x < f64::from(frame.width) && y < f64::from(frame.height);
            if is_inside {
                let at = (y as usize * frame.width as usize + x as usize) * 3;
                picture.pixels[at..at + 3].copy_from_slice(&color);
            }
        }
    }
    Ok(picture)
}
