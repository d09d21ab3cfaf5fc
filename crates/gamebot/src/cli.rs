//! The verbs and the flags that all of them share.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgAction, Parser, Subcommand};
use tracing::Level;

use crate::settings::ConfigurationFlags;
use crate::{
    arcade, compare, completions, config, inspect, measure, play, replay, simulate, solve, tbp, tune,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  gamebot arcade                           the web hall on http://127.0.0.1:8080
  gamebot solve connect-four 4453 --all    exact scores of every column
  gamebot solve samegame boards.txt        moves that empty SameGame boards
  gamebot play catch --record run.mcap     play, and keep a record of everything
  gamebot play tetris --speed real --show  Tetris on an emulated Game Boy, by its screen
  gamebot inspect run.mcap                 what happened in it
  gamebot replay run.mcap                  run the player again on what was recorded
  gamebot config init > my-rig.toml        a commented profile with every key

Exit codes: 0 ok, 1 failed or negative answer, 2 usage or configuration, 130 interrupted.
Data goes to standard output, log and progress to standard error.";

/// Plays real games the way a person does: looks at a screen or a board, thinks, and presses the buttons.
#[derive(Debug, Parser)]
#[command(name = "gamebot", version, styles = STYLES, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,

    /// Flags about the configuration.
    #[command(flatten)]
    pub configuration: ConfigurationFlags,

    /// Log more: -v what happens, -vv every detail.
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet")]
    verbose: u8,

    /// Log less: -q errors only, -qq nothing.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    quiet: u8,
}

impl Cli {
    /// The most detailed level that is logged; none for silence.
    pub fn log_level(&self) -> Option<Level> {
        match (self.verbose, self.quiet) {
            (_, 2..) => None,
            (_, 1) => Some(Level::ERROR),
            (0, 0) => Some(Level::WARN),
            (1, 0) => Some(Level::INFO),
            (2.., 0) => Some(Level::DEBUG),
        }
    }
}

/// What to do; only verbs that work are here.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run the web hall: lobby, Connect Four with the robot, watch page, operator's page.
    Arcade(arcade::ArcadeVerb),
    /// Play a game with a body.
    Play(play::Play),
    /// Solve a position.
    Solve(solve::Solve),
    /// Compare players.
    Compare(compare::Compare),
    /// Measure figures of merit.
    Measure(measure::Measure),
    /// Look for better weights of a player.
    Tune(tune::Tune),
    /// Be a Tetris bot for front ends that speak the Tetris Bot Protocol (TBP) on standard streams.
    #[command(after_help = tbp::EXAMPLES)]
    Tbp,
    /// Run the player again on a recording and report the first difference.
    Replay(replay::Replay),
    /// Summarise a recording, or export its frames.
    Inspect(inspect::Inspect),
    /// Simulate a device on its real wire protocol.
    Simulate(simulate::Simulate),
    /// Check, explain or begin a configuration profile.
    Config(config::Config),
    /// Print a completion script for a shell.
    Completions(completions::Completions),
}
