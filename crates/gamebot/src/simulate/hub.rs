//! `gamebot simulate hub`: a LEGO SPIKE hub with the Connect Four robot, as a program of its own.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use engine::Cancel;
use simulators::hub::{
    COLUMNS, Disc, Hub, HubSettings, Imperfection, Mishap, PacedClock, Seat, Table, TableSettings, USUAL_HELP,
};

use super::stdin::lines_of_stdin;
use super::values::{share, speed};
use crate::ending::{Ending, UsageError};
use crate::flags::DiscFlag;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot simulate hub --link /tmp/hub --show                 a hub on /tmp/hub, its board in this terminal
  gamebot play connect-four --body lego --port /tmp/hub       play with it, in another terminal
  gamebot simulate hub --link /tmp/hub --speed 10 --games 3   a person plays three games, ten times as fast
  gamebot simulate hub --link /tmp/hub --games 5 --misread 0.02 --jam 0.02 --slip 0.05
                                                              bad light, a rough slide, a smooth floor
  echo state | gamebot simulate hub --link /tmp/hub           its state as a line of JSON

It runs the uploaded program on real MicroPython; without it, it says how to get it.

Lines on standard input, while it runs:
  state                  print the state as a line of JSON
  press                  press the force sensor
  left, right            press a button of the hub
  disc COLUMN [COLOUR]   drop a disc by hand: disc 3 yellow
  take COLUMN            take the top disc of a column away
  clear                  take all discs off the board
  jam, free              jam a disc in the slide, free it
  unplug, plug           pull the cable, plug it in
  reboot                 restart the hub
  battery PERCENT        set its battery
  quit                   end";

/// A LEGO SPIKE hub with the Connect Four robot on a serial line.
///
/// It appears as a serial port, speaks the protocol of hub OS 3 and runs the program that is uploaded to it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateHub {
    /// Where its serial port appears.
    #[arg(long, value_name = "PATH")]
    link: PathBuf,

    /// Draw its board.
    #[arg(long)]
    show: bool,

    /// Colour of the discs in the robot's magazine.
    #[arg(long, value_enum, default_value_t = DiscFlag::Red)]
    color: DiscFlag,

    /// Games that a simulated person plays against the robot; 0 for nobody at the table.
    #[arg(long, default_value_t = 0)]
    games: u32,

    /// Who begins each game [default: they take turns, the robot first].
    #[arg(long, value_enum, value_name = "WHO")]
    begins: Option<Begins>,

    /// How many discs the person thinks ahead; 0 for 2 to 6, chosen at random for every game.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=8))]
    depth: u32,

    /// Share of the person's moves that are bad.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = share)]
    slips: f64,

    /// Share of looks that show the wrong colour.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    misread: f64,

    /// Share of discs that jam in the slide.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    jam: f64,

    /// Share of drives on which the wheels slip.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    slip: f64,

    /// Share of the program's messages that are damaged on their way.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    damage: f64,

    /// How many times as fast as the real robot.
    #[arg(long, default_value_t = 1.0, value_name = "TIMES", value_parser = speed)]
    speed: f64,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Who begins, as a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Begins {
    /// The robot.
    Robot,
    /// The person.
    Person,
}

fn disc(flag: DiscFlag) -> Disc {
    match flag {
        DiscFlag::Red => Disc::Red,
        DiscFlag::Yellow => Disc::Yellow,
    }
}

/// Runs the verb.
pub fn run(simulate: &SimulateHub, out: &mut Output) -> anyhow::Result<Ending> {
    let other = if simulate.games == 0 {
        Seat::Nobody
    } else {
        Seat::Person { depth: simulate.depth, slips: simulate.slips }
    };
    let table = Table::new(&TableSettings {
        seats: [Seat::Robot { disc: disc(simulate.color) }, other],
        games: simulate.games,
        beginner: simulate.begins.map(|begins| match begins {
            Begins::Robot => 0,
            Begins::Person => 1,
        }),
        imperfection: Imperfection {
            misread: simulate.misread,
            jam: simulate.jam,
            slip: simulate.slip,
            ..Imperfection::default()
        },
        help_after: USUAL_HELP,
        seed: simulate.seed,
    });
    let settings = HubSettings { damage: simulate.damage, ..HubSettings::default() };
    let clock = PacedClock::start(simulate.speed, Cancel::new());
    // A port that cannot be made or an interpreter that is not there: mistakes in the call.
    let hub = Hub::on_terminal(&simulate.link, &table, 0, settings, clock)
        .map_err(|error| UsageError(error.to_string()))?;
    tracing::info!(port = %simulate.link.display(), "the simulated hub is ready");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let ending = runtime.block_on(serve(&hub, &table, simulate.show, out));
    hub.switch_off();
    ending
}

/// Obeys the lines on standard input and tells what happens until somebody ends it.
async fn serve(hub: &Hub, table: &Table, show: bool, out: &mut Output) -> anyhow::Result<Ending> {
    let mut lines = lines_of_stdin();
    let mut interrupted = std::pin::pin!(crate::interrupt::interrupted());
    let mut told = 0;
    let mut drawn = String::new();
    loop {
        tokio::select! {
            () = &mut interrupted => return Ok(Ending::Interrupted),
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
            Some(line) = lines.recv() => match line.parse() {
                Ok(Line::State) => {
                    serde_json::to_writer(&mut *out, &state(table))?;
                    writeln!(out)?;
                    out.flush()?;
                }
                Ok(Line::Quit) => return Ok(Ending::Success),
                Ok(line) => obey(&line, hub, table),
                Err(problem) => tracing::warn!("{problem}"),
            },
        }
        let log = table.log();
        for (seconds, what) in &log[told..] {
            tracing::info!(seconds, "{what}");
        }
        told = log.len();
        let picture = table.board().picture();
        if show && picture != drawn {
            super::robot::draw_board(&picture, out)?;
            drawn = picture;
        }
    }
}

/// What a line on standard input asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    Nothing,
    State,
    Press,
    Button(usize),
    Disc { column: usize, disc: Disc },
    Take { column: usize },
    Clear,
    Jam(bool),
    Happen(Mishap),
    Battery(f64),
    Quit,
}

impl std::str::FromStr for Line {
    type Err = String;
    fn from_str(line: &str) -> Result<Self, String> {
        let column = |word: &str| {
            let number = word.parse::<usize>().ok().filter(|number| (1..=COLUMNS).contains(number));
            number
                .map(|number| number - 1)
                .ok_or_else(|| format!("no column `{word}`; there are 1 to {COLUMNS}"))
        };
        let words: Vec<_> = line.split_whitespace().collect();
        Ok(match words.as_slice() {
            [] => Self::Nothing,
            ["state"] => Self::State,
            ["press"] => Self::Press,
            ["left"] => Self::Button(0),
            ["right"] => Self::Button(1),
            ["disc", number] => Self::Disc { column: column(number)?, disc: Disc::Yellow },
            ["disc", number, "yellow"] => Self::Disc { column: column(number)?, disc: Disc::Yellow },
            ["disc", number, "red"] => Self::Disc { column: column(number)?, disc: Disc::Red },
            ["take", number] => Self::Take { column: column(number)? },
            ["clear"] => Self::Clear,
            ["jam"] => Self::Jam(true),
            ["free"] => Self::Jam(false),
            ["unplug"] => Self::Happen(Mishap::Unplug),
            ["plug"] => Self::Happen(Mishap::Plug),
            ["reboot"] => Self::Happen(Mishap::Reboot),
            ["battery", percent] => {
                let percent: Option<f64> = percent.parse().ok();
                let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
                Self::Battery(percent.ok_or("a battery has 0 to 100 percent")?)
            }
            ["quit"] => Self::Quit,
            _ => {
                return Err(format!(
                    "cannot do `{}`; there are state, press, left, right, disc COLUMN [red|yellow], take COLUMN, clear, \
                     jam, free, unplug, plug, reboot, battery PERCENT, quit",
                    line.trim()
                ));
            }
        })
    }
}

fn obey(line: &Line, hub: &Hub, table: &Table) {
    match *line {
        Line::Nothing | Line::State | Line::Quit => {}
        Line::Press => table.press(0),
        Line::Button(button) => table.press_button(0, button),
        Line::Disc { column, disc } => {
            if !table.drop_disc(column, disc) {
                tracing::warn!("column {} is full", column + 1);
            }
        }
        Line::Take { column } => table.take_disc(column),
        Line::Clear => table.clear(),
        Line::Jam(jammed) => table.set_jammed(0, jammed),
        Line::Happen(mishap) => hub.happen(mishap),
        Line::Battery(percent) => table.set_battery(0, percent),
    }
}

fn state(table: &Table) -> serde_json::Value {
    serde_json::json!({
        "board": table.board().picture(),
        "robot_column": table.robot_column(0) + 1.0,
        "games": table.games(),
        "beeps": table.beeps(0).len(),
        "lights": table.lights(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_or_refused_with_what_there_is() {
        assert_eq!("disc 3 red".parse(), Ok(Line::Disc { column: 2, disc: Disc::Red }));
        assert_eq!("battery 12".parse(), Ok(Line::Battery(12.0)));
        assert_eq!(" reboot ".parse(), Ok(Line::Happen(Mishap::Reboot)));
        assert!("disc 9".parse::<Line>().unwrap_err().contains("no column `9`; there are 1 to 7"));
        assert!("battery 300".parse::<Line>().is_err());
        assert!("dance".parse::<Line>().unwrap_err().contains("cannot do `dance`; there are state"));
    }
}
