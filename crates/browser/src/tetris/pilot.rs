//! Presses the keys of a plan, one look and one press at a time; whatever happens to the piece, it notices (P2).

use std::collections::VecDeque;

use tetris::gameboy::Buttons;

use super::choices::RulesName;
use super::paths::Press;
use super::session::Session;
use super::think::{Candidate, period};

/// What the player wants in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Hold these buttons.
    Hold(Buttons),
    /// Nothing is planned for this piece, or the plan has failed: think, and hold nothing meanwhile.
    NeedsPlan,
}

/// The hands of a player.
#[derive(Clone, Debug)]
pub struct Pilot {
    pace_ms: u32,
    flight: Option<Flight>,
    /// Frames since the last press, or since the piece appeared.
    since: u32,
    piece: u32,
}

#[derive(Clone, Debug)]
struct Flight {
    presses: VecDeque<Press>,
    /// Orientation and column that the piece must have now.
    pose: Option<(usize, i32)>,
    target: (usize, i32, i32),
    direct: bool,
}

impl Pilot {
    /// Hands that take this long from press to press.
    pub fn new(pace_ms: u32) -> Pilot {
        Pilot { pace_ms, flight: None, since: 0, piece: 0 }
    }

    /// Changes the pace.
    pub fn set_pace(&mut self, pace_ms: u32) {
        self.pace_ms = pace_ms;
    }

    /// Follows this plan for the piece that falls now.
    pub fn follow(&mut self, session: &Session, plan: &Candidate) {
        self.piece = session.pieces();
        self.flight = Some(Flight {
            presses: plan.presses.iter().copied().collect(),
            pose: None,
            target: (plan.orientation, plan.x, plan.row),
            direct: plan.direct,
        });
    }

    /// The buttons for the next frame.
    pub fn steer(&mut self, session: &Session) -> Steer {
        if self.piece != session.pieces() {
            (self.piece, self.since, self.flight) = (session.pieces(), 0, None);
        }
        self.since += 1;
        if session.falling().is_none() {
            return Steer::Hold(Buttons::NONE);
        }
        if let Some(held) = self.next_press(session) {
            return Steer::Hold(held);
        }
        self.flight = None;
        Steer::NeedsPlan
    }

    /// The buttons for the next frame; nothing if the plan does not lead to its target any more.
    fn next_press(&mut self, session: &Session) -> Option<Buttons> {
        let (flight, falling) = (self.flight.as_mut()?, session.falling()?);
        if flight.pose.is_some_and(|pose| pose != (falling.orientation, falling.x)) {
            return None;
        }
        let field = session.field();
        let due = self.since >= period(self.pace_ms, session.frames_per_row());
        let Some(press) = flight.presses.front().copied() else {
            let rest = field.rest_row(falling.piece.shape(falling.orientation), falling.x, falling.row);
            if (falling.orientation, falling.x, rest) != flight.target {
                return None;
            }
            return Some(match session.choices().rules {
                _ if !due => Buttons::NONE,
                RulesName::Gameboy => Buttons::DOWN,
                RulesName::Classic => Buttons::UP,
            });
        };
        if !flight.direct && falling.row < press.row {
            return None;
        }
        if !due || (!flight.direct && falling.row > press.row) {
            return Some(Buttons::NONE);
        }
        if !field.is_free(falling.piece.shape(press.orientation), press.x, falling.row) {
            return None;
        }
        flight.presses.pop_front();
        flight.pose = Some((press.orientation, press.x));
        self.since = 0;
        Some(Buttons(press.button))
    }
}
