//! The LEGO arm at the table, real or simulated: it sees its board, and calls people when it needs them (C4, L5).

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use connect_four::Column;
use devices::robot::TrafficLine;
use engine::{Cancel, Fault};
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use players::connect_four::DiscColor;
use runs::connect_four::{
    Condition, CroupierState, DiscDrop, Job, Task, Witness, simulate_croupier, start_croupier,
};
use simulators::hub;
use simulators::robot::{Mishap, Order};
use tokio::sync::{broadcast, oneshot, watch};
use tokio::time::Instant;

use super::{Later, SeenBoard, TableRobot, TaskError};
use crate::cabinets::connect_four::Colour;
use crate::cabinets::connect_four::event::{RobotStatus, RobotView, Text};
use crate::cabinets::connect_four::settings::{RobotChoice, RobotKind};
use crate::cabinets::connect_four::table::RobotTask;

/// The arm's socket of the driving motor, for a fault on demand.
const DRIVING_MOTOR: usize = 3;
/// A charged battery, in percent.
const CHARGED: f64 = 100.0;
/// What a robot is called that is switched off.
const SWITCHED_OFF: &str = "the robot was switched off";

/// The arm on its thread, and what is simulated behind it, if anything.
pub(super) struct LegoRobot {
    kind: RobotKind,
    jobs: Sender<Job>,
    state: watch::Receiver<CroupierState>,
    /// The status that was last seen, and since when.
    since: Mutex<(RobotStatus, Instant)>,
    simulated: Option<Witness>,
    cancel: Cancel,
}

impl LegoRobot {
    /// Starts it. Without MicroPython there is nothing to simulate on: the reason comes back.
    pub(super) fn start(choice: &RobotChoice) -> Result<Self, runs::RunError> {
        let (state, seen) =
            watch::channel(CroupierState { condition: Condition::Busy, board: None, column: None });
        // Whoever listened may be gone: then nobody needs to know.
        let tell = move |now: CroupierState| drop(state.send(now));
        let cancel = Cancel::new();
        let (jobs, simulated) = match choice.robot.kind {
            RobotKind::SimulatedLego => {
                let help_after = Duration::from_secs(u64::from(choice.robot.simulated_fault_s));
                let speed = choice.robot.simulated_speed;
                let (lego, simulated) = (&choice.lego, &choice.simulated_lego);
                let (jobs, witness) = simulate_croupier(lego, simulated, speed, help_after, &cancel, tell)?;
                (jobs, Some(witness))
            }
            RobotKind::Lego | RobotKind::None | RobotKind::Simulated | RobotKind::Serial => {
                (start_croupier(&choice.lego, &cancel, tell)?, None)
            }
        };
        let since = Mutex::new((RobotStatus::Busy, Instant::now()));
        Ok(Self { kind: choice.robot.kind, jobs, state: seen, since, simulated, cancel })
    }

    fn give(&self, task: Task) -> Later<Result<(), TaskError>> {
        let (done, ended) = oneshot::channel();
        let done = Box::new(move || {
            // Perhaps nobody waits for the end.
            let _ = done.send(());
        });
        let job = Job { task, done };
        let given = self.jobs.send(job).is_ok();
        Box::pin(async move {
            if given && ended.await.is_ok() { Ok(()) } else { Err(TaskError::from(SWITCHED_OFF)) }
        })
    }

    /// Since when the robot is as it is.
    fn since(&self, status: RobotStatus) -> Instant {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if since.0 != status {
            *since = (status, Instant::now());
        }
        since.1
    }
}

impl Drop for LegoRobot {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl TableRobot for LegoRobot {
    fn carry_out(&self, task: &RobotTask) -> Later<Result<(), TaskError>> {
        self.give(match task {
            RobotTask::NewGame => Task::NewGame,
            RobotTask::Drop { disc, column } => Task::Drop(disc_drop(*disc, *column)),
            RobotTask::ShowWin { .. } => Task::Announce { is_won: true },
            RobotTask::ShowDraw => Task::Announce { is_won: false },
        })
    }

    fn restore(&self, moves: &[Column]) {
        let colours = Colour::BOTH.into_iter().cycle();
        let drops = colours.zip(moves).map(|(disc, &column)| disc_drop(disc, column)).collect();
        drop(self.give(Task::Restore(drops)));
    }

    fn initialise(&self) {
        drop(self.give(Task::FindStop));
    }

    fn view(&self) -> RobotView {
        let condition = self.state.borrow().condition.clone();
        let (status, text, asks) = match condition {
            Condition::Ready => (RobotStatus::Ready, None, None),
            Condition::Busy => (RobotStatus::Busy, None, None),
            Condition::Asks(plea) => {
                let asks = Text { en: plea.en(), de: plea.de() };
                (RobotStatus::Error, Some(plea.en()), Some(asks))
            }
            Condition::Failed(fault) => {
                let status = match fault {
                    Fault::Lost { .. } | Fault::Silent { .. } => RobotStatus::Lost,
                    Fault::Refused { .. } | Fault::Stalled { .. } => RobotStatus::Error,
                };
                (status, Some(fault.to_string()), None)
            }
        };
        let since_ms = self.since(status).elapsed().as_millis() as u64;
        RobotView { status, kind: self.kind.word(), since_ms, text, asks }
    }

    fn changes(&self) -> BoxStream<'static, ()> {
        let (state, last) = (self.state.clone(), None);
        stream::unfold((state, last), |(mut state, mut last)| async move {
            // Where the arm is does not concern pages; how it is does.
            loop {
                state.changed().await.ok()?;
                let now = Some(state.borrow_and_update().condition.clone());
                if now != last {
                    last = now;
                    return Some(((), (state, last)));
                }
            }
        })
        .boxed()
    }

    fn seen(&self) -> Option<SeenBoard> {
        let state = self.state.borrow();
        let unknown = || vec!["?".repeat(connect_four::COLUMNS); connect_four::ROWS];
        Some(SeenBoard {
            board: state.board.as_ref().map_or_else(unknown, runs::connect_four::Columns::rows),
            leds: Vec::new(),
            arm: state.column.map(|column| column as u8 + 1),
        })
    }

    /// Its line carries packets, not characters.
    fn traffic(&self) -> Option<broadcast::Receiver<TrafficLine>> {
        None
    }

    fn order(&self, order: Order) -> bool {
        let Some(Witness { table, hub }) = &self.simulated else { return false };
        match order {
            Order::Unplug | Order::Mishap(Mishap::Unplug) => hub.happen(hub::Mishap::Unplug),
            Order::Plug => hub.happen(hub::Mishap::Plug),
            Order::Mishap(Mishap::Deaf) => hub.happen(hub::Mishap::Reboot),
            Order::Mishap(Mishap::Jam) => table.jam_next(0),
            Order::Mishap(Mishap::Error) => table.set_plugged(0, DRIVING_MOTOR, false),
            Order::Repair => {
                table.set_plugged(0, DRIVING_MOTOR, true);
                table.set_battery(0, CHARGED);
                table.help(0);
            }
            Order::Empty => table.clear(),
            // Of the other robot's language.
            Order::Mishap(Mishap::NoAnswer | Mishap::WrongByte | Mishap::StuckBusy) => return false,
        }
        true
    }

    fn stop(&self) -> Later<()> {
        self.cancel.cancel();
        let mut state = self.state.clone();
        // The other end is dropped with the thread.
        Box::pin(async move { while state.changed().await.is_ok() {} })
    }
}

fn disc_drop(disc: Colour, column: Column) -> DiscDrop {
    let disc = match disc {
        Colour::Red => DiscColor::Red,
        Colour::Yellow => DiscColor::Yellow,
    };
    DiscDrop { disc, column: column.index() }
}
