//! The LEGO robot on a simulated table: one against a person, or two against each other.

use std::io;
use std::time::Duration;

use devices::hub::Transport;
use engine::notes::NoReader;
use engine::{
    Body, Cancel, Clock, Engine, Eye, Hand, Limits, RunEnding, SimulatedClock, Thinking, Time, Upright,
};
use players::connect_four::{Beginner, ConnectFourPlayer, DiscColor, LegoAction, Wishes};
use simulators::hub::{
    Cable, Disc, Hub, HubSettings, Imperfection, Mishap, Seat, Table, TableSettings, USUAL_HELP,
};

use super::settings::{BeginnerWord, DiscWord, LegoSettings, SimulatedLegoSettings};
use super::{engine_defaults, lego_body, report, wishes};
use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::EngineSettings;

/// More games than anybody plays: the person at the table never goes home first.
const ENDLESS: u32 = u32::MAX;

/// The robot, simulated on its real protocol with a program on real MicroPython; a person plays against it.
#[derive(Debug)]
pub enum SimulatedLego {}

/// The table after a run, and the hub that was at it.
#[derive(Debug)]
pub struct Witness {
    /// What really happened.
    pub table: Table,
    /// The hub, to make things happen to it.
    pub hub: Hub,
}

impl Pair for SimulatedLego {
    const GAME: &'static str = "connect-four";
    const BODY: &'static str = "simulated-lego";
    const ABOUT: &'static str = "The LEGO robot, simulated on its real protocol with its program on real MicroPython; a person plays against it.";
    type Action = LegoAction;
    type Player = ConnectFourPlayer;
    type Rectifier = Upright;
    type Witness = Witness;

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = LegoAction>>, Witness), RunError> {
        let settings = LegoSettings::from_values(setup.values);
        let simulated = SimulatedLegoSettings::from_values(setup.values);
        let table = Table::new(&table_settings(setup));
        let table = match setup.guests {
            Some(seat) => table.with_seat_for_guests(seat.clone()),
            None => table,
        };
        let (hub, plug) = hub(&table, 0, &simulated, clock)?;
        let body = lego_body(plug, clock, &settings)?;
        Ok((body, Witness { table, hub }))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<ConnectFourPlayer, RunError> {
        Ok(ConnectFourPlayer::new(wishes(setup)?))
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    crate::pair::plays_here!();

    fn report(player: &ConnectFourPlayer, witness: &Witness) -> serde_json::Value {
        let mut report = report(player);
        report["seen"] = serde_json::json!(witness.table.games());
        report
    }
}

/// Two robots play each other at one table, each with a hub of its own; a referee presses their sensors. Returns what
/// each of them believes, and the table.
pub fn play_tournament(
    setup: &Setup<'_>,
    games: u32,
    cancel: &Cancel,
) -> Result<(Vec<ConnectFourPlayer>, Table), RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let simulated = SimulatedLegoSettings::from_values(setup.values);
    let seats = [Seat::Robot { disc: Disc::Red }, Seat::Robot { disc: Disc::Yellow }];
    let table = Table::new(&TableSettings { seats, games, ..table_settings(setup) });
    let clock = SimulatedClock::new();
    let mut threads = Vec::new();
    let mut hubs = Vec::new();
    for (robot, color) in [DiscColor::Red, DiscColor::Yellow].into_iter().enumerate() {
        let (hub, plug) = hub(&table, robot, &simulated, &clock)?;
        hubs.push(hub);
        let wishes = wishes(setup)?;
        let beginner = match (wishes.beginner, robot) {
            (Beginner::Robot, 1) => Beginner::Other,
            (Beginner::Other, 1) => Beginner::Robot,
            (beginner, _) => beginner,
        };
        let wishes = Wishes { color, beginner, ..wishes };
        let plug = Plug { clock: clock.for_thread(), ..plug };
        let (settings, cancel) = (settings.clone(), cancel.clone());
        let thread = std::thread::Builder::new().name(format!("robot {}", robot + 1));
        let running = thread.spawn(move || play_seat(plug, &settings, wishes, games, cancel));
        threads.push(running.map_err(|error| RunError::Broken(error.to_string()))?);
    }
    // The caller took part so far; from here on time is the robots' own.
    drop(clock);
    let mut players = Vec::new();
    for thread in threads {
        let played = thread.join().map_err(|_| RunError::Broken("a robot's thread broke".to_owned()))?;
        players.push(played?);
    }
    drop(hubs);
    Ok((players, table))
}

fn play_seat(
    plug: Plug<SimulatedClock>,
    settings: &LegoSettings,
    wishes: Wishes,
    games: u32,
    cancel: Cancel,
) -> Result<ConnectFourPlayer, RunError> {
    let clock = plug.clock.clone();
    clock.sleep_until(clock.now());
    let body = lego_body(plug, &clock, settings)?;
    let limits = Limits { games: Some(games), time: None };
    let run = engine_defaults().to_engine(Thinking::Unlimited, limits);
    let player = ConnectFourPlayer::new(wishes);
    let mut engine = Engine::new(body, Upright, player, clock, NoReader, cancel, run);
    match engine.run() {
        RunEnding::GaveUp { reason } => Err(RunError::Broken(reason)),
        _ => Ok(engine.into_parts().0),
    }
}

/// A robot and a person, as the settings describe them.
pub(super) fn table_settings(setup: &Setup<'_>) -> TableSettings {
    let settings = SimulatedLegoSettings::from_values(setup.values);
    let lego = LegoSettings::from_values(setup.values);
    let disc = match lego.color {
        DiscWord::Red => Disc::Red,
        DiscWord::Yellow => Disc::Yellow,
    };
    let person = Seat::Person { depth: settings.depth, slips: settings.slips };
    TableSettings {
        seats: [Seat::Robot { disc }, person],
        games: ENDLESS,
        beginner: match lego.beginner {
            BeginnerWord::Look => None,
            BeginnerWord::Robot => Some(0),
            BeginnerWord::Other => Some(1),
        },
        imperfection: imperfection(&settings),
        help_after: USUAL_HELP,
        seed: setup.seed,
    }
}

pub(super) fn imperfection(settings: &SimulatedLegoSettings) -> Imperfection {
    Imperfection {
        misread: settings.misread,
        jam: settings.jam,
        slip: settings.slip,
        ..Imperfection::default()
    }
}

pub(super) fn hub<C: Clock>(
    table: &Table,
    robot: usize,
    settings: &SimulatedLegoSettings,
    clock: &C,
) -> Result<(Hub, Plug<C>), RunError> {
    let hub_settings =
        HubSettings { damage: settings.damage, schedule: schedule(settings), ..HubSettings::default() };
    let (hub, cable) = Hub::on_cable(table, robot, hub_settings, clock.for_thread())
        .map_err(|error| RunError::Setting(error.to_string()))?;
    Ok((hub, Plug { cable, clock: clock.clone() }))
}

/// What happens to the hub, in order of time.
fn schedule(settings: &SimulatedLegoSettings) -> Vec<(Time, Mishap)> {
    let at = |seconds: u32| Time::START + Duration::from_secs(seconds.into());
    let mut schedule = Vec::new();
    if settings.unplug_at_s > 0 {
        schedule.extend([
            (at(settings.unplug_at_s), Mishap::Unplug),
            (at(settings.unplug_at_s + 10), Mishap::Plug),
        ]);
    }
    if settings.reboot_at_s > 0 {
        schedule.push((at(settings.reboot_at_s), Mishap::Reboot));
    }
    if settings.flat_at_s > 0 {
        schedule.extend([
            (at(settings.flat_at_s), Mishap::Flatten),
            (at(settings.flat_at_s + 30), Mishap::Charge),
        ]);
    }
    schedule.sort_by_key(|&(at, _)| at);
    schedule
}

/// The simulated cable as the driver wants it.
#[derive(Debug)]
pub(super) struct Plug<C> {
    cable: Cable,
    clock: C,
}

impl<C: Clock> Transport for Plug<C> {
    fn name(&self) -> String {
        "the simulated cable".to_owned()
    }

    fn open(&mut self) -> io::Result<()> {
        self.cable.open()
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.cable.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        self.cable.receive(buffer, &self.clock, until)
    }
}
