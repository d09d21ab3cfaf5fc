//! `gamebot arcade`: the web arcade, everything embedded.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context;
use arcade::settings::ArcadeSettings;
use arcade::storage::StorageError;
use arcade::{Arcade, OpenError, Options};
use clap::{Args, ValueEnum};

use crate::ending::{Ending, UsageError};
use crate::log::recent_log;
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot arcade                                        on http://127.0.0.1:8080 with a simulated robot
  gamebot arcade --listen 0.0.0.0:8080 --set arcade.address=http://robot.example:8080/
                                                        for visitors' phones, with the address in the QR code
  gamebot arcade --set robot.kind=serial --set robot.line=/dev/ttyUSB0
                                                        with the real robot
  gamebot arcade --set robot.kind=none                  without a robot
  gamebot arcade --only connect-four                    the exhibition's table and nothing else

Pages: / the hall with all cabinets, /lobby Connect Four, /tetris, /samegame, /connect-four to play and ask, /runs recordings, /lab measurements,
/screenshot any SameGame, /screen and /watch big screens, /robot simulated robot, /games stored games, /admin operator, /about.
docs/exhibition.md explains how to set up an exhibition.";

/// Run the web arcade: lobby, Connect Four with the robot, watch page, operator's page.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ArcadeVerb {
    /// Address and port to listen on; the default is reachable from this machine only.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDR:PORT")]
    listen: SocketAddr,

    /// Database file; created if it does not exist.
    #[arg(long, default_value = "gamebot.sqlite", value_name = "FILE")]
    database: PathBuf,

    /// Store nothing: keep the database in memory.
    #[arg(long, conflicts_with = "database")]
    forget: bool,

    /// Random seed of the machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The only cabinet in the hall (sets `arcade.shows` to false).
    #[arg(long, value_name = "CABINET")]
    only: Option<Only>,
}

/// A cabinet that can be alone.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Only {
    /// The Connect Four table with its robot.
    ConnectFour,
}

/// Runs the verb.
pub fn run(verb: &ArcadeVerb, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    if let Some(Only::ConnectFour) = verb.only {
        values.update(|arcade: &mut ArcadeSettings| arcade.shows = false).map_err(UsageError::from)?;
    }
    let options = Options {
        listen: verb.listen,
        database: (!verb.forget).then(|| verb.database.clone()),
        seed: verb.seed,
        values,
        log: recent_log(),
        program: std::env::current_exe().ok(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let arcade = Arcade::open(options).await.map_err(|error| match error {
            // An address in use, and a file that cannot be one, count as usage errors.
            OpenError::Listen { .. } | OpenError::Store { source: StorageError::File { .. }, .. } => {
                anyhow::Error::new(UsageError(error.to_string()))
            }
            OpenError::Store { .. } => anyhow::Error::new(error),
        })?;
        greet(&arcade, out)?;
        arcade.serve(crate::interrupt::interrupted()).await.context("the server stopped")?;
        Ok(Ending::Success)
    })
}

/// Prints the address, a QR code on a terminal, and the setup code of the first start.
fn greet(arcade: &Arcade, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "{}", arcade.address())?;
    if std::io::stdout().is_terminal()
        && let Some(code) = arcade.qr_code()
    {
        writeln!(out, "\n{code}")?;
    }
    if let Some(code) = arcade.setup_code() {
        writeln!(out, "operator's page: {}admin, code to set its password: {code}", arcade.address())?;
    }
    out.flush()?;
    Ok(())
}
