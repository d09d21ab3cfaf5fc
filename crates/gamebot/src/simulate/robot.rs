//! `gamebot simulate robot`: the Connect Four exhibition robot as a separate program.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use simulators::robot::{Config, Mishap, Mishaps, Order, Scheduled, Simulator, State, Times};
use tokio::sync::mpsc;

use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::{ConfigurationFlags, SimulatedRobotSettings, milliseconds};

const EXAMPLES: &str = "\
Examples:
  gamebot simulate robot --link /tmp/robot --show            a robot on /tmp/robot, its board in this terminal
  gamebot arcade --set robot.kind=serial --set robot.line=/tmp/robot
                                                             the hall, in another terminal, plays with it
  gamebot simulate robot --link /tmp/robot --fault jam@5     the disc of the fifth command gets stuck
  gamebot simulate robot --link /tmp/robot --fault-rate 0.01 --seed 7
                                                             a random fault on one in a hundred commands
  gamebot simulate robot --link /tmp/robot --speed 10 --set simulated_robot.help_ms=60000
                                                             ten times as fast, and slow to be repaired
  echo state | gamebot simulate robot --link /tmp/robot      its state as one line of JSON

Faults: no-answer, wrong-byte, deaf, stuck-busy, error, jam, unplug.
  FAULT@N strikes at the N-th character, not counting status requests.

Lines on standard input, while it runs:
  state            print the state as one line of JSON
  fault FAULT      strike now: fault jam
  unplug, plug     pull the cable, plug it in
  repair           clear its error state
  empty            remove all discs by hand
  quit             exit";

/// Simulate the Connect Four exhibition robot on a serial line.
///
/// It appears as a serial port that any program can open. It answers like the real robot and is as slow.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateRobot {
    /// Path at which its serial port appears.
    #[arg(long, value_name = "PATH")]
    link: PathBuf,

    /// Draw its board.
    #[arg(long)]
    show: bool,

    /// Inject this fault at this character; may be repeated.
    #[arg(long = "fault", value_name = "FAULT@N")]
    faults: Vec<Scheduled>,

    /// Share of characters that cause a random fault.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    fault_rate: f64,

    /// Speed, as a multiple of the real robot's.
    #[arg(long, default_value_t = 1.0, value_name = "TIMES", value_parser = speed)]
    speed: f64,

    /// Random seed of the faults.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the verb.
pub fn run(robot: &SimulateRobot, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let config = Config {
        link: Some(robot.link.clone()),
        times: times(&SimulatedRobotSettings::from_values(&flags.load()?)).faster(robot.speed),
        mishaps: Mishaps { scheduled: robot.faults.clone(), rate: robot.fault_rate, seed: robot.seed },
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        // A port that cannot be created counts as a usage error.
        let simulator = Simulator::start(config).map_err(|error| UsageError(error.to_string()))?;
        tracing::info!(port = %simulator.port().display(), "the simulated robot is ready");
        let ending = serve(&simulator, robot.show, out).await;
        simulator.stop().await;
        ending
    })
}

/// Obeys the lines on standard input until it is told to quit or interrupted.
async fn serve(simulator: &Simulator, show: bool, out: &mut Output) -> anyhow::Result<Ending> {
    let mut states = simulator.state();
    let mut lines = lines_of_stdin();
    let mut interrupted = std::pin::pin!(crate::interrupt::interrupted());
    if show {
        draw(&states.borrow_and_update(), out)?;
    }
    loop {
        tokio::select! {
            () = &mut interrupted => return Ok(Ending::Interrupted),
            changed = states.changed() => {
                changed.context("the simulated robot stopped; the log says why")?;
                if show {
                    draw(&states.borrow_and_update(), out)?;
                }
            }
            // Standard input may be closed, as in a service; the simulator goes on.
            Some(line) = lines.recv() => match line.parse() {
                Ok(Line::State) => {
                    serde_json::to_writer(&mut *out, &*simulator.state().borrow())?;
                    writeln!(out)?;
                    out.flush()?;
                }
                Ok(Line::Order(order)) => simulator.order(order),
                Ok(Line::Quit) => return Ok(Ending::Success),
                Ok(Line::Nothing) => {}
                Err(problem) => tracing::warn!("{problem}"),
            },
        }
    }
}

/// What a line on standard input asks for.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Nothing,
    State,
    Order(Order),
    Quit,
}

impl std::str::FromStr for Line {
    type Err = String;
    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<_> = line.split_whitespace().collect();
        Ok(match words.as_slice() {
            [] => Self::Nothing,
            ["state"] => Self::State,
            ["quit"] => Self::Quit,
            ["unplug"] => Self::Order(Order::Unplug),
            ["plug"] => Self::Order(Order::Plug),
            ["repair"] => Self::Order(Order::Repair),
            ["empty"] => Self::Order(Order::Empty),
            ["fault", fault] => {
                Self::Order(Order::Mishap(fault.parse::<Mishap>().map_err(|bad| bad.to_string())?))
            }
            _ => {
                return Err(format!(
                    "unknown command `{}`; use state, fault FAULT, unplug, plug, repair, empty or quit",
                    line.trim()
                ));
            }
        })
    }
}

/// Reads lines in a thread of its own, because reading standard input cannot be interrupted.
fn lines_of_stdin() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            // Stops at a line that is not text, or when nobody listens any more.
            if line.ok().is_none_or(|line| sender.send(line).is_err()) {
                return;
            }
        }
    });
    lines
}

/// Draws the board: in place and in colour on a terminal, otherwise one below the other.
fn draw(state: &State, out: &mut Output) -> anyhow::Result<()> {
    if out.is_colored() {
        let picture = state.picture().replace('R', "\x1b[91m●\x1b[0m").replace('Y', "\x1b[93m●\x1b[0m");
        writeln!(out, "\x1b[H\x1b[2J{picture}")?;
    } else {
        writeln!(out, "{}", state.picture())?;
    }
    out.flush()?;
    Ok(())
}

fn times(settings: &SimulatedRobotSettings) -> Times {
    Times {
        load: milliseconds(settings.load_ms),
        travel: milliseconds(settings.travel_ms),
        empty: milliseconds(settings.empty_ms),
        lights: milliseconds(settings.lights_ms),
        mishap: milliseconds(settings.fault_ms),
        help: milliseconds(settings.help_ms),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| (0.1..=1000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.1 to 1000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_or_refused_with_what_there_is() {
        assert_eq!(" state ".parse(), Ok(Line::State));
        assert_eq!("fault jam".parse(), Ok(Line::Order(Order::Mishap(Mishap::Jam))));
        assert_eq!("".parse(), Ok(Line::Nothing));
        assert!("fault fire".parse::<Line>().unwrap_err().contains("no fault `fire`; there are no-answer"));
        assert!("jam".parse::<Line>().unwrap_err().contains("unknown command `jam`; use state"));
    }

    /// The defaults of the settings equal those of the simulator.
    #[test]
    fn the_times_are_the_robots_own() {
        assert_eq!(times(&SimulatedRobotSettings::default()), Times::default());
    }
}
