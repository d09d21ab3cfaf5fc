//! The robot's hands: from settings to solenoids, real or simulated, and trials of how well they press (G16, G20).

mod real;
mod search;
pub mod settings;
mod simulated;
mod trial;

pub use real::{Question, RealBench};
pub use search::{Attempt, SpeedSearch, search_speed};
pub use simulated::{SimulatedBench, SimulatedDial, SimulatedWire};
pub use trial::{Bench, Counts, SEQUENCE, Series, TrialError, run_sequence, run_series};
