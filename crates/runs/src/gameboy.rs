//! Any game of the Game Boy, played by somebody else's program (G22).

use std::time::Duration;

use configuration::settings;
use engine::{Body, Clock, Eye, Hand, Upright};
use gameboy::Button;
use players::agent::AgentPlayer;
use serde_json::json;

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::tetris::console;

settings! {
    /// Somebody else's program as the player of a Game Boy game.
    pub struct AgentSettings in "agent" {
        /// The command that starts it, words separated by spaces.
        command: String = String::new();
        /// How long it may take to answer, on the wall.
        answer_within_ms: u32 = 2_000, range 10..=600_000, unit "milliseconds";
    }
}

/// One console, emulated: exact pixels, exact presses.
#[derive(Debug)]
pub enum OnEmulator {}

impl Pair for OnEmulator {
    const GAME: &'static str = "gameboy";
    const BODY: &'static str = "emulator";
    const ABOUT: &'static str = "Any cartridge on an emulated Game Boy, played by a program of your own.";
    type Action = Button;
    type Player = AgentPlayer;
    type Rectifier = Upright;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Button>>, ()), RunError> {
        Ok((simulators::console::body(console(setup.values)?, clock), ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<AgentPlayer, RunError> {
        let settings = AgentSettings::from_values(setup.values);
        let command: Vec<_> = settings.command.split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            let message =
                "agent.command is empty: name a program, as in --player \"program:python3 agent.py\"";
            return Err(RunError::Setting(message.to_owned()));
        }
        Ok(AgentPlayer::new(command, Duration::from_millis(u64::from(settings.answer_within_ms))))
    }

    crate::pair::plays_here!();

    fn report(player: &AgentPlayer, (): &()) -> serde_json::Value {
        json!({ "agent": player.name() })
    }
}
