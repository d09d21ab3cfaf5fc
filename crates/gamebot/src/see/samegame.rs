//! `gamebot see samegame`: a board from a screenshot, a window or the screen.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args};
use devices::desktop::{self, Pace, Target};
use engine::{Cancel, Eye, Focus, Picture, RealClock};
use players::samegame::see::{Sight, annotate, see};
use runs::samegame::settings::SamegameSettings;
use runs::samegame::target;
use serde::Serialize;

use crate::ending::{Ending, UsageError};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot see samegame shot.png                           the board in a screenshot, in normal form
  gamebot see samegame shot.png --annotate read.png       with a picture of what was read where
  gamebot see samegame --window 'Same Game' --json        the board in a window of this desktop
  gamebot see samegame --screen                           anywhere on the screen

A picture that cannot be read is unclear: the reason goes to standard error, the exit code is 1.";

/// Read a SameGame board from a picture, a window or the screen.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("source").required(true).args(["image", "window", "screen", "region"]))]
pub struct SeeSamegame {
    /// A screenshot, as PNG.
    #[arg(value_name = "IMAGE.png")]
    image: Option<PathBuf>,

    /// The window with this text in its title or class.
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,

    /// The whole screen.
    #[arg(long)]
    screen: bool,

    /// A rectangle of the screen.
    #[arg(long, value_name = "X,Y,WxH")]
    region: Option<String>,

    /// Write the picture with what was read drawn over it.
    #[arg(long, value_name = "OUT.png")]
    annotate: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Debug, Serialize)]
struct Report {
    board: Vec<Vec<u8>>,
    columns: usize,
    rows: usize,
    /// Pixels from tile to tile.
    pitch: [f64; 2],
    /// Left, top, width and height in pixels.
    bounds: [f64; 4],
    confidence: Vec<Vec<f32>>,
}

/// Runs the verb.
pub fn run(verb: &SeeSamegame, out: &mut Output) -> anyhow::Result<Ending> {
    let picture = picture(verb)?;
    let seen = see(&picture);
    if let Some(path) = &verb.annotate {
        let mut png = Vec::new();
        annotate(&picture, seen.as_ref()).write_png(&mut png)?;
        std::fs::write(path, png).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match seen {
        Ok(sight) => {
            if verb.json {
                out.json(&Report::new(&sight))?;
            } else {
                writeln!(out, "{}", sight.board)?;
            }
            Ok(Ending::Success)
        }
        Err(why) => {
            eprintln!("unclear: {why}");
            Ok(Ending::Negative)
        }
    }
}

fn picture(verb: &SeeSamegame) -> anyhow::Result<Picture> {
    if let Some(path) = &verb.image {
        let bytes =
            std::fs::read(path).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
        return Picture::read_any_png(&bytes)
            .map_err(|error| UsageError(format!("{}: {error}", path.display())).into());
    }
    let settings = SamegameSettings {
        window: verb.window.clone().unwrap_or_default(),
        region: verb.region.clone().unwrap_or_default(),
        ..SamegameSettings::default()
    };
    let target: Target = target(&settings)?;
    let mut body = desktop::body(None, target, Pace::Instant, &RealClock::start(Cancel::new()))
        .map_err(|error| UsageError(error.to_string()))?;
    Ok(body.eye.look(&Focus::Everything)?.picture.clone())
}

impl Report {
    fn new(sight: &Sight) -> Self {
        let (x, y) = (sight.lattice.x, sight.lattice.y);
        Self {
            board: sight.board.columns().to_vec(),
            columns: x.count,
            rows: y.count,
            pitch: [x.pitch, y.pitch],
            bounds: [x.origin, y.origin, x.end() - x.origin, y.end() - y.origin],
            confidence: sight.confidence.clone(),
        }
    }
}
