//! A program we do not trust, and the lines that go to and from it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

/// Longest line a program may send, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// Lines that may wait in either direction; a program that sends more unasked is blocked by its pipe.
const MAX_WAITING: usize = 64;

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<Result<String, String>>,
}

/// Why a line could not be exchanged.
#[derive(Debug)]
pub(super) enum LineError {
    /// The program neither reads nor writes.
    Silent,
    /// The program has ended.
    Ended,
    /// The line is too long or not text; the reason says which.
    Unreadable(String),
}

impl Program {
    /// Starts a command with its standard streams connected to us; what it says on standard error is dropped.
    pub(super) fn start(command: &[String]) -> Result<Program, String> {
        let (program, arguments) = command.split_first().ok_or_else(|| "no command".to_owned())?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        Ok(Program { child, input: write_lines(input), output: read_lines(output) })
    }

    /// Hands a line to the writing thread without waiting for the program to read it.
    pub(super) fn send(&self, line: String) -> Result<(), LineError> {
        self.input.try_send(line).map_err(|error| match error {
            TrySendError::Full(_) => LineError::Silent,
            TrySendError::Disconnected(_) => LineError::Ended,
        })
    }

    /// The next line, or why none came within `limit`.
    pub(super) fn receive(&self, limit: Duration) -> Result<String, LineError> {
        match self.output.recv_timeout(limit) {
            Ok(line) => line.map_err(LineError::Unreadable),
            Err(RecvTimeoutError::Timeout) => Err(LineError::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(LineError::Ended),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Both fail only when it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes lines in a thread of its own, so that a program that does not read cannot block us.
/// The thread ends with the program, whose pipe then breaks.
fn write_lines(mut input: impl Write + Send + 'static) -> SyncSender<String> {
    let (sender, receiver) = sync_channel::<String>(MAX_WAITING);
    std::thread::spawn(move || {
        for line in receiver {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
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
