//! A player of any Game Boy game that is somebody else's program (G22): it is sent every screen and
//! answers with timed button presses. The protocol stands in [`protocol`] and in `docs/agents.md`.
//!
//! The program is a stranger. One that hangs, dies or talks nonsense makes the screen unclear, with what
//! it did as the reason; when the engine starts afresh so does the program, and when it gives up all
//! buttons are released.

pub mod protocol;

use std::time::Duration;

use budget::Budget;
use engine::{BodyPace, Choice, Picture, PixelFormat, Plan, Player, Step, Time, TimedAction, Verdict};
use gameboy::Button;
use plugins::process::{Complaints, LineError, Program};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use protocol::{Answer, Hello, Press, Ready, ScreenHeader};

/// What the agent was shown: enough to tell whether a replay shows the same.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Shown {
    /// When the screen was captured.
    pub time_us: u64,
    /// FNV-1a over the pixels.
    pub checksum: String,
}

/// Why a screen got no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error, JsonSchema, Serialize)]
#[error("agent: {0}")]
pub struct NoAnswer(pub String);

impl From<LineError> for NoAnswer {
    fn from(error: LineError) -> Self {
        Self(error.to_string())
    }
}

/// What the agent wants pressed.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Presses {
    /// The presses, with times from now on.
    pub press: Vec<Press>,
    /// How long to leave the buttons alone afterwards.
    pub rest_ms: u32,
}

/// Plays with an agent's help.
#[derive(Debug)]
pub struct AgentPlayer {
    command: Vec<String>,
    limit: Duration,
    pace: BodyPace,
    program: Option<Program>,
    name: String,
    answer: Answer,
}

impl AgentPlayer {
    /// A player that will start this program with the first screen; `limit` is the time for an answer.
    pub fn new(command: Vec<String>, limit: Duration) -> Self {
        Self {
            command,
            limit,
            pace: BodyPace::default(),
            program: None,
            name: String::new(),
            answer: Answer::Wait {},
        }
    }

    /// What the agent calls itself; empty before the first screen.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn ask(&mut self, screen: &Picture, captured: Time) -> Result<Answer, NoAnswer> {
        let program = match self.program.take() {
            Some(program) => program,
            None => self.start(screen)?,
        };
        let header = ScreenHeader {
            time_us: captured.elapsed().as_micros() as u64,
            width: screen.width,
            height: screen.height,
            bytes: screen.pixels.len(),
        };
        let mut message = protocol::line(&protocol::ToAgent::Screen(header));
        message.extend(&screen.pixels);
        program.send(message)?;
        let answer = protocol::answer(&program.receive(self.limit)?).map_err(NoAnswer)?;
        // Only one that behaves is kept; the next screen meets a fresh one otherwise.
        self.program = Some(program);
        Ok(answer)
    }

    fn start(&mut self, screen: &Picture) -> Result<Program, NoAnswer> {
        let program = Program::start(&self.command, Complaints::Shown)
            .map_err(|why| NoAnswer(format!("cannot start “{}”: {why}", self.command.join(" "))))?;
        let micros = |time: Duration| time.as_micros() as u64;
        let hello = Hello {
            protocol: protocol::NAME.to_owned(),
            version: protocol::VERSION,
            width: screen.width,
            height: screen.height,
            format: match screen.format {
                PixelFormat::Gray8 => "gray8".to_owned(),
                PixelFormat::Rgb8 => "rgb8".to_owned(),
            },
            buttons: Button::ALL.to_vec(),
            frame_period_us: self.pace.frame_period.map(micros),
            shown_to_captured_us: micros(self.pace.shown_to_captured.typical),
            commanded_to_done_us: micros(self.pace.commanded_to_done.typical),
        };
        program.send(protocol::line(&protocol::ToAgent::Hello(hello)))?;
        let Ready { name } = protocol::ready(&program.receive(self.limit)?).map_err(NoAnswer)?;
        self.name = name;
        Ok(program)
    }
}

impl Player for AgentPlayer {
    type Observation = Shown;
    type Unclear = NoAnswer;
    type Decision = Presses;
    type Action = Button;
    type Expectation = ();

    fn meet(&mut self, body: &BodyPace) {
        self.pace = *body;
    }

    fn see(&mut self, screen: &Picture, captured: Time) -> Result<Shown, NoAnswer> {
        self.answer = self.ask(screen, captured)?;
        let time_us = captured.elapsed().as_micros() as u64;
        Ok(Shown { time_us, checksum: format!("{:016x}", checksum(&screen.pixels)) })
    }

    /// Only the agent knows what its presses should bring about; it looks for itself.
    fn verify(&self, (): &(), _observation: &Shown) -> Verdict {
        Verdict::Confirmed
    }

    fn decide(&mut self, _observation: &Shown, _budget: &Budget) -> Choice<Presses> {
        match std::mem::replace(&mut self.answer, Answer::Wait {}) {
            Answer::Wait {} => Choice::Wait,
            Answer::Press { press, rest_ms } => Choice::Act(Presses { press, rest_ms }),
            Answer::GameOver {} => Choice::GameOver,
        }
    }

    fn plan(&mut self, presses: &Presses) -> Plan<Button, ()> {
        let ms = |ms: u32| Duration::from_millis(u64::from(ms));
        let held = |press: &Press| TimedAction::held(ms(press.start_ms), ms(press.hold_ms), press.button);
        let actions = presses.press.iter().map(held).collect();
        Plan { steps: vec![Step { actions, rest: ms(presses.rest_ms), expectation: () }] }
    }

    fn resynchronise(&mut self) {
        if self.program.take().is_some() {
            tracing::warn!(agent = self.name, "the agent is started again");
        }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
