//! The robot at the table: whatever drops the discs, behind one trait (C3, C4).
//!
//! The exhibition's robot on its serial line is one ([`serial`]). The arm of LEGO is another ([`lego`]): it also *sees*
//! its board, and shows what it saw in [`TableRobot::seen`].

mod lego;
mod serial;

use std::pin::Pin;

use connect_four::Column;
use devices::robot::TrafficLine;
use futures_util::stream::BoxStream;
use serde::Serialize;
use simulators::robot::Order;
use tokio::sync::broadcast;

use super::Colour;
use super::event::{RobotStatus, RobotView};
use super::settings::{RobotChoice, RobotKind, RobotSettings};
use super::table::RobotTask;

/// Why a task was not carried out, for the log.
pub type TaskError = Box<dyn std::error::Error + Send + Sync>;

/// Something that ends later.
pub type Later<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A robot that plays at the table. Nothing here blocks: tasks are taken at once, in the order of the calls, and a fault
/// delays them instead of failing them.
pub trait TableRobot: Send + Sync {
    /// Carries out a task; the future ends when it is done, or when a new game makes it pointless.
    fn carry_out(&self, task: &RobotTask) -> Later<Result<(), TaskError>>;

    /// Builds the board of a game that goes on after a restart.
    fn restore(&self, moves: &[Column]);

    /// Goes to its initial position.
    fn initialise(&self);

    /// How it is, for pages.
    fn view(&self) -> RobotView;

    /// An item whenever [`TableRobot::view`] has changed.
    fn changes(&self) -> BoxStream<'static, ()>;

    /// What it sees of its own board; nothing for a robot without eyes.
    fn seen(&self) -> Option<SeenBoard>;

    /// Every character on its line, if it has one.
    fn traffic(&self) -> Option<broadcast::Receiver<TrafficLine>>;

    /// Does something to a simulated robot; false if it is not simulated, or if that cannot happen to it.
    fn order(&self, order: Order) -> bool;

    /// Lets go of it.
    fn stop(&self) -> Later<()>;
}

/// What a robot sees of its board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenBoard {
    /// Rows from the top: `r` red, `y` yellow, `.` empty, `?` not looked at.
    pub board: Vec<String>,
    /// Lit cells.
    pub leds: Vec<Led>,
    /// The column over which the arm stands, counted from 1.
    pub arm: Option<u8>,
}

/// A lit cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Led {
    pub column: usize,
    pub row: usize,
    pub disc: Colour,
}

/// The robot as its own page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct RobotPicture {
    pub kind: &'static str,
    pub status: RobotStatus,
    pub board: Option<Vec<String>>,
    pub leds: Vec<Led>,
    pub arm: Option<u8>,
}

impl RobotPicture {
    /// Takes it.
    pub fn of(robot: &dyn TableRobot) -> Self {
        let view = robot.view();
        let (board, leds, arm) = match robot.seen() {
            Some(seen) => (Some(seen.board), seen.leds, seen.arm),
            None => (None, Vec::new(), None),
        };
        Self { kind: view.kind, status: view.status, board, leds, arm }
    }
}

/// Starts the robot that the settings name.
pub fn start(choice: &RobotChoice) -> Box<dyn TableRobot> {
    let none = RobotSettings { kind: RobotKind::None, ..choice.robot.clone() };
    match choice.robot.kind {
        RobotKind::Lego | RobotKind::SimulatedLego => match lego::LegoRobot::start(choice) {
            Ok(robot) => Box::new(robot),
            Err(error) => {
                tracing::error!(%error, "the LEGO arm cannot start: games go on without it");
                Box::new(serial::SerialRobot::start(&none))
            }
        },
        RobotKind::None | RobotKind::Simulated | RobotKind::Serial => {
            Box::new(serial::SerialRobot::start(&choice.robot))
        }
    }
}
