//! Replays: equal for the same player, a difference for another (X3).

use std::io::Cursor;
use std::time::Duration;

use budget::Budget;
use engine::record::{ClockKind, Recording};
use engine::replay::{Outcome, Tape, replay};
use engine::{
    Body, Cancel, Choice, Clock, Ending, Engine, Fault, Hand, Limits, Patience, Picture, Plan, Player,
    RealClock, Settings, SimulatedClock, Thinking, Time, Upright, Verdict, Verification,
};
use proving::{CatchPlayer, Faults, Rules, simulated_body};

use crate::catch_run::{PAUSE, PRESS, description, player, record, settings};

const FAULTS: Faults = Faults {
    hand_latency: Duration::from_millis(20),
    eye_latency: Duration::from_millis(20),
    lost_presses: 0.1,
    torn_frames: 0.2,
    failed_looks: 0.01,
    refused_commands: 0.05,
};

fn replay_with<P: Player>(player: P, settings: Settings, file: Vec<u8>) -> Outcome {
    let clock = SimulatedClock::new();
    let (body, comparison) = replay(Tape::open(Cursor::new(file)).unwrap(), &clock);
    let settings = Settings { limits: Limits::default(), ..settings };
    let mut engine = Engine::new(body, Upright, player, clock, comparison, Cancel::new(), settings);
    engine.run();
    engine.into_journal().outcome().unwrap()
}

#[test]
fn the_same_player_does_the_same_again() {
    for verification in [Verification::Optimistic, Verification::Pessimistic] {
        let settings = Settings { verification, ..settings(3) };
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
    let settings = Settings { patience, ..settings(3) };
    let (played, file) = record(settings, Faults { failed_looks: 0.5, ..Faults::default() }, 9);
    assert!(matches!(played.ending, Ending::GaveUp { .. }));
    assert!(matches!(replay_with(player(), settings, file), Outcome::Equal { .. }));
}

#[test]
fn another_player_differs_and_the_place_is_named() {
    let (_, file) = record(settings(1), Faults::default(), 9);
    let slower = CatchPlayer::new(PRESS, PAUSE + Duration::from_millis(1));
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
    assert!(matches!(replay_with(player(), settings(2), file), Outcome::Equal { notes } if notes > 100));
}

/// Thinks until its budget is spent and says how far it came.
struct Thinker {
    decided: bool,
}

impl Player for Thinker {
    type Observation = ();
    type Unclear = String;
    type Decision = u64;
    type Action = proving::Button;
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
    fn plan(&mut self, _decision: &u64) -> Plan<proving::Button, ()> {
        Plan { steps: Vec::new() }
    }
    fn resynchronise(&mut self) {}
}

#[test]
fn a_decision_under_a_deadline_is_thought_again_by_its_nodes() {
    let cancel = Cancel::new();
    let clock = RealClock::start(cancel.clone());
    let settings = Settings { thinking: Thinking::Deadline(Duration::from_millis(3)), ..settings(1) };
    let (body, _console) = simulated_body(Rules::default(), Faults::default(), 1, &clock);
    let run = engine::record::RunDescription { clock: ClockKind::Real, ..description(1) };
    let recording = Recording::begin(Cursor::new(Vec::new()), &run).unwrap();
    let mut engine =
        Engine::new(body, Upright, Thinker { decided: false }, clock, recording, cancel, settings);
    assert_eq!(engine.run(), Ending::GamesPlayed);
    let file = engine.into_journal().finish(None).unwrap().into_inner();
    let outcome = replay_with(Thinker { decided: false }, settings, file);
    assert!(matches!(outcome, Outcome::Equal { .. }), "{outcome:?}");
}

/// Counts nothing, moves nothing.
struct Idle;

impl Hand for Idle {
    type Action = proving::Button;
    fn begin(&mut self, _action: &proving::Button) -> Result<(), Fault> {
        Ok(())
    }
    fn end(&mut self, _action: &proving::Button) -> Result<(), Fault> {
        Ok(())
    }
    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn time_limits_count_on_the_runs_clock() {
    let clock = SimulatedClock::new();
    let (body, _console) = simulated_body(Rules::default(), Faults::default(), 1, &clock);
    let body = Body { eye: body.eye, hand: Idle };
    let limits = Limits { games: None, time: Some(Duration::from_mins(1)) };
    let settings =
        Settings { limits, patience: Patience { pauses: 1_000, ..Patience::default() }, ..settings(1) };
    let mut engine = Engine::new(
        body,
        Upright,
        player(),
        clock.clone(),
        engine::record::NoJournal,
        Cancel::new(),
        settings,
    );
    assert_eq!(engine.run(), Ending::TimeUp);
    assert!(clock.now() >= Time::START + Duration::from_mins(1));
}
