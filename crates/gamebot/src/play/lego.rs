//! `gamebot play connect-four --body lego|simulated-lego`: the LEGO robot at a board (L1–L5).

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use connect_four::{Column, Level};
use engine::notes::NoReader;
use engine::{Cancel, RunEnding};
use players::connect_four::{ConnectFourPlayer, GameEnd, LegoGame};
use runs::connect_four::settings::{BeginnerWord, DiscWord, LegoSettings};
use runs::connect_four::{Lego, SimulatedLego, play_tournament, simulate_alone, watch_alone};
use runs::{Pair, Request, Setup, Speed};

use super::connect_four::{GameReport, Report, Turn};
use super::finish;
use crate::ending::{Ending, UsageError};
use crate::flags::DiscFlag;
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

    /// Who plays against the simulated robot. For two real ones start the program twice, each with its own --port.
    #[arg(long, value_enum, default_value_t = Opponent::Person)]
    opponent: Opponent,

    /// Write a recording of the run to this MCAP file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Draw the board, and what the robot is doing, in the terminal.
    #[arg(long)]
    show: bool,
}

impl RobotFlags {
    /// Without a robot none of them has a meaning.
    pub(super) fn refuse_in_terminal(&self) -> Result<(), UsageError> {
        let given = [
            ("--port", self.port.is_some()),
            ("--color", self.color.is_some()),
            ("--first", self.first),
            ("--think hub", self.think == Think::Hub),
            ("--opponent robot", self.opponent == Opponent::Robot),
            ("--record", self.record.is_some()),
            ("--show", self.show),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) => {
                Err(UsageError(format!("{flag} is for --body lego and --body simulated-lego")))
            }
            None => Ok(()),
        }
    }
}

/// Where the thinking is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Think {
    /// On this computer.
    Host,
    /// On the hub; this computer only shows what it prints.
    Hub,
}

/// Who plays against the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Opponent {
    /// A person.
    Person,
    /// A second robot at the same board.
    Robot,
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
    /// Random seed.
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
    refuse_what_does_not_fit(wish, robot)?;
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
    let cancel = crate::interrupt::on_interrupt()?;
    let setup = Setup::new(&values, wish.seed);
    if robot.think == Think::Hub {
        let games = think_on_hub(wish, &setup, &cancel, out)?;
        if wish.json {
            print(&games, "human", true, out)?;
        }
        return Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success });
    }
    if robot.opponent == Opponent::Robot {
        let (players, _) = play_tournament(&setup, wish.games, &cancel)?;
        // The first robot's side of it.
        let games = players.first().map(ConnectFourPlayer::games).unwrap_or_default();
        print(games, "other", wish.json, out)?;
        return Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success });
    }
    let request = Request {
        speed: match wish.body {
            Robot::Real => Speed::Real,
            Robot::Simulated => Speed::Max,
        },
        record: robot.record.clone(),
        cancel,
        ..Request::games(values, wish.seed, wish.games)
    };
    let view = View { is_on: robot.show && !wish.json, last: String::new() };
    let (games, ending) = match wish.body {
        Robot::Real => play::<Lego>(request, view)?,
        Robot::Simulated => play::<SimulatedLego>(request, view)?,
    };
    print(&games, "human", wish.json, out)?;
    finish(ending)
}

/// The robot's games, one line each, against this opponent.
fn print(games: &[LegoGame], opponent: &'static str, json: bool, out: &mut Output) -> anyhow::Result<()> {
    let report = Report { games: games.iter().map(|game| game_report(game, opponent)).collect() };
    if json {
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
    Ok(())
}

/// Flags that would be passed over without a word.
fn refuse_what_does_not_fit(wish: &Wish, robot: &RobotFlags) -> Result<(), UsageError> {
    let refused = |what: &str| Err(UsageError(what.to_owned()));
    if robot.port.is_some() && wish.body == Robot::Simulated {
        return refused("--port is for --body lego: the simulated robot has no port");
    }
    if robot.think == Think::Hub {
        if wish.level.is_some() {
            return refused("--level is for --think host: the hub always thinks as deep as its time allows");
        }
        if robot.record.is_some() || robot.show {
            return refused("--record and --show are for --think host: the hub tells only what it prints");
        }
    }
    if robot.opponent == Opponent::Robot {
        if wish.body == Robot::Real {
            return refused(
                "--opponent robot is for --body simulated-lego: start the program once a real robot",
            );
        }
        if robot.think == Think::Hub || robot.record.is_some() || robot.show {
            return refused("--opponent robot goes without --think hub, --record and --show");
        }
    }
    Ok(())
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

/// Passes on what the hub prints, unless the games are wanted as JSON in the end.
fn think_on_hub(
    wish: &Wish,
    setup: &Setup<'_>,
    cancel: &Cancel,
    out: &mut Output,
) -> anyhow::Result<Vec<LegoGame>> {
    let mut problem = None;
    let mut print = |line: &str| {
        if wish.json {
            tracing::info!("{line}");
        } else if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
            // Whoever read this has gone: nothing is left to be done for them.
            problem.get_or_insert(error);
            cancel.cancel();
        }
    };
    let games = match wish.body {
        Robot::Real => watch_alone(setup, wish.games, cancel, &mut print)?,
        Robot::Simulated => simulate_alone(setup, wish.games, cancel, &mut print)?.0,
    };
    match problem {
        Some(error) => Err(error.into()),
        None => Ok(games.ended().to_vec()),
    }
}

fn game_report(game: &LegoGame, opponent: &'static str) -> GameReport {
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
        first: if game.first { "machine" } else { opponent },
        turns: turns.collect(),
        faults: game.troubles.clone(),
    }
}
