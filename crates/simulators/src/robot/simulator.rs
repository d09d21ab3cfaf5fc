//! The robot on its line, in a task of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::board::State;
use super::mechanism::{Mechanism, Mishaps, Times};
use super::mishap::Mishap;
use super::terminal::Terminal;

/// A dead client's claim to the line is lifted at least this often.
const LIFT_CLAIM: Duration = Duration::from_secs(1);

/// Which robot is simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Where its serial port appears; without a link only the terminal's own name is there.
    pub link: Option<PathBuf>,
    /// How long things take.
    pub times: Times,
    /// What goes wrong by itself.
    pub mishaps: Mishaps,
}

/// What somebody does to the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Bring this mishap about.
    Mishap(Mishap),
    /// Pull the cable.
    Unplug,
    /// Plug it in again.
    Plug,
    /// Help it out of its error state.
    Repair,
    /// Take all discs off the board by hand.
    Empty,
}

/// A running simulated robot; it stops when this is dropped.
#[derive(Debug)]
pub struct Simulator {
    orders: mpsc::UnboundedSender<Order>,
    state: watch::Receiver<State>,
    port: PathBuf,
}

impl Simulator {
    /// Starts it in a task of the current tokio runtime.
    pub fn start(config: Config) -> io::Result<Self> {
        let terminal = Terminal::open(config.link.as_deref())?;
        let mechanism = Mechanism::new(config.times, config.mishaps);
        let port = terminal.path().to_owned();
        let (state, states) = watch::channel(mechanism.state());
        let (orders, taken) = mpsc::unbounded_channel();
        tokio::spawn(run(mechanism, terminal, config.link, taken, state));
        Ok(Self { orders, state: states, port })
    }

    /// The serial port to connect to. Without a link it has another name after each unplugging.
    pub fn port(&self) -> &Path {
        &self.port
    }

    /// Does something to the robot.
    pub fn order(&self, order: Order) {
        // A task that has ended has said why in the log; its state stays as it was.
        let _ = self.orders.send(order);
    }

    /// Its state, now and whenever it changes. The channel closes when the simulator ends.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// Stops it and waits until its link is gone.
    pub async fn stop(self) {
        let Self { orders, mut state, .. } = self;
        drop(orders);
        while state.changed().await.is_ok() {}
    }
}

async fn run(
    mechanism: Mechanism,
    terminal: Terminal,
    link: Option<PathBuf>,
    mut orders: mpsc::UnboundedReceiver<Order>,
    state: watch::Sender<State>,
) {
    // Ends with an error, or when nobody is left to give orders.
    if let Err(error) = serve(mechanism, terminal, link, &mut orders, &state).await {
        tracing::error!(%error, "the simulated robot's line failed");
    }
}

async fn serve(
    mut mechanism: Mechanism,
    terminal: Terminal,
    link: Option<PathBuf>,
    orders: &mut mpsc::UnboundedReceiver<Order>,
    state: &watch::Sender<State>,
) -> io::Result<()> {
    let start = Instant::now();
    let mut terminal = Some(terminal);
    loop {
        let wake = mechanism.next_event().unwrap_or(Duration::MAX).min(start.elapsed() + LIFT_CLAIM);
        let mut buffer = [0; 64];
        tokio::select! {
            count = read(terminal.as_mut(), &mut buffer) => {
                for byte in &buffer[..count?] {
                    let answer = mechanism.receive(start.elapsed(), *byte);
                    if let (Some(answer), Some(terminal)) = (answer, &mut terminal) {
                        terminal.write(answer)?;
                    }
                }
            }
            order = orders.recv() => match order {
                Some(order) => obey(&mut mechanism, start.elapsed(), order),
                None => return Ok(()),
            },
            () = sleep_until(start + wake) => mechanism.advance(start.elapsed()),
        }
        match (&terminal, mechanism.is_plugged()) {
            (Some(_), false) => terminal = None,
            (None, true) => terminal = Some(Terminal::open(link.as_deref())?),
            (Some(terminal), true) => terminal.lift_claim(),
            (None, false) => {}
        }
        let now = mechanism.state();
        state.send_if_modified(|shown| {
            let differs = *shown != now;
            *shown = now;
            differs
        });
    }
}

/// The next bytes; none ever while the cable is out.
async fn read(terminal: Option<&mut Terminal>, buffer: &mut [u8]) -> io::Result<usize> {
    match terminal {
        Some(terminal) => terminal.read(buffer).await,
        None => std::future::pending().await,
    }
}

fn obey(mechanism: &mut Mechanism, now: Duration, order: Order) {
    match order {
        Order::Mishap(mishap) => mechanism.strike(now, mishap),
        Order::Unplug => mechanism.set_plugged(now, false),
        Order::Plug => mechanism.set_plugged(now, true),
        Order::Repair => mechanism.repair(now),
        Order::Empty => mechanism.empty_by_hand(),
    }
}
