//! `gamebot simulate samegame`: a SameGame in a real window, in one of many looks, with known truth.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use clap::Args;
use runs::samegame::habits;
use runs::samegame::settings::SamegameWindowSettings;
use serde_json::json;
use simulators::samegame::{Game, OpenWindow};

use super::stdin::lines_of_stdin;
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot simulate samegame --look glossy                 balls on a picture, in a window of this desktop
  gamebot simulate samegame --look shapes --seed 7 --set samegame_window.clicks=2
                                                          two clicks a move
  gamebot simulate samegame --set samegame_window.bounce=true --set samegame_window.hover=brighten
                                                          effects that make it hard to read
  gamebot play samegame --window 'Simulated SameGame'     in another terminal: play it

Lines on standard input, while it runs:
  state            print the board and what became of the rounds as a line of JSON
  quit             end

In the window: click to play; N begins a new round where rounds wait for it.";

/// A SameGame in a real window (X11), in one of many looks.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateSamegame {
    /// Its look: flat, tight, gradient, glossy, balls, shapes, outlines, fractional, shades, textured, sockets,
    /// light, bevelled or jewels.
    #[arg(long, value_name = "LOOK")]
    look: Option<String>,

    /// The window's title.
    #[arg(long, default_value = "Simulated SameGame")]
    title: String,

    /// The X display [default: the one that DISPLAY names].
    #[arg(long, value_name = "DISPLAY")]
    display: Option<String>,

    /// Random seed of boards and colours.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the verb.
pub fn run(verb: &SimulateSamegame, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let values = flags.load()?;
    let mut settings = SamegameWindowSettings::from_values(&values);
    if let Some(look) = &verb.look {
        settings.look.clone_from(look);
    }
    let habits = habits(&settings, verb.seed).map_err(|error| UsageError(error.to_string()))?;
    let game = Game::new(habits).map_err(|error| UsageError(error.to_string()))?;
    let game = Arc::new(Mutex::new(game));
    let window = OpenWindow::open(verb.display.as_deref(), &verb.title, &game)
        .map_err(|error| UsageError(error.to_string()))?;
    writeln!(out, "window `{}`", verb.title)?;
    out.flush()?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let closed = window.closed();
    runtime.block_on(async {
        let mut lines = lines_of_stdin();
        let mut interrupted = std::pin::pin!(crate::interrupt::interrupted());
        let mut look_again = tokio::time::interval(std::time::Duration::from_millis(100));
        loop {
            tokio::select! {
                () = &mut interrupted => return Ok(Ending::Interrupted),
                _ = look_again.tick() => {
                    if closed.is_cancelled() {
                        return Ok(Ending::Success);
                    }
                }
                // A closed standard input is no reason to end: a service has none.
                Some(line) = lines.recv() => match line.trim() {
                    "" => {}
                    "state" => {
                        let game = game.lock().unwrap_or_else(PoisonError::into_inner);
                        let state = json!({
                            "board": game.board().columns(),
                            "over": game.is_over(),
                            "tally": game.tally(),
                        });
                        drop(game);
                        writeln!(out, "{state}")?;
                        out.flush()?;
                    }
                    "quit" => return Ok(Ending::Success),
                    other => tracing::warn!("cannot do `{other}`; there are state, quit"),
                },
            }
        }
    })
}
