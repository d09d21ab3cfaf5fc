//! S6, S7, X2: rounds of SameGame in simulated windows, with lost clicks and windows in front.

use engine::notes::NoReader;
use engine::{Limits, RunEnding};
use players::samegame::Supply;
use runs::samegame::InSimulatedWindow;
use runs::{Played, Request};
use simulators::samegame::{LookName, Tally};

use crate::settings::values;

fn play(settings: &[&str], rounds: u32, seed: u64) -> (Played<InSimulatedWindow>, Tally) {
    let request = Request {
        limits: Limits { games: Some(rounds), time: Some(std::time::Duration::from_hours(1)) },
        ..Request::unlimited(values(settings), seed)
    };
    let played = runs::play::<InSimulatedWindow, _>(request, NoReader, |_, _| ()).unwrap();
    let tally = played.witness.lock().unwrap().tally().clone();
    (played, tally)
}

/// Every round cleared, and no click beside the board.
fn check(settings: &[&str], rounds: u32, seed: u64) -> Played<InSimulatedWindow> {
    let (played, tally) = play(settings, rounds, seed);
    assert_eq!(played.ending, RunEnding::GamesPlayed, "{settings:?}: {:?}", played.player.rounds());
    assert_eq!(tally.missed, 0, "{settings:?}: a click beside the board");
    assert_eq!(tally.cleared, rounds, "{settings:?}: {:?}", played.player.rounds());
    played
}

#[test]
fn a_round_is_cleared_in_every_look() {
    for (look, seed) in LookName::ALL.into_iter().zip(1..) {
        check(&[&format!("samegame_window.look={look}")], 1, seed);
    }
}

#[test]
fn effects_of_games_are_lived_with() {
    let effects = ["bounce=true", "hover=brighten", "pop_ups=true", "animation_ms=350", "columns=10"];
    let effects = effects.map(|effect| format!("samegame_window.{effect}"));
    for (look, orientation) in [("flat", "right"), ("gradient", "mixed"), ("light", "left")] {
        let (look, orientation) =
            (format!("samegame_window.look={look}"), format!("samegame_window.orientation={orientation}"));
        let settings: Vec<&str> =
            effects.iter().map(String::as_str).chain([look.as_str(), orientation.as_str()]).collect();
        check(&settings, 1, 9);
    }
}

#[test]
fn games_with_new_tiles_are_played_for_points() {
    for (supply, expected) in [("refill", Supply::Refill), ("columns", Supply::Columns)] {
        let supply = format!("samegame_window.supply={supply}");
        let (played, tally) = play(&[&supply, "samegame_window.columns=8"], 2, 4);
        assert_eq!(played.player.supply(), Some(expected));
        assert_eq!(tally.missed, 0);
        assert!(tally.stuck >= 1, "{tally:?}");
    }
}

#[test]
fn the_next_round_is_asked_for() {
    for how in ["dialog", "button"] {
        let how = format!("samegame_window.next_round={how}");
        check(&[&how, "samegame_window.columns=6"], 2, 8);
    }
}

#[test]
fn a_window_in_front_is_waited_for() {
    check(&["samegame_window.covered_every_ms=7000", "samegame_window.columns=10"], 2, 6);
}

#[test]
fn lost_clicks_are_repeated_and_rounds_follow_each_other() {
    check(&["samegame_window.lost_clicks=0.03", "samegame_window.columns=10"], 3, 5);
}

#[test]
fn two_clicks_a_move_are_learned() {
    let played = check(&["samegame_window.clicks=2", "samegame_window.columns=8"], 1, 3);
    assert_eq!(played.player.clicks_learned(), Some(2));
}

#[test]
fn one_click_a_move_is_learned() {
    let played = check(&["samegame_window.columns=8"], 1, 3);
    assert_eq!(played.player.clicks_learned(), Some(1));
}
