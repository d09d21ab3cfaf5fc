//! What both measurements of the robot's fingers share: which fingers, and who looks at the cursor.

pub mod reliability;
pub mod speed;

use std::io::{BufRead, IsTerminal, Write};

use clap::{Args, ValueEnum};
use configuration::Values;
use engine::{Cancel, RealClock};
use runs::hands::settings::{RelaySettings, SimulatedFingersSettings};
use runs::hands::{Question, RealBench, SimulatedBench, TrialError};
use simulators::brickd::RigConfig;

use crate::ending::UsageError;
use crate::settings::ConfigurationFlags;
use crate::simulate::{RelayVersion, share};

/// Which fingers are measured.
#[derive(Args, Debug)]
pub struct FingerFlags {
    /// Whose fingers.
    #[arg(long, value_enum, default_value_t = BodyName::SimulatedRobot)]
    body: BodyName,

    /// Version of the simulated relay bricklets.
    #[arg(long, value_enum, default_value_t = RelayVersion::V1)]
    relays: RelayVersion,

    /// Share of simulated presses that slip off the button [default: 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    missed: Option<f64>,

    /// Share of simulated presses that bounce and press twice [default: 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    doubled: Option<f64>,

    /// Random seed of the simulation.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BodyName {
    /// Simulated solenoids on an emulated console, on the simulated clock.
    SimulatedRobot,
    /// The real robot by its profile; a person says whether the cursor is home.
    Robot,
}

impl FingerFlags {
    /// All settings, with the flags on top.
    fn load(&self, flags: &ConfigurationFlags) -> anyhow::Result<Values> {
        let mut values = flags.load()?;
        let own = |fingers: &mut SimulatedFingersSettings| {
            fingers.missed = self.missed.unwrap_or(fingers.missed);
            fingers.doubled = self.doubled.unwrap_or(fingers.doubled);
        };
        values.update(own).map_err(UsageError::from)?;
        Ok(values)
    }

    fn body(&self) -> &'static str {
        match self.body {
            BodyName::SimulatedRobot => "simulated-robot",
            BodyName::Robot => "robot",
        }
    }

    fn simulated(&self, values: &Values, cancel: Cancel) -> Result<SimulatedBench, TrialError> {
        let config = RigConfig {
            stack: self.relays.stack(),
            mechanics: SimulatedFingersSettings::from_values(values).mechanics(),
            seed: self.seed,
            ..RigConfig::default()
        };
        SimulatedBench::new(config, cancel)
    }
}

type Witness = fn(Question) -> Result<bool, TrialError>;

fn real(values: &Values, cancel: Cancel) -> anyhow::Result<RealBench<Witness>> {
    let settings = RelaySettings::from_values(values);
    let config = settings.to_config().map_err(|bad| UsageError(bad.to_string()))?;
    if !std::io::stdin().is_terminal() {
        let why =
            "--body robot asks a person whether the cursor is home, and standard input is not a terminal";
        return Err(UsageError(why.to_owned()).into());
    }
    let clock = RealClock::start(cancel.clone());
    Ok(RealBench::new(config, settings.to_dial(clock.clone()), clock, cancel, ask_person as Witness)?)
}

/// Asks the person at the terminal. Standard output is for data, so this goes to standard error.
fn ask_person(question: Question) -> Result<bool, TrialError> {
    let unknown = |error: std::io::Error| TrialError::Witness(error.to_string());
    let words = match question {
        Question::IsHome => "Is the cursor home, at level 1 and height 1? [y/n] ",
        Question::BringHome => {
            "Bring the cursor home: B-type, level menu, level 1, height 1 (A, Right, B). Press Enter when it is there. "
        }
    };
    loop {
        let mut terminal = std::io::stderr();
        write!(terminal, "{words}").and_then(|()| terminal.flush()).map_err(unknown)?;
        let mut answer = String::new();
        if std::io::stdin().lock().read_line(&mut answer).map_err(unknown)? == 0 {
            return Err(TrialError::Witness("standard input has ended".to_owned()));
        }
        match (question, answer.trim()) {
            (Question::BringHome, _) | (Question::IsHome, "y" | "yes") => return Ok(true),
            (Question::IsHome, "n" | "no") => return Ok(false),
            (Question::IsHome, _) => {}
        }
    }
}
