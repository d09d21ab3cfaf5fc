//! The cartridge in the emulator crate and in PyBoy, with sound on: the same picture in every frame.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;

use super::{Report, peer};
use crate::run;

const PEER_RELEASE: &str = "pyboy==2.8.1";
const PEER: &str = "xtask/src/bench/tour_peer.py";
const IMAGE: &str = "rom/stackfall.gb";
/// As numbered in `rom/src/memory.h`.
const SCENES: [&str; 15] = [
    "title",
    "type",
    "level",
    "B level",
    "B height",
    "play and demo",
    "curtain",
    "over",
    "name",
    "B account",
    "link setup",
    "sending",
    "receiving",
    "round",
    "rocket",
];
/// The first frame that both tell about (`crates/gameboy/examples/tour/tour.rs`).
const FIRST: u32 = 4;
const MUSIC: [&str; 4] = ["Sunrise", "Night Train", "effects alone", "silence"];

/// How far the tour goes.
#[derive(Args, Debug)]
pub struct Options {
    /// Frames of the cartridge.
    #[arg(long, default_value_t = 100_000)]
    frames: u32,
}

/// Goes on the tour in both and compares; fails at the first difference.
pub fn bench(options: &Options) -> anyhow::Result<()> {
    let mut report = Report::begin("tour")?;
    let frames = options.frames.to_string();
    let cargo = ["run", "--quiet", "--package", "gameboy", "--example", "tour", "--", &frames];
    let ours = run::capture("cargo", &cargo)?;
    let python = peer::python(PEER_RELEASE)?;
    let theirs = run::capture(&python, &[PEER, IMAGE, &frames])?;
    // The emulator logs to standard output.
    let mut ours = ours.lines().filter(|line| !line.starts_with('['));
    let mut theirs = theirs.lines();
    let (mut scenes, mut music, mut pictures) = (BTreeMap::new(), BTreeMap::new(), 0);
    for frame in FIRST..=options.frames {
        let words: Vec<_> = ours.next().unwrap_or_default().split(' ').collect();
        let [number, picture, scene, tune] = words.as_slice() else { bail!("frame {frame}: {words:?}") };
        let theirs = theirs.next().unwrap_or_default();
        if theirs != format!("{number} {picture}") {
            bail!("frame {frame}: {words:?} in the emulator crate, “{theirs}” in {PEER_RELEASE}");
        }
        *scenes.entry(scene.parse::<usize>()?).or_insert(0u32) += 1;
        *music.entry(tune.parse::<usize>()?).or_insert(0u32) += 1;
        pictures += u32::from(*picture != "-");
    }
    report.line(&format!(
        "{frames} frames of the cartridge with sound on: the pictures are the same in {PEER_RELEASE} and in",
    ));
    report.line(&format!(
        "the emulator crate; {pictures} pictures compared (not those next to a display that is off).\n"
    ));
    report.line("| scene | frames |\n|---|---|");
    for (scene, frames) in scenes {
        report.line(&format!("| {} | {frames} |", SCENES.get(scene).unwrap_or(&"?")));
    }
    report.line("\n| music chosen | frames |\n|---|---|");
    for (tune, frames) in music {
        report.line(&format!("| {} | {frames} |", MUSIC.get(tune).unwrap_or(&"?")));
    }
    report.write()?;
    Ok(())
}
