//! What a bot can do wrong, in words for its author.

/// What a bot did wrong.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// It could not be started.
    #[error("cannot start “{command}”: {reason}")]
    Start {
        /// The command.
        command: String,
        /// The operating system's reason.
        reason: String,
    },
    /// It did not answer in time.
    #[error("no {awaited} message within {limit_ms} ms")]
    Silent {
        /// The message we waited for.
        awaited: &'static str,
        /// The time limit.
        limit_ms: u128,
    },
    /// It ended.
    #[error("the program ended while we waited for its {awaited} message")]
    Died {
        /// The message we waited for.
        awaited: &'static str,
    },
    /// It sends too much.
    #[error("the program sent {lines} other lines instead of its {awaited} message")]
    Flooded {
        /// The message we waited for.
        awaited: &'static str,
        /// Lines skipped.
        lines: usize,
    },
    /// It sent a line that cannot be parsed.
    #[error("the program sent a line that is not a message: {reason}")]
    Garbled {
        /// What is wrong with the line.
        reason: String,
    },
    /// It rejected the rules.
    #[error("the program rejects the rules: {reason}")]
    Refused {
        /// Its reason.
        reason: String,
    },
    /// None of its moves is legal.
    #[error("none of the {moves} moves that the program suggested is legal")]
    Lied {
        /// Moves it suggested.
        moves: usize,
    },
}
