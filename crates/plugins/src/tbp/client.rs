//! The conversation with one bot: handshake, question, answer.

use std::time::Duration;

use tetris::{Board, Piece, Placement};

use super::error::BotError;
use super::location::{Move, cells_of, protocol_board};
use super::message::{BotMessage, FrontendMessage, Start};
use crate::process::{Complaints, LineError, Program};
use crate::words::screenful;

/// Lines we are willing to skip while waiting for one answer.
const MAX_SKIPPED: usize = 256;

/// A running bot. Its program is killed when this is dropped.
#[derive(Debug)]
pub struct Bot {
    name: String,
    program: Program,
    limit: Duration,
}

impl Bot {
    /// Starts a program and completes the handshake; `limit` applies to every answer.
    pub fn start(command: &[String], limit: Duration) -> Result<Bot, BotError> {
        let program = Program::start(command, Complaints::Dropped)
            .map_err(|reason| BotError::Start { command: command.join(" "), reason })?;
        let mut bot = Bot { name: String::new(), program, limit };
        bot.name = bot.wait_for("info", |message| match message {
            BotMessage::Info { name, .. } => Some(Ok(screenful(&name))),
            _ => None,
        })?;
        bot.send(&FrontendMessage::Rules { randomizer: None }, "ready")?;
        bot.wait_for("ready", |message| match message {
            BotMessage::Ready => Some(Ok(())),
            BotMessage::Error { reason } => Some(Err(BotError::Refused { reason: screenful(&reason) })),
            _ => None,
        })?;
        Ok(bot)
    }

    /// What the bot calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks for a move; `placements` are the legal ones.
    pub fn decide(
        &mut self,
        board: &Board,
        active: Piece,
        preview: Piece,
        placements: &[Placement],
    ) -> Result<Placement, BotError> {
        let start = Start {
            hold: None,
            queue: vec![active.letter(), preview.letter()],
            combo: 0,
            back_to_back: false,
            board: protocol_board(board),
        };
        self.send(&FrontendMessage::Start(start), "suggestion")?;
        self.send(&FrontendMessage::Suggest, "suggestion")?;
        let moves = self.wait_for("suggestion", |message| match message {
            BotMessage::Suggestion { moves } => Some(Ok(moves)),
            _ => None,
        })?;
        self.send(&FrontendMessage::Stop, "suggestion")?;
        let legal = |suggested: &Move| {
            let cells = suggested.location.cells()?;
            let placement = placements.iter().find(|p| cells_of(active, **p) == cells);
            placement.filter(|_| suggested.location.piece == active.letter()).copied()
        };
        moves.iter().find_map(legal).ok_or(BotError::Lied { moves: moves.len() })
    }

    fn send(&self, message: &FrontendMessage, awaited: &'static str) -> Result<(), BotError> {
        let mut line = serde_json::to_string(message).map_err(|_| BotError::Died { awaited })?;
        line.push('\n');
        self.program.send(line).map_err(|error| self.blame(error, awaited))
    }

    /// Skips messages until `wanted` accepts one.
    fn wait_for<T>(
        &self,
        awaited: &'static str,
        mut wanted: impl FnMut(BotMessage) -> Option<Result<T, BotError>>,
    ) -> Result<T, BotError> {
        for _ in 0..MAX_SKIPPED {
            let line = self.program.receive(self.limit).map_err(|error| self.blame(error, awaited))?;
            let message: BotMessage = serde_json::from_str(&line)
                .map_err(|error| BotError::Garbled { reason: screenful(&error.to_string()) })?;
            if let Some(answer) = wanted(message) {
                return answer;
            }
        }
        Err(BotError::Flooded { awaited, lines: MAX_SKIPPED })
    }

    fn blame(&self, error: LineError, awaited: &'static str) -> BotError {
        match error {
            LineError::Silent => BotError::Silent { awaited, limit_ms: self.limit.as_millis() },
            LineError::Ended => BotError::Died { awaited },
            LineError::Unreadable(reason) => BotError::Garbled { reason },
        }
    }
}
