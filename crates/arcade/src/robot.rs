//! The robot as the hall sees it: tasks go in, views come out (C4).

use std::time::Duration;

use connect_four::Cell;
use devices::robot as device;
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
}

/// When a task is done.
pub type Done = std::pin::Pin<Box<dyn Future<Output = Result<(), device::RobotError>> + Send>>;

impl Robot {
    /// Starts the driver as the settings say.
    pub fn start(settings: &RobotSettings) -> Self {
        let connection = match settings.kind {
            RobotKind::None => device::Connection::None,
            RobotKind::Simulated | RobotKind::Serial => {
                device::Connection::Serial { path: settings.line.clone().into(), baud: settings.baud }
            }
        };
        let milliseconds = |ms: u32| Duration::from_millis(u64::from(ms));
        let timing = device::Timing {
            reply_deadline: milliseconds(settings.reply_deadline_ms),
            poll: milliseconds(settings.poll_ms),
            busy_deadline: Duration::from_secs(u64::from(settings.busy_deadline_s)),
            // The table has its own patience; a wish of a game that goes on stands as long as it does.
            patience: Duration::from_hours(24),
            ..device::Timing::default()
        };
        let handle = device::Robot::start(device::Config { connection, timing });
        Self { status: handle.status(), handle, settings: settings.clone(), since: Instant::now() }
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
        self.forget(self.handle.restore(&drops.collect::<Vec<_>>()));
    }

    /// Empties the board of whatever an earlier run left on it.
    pub fn start_clean(&self) {
        self.forget(self.handle.new_game());
    }

    /// What the operator wants.
    pub fn command(&self, command: RobotCommand) {
        match command {
            RobotCommand::Init => self.forget(self.handle.init()),
            RobotCommand::NewGame => self.forget(self.handle.new_game()),
        }
    }

    /// A command is taken when it is given; its future is only for those who wait for the end.
    fn forget(&self, done: impl Future) {
        drop(done);
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

/// Tells when a robot's view changes.
#[derive(Debug)]
pub struct Changes(watch::Receiver<device::RobotStatus>);

impl Changes {
    /// Returns after the next change; never when the driver is gone.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending().await
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
