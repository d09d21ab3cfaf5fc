//! `gamebot play tetris`: the Game Boy's falling blocks by screen and buttons (G5, G17, G19).

pub mod alone;
mod keys;
mod quiet;
mod terminal;
mod versus;
mod view;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use browser::tetris::RulesName;
use clap::{Args, ValueEnum};
use runs::Request;
use runs::operator::{ControlLine, Controls};
use runs::settings::{GameTypeWord, TetrisSettings};
use runs::tetris::{OnEmulator, OnRobot, OnSimulatedRobot, OnSolenoids, ServedRig};

pub use quiet::QuietOutput;
use view::Graphics;
pub use view::TerminalView;

use super::{RunFlags, SeriesFlags};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot play tetris                                    our own cartridge, from power-on to 999,999 points
  gamebot play tetris --level 9 --heart --games 20       heart mode: ten levels faster than shown
  gamebot play tetris --type b --height 5 --level 9      a B-type game: 25 lines over rubble
  gamebot play tetris --speed real --show                watch it in the terminal
  gamebot play tetris --rom my-cartridge.gb              a cartridge image of your own
  gamebot play tetris --player bcts                      another player; also --plugins FOLDER and tbp:COMMAND
  gamebot play tetris --two-player --games 3             two consoles on one cable, our player on both
  gamebot play tetris --two-player --body simulated-robot  two robots, one match
  gamebot play tetris --body terminal                    play it yourself; m lets the machine take over
  gamebot play tetris --body simulated-robot --set simulated_fingers.missed=0.01
                                                         the robot: camera, solenoids, presses that miss
  gamebot play tetris --body robot --profile my-rig.toml  a real Game Boy under a camera and solenoids
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

    /// The type of the game: a is endless, b ends after 25 lines [default: a].
    #[arg(long = "type", value_name = "TYPE", value_parser = game_type, conflicts_with = "two_player")]
    game_type: Option<GameTypeWord>,

    /// Height of the rubble that a B-type game begins with, 0 to 5 [default: 0].
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=5))]
    height: Option<u32>,

    /// The simulated robot in real time, its fingers behind a Brick Daemon on TCP and its camera as an HTTP
    /// stream on this machine; what plays is what plays with the body robot.
    #[arg(long, conflicts_with_all = ["speed", "two_player"])]
    realtime: bool,

    /// When a game ends [default: max-out].
    #[arg(long, value_enum)]
    until: Option<UntilName>,

    /// Name for the table of best scores, up to six letters [default: BOT].
    #[arg(long, value_name = "NAME")]
    initials: Option<String>,

    /// Milliseconds from one press to the next [default: 33].
    #[arg(long, value_name = "MS")]
    press_ms: Option<f64>,

    /// Two consoles on one cable, our player on both; --record FILE also writes FILE-listener, the other console's.
    #[arg(long, conflicts_with = "show")]
    two_player: bool,

    /// Show what the body sees in the terminal (on standard error), with the keys of the robot's document: stop and
    /// start the player, press single buttons, choose the level, set key points, switch faults of a simulated robot.
    #[arg(long)]
    show: bool,

    /// With --show: how pictures are shown [default: the best that the terminal offers].
    #[arg(long, value_enum, requires = "show")]
    graphics: Option<Graphics>,

    /// Who chooses the places: a built-in player, a plug-in of --plugins, or tbp: and the command of a program that
    /// speaks the Tetris Bot Protocol [default: ours]. With --body terminal: the player that takes over, and plays
    /// from the start if named.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Folder of plug-ins: NAME.wasm or NAME.wat evaluators, NAME.values learned tables, NAME.tbp programs.
    #[arg(long, value_name = "FOLDER")]
    plugins: Option<PathBuf>,

    /// With --body terminal: which rules [default: as last time].
    #[arg(long, value_parser = rules_named)]
    rules: Option<RulesName>,

    /// With --body terminal: classic rules on a field of this size, for example 12x24.
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = size)]
    size: Option<(usize, usize)>,

    /// With --body terminal: milliseconds from one press of the player to the next [default: as last time].
    #[arg(long, value_name = "MS")]
    pace_ms: Option<u32>,

    #[command(flatten)]
    series: SeriesFlags,

    #[command(flatten)]
    run: RunFlags,
}

fn game_type(name: &str) -> Result<GameTypeWord, String> {
    match name {
        "a" => Ok(GameTypeWord::A),
        "b" => Ok(GameTypeWord::B),
        _ => Err("choose a or b".to_owned()),
    }
}

fn rules_named(name: &str) -> Result<RulesName, String> {
    match name {
        "gameboy" => Ok(RulesName::Gameboy),
        "classic" => Ok(RulesName::Classic),
        _ => Err("choose gameboy or classic".to_owned()),
    }
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height) = parts.ok_or("a size is columns and rows, for example 12x24")?;
    let size = tetris::classic::FieldSize::new(width, height).map_err(|error| error.to_string())?;
    Ok((size.width(), size.height()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// An emulated console: exact pixels, exact presses.
    Emulator,
    /// An emulated console under simulated solenoids: exact pixels, presses as the robot makes them.
    SimulatedHands,
    /// You, in this terminal; m lets the machine take over.
    Terminal,
    /// The whole robot in simulation: a console seen by a camera and pressed by solenoids.
    SimulatedRobot,
    /// A real Game Boy, a camera and solenoids, as the profile describes them.
    Robot,
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
    let mut values = flags.load()?;
    values.update(|tetris: &mut TetrisSettings| play.apply_to(tetris)).map_err(UsageError::from)?;
    let mut request = play.run.request(&play.series, values)?;
    // Who sees the run may have a word in it.
    let controls = play.show.then(|| {
        let (controls, line) = runs::operator::controls();
        request.controls = Some(line);
        controls
    });
    if play.realtime {
        return in_real_time(play, request, controls, out);
    }
    match play.body {
        BodyName::Emulator if play.two_player => versus::run::<OnEmulator>(play, request, out),
        BodyName::SimulatedRobot if play.two_player => versus::run::<OnSimulatedRobot>(play, request, out),
        BodyName::SimulatedHands | BodyName::Robot | BodyName::Terminal if play.two_player => {
            let message = "--two-player is for the bodies emulator and simulated-robot".to_owned();
            Err(UsageError(message).into())
        }
        BodyName::Emulator => alone::run::<OnEmulator>(play, request, controls, out),
        BodyName::SimulatedHands => alone::run::<OnSolenoids>(play, request, controls, out),
        BodyName::SimulatedRobot => alone::run::<OnSimulatedRobot>(play, request, controls, out),
        BodyName::Robot => alone::run::<OnRobot>(play, request.in_real_time(), controls, out),
        BodyName::Terminal => terminal::run(play, &request.cancel, out),
    }
}

/// Starts the simulated devices, and plays with the drivers of real ones.
fn in_real_time(
    play: &PlayTetris,
    mut request: Request,
    controls: Option<Controls>,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    if play.body != BodyName::SimulatedRobot {
        return Err(UsageError("--realtime is for the body simulated-robot".to_owned()).into());
    }
    let switches = request.controls.as_ref().map(ControlLine::switches);
    let rig = ServedRig::start(&runs::Setup { switches, ..runs::Setup::new(&request.values, request.seed) })?;
    tracing::info!(daemon = %rig.daemon(), camera = %rig.camera(), "the simulated robot is switched on");
    rig.connect(&mut request.values)?;
    alone::run::<OnRobot>(play, request.in_real_time(), controls, out)
}

impl PlayTetris {
    /// The verb's flags as settings, so that a recording knows them.
    fn apply_to(&self, settings: &mut TetrisSettings) {
        if let Some(rom) = &self.rom {
            settings.rom = rom.display().to_string();
        }
        if let Some(player) = self.player.as_ref().filter(|_| self.body != BodyName::Terminal) {
            settings.player.clone_from(player);
        }
        if let Some(folder) = &self.plugins {
            settings.plugins = folder.display().to_string();
        }
        settings.game_type = self.game_type.unwrap_or(settings.game_type);
        settings.height = self.height.unwrap_or(settings.height);
        settings.level = self.level.unwrap_or(settings.level);
        settings.heart |= self.heart;
        if let Some(initials) = &self.initials {
            settings.initials.clone_from(initials);
        }
        settings.press_ms = self.press_ms.unwrap_or(settings.press_ms);
        if let Some(until) = self.until {
            settings.stop_at_max_out = until == UntilName::MaxOut;
        }
    }
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
