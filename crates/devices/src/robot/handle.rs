//! The robot as its users see it.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, broadcast, oneshot, watch};
use tokio::time::{Duration, Instant};

use super::fault::{RobotError, RobotFault, RobotStatus};
use super::line::Port;
use super::parts::{Cell, Column, Disc, DiscDrop};
use super::protocol::{Reply, Request};
use super::wishes::{Announcement, Outcome, Wishes};
use super::{Config, Connection, Timing, driver};

/// How many traffic lines a slow listener may be behind before it misses some.
const TRAFFIC_KEPT: usize = 1024;

/// The robot's driver; [`Robot::start`] is the way in.
#[derive(Debug)]
pub struct Robot;

impl Robot {
    /// Starts the driver in a task of its own, inside the current tokio runtime.
    ///
    /// It never fails: a port that cannot be opened is a [`RobotStatus::Lost`] that the driver goes on trying to
    /// cure. The task ends when the last handle is gone or [`RobotHandle::stop`] is called.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime, as [`tokio::spawn`] does.
    pub fn start(config: Config) -> RobotHandle {
        let Config { connection, timing } = config;
        match connection {
            Connection::None => handle(Arc::new(Shared::new(true)), &timing),
            Connection::Serial { path, baud } => start_driver(Port::serial(&path, baud), timing),
        }
    }

    /// The same on any line that `open` opens, again after each fault: a serial server in the network, a pipe.
    /// It must not block.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn start_on<S>(
        name: &str,
        open: impl FnMut() -> io::Result<S> + Send + 'static,
        timing: Timing,
    ) -> RobotHandle
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        start_driver(Port { name: name.to_owned(), open: Box::new(open) }, timing)
    }
}

fn start_driver<S>(port: Port<S>, timing: Timing) -> RobotHandle
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let shared = Arc::new(Shared::new(false));
    let handle = handle(Arc::clone(&shared), &timing);
    tokio::spawn(driver::run(port, timing, shared));
    handle
}

fn handle(shared: Arc<Shared>, timing: &Timing) -> RobotHandle {
    RobotHandle { stopper: Arc::new(Stopper(Arc::clone(&shared))), patience: timing.patience, shared }
}

/// Talks to the driver. Clones reach the same robot.
///
/// Every command is taken at once, in the order of the calls, and never blocks; the future it returns ends when the
/// robot has done it and is ready again. Through a fault it waits: the driver recovers, rebuilds the board if it must,
/// and goes on. Only a fault that lasts longer than [`super::Timing::patience`] ends the wait with
/// [`RobotError::Fault`]; even then the wish stands. A future that is dropped withdraws nothing either; what
/// withdraws open wishes is [`RobotHandle::new_game`].
#[derive(Clone, Debug)]
pub struct RobotHandle {
    shared: Arc<Shared>,
    patience: Duration,
    #[expect(dead_code, reason = "its drop stops the driver")]
    stopper: Arc<Stopper>,
}

impl RobotHandle {
    /// Drops a disc into a column.
    pub fn drop_disc(&self, disc: Disc, column: Column) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| wishes.drop_disc(DiscDrop { disc, column })))
    }

    /// Empties the board. Wishes that are still open end with [`RobotError::Superseded`].
    pub fn new_game(&self) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| Ok(wishes.new_game())))
    }

    /// Empties the board and builds this one, as after a restart of the server in the middle of a game.
    pub fn restore(&self, discs: &[DiscDrop]) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| wishes.restore(discs)))
    }

    /// Lights the winning four in the winner's colour.
    pub fn show_win(&self, disc: Disc, four: [Cell; 4]) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| wishes.announce(Announcement::Win(disc, four))))
    }

    /// Tells the robot that nobody won.
    pub fn show_draw(&self) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| wishes.announce(Announcement::Draw)))
    }

    /// Sends the robot to its initial position.
    pub fn init(&self) -> impl Future<Output = Outcome> + Send + use<> {
        self.completion(self.shared.wish(|wishes| Ok(wishes.init())))
    }

    /// How the robot is, now and whenever that changes.
    pub fn status(&self) -> watch::Receiver<RobotStatus> {
        self.shared.status.subscribe()
    }

    /// The board as the driver knows it, now and whenever that changes.
    pub fn board(&self) -> watch::Receiver<RobotBoard> {
        self.shared.board.subscribe()
    }

    /// Every character on the line from now on; a listener that is slow misses the oldest.
    pub fn traffic(&self) -> broadcast::Receiver<TrafficLine> {
        self.shared.traffic.subscribe()
    }

    /// Stops the driver and waits until its port is closed; commands that are open end with
    /// [`RobotError::Stopped`].
    pub async fn stop(&self) {
        self.shared.stop();
        let mut status = self.shared.status.subscribe();
        // Cannot fail: the sender lives in `shared`.
        let _ = status.wait_for(|status| *status == RobotStatus::Off).await;
    }

    fn completion(
        &self,
        answer: Result<oneshot::Receiver<Outcome>, RobotError>,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        let status = self.shared.status.subscribe();
        let patience = self.patience;
        async move {
            let answer = answer?;
            tokio::select! {
                biased;
                outcome = answer => outcome.unwrap_or(Err(RobotError::Stopped)),
                fault = fault_outlasting(patience, status) => Err(RobotError::Fault(fault)),
            }
        }
    }
}

/// The fault that lasts longer than `patience`; waits as long as there is none.
async fn fault_outlasting(patience: Duration, mut status: watch::Receiver<RobotStatus>) -> RobotFault {
    loop {
        let fault = status.borrow_and_update().fault().map(|(fault, since)| (fault.clone(), since));
        let changed = match fault {
            None => status.changed().await,
            Some((fault, since)) => tokio::select! {
                () = tokio::time::sleep_until(since + patience) => return fault,
                changed = status.changed() => changed,
            },
        };
        if changed.is_err() {
            // The driver is gone, and with it the other half of the select above.
            return std::future::pending().await;
        }
    }
}

/// The board as the driver knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotBoard {
    /// The discs that should stand, in the order in which they fell.
    pub wanted: Vec<DiscDrop>,
    /// How many of them stand; none while that is not known and the board must be rebuilt.
    pub standing: Option<usize>,
    /// Red discs left in the magazine.
    pub red_left: u8,
    /// Yellow discs left in the magazine.
    pub yellow_left: u8,
}

/// One character on the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficLine {
    /// When.
    pub at: Instant,
    /// Which way.
    pub direction: Direction,
    /// The byte.
    pub byte: u8,
}

/// Which way a character went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From us to the robot.
    ToRobot,
    /// From the robot to us.
    FromRobot,
}

impl TrafficLine {
    /// What it means, in words.
    pub fn meaning(&self) -> String {
        let meaning = match self.direction {
            Direction::ToRobot => Request::from_byte(self.byte).map(|request| request.to_string()),
            Direction::FromRobot => Reply::from_byte(self.byte).map(|reply| reply.to_string()),
        };
        meaning.unwrap_or_else(|| "noise".to_owned())
    }
}

impl fmt::Display for TrafficLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.direction {
            Direction::ToRobot => "→",
            Direction::FromRobot => "←",
        };
        write!(f, "{arrow} {}  {}", super::fault::byte_in_words(self.byte), self.meaning())
    }
}

/// What handles and driver share.
#[derive(Debug)]
pub(super) struct Shared {
    wishes: Mutex<Wishes>,
    /// Without a robot every wish is carried out as soon as it is made.
    on_paper: bool,
    /// Wakes the driver when the wishes have changed.
    pub(super) changed: Notify,
    /// Ends the driver.
    pub(super) stopped: Notify,
    pub(super) status: watch::Sender<RobotStatus>,
    pub(super) traffic: broadcast::Sender<TrafficLine>,
    board: watch::Sender<RobotBoard>,
}

impl Shared {
    pub(super) fn new(on_paper: bool) -> Self {
        let status = if on_paper {
            RobotStatus::Off
        } else {
            RobotStatus::Lost { why: RobotFault::NotYetReached, since: Instant::now() }
        };
        let wishes = Wishes::new();
        Self {
            board: watch::Sender::new(wishes.board()),
            wishes: Mutex::new(wishes),
            on_paper,
            changed: Notify::new(),
            stopped: Notify::new(),
            status: watch::Sender::new(status),
            traffic: broadcast::Sender::new(TRAFFIC_KEPT),
        }
    }

    /// Reads or changes the wishes; whoever watches the board sees the change.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Wishes) -> T) -> T {
        // A poisoned lock still holds whole wishes: nothing panics while holding it.
        let mut wishes = self.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut wishes);
        if self.on_paper {
            wishes.pretend();
        }
        let board = wishes.board();
        self.board.send_if_modified(|shown| {
            let differs = *shown != board;
            *shown = board;
            differs
        });
        result
    }

    /// Changes the wishes on behalf of a user and wakes the driver.
    fn wish<T>(&self, change: impl FnOnce(&mut Wishes) -> T) -> T {
        let result = self.change(change);
        self.changed.notify_one();
        result
    }

    fn stop(&self) {
        self.change(Wishes::stop);
        self.stopped.notify_one();
    }
}

/// Stops the driver when the last handle is gone.
#[derive(Debug)]
struct Stopper(Arc<Shared>);

impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.stop();
    }
}
