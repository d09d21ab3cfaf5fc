//! The Tetris Bot Protocol: a front end that talks to our bot, and a bot that talks to us.

use plugins::tbp::{BotMessage, FrontendMessage};

/// A suggestion takes the bot some milliseconds; more of them find nothing else.
const SUGGESTIONS: usize = 2;

/// Our bot hears these lines from a front end, and we hear them from a bot. Every answer is a message of the protocol.
pub fn hear(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut suggestions = 0;
    let mut lines = String::new();
    for line in text.lines().take(50) {
        if let Ok(FrontendMessage::Suggest) = serde_json::from_str(line) {
            suggestions += 1;
            if suggestions > SUGGESTIONS {
                continue;
            }
        }
        if let Ok(BotMessage::Suggestion { moves }) = serde_json::from_str(line) {
            for proposed in moves {
                let _cells = proposed.location.cells();
            }
        }
        lines.push_str(line);
        lines.push('\n');
    }
    let mut said = Vec::new();
    plugins::bot::serve(lines.as_bytes(), &mut said).expect("a buffer can be written");
    let said = String::from_utf8(said).expect("the bot speaks UTF-8");
    for line in said.lines() {
        serde_json::from_str::<BotMessage>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
}
