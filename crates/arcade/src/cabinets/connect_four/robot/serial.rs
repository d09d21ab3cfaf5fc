//! The exhibition's robot on its serial line, real or simulated in this process; without one, the same on paper (C4).

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use connect_four::{Cell, Column};
use devices::robot as device;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use simulators::robot::{Mishaps, Order, Simulator, Times};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::{Later, Led, SeenBoard, TableRobot, TaskError};
use crate::cabinets::connect_four::Colour;
use crate::cabinets::connect_four::event::{RobotStatus, RobotView};
use crate::cabinets::connect_four::settings::{RobotKind, RobotSettings};
use crate::cabinets::connect_four::table::RobotTask;

/// The driver, and the simulator behind it if there is one.
pub(super) struct SerialRobot {
    handle: device::RobotHandle,
    settings: RobotSettings,
    status: watch::Receiver<device::RobotStatus>,
    /// The word that was last seen, and since when.
    since: Mutex<(&'static str, Instant)>,
    simulator: Option<Simulator>,
}

/// What the names of the simulated robots' ports begin with; the process and a count follow.
const LINK: &str = "gamebot-robot-";

/// Starts the simulator on a pseudo terminal of this process.
fn simulate(settings: &RobotSettings) -> Option<Simulator> {
    // A link keeps its name when the cable is pulled and plugged in again.
    static STARTED: AtomicU32 = AtomicU32::new(0);
    remove_links_of_the_dead(&std::env::temp_dir());
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let link = std::env::temp_dir().join(format!("{LINK}{}-{number}", std::process::id()));
    let mishap = Duration::from_secs(u64::from(settings.simulated_fault_s));
    let times = Times { mishap, ..Times::default() }.faster(settings.simulated_speed);
    let mishaps = Mishaps {
        rate: settings.simulated_fault_rate,
        habit: settings.simulated_habit.habit(),
        ..Mishaps::default()
    };
    let started = Simulator::start(simulators::robot::Config { link: Some(link), times, mishaps });
    started.map_err(|error| tracing::error!(%error, "the simulated robot cannot start")).ok()
}

/// A process that was killed has left its links behind.
fn remove_links_of_the_dead(folder: &Path) {
    let Ok(files) = std::fs::read_dir(folder) else { return };
    for file in files.flatten() {
        let name = file.file_name();
        let process =
            name.to_str().and_then(|name| name.strip_prefix(LINK)?.split('-').next()?.parse::<u32>().ok());
        let is_link = file.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_link && process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists()) {
            // Somebody else's links stay where they are.
            let _ = std::fs::remove_file(file.path());
        }
    }
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
        RobotKind::Serial | RobotKind::None | RobotKind::Lego | RobotKind::SimulatedLego => timing,
    }
}

impl SerialRobot {
    /// Starts the driver as the settings say, and the simulator if there is to be one.
    pub(super) fn start(settings: &RobotSettings) -> Self {
        let simulator = (settings.kind == RobotKind::Simulated).then(|| simulate(settings)).flatten();
        let connection = match (settings.kind, &simulator) {
            (RobotKind::None | RobotKind::Lego | RobotKind::SimulatedLego, _) => device::Connection::None,
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
        let status = handle.status();
        let since = Mutex::new((status.borrow().word(), Instant::now()));
        Self { status, handle, settings: settings.clone(), since, simulator }
    }

    /// Since when the robot is as it is.
    fn since(&self, word: &'static str) -> Instant {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if since.0 != word {
            *since = (word, Instant::now());
        }
        since.1
    }
}

/// Ends as the driver's future does.
fn later(
    done: impl Future<Output = Result<(), device::RobotError>> + Send + 'static,
) -> Later<Result<(), TaskError>> {
    Box::pin(async { done.await.map_err(TaskError::from) })
}

impl TableRobot for SerialRobot {
    fn carry_out(&self, task: &RobotTask) -> Later<Result<(), TaskError>> {
        match task {
            RobotTask::NewGame => later(self.handle.new_game()),
            RobotTask::Drop { disc, column } => match device::Column::try_from(column.index() as u8) {
                Ok(column) => later(self.handle.drop_disc((*disc).into(), column)),
                // Cannot happen: both boards have seven columns.
                Err(error) => Box::pin(std::future::ready(Err(error.into()))),
            },
            RobotTask::ShowWin { disc, cells } => match four_of(cells) {
                Some(four) => later(self.handle.show_win((*disc).into(), four)),
                // Cannot happen: whoever wins has four in a line.
                None => Box::pin(std::future::ready(Err("no four in a line".into()))),
            },
            RobotTask::ShowDraw => later(self.handle.show_draw()),
        }
    }

    fn restore(&self, moves: &[Column]) {
        let drops = moves.iter().enumerate().filter_map(|(index, column)| {
            let disc = if index % 2 == 0 { device::Disc::Red } else { device::Disc::Yellow };
            Some(device::DiscDrop { disc, column: device::Column::try_from(column.index() as u8).ok()? })
        });
        forget(self.handle.restore(&drops.collect::<Vec<_>>()));
    }

    fn initialise(&self) {
        forget(self.handle.init());
    }

    fn view(&self) -> RobotView {
        let status = self.status.borrow();
        let since = self.since(status.word());
        let (word, text, since) = match &*status {
            device::RobotStatus::Off => (RobotStatus::Off, None, since),
            device::RobotStatus::Ready => (RobotStatus::Ready, None, since),
            device::RobotStatus::Busy => (RobotStatus::Busy, None, since),
            device::RobotStatus::Error { why, since } => (RobotStatus::Error, Some(why.to_string()), *since),
            device::RobotStatus::Lost { why, since } => (RobotStatus::Lost, Some(why.to_string()), *since),
        };
        RobotView {
            status: word,
            kind: self.settings.kind.word(),
            since_ms: since.elapsed().as_millis() as u64,
            text,
            asks: None,
        }
    }

    fn changes(&self) -> BoxStream<'static, ()> {
        let status = self.handle.status();
        stream::unfold(status, |mut status| async move { status.changed().await.ok().map(|()| ((), status)) })
            .boxed()
    }

    fn seen(&self) -> Option<SeenBoard> {
        let state = self.simulator.as_ref()?.state().borrow().clone();
        let disc = match state.winner {
            Some(simulators::robot::Disc::Yellow) => Colour::Yellow,
            Some(simulators::robot::Disc::Red) | None => Colour::Red,
        };
        let led = |(column, row): &(usize, usize)| Led { column: column + 1, row: row + 1, disc };
        Some(SeenBoard {
            board: state.board.iter().map(|row| row.to_lowercase()).collect(),
            leds: state.lights.iter().map(led).collect(),
            arm: state.arm.map(|column| column as u8 + 1),
        })
    }

    fn traffic(&self) -> Option<broadcast::Receiver<device::TrafficLine>> {
        (self.settings.kind != RobotKind::None).then(|| self.handle.traffic())
    }

    fn order(&self, order: Order) -> bool {
        if let Some(simulator) = &self.simulator {
            simulator.order(order);
        }
        self.simulator.is_some()
    }

    fn stop(&self) -> Later<()> {
        let handle = self.handle.clone();
        Box::pin(async move { handle.stop().await })
    }
}

/// A command is taken when it is given; its future is only for those who wait for the end.
fn forget(done: impl Future) {
    drop(done);
}

impl From<Colour> for device::Disc {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Red => device::Disc::Red,
            Colour::Yellow => device::Disc::Yellow,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: String| folder.path().join(name);
        // No system numbers its processes that high.
        let dead = path(format!("{LINK}4000000000-0"));
        let ours = path(format!("{LINK}{}-0", std::process::id()));
        let other = path("somebody-elses-4000000000-0".to_owned());
        for link in [&dead, &ours, &other] {
            std::os::unix::fs::symlink("/dev/pts/gone", link).unwrap();
        }
        let file = path(format!("{LINK}4000000000-1"));
        std::fs::write(&file, "not a link").unwrap();
        remove_links_of_the_dead(folder.path());
        assert_eq!([&dead, &ours, &other, &file].map(|path| path.is_symlink()), [false, true, true, false]);
        assert!(file.exists());
    }
}
