//! `gamebot play tetris`: the Game Boy's falling blocks by screen and buttons (G5, G17, G19).

pub mod alone;
mod quiet;
mod versus;
mod view;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use configuration::Values;
use gameboy::{Cartridge, Company, TetrisPlayer, Until, Wishes, stackfall};
use tetris::gameboy::frames_in_ms;

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::{ConfigurationFlags, EngineSettings, TetrisSettings};

const EXAMPLES: &str = "\
Examples:
  gamebot play tetris                                    our own cartridge, from power-on to 999,999 points
  gamebot play tetris --level 9 --heart --games 20       heart mode: ten levels faster than shown
  gamebot play tetris --speed real --show                watch it in the terminal
  gamebot play tetris --rom my-cartridge.gb              a cartridge image of your own
  gamebot play tetris --two-player --games 3             two consoles on one cable, our player on both
  gamebot play tetris --record run.mcap                  keep a record for inspect and replay";

/// Play Tetris on a Game Boy, by its screen and its buttons.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayTetris {
    /// What the player sees and presses with.
    #[arg(long, value_enum, default_value_t = BodyName::Emulator)]
    body: BodyName,

    /// A cartridge image of your own, instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    rom: Option<PathBuf>,

    /// Start level, 0 to 9 [default: 9].
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=9))]
    level: Option<u32>,

    /// Heart mode: ten levels faster than shown.
    #[arg(long)]
    heart: bool,

    /// How many games; with --two-player, how many matches.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Decides how long the title screen is left alone, and with it which pieces come.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How fast time passes.
    #[arg(long, value_enum, default_value_t = Speed::Max)]
    speed: Speed,

    /// When a game ends [default: max-out].
    #[arg(long, value_enum)]
    until: Option<UntilName>,

    /// Name for the table of best scores, up to six letters [default: BOT].
    #[arg(long, value_name = "NAME")]
    initials: Option<String>,

    /// Milliseconds from one press to the next [default: 33].
    #[arg(long, value_name = "MS")]
    press_ms: Option<f64>,

    /// Two consoles on one cable, our player on both.
    #[arg(long, conflicts_with_all = ["record", "show"])]
    two_player: bool,

    /// Show the screen in the terminal (on standard error), two pixels a character.
    #[arg(long)]
    show: bool,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// An emulated console: exact pixels, exact presses.
    Emulator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Speed {
    /// Simulated time: as fast as it goes.
    Max,
    /// The console's own pace.
    Real,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UntilName {
    /// At 999,999 points it lets the pieces fall.
    MaxOut,
    /// When it is lost.
    Death,
}

/// Runs the verb.
pub fn run(play: &PlayTetris, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let values = load(flags, &own_settings(play))?;
    let cartridge = cartridge(play.rom.as_deref())?;
    let cancel = crate::interrupt::on_interrupt()?;
    match play.body {
        BodyName::Emulator if play.two_player => versus::run(play, &values, &cartridge, &cancel, out),
        BodyName::Emulator => alone::run(play, &values, &cartridge, &cancel, out),
    }
}

/// Settings with a verb's own on top. A clear takes a second and a half, and its effect must not count as
/// missing meanwhile.
pub fn load(flags: &ConfigurationFlags, own: &[String]) -> anyhow::Result<Values> {
    const VISIBLE_WITHIN_MS: u32 = 4_000;
    let values = flags.load_with(own)?;
    if EngineSettings::from_values(&values).visible_within_ms >= VISIBLE_WITHIN_MS {
        return Ok(values);
    }
    flags.load_with(&[own, &[format!("engine.visible_within_ms={VISIBLE_WITHIN_MS}")]].concat())
}

/// The verb's flags as settings, so that a recording knows them.
fn own_settings(play: &PlayTetris) -> Vec<String> {
    let mut own = vec![format!("tetris.idle_periods={}", idle_periods(play.seed))];
    own.extend(play.level.map(|level| format!("tetris.level={level}")));
    own.extend(play.heart.then(|| "tetris.heart=true".to_owned()));
    own.extend(play.initials.as_ref().map(|name| format!("tetris.initials={name}")));
    own.extend(play.press_ms.map(|ms| format!("tetris.press_ms={ms:?}")));
    own.extend(play.until.map(|until| format!("tetris.stop_at_max_out={}", until == UntilName::MaxOut)));
    own
}

/// How long the title is left alone for a seed: the console's divider, which deals the pieces, comes round
/// to the same phase every 4,096 periods.
pub fn idle_periods(seed: u64) -> u64 {
    60 + seed.wrapping_mul(2_654_435_761) % 4_096
}

/// The cartridge in the file, or our own.
pub fn cartridge(file: Option<&Path>) -> anyhow::Result<Cartridge> {
    let Some(file) = file else { return Ok(stackfall::cartridge()) };
    let bytes =
        fs::read(file).map_err(|error| UsageError(format!("cannot read {}: {error}", file.display())))?;
    Cartridge::new(bytes).map_err(|error| UsageError(format!("{}: {error}", file.display())).into())
}

/// The player that these settings describe.
pub fn player(values: &Values) -> anyhow::Result<TetrisPlayer> {
    Ok(TetrisPlayer::new(wishes(values)?))
}

/// What these settings ask of a player.
pub fn wishes(values: &Values) -> anyhow::Result<Wishes> {
    let settings = TetrisSettings::from_values(values);
    let initials = settings.initials.to_ascii_uppercase();
    if initials.len() > 6 || !initials.chars().all(|letter| letter.is_ascii_uppercase()) {
        let message = format!("tetris.initials = {initials:?}: up to six letters A to Z are allowed");
        return Err(UsageError(message).into());
    }
    Ok(Wishes {
        level: settings.level as u8,
        heart: settings.heart,
        initials,
        until: match (settings.pieces, settings.stop_at_max_out) {
            (0, true) => Until::MaxOut,
            (0, false) => Until::Death,
            (pieces, _) => Until::Pieces(pieces),
        },
        company: Company::Alone,
        press_frames: frames_in_ms(settings.press_ms).max(2),
        idle: u64::from(settings.idle_periods),
        dawdle: settings.dawdle_periods,
    })
}

fn write_report(
    out: &mut Output,
    json: bool,
    report: &impl serde::Serialize,
    text: &str,
) -> anyhow::Result<()> {
    if json {
        out.json(report)?;
    } else {
        write!(out, "{text}").context("cannot write the result")?;
    }
    Ok(())
}
