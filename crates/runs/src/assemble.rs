//! Putting a run together from a pair, live or on a recording.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use configuration::Values;
use engine::broadcast::Broadcast;
use engine::notes::NoteReader;
use engine::record::{ClockKind, NoteTypes, Recording, RunDescription, WallClock};
use engine::replay::{Outcome, Tape};
use engine::{
    AnyClock, Cancel, Clock, Counts, Engine, Limits, RealClock, RunEnding, SimulatedClock, StepName,
    StepTimesSummary, Thinking, Time, Timings,
};

use crate::error::RunError;
use crate::operator::ControlLine;
use crate::pair::{Pair, Setup};
use crate::settings::{EngineSettings, RecordingSettings};

/// What a run should be like.
#[derive(Debug)]
pub struct Request {
    /// All settings; what nobody set is filled in from the pair's own defaults.
    pub values: Values,
    /// Random seed.
    pub seed: u64,
    /// How fast time passes.
    pub speed: Speed,
    /// When it ends by itself.
    pub limits: Limits,
    /// Where to record it.
    pub record: Option<PathBuf>,
    /// Where viewers watch it.
    pub live: Option<Broadcast>,
    /// Where a person gives commands to it.
    pub controls: Option<ControlLine>,
    /// Ends it from outside.
    pub cancel: Cancel,
}

impl Request {
    /// A run on simulated time, as fast as possible, without an end of its own; nobody records, watches or steers it.
    #[must_use]
    pub fn unlimited(values: Values, seed: u64) -> Self {
        Self {
            values,
            seed,
            speed: Speed::Max,
            limits: Limits::default(),
            record: None,
            live: None,
            controls: None,
            cancel: Cancel::new(),
        }
    }

    /// The same, which ends after this many games.
    #[must_use]
    pub fn games(values: Values, seed: u64, games: u32) -> Self {
        let limits = Limits { games: Some(games), time: None };
        Self { limits, ..Self::unlimited(values, seed) }
    }

    /// The same run in real time, for a body that has no other.
    #[must_use]
    pub fn in_real_time(self) -> Self {
        Self { speed: Speed::Real, ..self }
    }
}

/// How fast time passes in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Simulated time, as fast as possible.
    Max,
    /// Real time.
    Real,
}

/// What a run leaves behind.
#[derive(Debug)]
pub struct Played<P: Pair> {
    /// The player, with what it remembers.
    pub player: P::Player,
    /// The truth behind the body.
    pub witness: P::Witness,
    /// How often things happened.
    pub counts: Counts,
    /// Why it ended.
    pub ending: RunEnding,
    /// Time on the run's clock.
    pub time: Time,
    /// What each game took.
    pub laps: Vec<Lap>,
}

/// How long one game kept each part of the program busy, in real time (S9).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lap {
    /// Reading screens.
    pub see: Duration,
    /// Deciding.
    pub solve: Duration,
    /// Acting, and waiting for the next picture.
    pub act: Duration,
}

impl Lap {
    /// All since the run began.
    fn so_far(timings: &Timings) -> Self {
        Self {
            see: timings.total(StepName::See),
            solve: timings.total(StepName::Decide),
            act: timings.total(StepName::Act) + timings.total(StepName::Look),
        }
    }

    fn since(self, earlier: Self) -> Self {
        let since = |now: Duration, then: Duration| now.saturating_sub(then);
        Self {
            see: since(self.see, earlier.see),
            solve: since(self.solve, earlier.solve),
            act: since(self.act, earlier.act),
        }
    }
}

/// Builds a run of this pair and carries it out. `watch` is called after every tick; `view` reads the
/// notes beside recording and live viewers.
pub fn play<P: Pair, V: NoteReader>(
    request: Request,
    mut view: V,
    mut watch: impl FnMut(&P::Player, &Counts),
) -> Result<Played<P>, RunError> {
    P::play(request, &mut view, &mut watch)
}

/// Carries out a run of this pair: what [`Pair::play`] does for every pair, compiled where the pair is.
pub(crate) fn play_here<P: Pair>(
    mut request: Request,
    view: &mut dyn NoteReader,
    watch: &mut dyn FnMut(&P::Player, &Counts),
) -> Result<Played<P>, RunError> {
    request.values.fill_in(&P::engine_defaults(), &format!("{} with the body {}", P::GAME, P::BODY));
    let (clock, kind) = match request.speed {
        Speed::Max => (AnyClock::Simulated(SimulatedClock::new()), ClockKind::Simulated),
        Speed::Real => (AnyClock::Real(RealClock::start(request.cancel.clone())), ClockKind::Real),
    };
    play_on::<P>(&clock, kind, request, view, watch)
}

fn play_on<P: Pair>(
    clock: &AnyClock,
    kind: ClockKind,
    request: Request,
    view: &mut dyn NoteReader,
    watch: &mut dyn FnMut(&P::Player, &Counts),
) -> Result<Played<P>, RunError> {
    let switches = request.controls.as_ref().map(|controls| controls.switches.clone());
    let guests = request.controls.as_ref().and_then(|controls| controls.guests.clone());
    let deal = request.controls.as_ref().map(|controls| controls.deal.clone());
    let setup = Setup {
        switches: switches.as_ref(),
        guests: guests.as_ref(),
        ..Setup::new(&request.values, request.seed)
    };
    let (body, witness) = P::body(&setup, clock)?;
    let (rectifier, player) = (P::rectifier(&setup)?, P::player(&setup)?);
    let started = jiff::Timestamp::now();
    let recording = match &request.record {
        Some(path) => Some(begin_recording::<P>(path, kind, &setup)?),
        None => None,
    };
    let settings =
        EngineSettings::from_values(&request.values).to_engine(Thinking::Unlimited, request.limits);
    let readers = ((recording, request.live), view);
    let mut engine = Engine::new(body, rectifier, player, clock.clone(), readers, request.cancel, settings);
    if let Some(controls) = request.controls {
        engine = engine.listening_to(controls.orders);
    }
    let (mut laps, mut before) = (Vec::new(), Lap::default());
    let ending = engine.run_watched(|engine| {
        if engine.counts().games as usize > laps.len() {
            let now = Lap::so_far(engine.timings());
            laps.push(now.since(before));
            before = now;
        }
        if let (Some(deal), Some(game)) = (&deal, P::dealt(engine.player())) {
            deal.follow(game);
        }
        watch(engine.player(), &engine.counts());
    });
    let (counts, times) = (engine.counts(), engine.timings().summary());
    let (player, ((recording, _), _)) = engine.into_parts();
    if let Some(recording) = recording {
        close_recording(recording, started, times, &request.values)?;
    }
    Ok(Played { player, witness, counts, ending, time: clock.now(), laps })
}

/// Runs the pair's player again on a recording and compares.
pub fn replay<P: Pair>(tape: Tape<BufReader<File>>) -> Result<Outcome, RunError> {
    let values = recorded_values(tape.run())?;
    let setup = Setup::new(&values, tape.run().seed);
    let (rectifier, player) = (P::rectifier(&setup)?, P::player(&setup)?);
    let clock = SimulatedClock::new();
    let parts = engine::replay::replay(tape, &clock);
    // How many games were wanted is not recorded; the tape ends when they were played.
    let settings = EngineSettings::from_values(&values).to_engine(Thinking::Unlimited, Limits::default());
    let mut engine =
        Engine::new(parts.body, rectifier, player, clock, parts.comparison, Cancel::new(), settings)
            .steered_by(parts.steering);
    engine.run();
    Ok(engine.into_reader().outcome()?)
}

/// The settings of a recorded run. Sections that this crate does not know belonged to other parts of the
/// program and are passed over.
fn recorded_values(run: &RunDescription) -> Result<Values, RunError> {
    let schema = configuration::Schema::new(crate::settings::SECTIONS);
    let mut layers = configuration::Layers::new(&schema);
    layers.known_sections_of_profile("recorded configuration", &run.configuration);
    layers
        .finish()
        .map_err(|problems| RunError::Setting(format!("{problems}; {} can replay it", run.program)))
}

pub(crate) fn begin_recording<P: Pair>(
    path: &Path,
    clock: ClockKind,
    setup: &Setup<'_>,
) -> Result<Recording<File>, RunError> {
    let file = File::create(path).map_err(|error| RunError::File {
        what: "create",
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    let run = RunDescription {
        program: concat!("gamebot ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: P::GAME.to_owned(),
        body: P::BODY.to_owned(),
        seed: setup.seed,
        clock,
        configuration: setup.values.to_profile(),
    };
    let recording = Recording::begin(file, &run, NoteTypes::of::<P::Player>())?;
    Ok(match RecordingSettings::from_values(setup.values).at_most_mb {
        0 => recording,
        most => recording.at_most(u64::from(most) << 20),
    })
}

/// Closes a recording whose run began at `started`; its wall-clock figures are kept where the settings say so.
pub(crate) fn close_recording(
    recording: Recording<File>,
    started: jiff::Timestamp,
    times: StepTimesSummary,
    values: &Values,
) -> Result<(), RunError> {
    let wall_clock = WallClock { started: format!("{started:.3}"), times };
    let keep = RecordingSettings::from_values(values).wall_clock;
    recording.finish(keep.then_some(&wall_clock))?;
    Ok(())
}
