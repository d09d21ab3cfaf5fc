//! A program we do not trust, and the lines that go to and from it.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

/// Longest line a program may send, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// Lines that may wait in either direction; a program that sends more unasked is blocked by its pipe.
const MAX_WAITING: usize = 64;
/// Bytes that each process of a program may fill. What is reserved and not used does not count: virtual machines
/// reserve much.
const MEMORY_BYTES: u64 = 1 << 30;

/// A running program. It is killed when this is dropped, with every process it has started.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: SyncSender<Vec<u8>>,
    output: Receiver<Result<String, String>>,
}

/// Where a program's standard error goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaints {
    /// It goes to our own, for the program's author.
    Shown,
    /// Nobody sees it.
    Dropped,
}

/// Why a line could not be exchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The program neither reads nor writes.
    #[error("the program did not answer in time")]
    Silent,
    /// The program has ended.
    #[error("the program ended")]
    Ended,
    /// The line is too long or not text; the reason says which.
    #[error("the program sent a line that cannot be read: {0}")]
    Unreadable(String),
}

impl Program {
    /// Starts a command with its standard streams connected to us.
    pub fn start(command: &[String], complaints: Complaints) -> Result<Program, String> {
        let (program, arguments) = command.split_first().ok_or_else(|| "no command".to_owned())?;
        let mut child = Command::new(program)
            .args(arguments)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(match complaints {
                Complaints::Shown => Stdio::inherit(),
                Complaints::Dropped => Stdio::null(),
            })
            .spawn()
            .map_err(|error| error.to_string())?;
        limit_memory(&child);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        Ok(Program { child, input: write_all(input), output: read_lines(output) })
    }

    /// Hands bytes to the writing thread without waiting for the program to read them.
    pub fn send(&self, bytes: impl Into<Vec<u8>>) -> Result<(), LineError> {
        self.input.try_send(bytes.into()).map_err(|error| match error {
            TrySendError::Full(_) => LineError::Silent,
            TrySendError::Disconnected(_) => LineError::Ended,
        })
    }

    /// The next line, or why none came within `limit`.
    pub fn receive(&self, limit: Duration) -> Result<String, LineError> {
        match self.output.recv_timeout(limit) {
            Ok(line) => line.map_err(LineError::Unreadable),
            Err(RecvTimeoutError::Timeout) => Err(LineError::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(LineError::Ended),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // All fail only when it has already ended. The group is named after its first process, whose number is not
        // given to another one before we have waited for it.
        if let Some(group) = process(&self.child) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn process(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Limits what the program and all that it starts from now on may fill.
fn limit_memory(child: &Child) {
    let limit = Rlimit { current: Some(MEMORY_BYTES), maximum: Some(MEMORY_BYTES) };
    // Fails only where the program has already ended, or a stricter limit holds.
    let _ = prlimit(process(child), Resource::Data, limit);
}

/// Writes in a thread of its own, so that a program that does not read cannot block us.
/// The thread ends with the program, whose pipe then breaks.
fn write_all(mut input: impl Write + Send + 'static) -> SyncSender<Vec<u8>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(MAX_WAITING);
    std::thread::spawn(move || {
        for bytes in receiver {
            if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads lines in a thread of its own, so that waiting for one can time out.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<Result<String, String>> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            let message = match read {
                Ok(0) | Err(_) => return,
                Ok(length) if length as u64 == MAX_LINE => Err(format!("longer than {MAX_LINE} bytes")),
                Ok(_) => String::from_utf8(line).map_err(|_| "not UTF-8".to_owned()),
            };
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}
