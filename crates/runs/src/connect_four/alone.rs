//! The hub plays alone: our stand-alone program is uploaded and only listened to.

use std::time::Duration;

use devices::hub::message::Flow;
use devices::hub::{HubError, HubEvent, Link, STAND_ALONE, Transport};
use engine::{Cancel, Clock, RealClock, SimulatedClock};
use simulators::hub::{Table, TableSettings};

use super::line::HubLine;
use super::settings::{LegoSettings, SimulatedLegoSettings};
use super::simulated::{Witness, hub, table_settings};
use crate::error::RunError;
use crate::pair::Setup;

/// How often is asked whether to go on.
const LOOK_IN: Duration = Duration::from_millis(500);
/// How long after a lost hub it is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(3);

/// Uploads the stand-alone program to the hub on USB and passes on what it prints until cancelled.
pub fn watch_alone(setup: &Setup<'_>, cancel: &Cancel, mut line: impl FnMut(&str)) -> Result<(), RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let clock = RealClock::start(cancel.clone());
    let mut link = Link::new(HubLine::open(&settings, &clock)?, clock.clone());
    while !cancel.is_cancelled() {
        let watched = watch(&mut link, &clock, settings.slot as u8, &mut line, || cancel.is_cancelled());
        if let Err(problem) = watched {
            tracing::warn!("{problem}");
            clock.sleep(TRY_AGAIN);
        }
    }
    Ok(())
}

/// The same on a simulated table, for a number of games; returns table and hub.
pub fn simulate_alone(
    setup: &Setup<'_>,
    games: u32,
    mut line: impl FnMut(&str),
) -> Result<Witness, RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let simulated = SimulatedLegoSettings::from_values(setup.values);
    let clock = SimulatedClock::new();
    let table = Table::new(&TableSettings { games, ..table_settings(setup) });
    let (hub, plug) = hub(&table, 0, &simulated, &clock)?;
    let mut link = Link::new(plug, clock.clone());
    watch(&mut link, &clock, settings.slot as u8, &mut line, || table.is_over())
        .map_err(|problem| RunError::Broken(problem.to_string()))?;
    Ok(Witness { table, hub })
}

fn watch<T: Transport, C: Clock>(
    link: &mut Link<T, C>,
    clock: &C,
    slot: u8,
    line: &mut impl FnMut(&str),
    is_over: impl Fn() -> bool,
) -> Result<(), HubError> {
    link.connect(Duration::ZERO)?;
    match link.stop(slot) {
        Ok(()) | Err(HubError::Refused { .. }) => {}
        Err(error) => return Err(error),
    }
    link.upload(slot, STAND_ALONE.as_bytes())?;
    link.start(slot)?;
    while !is_over() {
        match link.next_event(clock.now() + LOOK_IN)? {
            Some(HubEvent::Console(text)) => text.lines().for_each(&mut *line),
            Some(HubEvent::Program(Flow::Stop)) => return Ok(()),
            Some(HubEvent::Program(Flow::Start) | HubEvent::Tunnel(_) | HubEvent::Report(_)) | None => {}
        }
    }
    Ok(())
}
