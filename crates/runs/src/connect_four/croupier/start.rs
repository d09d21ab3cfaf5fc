//! Starting an arm at a table, real or simulated, on a thread of its own.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use devices::hub::Transport;
use engine::{Cancel, Clock, RealClock, SimulatedClock};
use simulators::hub::{Seat, Table, TableSettings, pace};

use super::{Croupier, CroupierState, Job};
use crate::connect_four::line::HubLine;
use crate::connect_four::settings::{LegoSettings, SimulatedLegoSettings};
use crate::connect_four::simulated::{Witness, hub, imperfection};
use crate::error::RunError;

/// Starts the arm behind the hub on USB; it is looked for until there is one. It ends when cancelled, or when the
/// sender is dropped.
pub fn start_croupier(
    settings: &LegoSettings,
    cancel: &Cancel,
    tell: impl FnMut(CroupierState) + Send + 'static,
) -> Result<Sender<Job>, RunError> {
    let clock = RealClock::start(cancel.clone());
    let line = HubLine::new(settings, &clock);
    spawn(Croupier::new(line, clock, cancel.clone(), settings, tell)?)
}

/// Starts a simulated arm in front of an empty board, `speed` times as fast as a real one. A person comes this long
/// (`help_after`) after it calls.
pub fn simulate_croupier(
    settings: &LegoSettings,
    simulated: &SimulatedLegoSettings,
    speed: f64,
    help_after: Duration,
    cancel: &Cancel,
    tell: impl FnMut(CroupierState) + Send + 'static,
) -> Result<(Sender<Job>, Witness), RunError> {
    let clock = SimulatedClock::new();
    let table = Table::new(&TableSettings {
        seats: [Seat::Croupier, Seat::Nobody],
        games: 0,
        beginner: None,
        imperfection: imperfection(simulated),
        help_after,
        seed: 1,
    });
    let (hub, plug) = hub(&table, 0, simulated, &clock)?;
    let croupier = Croupier::new(plug, clock.clone(), cancel.clone(), settings, tell)?;
    pace(&clock, speed, cancel).map_err(|error| RunError::Broken(error.to_string()))?;
    Ok((spawn(croupier)?, Witness { table, hub }))
}

fn spawn<T, C>(croupier: Croupier<T, C>) -> Result<Sender<Job>, RunError>
where
    T: Transport + Send + 'static,
    C: Clock,
{
    let (sender, jobs) = channel();
    std::thread::Builder::new()
        .name("lego arm".to_owned())
        .spawn(move || croupier.run(&jobs))
        .map_err(|error| RunError::Broken(error.to_string()))?;
    Ok(sender)
}
