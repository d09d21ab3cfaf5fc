//! Two players on two consoles with a cable between them (G19).

use std::fs::File;
use std::path::{Path, PathBuf};

use configuration::Values;
use engine::record::{ClockKind, Recording};
use engine::{AnyClock, Body, Clock, Engine, Eye, Hand, RealClock, RunEnding, SimulatedClock, Thinking};
use gameboy::{Button, LinkedConsoles};
use players::tetris::{GameLog, TetrisPlayer};

use super::cartridge;
use crate::assemble::{Request, Speed, begin_recording, close_recording};
use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::{CompanyWord, EngineSettings, TetrisSettings};

/// A body of which two can stand at the ends of one cable.
pub trait Linked: Pair<Player = TetrisPlayer, Action = Button, Rectifier: Send> {
    /// Builds a body on each console, the caller's first, from what concerns both; every body waits on a clock handle
    /// of its own.
    fn linked<C: Clock>(
        setup: &Setup<'_>,
        consoles: LinkedConsoles,
        clocks: [C; 2],
    ) -> Result<[Body<impl Eye + Send, impl Hand<Action = Button> + Send>; 2], RunError>;
}

/// The outcome of matches between two players, the caller first.
#[derive(Debug)]
pub struct Match {
    /// The games of each, as each has seen them.
    pub games: [Vec<GameLog>; 2],
    /// Why the caller's run ended.
    pub ending: RunEnding,
}

/// Plays matches on two linked consoles. A recording of the listener stands beside the caller's.
pub fn play_versus<P: Linked>(mut request: Request) -> Result<Match, RunError> {
    let who = format!("{} with the body {}", P::GAME, P::BODY);
    request.values.fill_in(&P::engine_defaults(), &who);
    let consoles = LinkedConsoles::new(&cartridge(&request.values)?)
        .map_err(|error| RunError::Setting(error.to_string()))?;
    let clocks = match request.speed {
        Speed::Max => {
            // The clock itself goes: a participant that never sleeps would block the others.
            let clock = SimulatedClock::new();
            [clock.participant(), clock.participant()].map(AnyClock::Simulated)
        }
        Speed::Real => {
            let clock = RealClock::start(request.cancel.clone());
            [clock.clone(), clock].map(AnyClock::Real)
        }
    };
    let sides = [side::<P>(&request, 0)?, side::<P>(&request, 1)?];
    let [caller, listener] = play_both::<P>(consoles, clocks, sides, &request)?;
    Ok(Match { games: [caller.0, listener.0], ending: caller.1 })
}

/// Where the listener's recording stands: `run.mcap` becomes `run-listener.mcap`.
pub fn listeners_recording(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-listener");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// One of the two: its settings, player and recording.
struct Seat<R> {
    values: Values,
    rectifier: R,
    player: TetrisPlayer,
    recording: Option<Recording<File>>,
}

/// The caller is number 0.
fn side<P: Linked>(request: &Request, number: usize) -> Result<Seat<P::Rectifier>, RunError> {
    let mut values = request.values.clone();
    let company = [CompanyWord::Calls, CompanyWord::Listens][number];
    values.update(|settings: &mut TetrisSettings| settings.company = company)?;
    let setup = Setup::new(&values, request.seed);
    let (rectifier, player) = (P::rectifier(&setup)?, P::player(&setup)?);
    let kind = match request.speed {
        Speed::Max => ClockKind::Simulated,
        Speed::Real => ClockKind::Real,
    };
    let path = request.record.as_deref().map(|path| match company {
        CompanyWord::Listens => listeners_recording(path),
        CompanyWord::Alone | CompanyWord::Calls => path.to_owned(),
    });
    let recording = path.map(|path| begin_recording::<P>(&path, kind, &setup)).transpose()?;
    Ok(Seat { values, rectifier, player, recording })
}

type Side = (Vec<GameLog>, RunEnding);

fn play_both<P: Linked>(
    consoles: LinkedConsoles,
    clocks: [AnyClock; 2],
    seats: [Seat<P::Rectifier>; 2],
    request: &Request,
) -> Result<[Side; 2], RunError> {
    let setup = Setup::new(&request.values, request.seed);
    let bodies = P::linked(&setup, consoles, clocks.clone())?;
    let settings =
        EngineSettings::from_values(&request.values).to_engine(Thinking::Unlimited, request.limits);
    let sides = std::thread::scope(|scope| {
        let running: Vec<_> = (bodies.into_iter().zip(clocks).zip(seats))
            .map(|((body, clock), seat)| {
                let cancel = request.cancel.clone();
                scope.spawn(move || {
                    // A new participant takes its place in the order of the clock first.
                    clock.sleep_until(clock.now());
                    let Seat { values, rectifier, player, recording } = seat;
                    let started = jiff::Timestamp::now();
                    let mut engine = Engine::new(body, rectifier, player, clock, recording, cancel, settings);
                    let ending = engine.run();
                    let times = engine.timings().summary();
                    let (player, recording) = engine.into_parts();
                    if let Some(recording) = recording {
                        close_recording(recording, started, times, &values)?;
                    }
                    Ok((player.games().to_vec(), ending))
                })
            })
            .collect();
        running.into_iter().map(|side| side.join().ok()).collect::<Option<Vec<_>>>()
    });
    let sides = sides.ok_or_else(|| RunError::Broken("a player ended in a panic".to_owned()))?;
    let sides: Vec<Side> = sides.into_iter().collect::<Result<_, RunError>>()?;
    sides.try_into().map_err(|_| RunError::Broken("two players were started".to_owned()))
}
