//! The table as pages show it.

use std::time::Duration;

use super::Table;
use crate::cabinets::connect_four::Outcome;
use crate::cabinets::connect_four::event::{GameView, Seat, TableState};
use crate::visitor::{Name, Token};

impl Table {
    /// The seat of a visitor.
    pub fn seat(&self, token: &Token) -> Option<Seat> {
        let game = self.game.as_ref()?;
        let disc = game.disc_of(token)?;
        Some(Seat { disc, name: game.seated(disc).side().name })
    }

    /// Whether a visitor waits for a human opponent.
    pub fn is_waiting(&self, token: &Token) -> bool {
        self.waiting.as_ref().is_some_and(|waiting| waiting.token == *token)
    }

    /// Seconds left to answer the open question, if this visitor has one.
    pub fn question_s(&self, token: &Token, now: Duration) -> Option<u64> {
        let game = self.game.as_ref().filter(|game| game.asked && !game.is_over())?;
        let asked = game.disc_of(token) == Some(game.to_move());
        let end = game.turn_since + self.settings.question_after + self.settings.drop_after;
        asked.then(|| end.saturating_sub(now).as_secs())
    }

    /// How the table is.
    pub fn state(&self) -> TableState {
        match (&self.game, &self.waiting) {
            (Some(game), _) if game.is_over() => TableState::Finished,
            (Some(_), _) => TableState::Playing,
            (None, Some(_)) => TableState::Waiting,
            (None, None) => TableState::Free,
        }
    }

    /// Who waits for a human opponent.
    pub fn waiting_name(&self) -> Option<Name> {
        self.waiting.as_ref().map(|waiting| waiting.name.clone())
    }

    /// The game on the table.
    pub fn game_view(&self) -> Option<GameView> {
        let game = self.game.as_ref()?;
        let result = game.result.as_ref();
        Some(GameView {
            game: game.number,
            red: game.red.side(),
            yellow: game.yellow.side(),
            demo: game.is_demo(),
            moves: game.moves.clone(),
            next: (!game.is_over()).then(|| game.to_move()),
            result: result.map(Outcome::kind),
            winner: result.and_then(Outcome::winner),
            cells: result.map(|result| result.cells().to_vec()).unwrap_or_default(),
            reason: result.map(Outcome::reason),
        })
    }
}
