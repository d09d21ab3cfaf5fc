//! The task that keeps the robot doing what is wanted.
//!
//! # What a missing answer means
//!
//! A character without its answer was lost on the way out, or its answer was lost on the way back. The question `A`
//! tells the two apart without risk: *busy* means that the robot heard us and moves. *Ready* means that the arm
//! stands, and then the same column character may be sent again, because a later one replaces an earlier one until
//! the arm moves and is ignored afterwards. So neither case drops two discs.
//!
//! # When the board is rebuilt
//!
//! The protocol cannot ask what stands on the board. After a robot that could not be reached, that was in its error
//! state, stuck in busy, or that did not move, the last disc may be anywhere and the board may have been emptied by
//! hand or by a reset. Then, and only then, a game that is still open is rebuilt: new game (`C`), then all its discs.
//! A robot that is reset between two heartbeats without missing an answer cannot be noticed.

use std::convert::Infallible;
use std::iter;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, timeout};

use super::Timing;
use super::fault::{Fault, RobotStatus};
use super::handle::Shared;
use super::line::{Condition, Line, Port, Trouble};
use super::protocol::Request;
use super::wishes::{Ending, Step, Wishes};

/// Drives the robot until somebody stops it.
pub(super) async fn run(port: impl Port, timing: Timing, shared: Arc<Shared>) {
    tokio::select! {
        never = keep_connected(port, &timing, &shared) => match never {},
        () = shared.stopped.notified() => {}
    }
    // The port is closed by now.
    shared.status.send_replace(RobotStatus::Off);
}

/// Opens the line, uses it until it fails, opens it again.
async fn keep_connected(mut port: impl Port, timing: &Timing, shared: &Shared) -> Infallible {
    let mut pause = timing.reopen_first;
    loop {
        let fault = match port.open() {
            Ok(stream) => {
                let line = Line::new(stream, timing, shared.traffic.clone());
                let mut session = Session { line, timing, shared, answered: false };
                let fault = session.run().await;
                if session.answered {
                    pause = timing.reopen_first;
                }
                fault
            }
            Err(error) => Fault::CannotOpen { path: port.name(), why: error.to_string() },
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
    /// Whether the robot has answered on this line.
    answered: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<'_, S> {
    /// Carries out wishes until the line fails.
    async fn run(&mut self) -> Fault {
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
        let condition = self.line.condition().await?;
        self.answered = true;
        self.until_ready(condition).await?;
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
            Step::Announce(Ending::Draw) => self.tell(Request::Draw).await,
            Step::Announce(Ending::Win(disc, four)) => {
                self.say_all(iter::once(Request::Win(disc)).chain(four.map(Request::Light))).await
            }
        }
    }

    /// A command that moves the arm: received, busy, ready.
    async fn movement(&mut self, request: Request) -> Result<(), Trouble> {
        let mut tries = 0;
        loop {
            let received = self.line.ask(request).await?;
            let condition = self.line.condition().await?;
            match (received, condition) {
                (_, Condition::Error) => return Err(Trouble::Robot(Fault::ErrorState)),
                (_, Condition::Busy) => return self.until_ready(condition).await,
                (Ok(_), Condition::Ready) => break,
                // The arm stands: sending it again cannot drop two (see above).
                (Err(fault), Condition::Ready) => {
                    tries += 1;
                    if tries >= self.timing.tries {
                        return Err(Trouble::Robot(fault));
                    }
                }
            }
        }
        self.until_moving(request).await?;
        self.until_ready(Condition::Busy).await
    }

    /// Characters that must all be received, or the sequence starts anew: its first one resets the robot's count.
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
            let condition = self.line.condition().await?;
            self.until_ready(condition).await?;
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
        let condition = self.line.condition().await?;
        self.until_ready(condition).await
    }

    async fn until_moving(&mut self, request: Request) -> Result<(), Trouble> {
        let after = self.timing.start_deadline;
        let deadline = Instant::now() + after;
        loop {
            match self.line.condition().await? {
                Condition::Busy => return Ok(()),
                Condition::Error => return Err(Trouble::Robot(Fault::ErrorState)),
                Condition::Ready if Instant::now() >= deadline => {
                    return Err(Trouble::Robot(Fault::NotMoving {
                        request: request.to_byte().into(),
                        after,
                    }));
                }
                Condition::Ready => sleep(self.timing.poll).await,
            }
        }
    }

    async fn until_ready(&mut self, first: Condition) -> Result<(), Trouble> {
        let after = self.timing.busy_deadline;
        let deadline = Instant::now() + after;
        let mut condition = first;
        loop {
            match condition {
                Condition::Ready => return Ok(()),
                Condition::Error => return Err(Trouble::Robot(Fault::ErrorState)),
                Condition::Busy if Instant::now() >= deadline => {
                    return Err(Trouble::Robot(Fault::StuckBusy { after }));
                }
                Condition::Busy => {
                    self.shared.report(RobotStatus::Busy);
                    sleep(self.timing.poll).await;
                }
            }
            condition = self.line.condition().await?;
        }
    }

    /// The robot cannot go on by itself. Ends when it says that it is ready again, or when the line fails.
    async fn wait_for_help(&mut self, mut fault: Fault) -> Result<(), Trouble> {
        let mut init_sent = false;
        loop {
            self.shared.report_fault(fault.clone(), |why, since| RobotStatus::Error { why, since });
            if fault == Fault::ErrorState && !init_sent {
                // The only character that might help by itself; harmless where it is switched off.
                self.line.send(Request::Init).await?;
                init_sent = true;
            }
            sleep(self.timing.heartbeat).await;
            match self.line.condition().await? {
                Condition::Ready => return Ok(()),
                Condition::Busy => {}
                Condition::Error => fault = Fault::ErrorState,
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
    fn report_fault(&self, fault: Fault, status: impl Fn(Fault, Instant) -> RobotStatus) {
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
