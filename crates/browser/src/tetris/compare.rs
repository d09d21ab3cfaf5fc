//! Whole games without a picture, played as the players take over: by keys, frame by frame (P5).

use tetris::gameboy::Buttons;

use super::evaluate::PlayerName;
use super::pilot::{Pilot, Steer};
use super::session::Session;
use super::think::{Scene, think};

/// Plays on until `pieces` more have come, the game has `lines` or it is over. Without a player it stops at every piece
/// and says that a plan is needed; it plays one frame at least, so that a plan that leads nowhere cannot hold it up.
pub fn fly(
    session: &mut Session,
    pilot: &mut Pilot,
    player: Option<PlayerName>,
    pieces: u32,
    lines: u32,
) -> bool {
    let last = session.pieces().saturating_add(pieces);
    let mut has_moved = false;
    while !session.is_over() && session.lines() < lines && session.pieces() < last {
        let held = match player {
            Some(player) => machine_buttons(session, pilot, player, 0),
            None => match pilot.steer(session) {
                Steer::Hold(held) => held,
                Steer::NeedsPlan if has_moved => return true,
                Steer::NeedsPlan => Buttons::NONE,
            },
        };
        session.step(held);
        has_moved = true;
    }
    false
}

/// The buttons of a player that thinks within the frame.
pub fn machine_buttons(session: &Session, pilot: &mut Pilot, player: PlayerName, pace_ms: u32) -> Buttons {
    if let Steer::Hold(held) = pilot.steer(session) {
        return held;
    }
    let thought = Scene::of(session, pace_ms).and_then(|scene| think(&scene, player));
    if let Some(best) = thought.as_ref().and_then(|thought| thought.candidates.first()) {
        pilot.follow(session, best);
    }
    match pilot.steer(session) {
        Steer::Hold(held) => held,
        Steer::NeedsPlan => Buttons::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::choices::Choices;
    use super::super::think::places;
    use super::*;

    fn whole_game(choices: Choices, player: PlayerName, lines: u32) -> Session {
        let (mut session, mut pilot) = (Session::new(choices).unwrap(), Pilot::new(0));
        while !session.is_over() && session.lines() < lines {
            assert!(!fly(&mut session, &mut pilot, Some(player), 7, lines));
        }
        session
    }

    #[test]
    fn games_stop_when_they_are_lost_or_long_enough() {
        let lost = whole_game(Choices::classic(10, 20, 3), PlayerName::Height, 100);
        assert!(lost.is_over() && lost.lines() < 100, "{}", lost.lines());
        let won = whole_game(Choices::gameboy(0, 3), PlayerName::Lee, 10);
        assert!(!won.is_over() && won.lines() >= 10, "{}", won.lines());
    }

    #[test]
    fn players_from_outside_are_asked_for_every_piece() {
        let (mut session, mut pilot) = (Session::new(Choices::gameboy(0, 3)).unwrap(), Pilot::new(0));
        for piece in 1..=5 {
            assert!(fly(&mut session, &mut pilot, None, 100, 100));
            assert_eq!(session.pieces(), piece);
            let places = places(&Scene::of(&session, 0).unwrap());
            pilot.follow(&session, &places[piece as usize].plan);
        }
    }
}
