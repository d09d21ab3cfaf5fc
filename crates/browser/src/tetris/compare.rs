//! Whole games without a picture, played as the players take over: by keys, frame by frame (P5).

use serde::Serialize;
use tetris::gameboy::Buttons;

use super::choices::{Choices, ChoicesError};
use super::evaluate::PlayerName;
use super::pilot::{Pilot, Steer};
use super::session::Session;
use super::think::{Scene, think};

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Lines cleared.
    pub lines: u32,
    /// Points.
    pub score: u32,
    /// Pieces that appeared.
    pub pieces: u32,
    /// Whether it was lost before it was stopped.
    pub died: bool,
}

/// Plays until the game is lost or has this many lines; the same seed gives every player the same pieces.
pub fn play(choices: Choices, player: PlayerName, lines: u32) -> Result<Played, ChoicesError> {
    let mut session = Session::new(choices)?;
    let mut pilot = Pilot::new(0);
    while !session.is_over() && session.lines() < lines {
        let held = machine_buttons(&session, &mut pilot, player, 0);
        session.step(held);
    }
    let (lines, score, pieces) = (session.lines(), session.score(), session.pieces());
    Ok(Played { lines, score, pieces, died: session.is_over() })
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
    use super::*;

    #[test]
    fn games_stop_when_they_are_lost_or_long_enough() {
        let lost = play(Choices::classic(10, 20, 3), PlayerName::Height, 100).unwrap();
        assert!(lost.died && lost.lines < 100, "{lost:?}");
        let won = play(Choices::gameboy(0, 3), PlayerName::Lee, 10).unwrap();
        assert!(!won.died && won.lines >= 10, "{won:?}");
    }
}
