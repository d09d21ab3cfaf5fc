//! The messages of the protocol, as they are written in JSON.

use serde::{Deserialize, Serialize};

use super::location::Move;

/// A message from the front end to the bot.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FrontendMessage {
    /// How the game is played.
    Rules {
        /// How pieces are drawn, if the front end says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        randomizer: Option<serde_json::Value>,
    },
    /// Start thinking about this position.
    Start(Start),
    /// Ask for moves.
    Suggest,
    /// A move was played.
    Play {
        /// The move.
        #[serde(rename = "move")]
        played: Move,
    },
    /// A piece was added to the queue.
    NewPiece {
        /// Which one.
        piece: char,
    },
    /// Stop thinking.
    Stop,
    /// End the program.
    Quit,
    /// A message of a later protocol version.
    #[serde(other)]
    Unknown,
}

/// The position to think about.
#[derive(Debug, Deserialize, Serialize)]
pub struct Start {
    /// The held piece.
    pub hold: Option<char>,
    /// Known pieces; the first is the one to play.
    pub queue: Vec<char>,
    /// Consecutive line clears.
    #[serde(default)]
    pub combo: u32,
    /// Whether the last clear was a tetris or a spin.
    #[serde(default)]
    pub back_to_back: bool,
    /// Forty rows of ten cells, bottom row first.
    pub board: Vec<Vec<Option<char>>>,
}

/// A message from the bot to the front end.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The bot introduces itself; always its first message.
    Info {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
        /// Who wrote it.
        author: String,
        /// Optional parts of the protocol that it supports.
        #[serde(default)]
        features: Vec<String>,
    },
    /// The rules are accepted.
    Ready,
    /// The rules are rejected.
    Error {
        /// Why.
        reason: String,
    },
    /// Suggested moves, best first.
    Suggestion {
        /// The moves.
        moves: Vec<Move>,
    },
    /// A message of a later protocol version.
    #[serde(other)]
    Unknown,
}
