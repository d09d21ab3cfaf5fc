//! What agents are told and what they answer: JSON lines, and after each screen's line its pixels.

use gameboy::Button;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The protocol's name in the greeting.
pub const NAME: &str = "gamebot-agent";
/// Its version. Agents should refuse others.
pub const VERSION: u32 = 1;

/// The longest hold of one press.
const LONGEST_HOLD_MS: u32 = 5_000;
/// The latest start of a press, and the longest rest after the last.
const LONGEST_WAIT_MS: u32 = 10_000;
/// The most presses in one answer.
const MOST_PRESSES: usize = 64;

/// What we tell an agent.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToAgent {
    /// First of all.
    Hello(Hello),
    /// A screen; its pixels follow this line.
    Screen(ScreenHeader),
}

/// What an agent should know before it plays.
#[derive(Debug, Serialize)]
pub struct Hello {
    /// [`NAME`].
    pub protocol: String,
    /// [`VERSION`].
    pub version: u32,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `gray8`: one byte a pixel, 0 black to 255 white. `rgb8`: three.
    pub format: String,
    /// What can be pressed.
    pub buttons: Vec<Button>,
    /// Time between two screens, if it is known.
    pub frame_period_us: Option<u64>,
    /// How old a screen is when it is captured.
    pub shown_to_captured_us: u64,
    /// How long a press takes to arrive.
    pub commanded_to_done_us: u64,
}

/// The line before a screen's pixels.
#[derive(Debug, Serialize)]
pub struct ScreenHeader {
    /// When it was captured, since the run began.
    pub time_us: u64,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// How many bytes of pixels follow, top row first.
    pub bytes: usize,
}

/// An agent's answer to the greeting.
#[derive(Debug, Deserialize)]
pub struct Ready {
    /// What it calls itself.
    pub name: String,
}

/// An agent's answer to a screen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// Show me the next screen.
    Wait {},
    /// Press these, then show me the next screen.
    Press {
        /// What to press.
        press: Vec<Press>,
        /// How long to leave the buttons alone after the last.
        #[serde(default)]
        rest_ms: u32,
    },
    /// The game is over, or the work is done.
    GameOver {},
}

/// One press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// Which button.
    pub button: Button,
    /// When, counted from the answer.
    #[serde(default)]
    pub start_ms: u32,
    /// For how long.
    pub hold_ms: u32,
}

/// A message as a line.
pub fn line(message: &ToAgent) -> Vec<u8> {
    // Numbers and plain texts always have a JSON form.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Reads the answer to the greeting.
pub fn ready(line: &str) -> Result<Ready, String> {
    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum First {
        Ready(Ready),
    }
    let First::Ready(ready) = parse(line)?;
    Ok(ready)
}

/// Reads the answer to a screen, and refuses what no hand should do.
pub fn answer(line: &str) -> Result<Answer, String> {
    let answer = parse(line)?;
    if let Answer::Press { press, rest_ms } = &answer {
        if press.len() > MOST_PRESSES {
            return Err(format!("{} presses in one answer; {MOST_PRESSES} are allowed", press.len()));
        }
        if *rest_ms > LONGEST_WAIT_MS {
            return Err(format!("rest_ms {rest_ms}; {LONGEST_WAIT_MS} are allowed"));
        }
        for (index, one) in press.iter().enumerate() {
            if one.hold_ms == 0 || one.hold_ms > LONGEST_HOLD_MS || one.start_ms > LONGEST_WAIT_MS {
                return Err(format!(
                    "press {index}: start_ms {} and hold_ms {}; allowed are 0 to {LONGEST_WAIT_MS} and 1 to {LONGEST_HOLD_MS}",
                    one.start_ms, one.hold_ms
                ));
            }
            let overlaps = |other: &&Press| {
                other.button == one.button
                    && other.start_ms < one.start_ms + one.hold_ms
                    && one.start_ms < other.start_ms + other.hold_ms
            };
            if press[..index].iter().any(|other| overlaps(&other)) {
                return Err(format!("press {index}: the button {:?} is held already then", one.button));
            }
        }
    }
    Ok(answer)
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line.trim()).map_err(|error| {
        let shown: String = line.trim().chars().take(120).collect();
        format!("it answered `{shown}`: {error}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(r#"{"type":"wait"}"#), Ok(Answer::Wait {}));
        assert_eq!(answer(r#"{"type":"game_over"}"#), Ok(Answer::GameOver {}));
        let press = answer(r#"{"type":"press","press":[{"button":"a","hold_ms":35}],"rest_ms":40}"#);
        let a = Press { button: Button::A, start_ms: 0, hold_ms: 35 };
        assert_eq!(press, Ok(Answer::Press { press: vec![a], rest_ms: 40 }));
        assert_eq!(ready(r#"{"type":"ready","name":"walker","author":"me"}"#).unwrap().name, "walker");
    }

    #[test]
    fn answers_that_no_hand_should_carry_out_are_refused_with_the_place() {
        let press =
            |presses: &str| answer(&format!(r#"{{"type":"press","press":[{presses}]}}"#)).unwrap_err();
        assert!(press(r#"{"button":"jump","hold_ms":1}"#).contains("unknown variant `jump`"));
        assert!(press(r#"{"button":"a","hold_ms":0}"#).contains("press 0"));
        assert!(press(r#"{"button":"a","hold_ms":5001}"#).contains("1 to 5000"));
        assert!(press(r#"{"button":"a","hold_ms":4294967295,"start_ms":4294967295}"#).contains("press 0"));
        let twice = r#"{"button":"a","hold_ms":30},{"button":"a","start_ms":29,"hold_ms":30}"#;
        assert_eq!(press(twice), "press 1: the button A is held already then");
        let many = vec![r#"{"button":"a","hold_ms":1}"#; 65].join(",");
        assert!(press(&many).contains("64 are allowed"));
        assert!(answer("hello").unwrap_err().contains("`hello`"));
        assert!(ready(r#"{"type":"wait"}"#).is_err());
    }
}
