//! The robot as the hall sees it: tasks go in, views come out (C4).

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use connect_four::Cell;
use devices::robot as device;
use serde::Serialize;
use simulators::robot::{Faults, Order, Simulator, Times};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::event::{Disc, RobotStatus, RobotView};
use crate::hall::RobotCommand;
use crate::settings::{RobotKind, RobotSettings};
use crate::table::RobotTask;

/// The driver, and the simulator behind it if there is one.
pub struct Robot {
    handle: device::RobotHandle,
    settings: RobotSettings,
    status: watch::Receiver<device::RobotStatus>,
    since: Instant,
    simulator: Option<Simulator>,
}

/// The simulated robot's own picture of its board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct RobotPicture {
    pub kind: &'static str,
    pub status: RobotStatus,
    pub board: Option<Vec<String>>,
    pub leds: Vec<Led>,
    pub arm: Option<u8>,
}

/// A lit cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Led {
    pub column: usize,
    pub row: usize,
    pub disc: Disc,
}

/// Starts the simulator on a pseudo terminal of this process.
fn simulate(settings: &RobotSettings) -> Option<Simulator> {
    // A link keeps its name when the cable is pulled and plugged in again.
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let link = std::env::temp_dir().join(format!("gamebot-robot-{}-{number}", std::process::id()));
    let fault = Duration::from_secs(u64::from(settings.simulated_fault_s));
    let times = Times { fault, ..Times::default() }.faster(settings.simulated_speed);
    let faults = Faults { rate: settings.simulated_fault_rate, ..Faults::default() };
    let started = Simulator::start(simulators::robot::Config { link: Some(link), times, faults });
    started.map_err(|error| tracing::error!(%error, "the simulated robot cannot start")).ok()
}

fn timing(settings: &RobotSettings) -> device::Timing {
    let milliseconds = |ms: u32| Duration::from_millis(u64::from(ms));
    let timing = device::Timing {
        reply_deadline: milliseconds(settings.reply_deadline_ms),
        poll: milliseconds(settings.poll_ms),
        shortest_movement: milliseconds(settings.shortest_movement_ms),
        heartbeat: milliseconds(settings.heartbeat_ms),
        start_deadline: milliseconds(settings.start_deadline_ms),
        busy_deadline: Duration::from_secs(u64::from(settings.busy_deadline_s)),
        reopen_first: milliseconds(settings.reopen_first_ms),
        reopen_limit: milliseconds(settings.reopen_limit_ms),
        // The table has its own patience; a wish of a game that goes on stands as long as it does.
        patience: Duration::from_hours(24),
        ..device::Timing::default()
    };
    match settings.kind {
        RobotKind::Simulated => timing.faster(settings.simulated_speed),
        RobotKind::Serial | RobotKind::None => timing,
    }
}

/// When a task is done.
pub type Done = std::pin::Pin<Box<dyn Future<Output = Result<(), device::RobotError>> + Send>>;

impl Robot {
    /// Starts the driver as the settings say, and the simulator if there is to be one.
    pub fn start(settings: &RobotSettings) -> Self {
        let simulator = (settings.kind == RobotKind::Simulated).then(|| simulate(settings)).flatten();
        let connection = match (settings.kind, &simulator) {
            (RobotKind::None, _) => device::Connection::None,
            // Without a pseudo terminal there is nothing to simulate on; the log says so.
            (RobotKind::Simulated, None) => device::Connection::None,
            (RobotKind::Simulated, Some(simulator)) => {
                device::Connection::Serial { path: simulator.port().to_owned(), baud: settings.baud }
            }
            (RobotKind::Serial, _) => {
                device::Connection::Serial { path: settings.line.clone().into(), baud: settings.baud }
            }
        };
        let handle = device::Robot::start(device::Config { connection, timing: timing(settings) });
        Self { status: handle.status(), handle, settings: settings.clone(), since: Instant::now(), simulator }
    }

    /// The robot with other settings; none if nothing changed.
    pub fn changed_to(&self, settings: &RobotSettings) -> Option<Self> {
        (self.settings != *settings).then(|| Self::start(settings))
    }

    /// Carries out a task; the future ends when it is done.
    pub fn carry_out(&self, task: &RobotTask) -> Done {
        match task {
            RobotTask::NewGame => Box::pin(self.handle.new_game()),
            RobotTask::Drop { disc, column } => match device::Column::try_from(column.index() as u8) {
                Ok(column) => Box::pin(self.handle.drop_disc((*disc).into(), column)),
                // Cannot happen: both boards have seven columns.
                Err(_) => Box::pin(std::future::ready(Err(device::RobotError::Stopped))),
            },
            RobotTask::ShowWin { disc, cells } => match four_of(cells) {
                Some(four) => Box::pin(self.handle.show_win((*disc).into(), four)),
                // Cannot happen: whoever wins has four in a line.
                None => Box::pin(std::future::ready(Err(device::RobotError::Stopped))),
            },
            RobotTask::ShowDraw => Box::pin(self.handle.show_draw()),
        }
    }

    /// Builds the board of a game that goes on after a restart.
    pub fn restore(&self, moves: &[connect_four::Column]) {
        let drops = moves.iter().enumerate().filter_map(|(index, column)| {
            let disc = if index % 2 == 0 { device::Disc::Red } else { device::Disc::Yellow };
            Some(device::DiscDrop { disc, column: device::Column::try_from(column.index() as u8).ok()? })
        });
        forget(self.handle.restore(&drops.collect::<Vec<_>>()));
    }

    /// Empties the board of whatever an earlier run left on it.
    pub fn start_clean(&self) {
        forget(self.handle.new_game());
    }

    /// What the operator wants.
    pub fn command(&self, command: RobotCommand) {
        match command {
            RobotCommand::Init => forget(self.handle.init()),
            RobotCommand::NewGame => forget(self.handle.new_game()),
        }
    }

    /// Remembers that the state has just changed.
    pub fn note_change(&mut self) {
        self.since = Instant::now();
    }

    /// How the robot is, for pages.
    pub fn view(&self) -> RobotView {
        let status = self.status.borrow();
        let (word, text, since) = match &*status {
            device::RobotStatus::Off => (RobotStatus::Off, None, self.since),
            device::RobotStatus::Ready => (RobotStatus::Ready, None, self.since),
            device::RobotStatus::Busy => (RobotStatus::Busy, None, self.since),
            device::RobotStatus::Error { why, since } => (RobotStatus::Error, Some(why.to_string()), *since),
            device::RobotStatus::Lost { why, since } => (RobotStatus::Lost, Some(why.to_string()), *since),
        };
        RobotView {
            status: word,
            kind: self.settings.kind.word(),
            since_ms: since.elapsed().as_millis() as u64,
            text,
        }
    }

    /// What the simulated robot's board looks like.
    pub fn picture(&self) -> RobotPicture {
        let view = self.view();
        let mut picture =
            RobotPicture { kind: view.kind, status: view.status, board: None, leds: Vec::new(), arm: None };
        if let Some(simulator) = &self.simulator {
            let state = simulator.state().borrow().clone();
            picture.board = Some(state.board.iter().map(|row| row.to_lowercase()).collect());
            let disc = match state.winner {
                Some(simulators::robot::Disc::Yellow) => Disc::Yellow,
                Some(simulators::robot::Disc::Red) | None => Disc::Red,
            };
            let led = |(column, row): &(usize, usize)| Led { column: column + 1, row: row + 1, disc };
            picture.leds = state.lights.iter().map(led).collect();
        }
        picture
    }

    /// Does something to the simulated robot; false if it is not simulated.
    pub fn order(&self, order: Order) -> bool {
        if let Some(simulator) = &self.simulator {
            simulator.order(order);
        }
        self.simulator.is_some()
    }

    /// Tells when the view changes.
    pub fn changes(&self) -> Changes {
        Changes(self.handle.status())
    }

    /// Every character on the line.
    pub fn traffic(&self) -> broadcast::Receiver<device::TrafficLine> {
        self.handle.traffic()
    }

    /// Closes the line.
    pub async fn stop(&self) {
        self.handle.stop().await;
    }
}

/// A command is taken when it is given; its future is only for those who wait for the end.
fn forget(done: impl Future) {
    drop(done);
}

/// Tells when a robot's view changes.
#[derive(Debug)]
pub struct Changes(watch::Receiver<device::RobotStatus>);

impl Changes {
    /// Returns after the next change; never when the driver is gone.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl From<Disc> for device::Disc {
    fn from(disc: Disc) -> Self {
        match disc {
            Disc::Red => device::Disc::Red,
            Disc::Yellow => device::Disc::Yellow,
        }
    }
}

/// Four cells in a line among the winning ones, which may be more.
fn four_of(cells: &[Cell]) -> Option<[device::Cell; 4]> {
    let has = |column: i32, row: i32| {
        cells.iter().any(|cell| i32::from(cell.column.number()) == column && i32::from(cell.row) == row)
    };
    cells.iter().find_map(|cell| {
        let (column, row) = (i32::from(cell.column.number()), i32::from(cell.row));
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().find_map(|(right, up)| {
            let four = [0, 1, 2, 3].map(|step| (column + right * step, row + up * step));
            if !four.iter().all(|&(column, row)| has(column, row)) {
                return None;
            }
            // The robot counts from 0.
            let mut found = four.map(|(column, row)| device::Cell::new(column as u8 - 1, row as u8 - 1).ok());
            let four = [found[0].take()?, found[1].take()?, found[2].take()?, found[3].take()?];
            Some(four)
        })
    })
}
