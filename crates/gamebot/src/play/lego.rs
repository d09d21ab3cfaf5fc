//! `gamebot play connect-four --body lego|simulated-lego`: the LEGO robot at a board (L1–L5).

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use connect_four::{Column, Level};
use engine::notes::NoReader;
use engine::{Limits, RunEnding};
use players::connect_four::{ConnectFourPlayer, GameEnd, LegoGame};
use runs::connect_four::settings::{BeginnerWord, DiscWord, LegoSettings};
use runs::connect_four::{Lego, SimulatedLego, simulate_alone, watch_alone};
use runs::{Pair, Request, Setup, Speed};

use super::connect_four::{GameReport, Report, Turn};
use super::finish;
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

/// Flags that only a robot understands.
#[derive(Args, Debug)]
#[command(next_help_heading = "With a robot")]
pub struct RobotFlags {
    /// The hub's serial port [default: the only hub that is plugged in].
    #[arg(long, value_name = "PATH")]
    port: Option<PathBuf>,

    /// Colour of the discs in its magazine.
    #[arg(long, value_enum)]
    color: Option<DiscFlag>,

    /// The robot plays the first disc of every game, without looking for one of yours.
    #[arg(long)]
    first: bool,

    /// Where the thinking is done.
    #[arg(long, value_enum, default_value_t = Think::Host)]
    think: Think,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the board, and what the robot is doing, in the terminal.
    #[arg(long)]
    show: bool,
}

/// A disc's colour, as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiscFlag {
    /// Red discs.
    Red,
    /// Yellow discs.
    Yellow,
}

/// Where the thinking is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Think {
    /// On this computer.
    Host,
    /// On the hub; this computer only shows what it prints.
    Hub,
}

/// Which robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Robot {
    /// On a hub.
    Real,
    /// Simulated.
    Simulated,
}

/// What is asked for beside the robot's own flags.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Which robot.
    pub body: Robot,
    /// How strong it plays.
    pub level: Option<Level>,
    /// How many games.
    pub games: u32,
    /// Where dice start.
    pub seed: u64,
    /// One JSON document instead of text.
    pub json: bool,
}

/// Runs the verb.
pub fn run(
    wish: &Wish,
    robot: &RobotFlags,
    flags: &ConfigurationFlags,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    values
        .update(|lego: &mut LegoSettings| {
            if let Some(port) = &robot.port {
                lego.port = port.display().to_string();
            }
            match robot.color {
                Some(DiscFlag::Red) => lego.color = DiscWord::Red,
                Some(DiscFlag::Yellow) => lego.color = DiscWord::Yellow,
                None => {}
            }
            if robot.first {
                lego.beginner = BeginnerWord::Robot;
            }
            if let Some(level) = wish.level {
                level.name().clone_into(&mut lego.level);
            }
        })
        .map_err(UsageError::from)?;
    if robot.think == Think::Hub {
        return think_on_hub(wish, &Setup { values: &values, seed: wish.seed }, out);
    }
    let request = Request {
        values,
        seed: wish.seed,
        speed: match wish.body {
            Robot::Real => Speed::Real,
            Robot::Simulated => Speed::Max,
        },
        limits: Limits { games: Some(wish.games), time: None },
        record: robot.record.clone(),
        live: None,
        cancel: crate::interrupt::on_interrupt()?,
    };
    let view = View { is_on: robot.show && !wish.json, last: String::new() };
    let (games, ending) = match wish.body {
        Robot::Real => play::<Lego>(request, view)?,
        Robot::Simulated => play::<SimulatedLego>(request, view)?,
    };
    let report = Report { games: games.iter().map(game_report).collect() };
    if wish.json {
        out.json(&report)?;
    } else {
        for (number, game) in report.games.iter().enumerate() {
            let slowest = game.turns.iter().map(|turn| turn.seconds).fold(0.0, f64::max);
            writeln!(
                out,
                "game {}  {}  moves {}  {} began  slowest turn {slowest:.1} s  faults {}",
                number + 1,
                game.result,
                game.moves,
                game.first,
                game.faults.len()
            )?;
        }
    }
    finish(ending)
}

fn play<P: Pair<Player = ConnectFourPlayer>>(
    request: Request,
    mut view: View,
) -> anyhow::Result<(Vec<LegoGame>, RunEnding)> {
    let played = runs::play::<P, _>(request, NoReader, |player, _| view.draw(player))?;
    Ok((played.player.games().to_vec(), played.ending))
}

/// The belief, the robot's place and what it is doing, whenever one of them changes.
struct View {
    is_on: bool,
    last: String,
}

impl View {
    fn draw(&mut self, player: &ConnectFourPlayer) {
        if !self.is_on {
            return;
        }
        let belief = player.belief().picture();
        let place = match player.column() {
            Some(column) => format!("{}▲", " ".repeat(column)),
            None => "← at its stop".to_owned(),
        };
        let text = format!("{belief}\n1234567   {}\n{place}", player.doing());
        if text != self.last {
            let mut stderr = std::io::stderr().lock();
            let clear = if stderr.is_terminal() { "\x1b[H\x1b[2J" } else { "" };
            // A terminal that went away is no reason to stop a robot.
            let _ = writeln!(stderr, "{clear}{text}\n");
            self.last = text;
        }
    }
}

fn think_on_hub(wish: &Wish, setup: &Setup<'_>, out: &mut Output) -> anyhow::Result<Ending> {
    let mut problem = None;
    let mut print = |line: &str| {
        if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
            problem.get_or_insert(error);
        }
    };
    match wish.body {
        Robot::Real => watch_alone(setup, &crate::interrupt::on_interrupt()?, &mut print)?,
        Robot::Simulated => {
            simulate_alone(setup, wish.games, &mut print)?;
        }
    }
    match problem {
        Some(error) => Err(error.into()),
        None => Ok(Ending::Success),
    }
}

fn game_report(game: &LegoGame) -> GameReport {
    let mine = usize::from(!game.first);
    let columns = game.moves.bytes().skip(mine).step_by(2);
    let turns = columns.zip(&game.turns).filter_map(|(column, turn)| {
        let column = Column::from_index(usize::from(column - b'1'))?;
        Some(Turn { column, seconds: turn.milliseconds as f64 / 1000.0 })
    });
    GameReport {
        result: match game.end {
            GameEnd::Win => "win",
            GameEnd::Draw => "draw",
            GameEnd::Loss => "loss",
        },
        moves: game.moves.clone(),
        first: if game.first { "machine" } else { "human" },
        turns: turns.collect(),
        faults: game.troubles.clone(),
    }
}
