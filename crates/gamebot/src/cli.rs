//! The verbs and the flags that they share.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgAction, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing::Level;

use crate::settings::{ConfigurationFlags, SHARED};
use crate::{
    arcade, calibrate, compare, completions, config, inspect, man_pages, measure, play, replay, see,
    simulate, solve, tbp, tune,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  gamebot arcade                           the web arcade on http://127.0.0.1:8080
  gamebot solve connect-four 4453 --all    exact scores of every column
  gamebot solve samegame boards.txt        moves that clear SameGame boards
  gamebot play catch --record run.mcap     play and record everything
  gamebot play tetris --speed real --show  Tetris on an emulated Game Boy, seen by its screen
  gamebot inspect run.mcap                 what happened in the recording
  gamebot replay run.mcap                  run the player again on the recorded frames
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

    /// Configuration flags.
    #[command(flatten)]
    pub configuration: ConfigurationFlags,

    /// Log more: -v for events, -vv for every detail.
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet", help_heading = SHARED)]
    verbose: u8,

    /// Log less: -q for errors only, -qq for nothing.
    #[arg(short, long, action = ArgAction::Count, global = true, help_heading = SHARED)]
    quiet: u8,
}

impl Cli {
    /// The most detailed log level; `None` for no log.
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

/// Reads the command line; ends the program if it cannot be understood.
pub fn read() -> Cli {
    let matches = with_negative_numbers(Cli::command()).get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// A negative number is a value and no flag: what is wrong with it can be said.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let takes_values = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_negative_numbers)
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run the web hall: Tetris, SameGame, Connect Four and the LEGO robot, live, with an operator's page.
    Arcade(arcade::ArcadeVerb),
    /// Play a game with a body.
    Play(play::Play),
    /// Solve a position.
    Solve(solve::Solve),
    /// Read a game from a picture or from the screen.
    See(see::See),
    /// Compare players.
    Compare(compare::Compare),
    /// Find the console's screen in a camera's frames.
    Calibrate(calibrate::Calibrate),
    /// Measure how games and players behave.
    Measure(measure::Measure),
    /// Find better weights for a player.
    Tune(tune::Tune),
    /// Serve as a bot for Tetris front ends that speak the Tetris Bot Protocol (TBP) on standard streams.
    #[command(after_help = tbp::EXAMPLES)]
    Tbp,
    /// Run the player again on a recording and report the first difference.
    Replay(replay::Replay),
    /// Summarise a recording, or export its frames.
    Inspect(inspect::Inspect),
    /// Simulate a device on its real wire protocol.
    Simulate(simulate::Simulate),
    /// Check, explain or create a configuration profile.
    Config(config::Config),
    /// Print a completion script for a shell.
    Completions(completions::Completions),
    /// Write manual pages, for packages.
    #[command(hide = true)]
    ManPages(man_pages::ManPages),
}
