//! The task that keeps the robot doing what is wanted.
//!
//! # What a missing answer means
//!
//! A character without its answer was lost on the way out, or its answer was lost on the way back. The question `A`
//! tells the two apart without risk: *busy* means that the robot heard us and moves. *Ready*, seen twice within less
//! than the shortest movement, means that the arm has not left in between; then the same column character may be
//! sent again, because a later one replaces an earlier one until the arm leaves and is ignored afterwards. So neither
//! case drops two discs. Where more time has passed the arm may have moved unseen, and the board is rebuilt.
//!
//! # When the board is rebuilt
//!
//! The protocol cannot ask what stands on the board. After a robot that could not be reached, that was in its error
//! state, stuck in busy, or that was not seen moving, the last disc may be anywhere and the board may have been emptied by
//! hand or by a reset. Then, and only then, a game that is still open is rebuilt: new game (`C`), then all its discs.
//! A robot that is reset between two heartbeats without missing an answer cannot be noticed.

use std::convert::Infallible;
use std::iter;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Duration, Instant, sleep, timeout};

use super::Timing;
use super::fault::{RobotFault, RobotStatus};
use super::handle::Shared;
use super::line::{Condition, Line, Port, Trouble};
use super::protocol::Request;
use super::wishes::{Announcement, Step, Wishes};

/// Drives the robot until somebody stops it.
pub(super) async fn run<S>(port: Port<S>, timing: Timing, shared: Arc<Shared>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    tokio::select! {
        never = keep_connected(port, &timing, &shared) => match never {},
        () = shared.stopped.notified() => {}
    }
    // The port is closed by now.
    shared.status.send_replace(RobotStatus::Off);
}

/// Opens the line, uses it until it fails, opens it again.
async fn keep_connected<S>(mut port: Port<S>, timing: &Timing, shared: &Shared) -> Infallible
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut pause = timing.reopen_first;
    loop {
        let fault = match (port.open)() {
            Ok(stream) => {
                let line = Line::new(stream, timing, shared.traffic.clone());
                let mut session = Session { line, timing, shared, last_ready: None, answered: false };
                let fault = session.run().await;
                if session.answered {
                    pause = timing.reopen_first;
                }
                fault
            }
            Err(error) => RobotFault::CannotOpen { path: port.name.clone(), why: error.to_string() },
        };
        shared.change(Wishes::doubt);
        shared.report_fault(fault, |why, since| RobotStatus::Lost { why, since });
        sleep(pause).await;
        pause = (pause * 2).min(timing.reopen_limit);
    }
}

/// The use of one line, from its opening to its failure.
struct Session<'a, S> {
    line: Line<S>,
    timing: &'a Timing,
    shared: &'a Shared,
    /// When the robot last said that it is ready.
    last_ready: Option<Instant>,
    /// Whether it has answered on this line.
    answered: bool,
}

/// What the robot's answer to `A` tells of its arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    /// It stands where it stood at the last look.
    Still,
    /// It stands, and may have moved since the last look.
    Back,
    /// It moves.
    Moving,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<'_, S> {
    /// Carries out wishes until the line fails.
    async fn run(&mut self) -> RobotFault {
        loop {
            let fault = match self.next().await {
                Ok(()) => continue,
                Err(Trouble::Line(fault)) => return fault,
                Err(Trouble::Robot(fault)) => fault,
            };
            self.shared.change(Wishes::doubt);
            if let Err(Trouble::Line(fault) | Trouble::Robot(fault)) = self.wait_for_help(fault).await {
                return fault;
            }
        }
    }

    /// One step towards the wanted board, or a heartbeat.
    async fn next(&mut self) -> Result<(), Trouble> {
        self.until_ready().await?;
        if let Some((game, step)) = self.shared.change(|wishes| wishes.next_step()) {
            self.carry_out(step).await?;
            self.shared.change(|wishes| wishes.done(game, step));
        } else {
            self.shared.report(RobotStatus::Ready);
            // Cut short when somebody wishes something.
            let _ = timeout(self.timing.heartbeat, self.shared.changed.notified()).await;
        }
        Ok(())
    }

    async fn carry_out(&mut self, step: Step) -> Result<(), Trouble> {
        match step {
            Step::Init => self.tell(Request::Init).await,
            Step::Clear => self.movement(Request::NewGame).await,
            Step::Drop(drop) => self.movement(Request::Drop(drop.disc, drop.column)).await,
            Step::Announce(Announcement::Draw) => self.tell(Request::Draw).await,
            Step::Announce(Announcement::Win(disc, four)) => {
                self.say_all(iter::once(Request::Win(disc)).chain(four.map(Request::Light))).await
            }
        }
    }

    /// A command that moves the arm: received, busy, ready.
    async fn movement(&mut self, request: Request) -> Result<(), Trouble> {
        let mut tries = 0;
        while let Err(fault) = self.line.ask(request).await? {
            tries += 1;
            match self.look().await? {
                Arm::Moving => break,
                // Sending it again cannot drop two (see above).
                Arm::Still if tries < self.timing.tries => {}
                Arm::Still | Arm::Back => return Err(Trouble::Robot(fault)),
            }
        }
        self.until_moving(request).await?;
        self.until_ready().await
    }

    /// Characters that must all be received, or the sequence starts again: its first one resets the robot's count.
    async fn say_all(&mut self, requests: impl Iterator<Item = Request> + Clone) -> Result<(), Trouble> {
        let mut tries = 0;
        loop {
            let mut missing = None;
            for request in requests.clone() {
                if let Err(fault) = self.line.ask(request).await? {
                    missing = Some(fault);
                    break;
                }
            }
            self.until_ready().await?;
            let Some(fault) = missing else { return Ok(()) };
            tries += 1;
            if tries >= self.timing.tries {
                return Err(Trouble::Robot(fault));
            }
        }
    }

    /// A character that gets no answer.
    async fn tell(&mut self, request: Request) -> Result<(), Trouble> {
        self.line.send(request).await?;
        self.until_ready().await
    }

    async fn until_moving(&mut self, request: Request) -> Result<(), Trouble> {
        let after = self.timing.start_deadline;
        let deadline = Instant::now() + after;
        loop {
            match self.look().await? {
                Arm::Moving => return Ok(()),
                Arm::Still if Instant::now() < deadline => sleep(self.poll()).await,
                Arm::Still | Arm::Back => {
                    return Err(Trouble::Robot(RobotFault::NotMoving {
                        request: request.to_byte().into(),
                        after,
                    }));
                }
            }
        }
    }

    async fn until_ready(&mut self) -> Result<(), Trouble> {
        let after = self.timing.busy_deadline;
        let deadline = Instant::now() + after;
        loop {
            match self.look().await? {
                Arm::Still | Arm::Back => return Ok(()),
                Arm::Moving if Instant::now() < deadline => {
                    self.shared.report(RobotStatus::Busy);
                    sleep(self.poll()).await;
                }
                Arm::Moving => return Err(Trouble::Robot(RobotFault::StuckBusy { after })),
            }
        }
    }

    /// Asks the robot how it is.
    async fn look(&mut self) -> Result<Arm, Trouble> {
        let condition = self.line.condition().await?;
        self.answered = true;
        match condition {
            Condition::Ready => {
                let last = self.last_ready.replace(Instant::now());
                let still = last.is_some_and(|last| last.elapsed() < self.timing.shortest_movement);
                Ok(if still { Arm::Still } else { Arm::Back })
            }
            Condition::Busy => {
                self.last_ready = None;
                Ok(Arm::Moving)
            }
            Condition::Error => Err(Trouble::Robot(RobotFault::ErrorState)),
        }
    }

    /// Two looks must be closer than the shortest movement, or one may go unseen.
    fn poll(&self) -> Duration {
        self.timing.poll.min(self.timing.shortest_movement / 2)
    }

    /// The robot cannot go on by itself. Ends when it says that it is ready again, or when the line fails.
    async fn wait_for_help(&mut self, mut fault: RobotFault) -> Result<(), Trouble> {
        let mut init_sent = false;
        loop {
            self.shared.report_fault(fault.clone(), |why, since| RobotStatus::Error { why, since });
            if fault == RobotFault::ErrorState && !init_sent {
                // The only character that might help by itself; harmless where it is switched off.
                self.line.send(Request::Init).await?;
                init_sent = true;
            }
            sleep(self.timing.heartbeat).await;
            match self.look().await {
                Ok(Arm::Still | Arm::Back) => return Ok(()),
                Ok(Arm::Moving) => {}
                Err(Trouble::Robot(worse)) => fault = worse,
                Err(lost @ Trouble::Line(_)) => return Err(lost),
            }
        }
    }
}

impl Shared {
    fn report(&self, status: RobotStatus) {
        self.status.send_if_modified(|shown| {
            let differs = *shown != status;
            if differs {
                tracing::info!(status = status.word(), "robot");
                *shown = status;
            }
            differs
        });
    }

    /// A fault that changes its face is still the same trouble for whoever waits: its beginning is kept.
    fn report_fault(&self, fault: RobotFault, status: impl Fn(RobotFault, Instant) -> RobotStatus) {
        self.status.send_if_modified(|shown| {
            let since = shown.fault().map_or_else(Instant::now, |(_, since)| since);
            let status = status(fault, since);
            let differs = *shown != status;
            if let (true, Some((fault, _))) = (differs, status.fault()) {
                tracing::warn!(%fault, "robot");
                *shown = status;
            }
            differs
        });
    }
}
