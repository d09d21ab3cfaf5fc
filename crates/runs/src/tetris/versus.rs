//! Two players on two consoles with a cable between them (G19).

use engine::notes::NoReader;
use engine::{Cancel, Clock, Engine, RealClock, RunEnding, RunSettings, SimulatedClock, Thinking, Upright};
use gameboy::LinkedConsoles;
use players::tetris::{Company, GameLog, TetrisPlayer, Wishes};
use simulators::console::linked_bodies;

use super::{OnEmulator, cartridge, wishes};
use crate::assemble::{Request, Speed};
use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::EngineSettings;

/// The outcome of matches between two players, the caller first.
#[derive(Debug)]
pub struct Match {
    /// The games of each, as each has seen them.
    pub games: [Vec<GameLog>; 2],
    /// Why the caller's run ended.
    pub ending: RunEnding,
}

/// Plays matches on two linked consoles; recordings and viewers are for one console only.
pub fn play_versus(mut request: Request) -> Result<Match, RunError> {
    request.values.fill_in(&OnEmulator::engine_defaults(), "tetris");
    let wishes = wishes(&Setup { values: &request.values, seed: request.seed })?;
    let settings =
        EngineSettings::from_values(&request.values).to_engine(Thinking::Unlimited, request.limits);
    let consoles = LinkedConsoles::new(&cartridge(&request.values)?)
        .map_err(|error| RunError::Setting(error.to_string()))?;
    let [caller, listener] = match request.speed {
        Speed::Max => {
            let clock = SimulatedClock::new();
            let clocks = [clock.participant(), clock.participant()];
            // A participant that never sleeps would block the others.
            drop(clock);
            play_both(consoles, clocks, &wishes, settings, &request.cancel)
        }
        Speed::Real => {
            let clock = RealClock::start(request.cancel.clone());
            play_both(consoles, [clock.clone(), clock], &wishes, settings, &request.cancel)
        }
    }?;
    Ok(Match { games: [caller.0, listener.0], ending: caller.1 })
}

type Side = (Vec<GameLog>, RunEnding);

fn play_both<C: Clock>(
    consoles: LinkedConsoles,
    clocks: [C; 2],
    wishes: &Wishes,
    settings: RunSettings,
    cancel: &Cancel,
) -> Result<[Side; 2], RunError> {
    let bodies = linked_bodies(consoles, [&clocks[0], &clocks[1]]);
    let sides = std::thread::scope(|scope| {
        let companies = [Company::Calls, Company::Listens];
        let running: Vec<_> = (bodies.into_iter().zip(clocks).zip(companies))
            .map(|((body, clock), company)| {
                let wishes = Wishes { company, ..wishes.clone() };
                let cancel = cancel.clone();
                scope.spawn(move || {
                    // A new participant takes its place in the order of the clock first.
                    clock.sleep_until(clock.now());
                    let player = TetrisPlayer::new(wishes);
                    let mut engine = Engine::new(body, Upright, player, clock, NoReader, cancel, settings);
                    let ending = engine.run();
                    (engine.player().games().to_vec(), ending)
                })
            })
            .collect();
        running.into_iter().map(|side| side.join().ok()).collect::<Option<Vec<_>>>()
    });
    let sides = sides.ok_or_else(|| RunError::Broken("a player ended in a panic".to_owned()))?;
    sides.try_into().map_err(|_| RunError::Broken("two players were started".to_owned()))
}
