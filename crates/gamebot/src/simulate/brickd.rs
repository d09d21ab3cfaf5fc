//! `gamebot simulate brickd`: the Brick Daemon of the Game Boy robot as a program of its own.

use std::io::Write;
use std::net::SocketAddr;

use anyhow::Context;
use clap::{Args, ValueEnum};
use engine::{Cancel, RealClock};
use runs::hands::settings::SimulatedFingersSettings;
use simulators::brickd::{ButtonEdge, Order, RelayKind, RigConfig, Server, StackConfig, Uid};
use tokio::sync::mpsc;

use super::stdin::lines_of_stdin;
use super::values::share;
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot simulate brickd --show                       two Industrial Quad Relays on 127.0.0.1:4223, presses listed
  gamebot simulate brickd --relays 2 --secret sesame   relays 2.0, and clients must authenticate
  gamebot simulate brickd --missed 0.01 --doubled 0.005 --seed 7
                                                       fingers that slip and bounce
  gamebot simulate brickd --set simulated_fingers.reach_ms=25 --set simulated_fingers.spread_ms=4
                                                       faster coils, not all alike
  gamebot measure actuator-speed --body robot --set relays.port=4223
                                                       in another terminal: how fast can these fingers press?

Any client of the Tinkerforge protocol can connect, for instance Brick Viewer or the Python bindings.

Lines on standard input, while it runs:
  state            print the state as a line of JSON
  unplug, plug     pull the USB cable, plug it in
  restart          hang up on every client, as a daemon does that is started again
  quit             end";

/// A Brick Daemon with relays and solenoids, the hands of the Game Boy robot.
///
/// It speaks the Tinkerforge protocol on TCP: a Master Brick with two Industrial Quad Relays, whose relays
/// move eight simulated fingers.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateBrickd {
    /// Where it listens; port 0 for any free one.
    #[arg(long, default_value = "127.0.0.1:4223", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,

    /// Version of the relay bricklets.
    #[arg(long, value_enum, default_value_t = RelayVersion::V1)]
    relays: RelayVersion,

    /// What clients must know to be let in, up to 64 characters.
    #[arg(long, value_name = "TEXT", value_parser = secret)]
    secret: Option<String>,

    /// Share of presses that slip off the button [default: 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    missed: Option<f64>,

    /// Share of presses that bounce and press twice [default: 0].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    doubled: Option<f64>,

    /// List every press, as `seconds button down|up`.
    #[arg(long)]
    show: bool,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Versions of the Industrial Quad Relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RelayVersion {
    /// Industrial Quad Relay, the document's.
    #[value(name = "1")]
    V1,
    /// Industrial Quad Relay 2.0.
    #[value(name = "2")]
    V2,
}

impl RelayVersion {
    /// A stack with two of them.
    pub fn stack(self) -> StackConfig {
        let kind = match self {
            Self::V1 => RelayKind::V1,
            Self::V2 => RelayKind::V2,
        };
        let StackConfig { master, relays } = StackConfig::default();
        StackConfig { master, relays: relays.into_iter().map(|(uid, _): (Uid, _)| (uid, kind)).collect() }
    }
}

/// Runs the verb.
pub fn run(brickd: &SimulateBrickd, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let mut values = flags.load()?;
    let own = |fingers: &mut SimulatedFingersSettings| {
        fingers.missed = brickd.missed.unwrap_or(fingers.missed);
        fingers.doubled = brickd.doubled.unwrap_or(fingers.doubled);
    };
    values.update(own).map_err(UsageError::from)?;
    let config = RigConfig {
        stack: brickd.relays.stack(),
        secret: brickd.secret.clone(),
        mechanics: SimulatedFingersSettings::from_values(&values).mechanics(),
        seed: brickd.seed,
        ..RigConfig::default()
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let (pressed, presses) = mpsc::unbounded_channel();
        let tell = move |edge| {
            // Without a listener the program is ending.
            let _ = pressed.send(edge);
        };
        let server = Server::start(brickd.listen, config, RealClock::start(Cancel::new()), tell)
            .await
            .map_err(|error| UsageError(format!("cannot listen on {}: {error}", brickd.listen)))?;
        writeln!(out, "listening on {}", server.address())?;
        out.flush()?;
        serve(&server, presses, brickd.show, out).await
    })
}

/// Obeys the lines on standard input until somebody ends it.
async fn serve(
    server: &Server,
    mut presses: mpsc::UnboundedReceiver<ButtonEdge>,
    show: bool,
    out: &mut Output,
) -> anyhow::Result<Ending> {
    let mut lines = lines_of_stdin();
    let mut interrupted = std::pin::pin!(crate::interrupt::interrupted());
    loop {
        tokio::select! {
            () = &mut interrupted => return Ok(Ending::Interrupted),
            edge = presses.recv() => {
                let edge = edge.context("the simulated daemon stopped; the log says why")?;
                if show {
                    let word = if edge.down { "down" } else { "up" };
                    writeln!(out, "{:.4} {:?} {word}", edge.at.elapsed().as_secs_f64(), edge.button)?;
                    out.flush()?;
                }
            }
            // A closed standard input is no reason to end: a service has none.
            Some(line) = lines.recv() => match line.trim() {
                "" => {}
                "state" => {
                    serde_json::to_writer(&mut *out, &*server.report().borrow())?;
                    writeln!(out)?;
                    out.flush()?;
                }
                "unplug" => server.order(Order::Unplug),
                "plug" => server.order(Order::Plug),
                "restart" => server.order(Order::Restart),
                "quit" => return Ok(Ending::Success),
                other => {
                    tracing::warn!("cannot do `{other}`; there are state, unplug, plug, restart, quit");
                }
            },
        }
    }
}

fn secret(text: &str) -> Result<String, String> {
    if text.is_ascii() && (1..=64).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err("1 to 64 ASCII characters".to_owned())
    }
}
