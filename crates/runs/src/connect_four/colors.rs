//! Colour calibration: what the sensor shows of a red disc, a yellow disc and an empty cell.

use devices::hub::{Arm, Order, Outcome, Transport};
use engine::{Cancel, Clock, RealClock, SimulatedClock};
use simulators::hub::{Disc, Seat, Table, TableSettings};

use super::arm_settings;
use super::line::HubLine;
use super::settings::{LegoSettings, SimulatedLegoSettings};
use super::simulated::{hub, table_settings};
use crate::error::RunError;
use crate::pair::Setup;

/// Looks at each cell; their middle counts.
const LOOKS: usize = 5;

/// Light of the three things that a cell can hold: red, green and blue, 0 to 1023.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Colors {
    /// A red disc.
    pub red: [u16; 3],
    /// A yellow disc.
    pub yellow: [u16; 3],
    /// An empty cell.
    pub empty: [u16; 3],
}

/// Looks at the bottom of the three near columns: a red disc, a yellow disc, nothing.
pub fn measure_colors(setup: &Setup<'_>, cancel: &Cancel) -> Result<Colors, RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let clock = RealClock::start(cancel.clone());
    look(HubLine::open(&settings, &clock)?, &clock, &settings)
}

/// The same on a simulated table, with the discs in place.
pub fn simulate_colors(setup: &Setup<'_>) -> Result<Colors, RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let simulated = SimulatedLegoSettings::from_values(setup.values);
    let clock = SimulatedClock::new();
    let seats = [Seat::Robot { disc: Disc::Red }, Seat::Nobody];
    let table = Table::new(&TableSettings { seats, games: 0, ..table_settings(setup) });
    table.drop_disc(0, Disc::Red);
    table.drop_disc(1, Disc::Yellow);
    let (_hub, plug) = hub(&table, 0, &simulated, &clock)?;
    look(plug, &clock, &settings)
}

fn look<T: Transport, C: Clock>(
    transport: T,
    clock: &C,
    settings: &LegoSettings,
) -> Result<Colors, RunError> {
    let mut arm = Arm::new(transport, clock.clone(), arm_settings(settings)?);
    let broken = |error: devices::hub::ArmError| RunError::Broken(error.to_string());
    arm.connect().map_err(broken)?;
    arm.carry_out(Order::Home).map_err(broken)?;
    let mut colors = [[0; 3]; 3];
    for (column, color) in (0..).zip(&mut colors) {
        let mut lights = Vec::new();
        for _ in 0..LOOKS {
            if let Outcome::Color(reading) = arm.carry_out(Order::Look { column, row: 0 }).map_err(broken)? {
                lights.push(reading.rgbi);
            }
        }
        for (index, light) in color.iter_mut().enumerate() {
            let mut values: Vec<u16> = lights.iter().map(|rgbi| rgbi[index]).collect();
            values.sort_unstable();
            *light = values.get(values.len() / 2).copied().unwrap_or(0);
        }
    }
    arm.carry_out(Order::Home).map_err(broken)?;
    // The hub is left as it was; one that has gone meanwhile is not our concern any more.
    let _ = arm.disconnect();
    let [red, yellow, empty] = colors;
    Ok(Colors { red, yellow, empty })
}
