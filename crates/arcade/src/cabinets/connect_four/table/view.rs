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

    /// Whether a visitor waits in line.
    pub fn is_waiting(&self, token: &Token) -> bool {
        self.line.of(token).is_some()
    }

    /// Seconds left to answer the open question, if this visitor has one.
    pub fn question_s(&self, token: &Token, now: Duration) -> Option<u64> {
        if let Some(entry) = self.line.of(token).filter(|entry| entry.asked) {
            let end = entry.heard + self.settings.waiting_question_after + self.settings.drop_after;
            return Some(end.saturating_sub(now).as_secs());
        }
        let game = self.game.as_ref().filter(|game| game.asked && !game.is_over())?;
        let asked = game.disc_of(token) == Some(game.to_move());
        let end = game.turn_since + self.settings.question_after + self.settings.drop_after;
        asked.then(|| end.saturating_sub(now).as_secs())
    }

    /// How the table is.
    pub fn state(&self) -> TableState {
        match (&self.game, self.line.waits_for_human()) {
            (Some(game), _) if game.is_over() => TableState::Finished,
            (Some(_), _) => TableState::Playing,
            (None, Some(_)) => TableState::Waiting,
            (None, None) => TableState::Free,
        }
    }

    /// Who waits for a human opponent.
    pub fn waiting_name(&self) -> Option<Name> {
        self.line.waits_for_human().map(|entry| entry.name.clone())
    }

    /// How many wait in line.
    pub fn line_length(&self) -> usize {
        self.line.entries.len()
    }

    /// The game on the table.
    pub fn game_view(&self, now: Duration) -> Option<GameView> {
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
            without_robot: game.without_robot,
            free_in_s: result
                .map(|_| (game.ended_at + self.settings.result_for).saturating_sub(now).as_secs()),
            why: game.why.clone(),
        })
    }
}
