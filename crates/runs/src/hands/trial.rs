//! The document's trial of its fingers (4.4): ← ↓ → ↑ A → ← B must bring the cursor home.
//!
//! It is made in the level menu of the B-type, whose A leads on to the height and whose B leads back; in
//! the A-type's menu A would begin a game. A lost ↓ leaves no trace at home, because ↑ then has nowhere to
//! go; a simulated bench counts the presses and shows it.

use std::time::Duration;

use devices::tinkerforge::PressTimes;
use engine::Fault;
use gameboy::Button;
use serde::Serialize;
use thiserror::Error;

/// The document's sequence.
pub const SEQUENCE: [Button; 8] = [
    Button::Left,
    Button::Down,
    Button::Right,
    Button::Up,
    Button::A,
    Button::Right,
    Button::Left,
    Button::B,
];

/// Why a trial could not be made.
#[derive(Debug, Error)]
pub enum TrialError {
    /// The hands failed.
    #[error(transparent)]
    Hand(#[from] Fault),
    /// Nobody could say whether the cursor is home.
    #[error("cannot tell whether the cursor is home: {0}")]
    Witness(String),
    /// The user ended it.
    #[error("interrupted")]
    Interrupted,
}

/// Presses that arrived, as far as anybody counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Presses that were ordered.
    pub ordered: u32,
    /// Times that a button went down; only a simulation knows.
    pub arrived: Option<u32>,
}

/// Fingers on a console in its menu, and somebody who looks.
pub trait Bench {
    /// Presses a button and waits until its finger may press again.
    fn press(&mut self, button: Button, times: PressTimes) -> Result<(), TrialError>;

    /// Whether the cursor is where it was when the bench was prepared.
    fn is_home(&mut self) -> Result<bool, TrialError>;

    /// Brings the cursor home, slowly and surely.
    fn bring_home(&mut self) -> Result<(), TrialError>;

    /// Leaves the fingers alone.
    fn rest(&mut self, time: Duration) -> Result<(), TrialError>;

    /// How often fingers pressed a button down so far, if anybody knows.
    fn arrived(&self) -> Option<u32>;
}

/// Runs the sequence `repeats` times without a rest and tells whether the cursor came home; if not, it is
/// brought there. Where presses are counted, every one of them must have arrived: fingers that never arrive
/// leave the cursor at home too.
pub fn run_sequence(bench: &mut impl Bench, times: PressTimes, repeats: u32) -> Result<bool, TrialError> {
    let before = bench.arrived();
    for _ in 0..repeats {
        for button in SEQUENCE {
            bench.press(button, times)?;
        }
    }
    let is_home = bench.is_home()?;
    let arrived = bench.arrived().zip(before).map(|(now, before)| now - before);
    let home = is_home && arrived.is_none_or(|arrived| arrived == repeats * SEQUENCE.len() as u32);
    if !home {
        bench.bring_home()?;
    }
    Ok(home)
}

/// One of the document's measurements: this many sequences with a rest after each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Series {
    /// Sequences that were run.
    pub runs: u32,
    /// Those that brought the cursor home.
    pub home: u32,
    /// Presses of all of them.
    pub presses: Counts,
}

impl Series {
    /// The document's figure of merit.
    pub fn reliability(&self) -> f64 {
        f64::from(self.home) / f64::from(self.runs.max(1))
    }
}

/// Runs one series; `progress` hears of each sequence.
pub fn run_series(
    bench: &mut impl Bench,
    times: PressTimes,
    runs: u32,
    rest: Duration,
    mut progress: impl FnMut(bool),
) -> Result<Series, TrialError> {
    let before = bench.arrived();
    let mut series = Series { runs, home: 0, presses: Counts::default() };
    for _ in 0..runs {
        let home = run_sequence(bench, times, 1)?;
        series.home += u32::from(home);
        progress(home);
        bench.rest(rest)?;
    }
    let arrived = bench.arrived().zip(before).map(|(now, before)| now - before);
    series.presses = Counts { ordered: runs * SEQUENCE.len() as u32, arrived };
    Ok(series)
}
