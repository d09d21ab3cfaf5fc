//! A player takes over at any moment, and gives the game back at once (P2).

use browser::tetris::{Choices, Happening, Pilot, PlayerName, Scene, Session, Steer, think};
use tetris::gameboy::Buttons;

const PACE_MS: u32 = 200;

/// One frame in which the machine plays and thinks without delay.
fn machine_frame(session: &mut Session, pilot: &mut Pilot, player: PlayerName) -> Happening {
    let mut steer = pilot.steer(session);
    if steer == Steer::NeedsPlan {
        let thought = Scene::of(session, PACE_MS).and_then(|scene| think(&scene, player));
        if let Some(thought) = thought {
            pilot.follow(session, &thought.candidates[0]);
            steer = pilot.steer(session);
        }
    }
    let held = match steer {
        Steer::Hold(held) => held,
        Steer::NeedsPlan => Buttons::NONE,
    };
    session.step(held)
}

/// Lets the machine play until this many more pieces have come or the game ends.
fn machine_plays(session: &mut Session, player: PlayerName, pieces: u32) {
    let mut pilot = Pilot::new(PACE_MS);
    let until = session.pieces() + pieces;
    while session.pieces() < until && !session.is_over() {
        machine_frame(session, &mut pilot, player);
    }
}

#[test]
fn every_player_clears_lines_on_both_rules() {
    for player in PlayerName::ALL {
        for choices in [Choices::gameboy(5, 7), Choices::classic(10, 20, 7)] {
            let mut session = Session::new(choices).unwrap();
            machine_plays(&mut session, player, 60);
            // “Height” is in the document as a player that is not good enough; it plays, no more.
            let enough = if player == PlayerName::Height { 0 } else { 10 };
            assert!(
                session.lines() >= enough,
                "{player:?} on {:?}: {} lines",
                choices.rules,
                session.lines()
            );
        }
    }
}

#[test]
fn in_the_middle_of_a_fall_the_piece_goes_where_it_still_can() {
    for delay in [1, 40, 200, 500, 700] {
        let mut session = Session::new(Choices::gameboy(0, 11)).unwrap();
        for _ in 0..delay {
            session.step(Buttons::NONE);
        }
        let before = session.pieces();
        machine_plays(&mut session, PlayerName::Lee, 3);
        assert_eq!(session.pieces(), before + 3);
        assert!(session.field().features().holes <= 6, "after {delay} frames");
    }
}

#[test]
fn at_level_20_it_survives_for_a_while() {
    let mut session = Session::new(Choices::gameboy(20, 5)).unwrap();
    machine_plays(&mut session, PlayerName::Ours, 60);
    assert!(!session.is_over() && session.lines() > 5, "{} lines", session.lines());
}

#[test]
fn during_a_line_clear_it_waits_for_the_next_piece() {
    let mut session = Session::new(Choices::gameboy(9, 3)).unwrap();
    let mut pilot = Pilot::new(0);
    while session.clearing().is_none() {
        machine_frame(&mut session, &mut pilot, PlayerName::Bcts);
    }
    let mut other = Pilot::new(PACE_MS);
    assert!(Scene::of(&session, PACE_MS).is_none());
    assert_eq!(other.steer(&session), Steer::Hold(Buttons::NONE));
    let lines = session.lines();
    machine_plays(&mut session, PlayerName::Lee, 20);
    assert!(session.lines() > lines);
}

#[test]
fn on_fields_of_other_sizes() {
    for (width, height) in [(4, 4), (6, 12), (12, 24), (32, 40)] {
        for player in PlayerName::ALL {
            let mut session = Session::new(Choices::classic(width, height, 2)).unwrap();
            machine_plays(&mut session, player, 12);
            assert!(session.pieces() > 2 || session.is_over(), "{width} × {height} {player:?}");
        }
    }
}

#[test]
fn the_person_gets_the_game_back_at_once() {
    let mut session = Session::new(Choices::classic(10, 20, 4)).unwrap();
    let mut pilot = Pilot::new(0);
    for _ in 0..30 {
        machine_frame(&mut session, &mut pilot, PlayerName::Clever);
    }
    // Without the pilot the very next frame is the person's.
    let before = session.falling().unwrap();
    session.step(Buttons::NONE);
    session.step(Buttons::LEFT);
    let after = session.falling().unwrap();
    assert!(after.x == before.x - 1 || before.x <= 0, "{before:?} {after:?}");
}
