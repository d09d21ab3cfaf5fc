//! The four states of a run and every way between them (G15).
//!
//! ```text
//!            clear look            decided
//!   Ready ───────────────► Analyze ─────────► Execute
//!     ▲                      │  ▲ ▲  plan ended  │
//!     │ next game            │  │ └──────────────┘
//!     │            game over │  │ waited, resynchronised
//!   GameOver ◄───────────────┘──┘
//! ```

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing seen yet, or a new game is to begin.
    #[default]
    Ready,
    /// Looking and thinking.
    Analyze,
    /// A plan is under way or waits for its verdict.
    Execute,
    /// The game has ended.
    GameOver,
}

/// What moves a run from state to state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A screen was read.
    Seen,
    /// The player chose to act.
    Decided,
    /// The plan was confirmed or abandoned.
    PlanEnded,
    /// The player says the game has ended.
    GameEnded,
    /// Another game is wanted.
    NextGame,
}

/// An event that means nothing in a state: a mistake in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{event:?} cannot happen in state {state:?}")]
pub struct IllegalTransition {
    /// Where the run was.
    pub state: State,
    /// What came.
    pub event: Event,
}

impl State {
    /// The state after `event`.
    pub fn after(self, event: Event) -> Result<State, IllegalTransition> {
        match (self, event) {
            (State::Ready | State::Analyze, Event::Seen) => Ok(State::Analyze),
            (State::Analyze, Event::Decided) => Ok(State::Execute),
            (State::Execute, Event::Seen) => Ok(State::Execute),
            (State::Execute, Event::PlanEnded) => Ok(State::Analyze),
            (State::Analyze, Event::GameEnded) => Ok(State::GameOver),
            (State::GameOver, Event::NextGame) => Ok(State::Ready),
            (state, event) => Err(IllegalTransition { state, event }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Event::{Decided, GameEnded, NextGame, PlanEnded, Seen};
    use State::{Analyze, Execute, GameOver, Ready};

    #[test]
    fn every_pair_is_decided() {
        let table = [
            (Ready, [Some(Analyze), None, None, None, None]),
            (Analyze, [Some(Analyze), Some(Execute), None, Some(GameOver), None]),
            (Execute, [Some(Execute), None, Some(Analyze), None, None]),
            (GameOver, [None, None, None, None, Some(Ready)]),
        ];
        for (state, row) in table {
            for (event, expected) in [Seen, Decided, PlanEnded, GameEnded, NextGame].into_iter().zip(row) {
                assert_eq!(state.after(event).ok(), expected, "{event:?} in {state:?}");
            }
        }
    }
}
