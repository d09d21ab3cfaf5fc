//! The line: characters out, characters in, each with its deadline.

use std::io;
use std::path::Path;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::broadcast;
use tokio::time::{Duration, Instant, timeout, timeout_at};
use tokio_serial::{SerialPortBuilderExt, SerialStream};

use super::Timing;
use super::fault::RobotFault;
use super::handle::{Direction, TrafficLine};
use super::protocol::{Answer, Reply, Request};

/// More left-over bytes than this before a question are noise without end.
const DRAIN_LIMIT: usize = 4096;

/// Where lines come from: something that can be opened, again if need be.
pub(super) struct Port<S> {
    /// Its name for people.
    pub(super) name: String,
    pub(super) open: Box<dyn FnMut() -> io::Result<S> + Send>,
}

impl Port<SerialStream> {
    /// A serial port of this machine.
    pub(super) fn serial(path: &Path, baud: u32) -> Self {
        let name = path.display().to_string();
        // Eight bits, no parity, one stop bit, no flow control: the defaults of the builder.
        let builder = tokio_serial::new(name.clone(), baud);
        Self { name, open: Box::new(move || Ok(builder.clone().open_native_async()?)) }
    }
}

/// What is wrong, and with what.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The line must be opened again.
    Line(RobotFault),
    /// The line works; the robot does not.
    Robot(RobotFault),
}

/// How the robot says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Waiting for us.
    Ready,
    /// Moving.
    Busy,
    /// In need of help.
    Error,
}

/// An open line.
#[derive(Debug)]
pub(super) struct Line<S> {
    stream: S,
    reply_deadline: Duration,
    tries: u32,
    traffic: broadcast::Sender<TrafficLine>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Line<S> {
    pub(super) fn new(stream: S, timing: &Timing, traffic: broadcast::Sender<TrafficLine>) -> Self {
        Self { stream, reply_deadline: timing.reply_deadline, tries: timing.tries.max(1), traffic }
    }

    /// Asks how the robot is, several times if it must.
    pub(super) async fn condition(&mut self) -> Result<Condition, Trouble> {
        let mut tries = 0;
        loop {
            match self.ask(Request::Status).await? {
                Ok(Reply::Ready) => return Ok(Condition::Ready),
                Ok(Reply::Busy) => return Ok(Condition::Busy),
                // `ask` gives no other reply to this question.
                Ok(Reply::Error | Reply::Received) => return Ok(Condition::Error),
                Err(fault) => {
                    tries += 1;
                    if tries >= self.tries {
                        return Err(Trouble::Line(fault));
                    }
                }
            }
        }
    }

    /// Sends one character and waits for the answer that belongs to it. The outer error means that the line broke;
    /// the inner one that this answer did not come.
    pub(super) async fn ask(&mut self, request: Request) -> Result<Result<Reply, RobotFault>, Trouble> {
        self.send(request).await?;
        let deadline = Instant::now() + self.reply_deadline;
        let mut fault = RobotFault::Silent { request: request.to_byte().into(), after: self.reply_deadline };
        // Asking for the time as well: a line that never pauses never lets a timeout fire.
        while Instant::now() < deadline {
            let Ok(byte) = timeout_at(deadline, self.read()).await else { break };
            let byte = byte?;
            match Reply::from_byte(byte) {
                Some(reply) if answers(reply, request) => return Ok(Ok(reply)),
                // The answer to an earlier character, or noise: ours may still come.
                _ => fault = RobotFault::WrongAnswer { request: request.to_byte().into(), answer: byte },
            }
        }
        self.settle().await?;
        Ok(Err(fault))
    }

    /// Sends one character. What was left over from earlier is dropped first, so that it answers nothing.
    pub(super) async fn send(&mut self, request: Request) -> Result<(), Trouble> {
        self.drain().await?;
        let byte = request.to_byte();
        let written = timeout(self.reply_deadline, self.stream.write_all(&[byte])).await;
        match written {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(broken(&error)),
            // A port that takes no byte at all is as good as unplugged.
            Err(_) => return Err(broken(&io::ErrorKind::TimedOut.into())),
        }
        self.note(Direction::ToRobot, byte);
        Ok(())
    }

    /// After a missing answer: gives a late one time to arrive and drops it, so that it answers no later question.
    async fn settle(&mut self) -> Result<(), Trouble> {
        let end = Instant::now() + self.reply_deadline;
        while Instant::now() < end {
            let Ok(byte) = timeout_at(end, self.read()).await else { break };
            byte?;
        }
        Ok(())
    }

    async fn drain(&mut self) -> Result<(), Trouble> {
        for _ in 0..DRAIN_LIMIT {
            let Ok(byte) = timeout(Duration::ZERO, self.read()).await else { break };
            byte?;
        }
        Ok(())
    }

    async fn read(&mut self) -> Result<u8, Trouble> {
        let mut byte = [0];
        match self.stream.read(&mut byte).await {
            // The other end of a pseudo terminal or an adapter has gone: no error, just an end.
            Ok(0) => Err(broken(&io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => {
                self.note(Direction::FromRobot, byte[0]);
                Ok(byte[0])
            }
            Err(error) => Err(broken(&error)),
        }
    }

    fn note(&self, direction: Direction, byte: u8) {
        let line = TrafficLine { at: Instant::now(), direction, byte };
        tracing::trace!(%line, "robot");
        // Nobody may be listening.
        let _ = self.traffic.send(line);
    }
}

fn answers(reply: Reply, request: Request) -> bool {
    match request.answer() {
        Answer::Condition => matches!(reply, Reply::Ready | Reply::Busy | Reply::Error),
        Answer::Received => reply == Reply::Received,
        Answer::Nothing => false,
    }
}

fn broken(error: &io::Error) -> Trouble {
    Trouble::Line(RobotFault::Unplugged { why: error.to_string() })
}
