//! Replays: equal for the same player, a difference for another (X3).

use std::io::Cursor;
use std::time::Duration;

use budget::Budget;
use engine::record::{ClockKind, NoteTypes, Recording};
use engine::replay::{Outcome, Tape, replay};
use engine::{
    Body, Cancel, Choice, Clock, Engine, Fault, Hand, Latency, Limits, Mapping, Patience, Picture, Plan,
    Player, RealClock, Rectify, RunEnding, RunSettings, SimulatedClock, Thinking, Time, Upright, Verdict,
    Verification,
};
use proving::{Action, CatchPlayer, Console, Faults, Hands, Rules, ScreenEye, direct_body};

use crate::catch_run::{PAUSE, PRESS, description, player, record, settings};

const FAULTS: Faults = Faults {
    hand_latency: Latency { typical: Duration::from_millis(20), spread: Duration::from_millis(10) },
    eye_latency: Latency { typical: Duration::from_millis(20), spread: Duration::ZERO },
    lost_presses: 0.1,
    torn_frames: 0.2,
    failed_looks: 0.01,
    refused_commands: 0.05,
    knock_every: Duration::ZERO,
    stalled_drives: 0.0,
};

fn replay_with<P: Player>(player: P, settings: RunSettings, file: Vec<u8>) -> Outcome {
    replay_rectified(Upright, player, settings, file)
}

pub fn replay_rectified<R: Rectify, P: Player>(
    rectifier: R,
    player: P,
    settings: RunSettings,
    file: Vec<u8>,
) -> Outcome {
    let clock = SimulatedClock::new();
    let parts = replay(Tape::open(Cursor::new(file)).unwrap(), &clock);
    let settings = RunSettings { limits: Limits::default(), ..settings };
    let mut engine =
        Engine::new(parts.body, rectifier, player, clock, parts.comparison, Cancel::new(), settings)
            .steered_by(parts.steering);
    engine.run();
    engine.into_reader().outcome().unwrap()
}

#[test]
fn the_same_player_does_the_same_again() {
    for verification in [Verification::Optimistic, Verification::Pessimistic] {
        let settings = RunSettings { verification, ..settings(3) };
        let (played, file) = record(settings, FAULTS, 9);
        assert!(played.counts.faults > 0 && played.counts.unclear > 0 && played.counts.diverged > 0);
        let Outcome::Equal { notes } = replay_with(player(), settings, file) else {
            panic!("{verification:?}")
        };
        assert!(notes > played.counts.ticks);
    }
}

#[test]
fn a_run_that_gave_up_gives_up_again() {
    let patience = Patience { pauses: 1, ..Patience::default() };
    let settings = RunSettings { patience, ..settings(3) };
    let (played, file) = record(settings, Faults { failed_looks: 0.5, ..Faults::default() }, 9);
    assert!(matches!(played.ending, RunEnding::GaveUp { .. }));
    assert!(matches!(replay_with(player(), settings, file), Outcome::Equal { .. }));
}

#[test]
fn another_player_differs_and_the_place_is_named() {
    let (_, file) = record(settings(1), Faults::default(), 9);
    let slower = CatchPlayer::new(Hands::Buttons { press: PRESS, pause: PAUSE + Duration::from_millis(1) });
    let Outcome::Different(divergence) = replay_with(slower, settings(1), file) else {
        panic!("no difference")
    };
    assert!(divergence.recorded.starts_with("/plan "), "{divergence}");
    assert!(divergence.recorded.contains("\"rest_us\":40000"), "{divergence}");
    assert!(divergence.replayed.contains("\"rest_us\":41000"), "{divergence}");
}

#[test]
fn a_cut_off_recording_replays_as_far_as_it_goes() {
    let (_, mut file) = record(settings(2), FAULTS, 9);
    file.truncate(file.len() / 2);
    assert!(matches!(replay_with(player(), settings(2), file), Outcome::CutOff { notes } if notes > 100));
}

/// Thinks until its budget is spent and says how far it came.
struct Thinker {
    decided: bool,
}

impl Player for Thinker {
    type Observation = ();
    type Unclear = String;
    type Decision = u64;
    type Action = Action;
    type Expectation = ();

    fn see(&mut self, _screen: &Picture, _captured: Time) -> Result<(), String> {
        Ok(())
    }
    fn verify(&self, _expectation: &(), _observation: &()) -> Verdict {
        Verdict::Confirmed
    }
    fn decide(&mut self, _observation: &(), budget: &Budget) -> Choice<u64> {
        if self.decided {
            return Choice::GameOver;
        }
        self.decided = true;
        let mut meter = budget.meter();
        while meter.spend_node() {}
        Choice::Act(meter.spent())
    }
    fn plan(&mut self, _decision: &u64) -> Plan<Action, ()> {
        Plan { steps: Vec::new() }
    }
    fn resynchronise(&mut self) {}
}

#[test]
fn a_decision_under_a_deadline_is_thought_again_by_its_nodes() {
    let cancel = Cancel::new();
    let clock = RealClock::start(cancel.clone());
    let settings = RunSettings { thinking: Thinking::Deadline(Duration::from_millis(3)), ..settings(1) };
    let console = Console::new(Rules::default(), Faults::default(), 1);
    let body = direct_body(&console, &clock);
    let run = engine::record::RunDescription { clock: ClockKind::Real, ..description(1) };
    let recording = Recording::begin(Cursor::new(Vec::new()), &run, NoteTypes::of::<Thinker>()).unwrap();
    let mut engine =
        Engine::new(body, Upright, Thinker { decided: false }, clock, recording, cancel, settings);
    assert_eq!(engine.run(), RunEnding::GamesPlayed);
    let file = engine.into_reader().finish(None).unwrap().into_inner();
    let outcome = replay_with(Thinker { decided: false }, settings, file);
    assert!(matches!(outcome, Outcome::Equal { .. }), "{outcome:?}");
}

/// Counts nothing, moves nothing.
struct Idle;

impl Hand for Idle {
    type Action = Action;
    fn begin(&mut self, _action: &Action, _mapping: &Mapping) -> Result<(), Fault> {
        Ok(())
    }
    fn end(&mut self, _action: &Action) -> Result<(), Fault> {
        Ok(())
    }
    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn time_limits_count_on_the_runs_clock() {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), Faults::default(), 1);
    let body = Body { eye: ScreenEye::new(&console, &clock), hand: Idle };
    let limits = Limits { games: None, time: Some(Duration::from_mins(1)) };
    let settings =
        RunSettings { limits, patience: Patience { pauses: 1_000, ..Patience::default() }, ..settings(1) };
    let mut engine =
        Engine::new(body, Upright, player(), clock.clone(), engine::notes::NoReader, Cancel::new(), settings);
    assert_eq!(engine.run(), RunEnding::TimeUp);
    assert!(clock.now() >= Time::START + Duration::from_mins(1));
}
