//! The fault matrix: every fault of the simulated body, alone and together,
//! with both ways of verification (G14, X2).

use std::time::Duration;

use engine::{Latency, Patience, RunEnding, RunSettings, Verification};
use proving::Faults;

use crate::catch_run::{play, settings};

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

const fn fixed(typical: u64) -> Latency {
    Latency { typical: ms(typical), spread: ms(0) }
}

fn matrix() -> Vec<(&'static str, Faults)> {
    let none = Faults::default();
    vec![
        ("none", none),
        ("latency", Faults { hand_latency: fixed(60), eye_latency: fixed(50), ..none }),
        ("lost presses", Faults { lost_presses: 0.2, ..none }),
        ("torn frames", Faults { torn_frames: 0.5, ..none }),
        ("failed looks", Faults { failed_looks: 0.02, ..none }),
        ("refused commands", Faults { refused_commands: 0.05, ..none }),
        (
            "all together",
            Faults {
                hand_latency: Latency { typical: ms(20), spread: ms(15) },
                eye_latency: Latency { typical: ms(20), spread: ms(20) },
                lost_presses: 0.1,
                torn_frames: 0.2,
                failed_looks: 0.01,
                refused_commands: 0.02,
                ..none
            },
        ),
    ]
}

fn with(verification: Verification) -> RunSettings {
    // Short pauses: a ball falls in two seconds.
    let patience = Patience { pause: ms(50), ..Patience::default() };
    RunSettings { verification, patience, ..settings(5) }
}

#[test]
fn every_fault_is_survived() {
    for verification in [Verification::Optimistic, Verification::Pessimistic] {
        for (name, faults) in matrix() {
            let played = play(with(verification), faults, 7);
            let case = format!("{name}, {verification:?}: {played:?}");
            assert_eq!(played.ending, RunEnding::GamesPlayed, "{case}");
            assert_eq!(played.caught + played.missed, 100, "{case}");
            assert!(played.caught >= 90, "{case}");
        }
    }
}

#[test]
fn each_fault_leaves_its_trace() {
    let count = |index: usize| play(with(Verification::Optimistic), matrix()[index].1, 7).counts;
    assert_eq!(count(0).diverged + count(0).unclear + count(0).faults, 0, "without faults nothing fails");
    assert!(count(1).ticks < count(0).ticks, "declared latency is waited for instead of looked at");
    assert!(count(2).diverged > 0, "lost presses are noticed");
    assert!(count(3).unclear > 0, "torn frames are noticed");
    assert!(count(4).faults > 0, "failed looks are noticed");
    assert!(count(5).faults > 0, "refused commands are noticed");
}

#[test]
fn pessimistic_verification_looks_after_every_press() {
    let optimistic = play(with(Verification::Optimistic), Faults::default(), 7);
    let pessimistic = play(with(Verification::Pessimistic), Faults::default(), 7);
    assert!(pessimistic.counts.confirmed > 2 * optimistic.counts.confirmed);
    // Both press as often: only the checking differs.
    assert_eq!(pessimistic.counts.commands, optimistic.counts.commands);
}

#[test]
fn a_dead_eye_ends_the_run_with_its_reason() {
    let played = play(settings(1), Faults { failed_looks: 1.0, ..Faults::default() }, 1);
    let RunEnding::GaveUp { reason } = played.ending else { panic!("{:?}", played.ending) };
    assert!(reason.contains("eye did not answer"), "{reason}");
    assert_eq!(played.counts.faults, u64::from(Patience::default().pauses) + 1);
}

#[test]
fn a_dead_hand_ends_the_run_with_its_reason() {
    // Every press is lost: the plan never works, and the game stands still after it is over.
    let played = play(settings(2), Faults { lost_presses: 1.0, ..Faults::default() }, 1);
    let RunEnding::GaveUp { reason } = played.ending else { panic!("{:?}", played.ending) };
    assert!(reason.contains("no effect was seen"), "{reason}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let all = matrix()[6].1;
    assert_eq!(play(with(Verification::Optimistic), all, 3), play(with(Verification::Optimistic), all, 3));
    assert_ne!(play(with(Verification::Optimistic), all, 3), play(with(Verification::Optimistic), all, 4));
}
