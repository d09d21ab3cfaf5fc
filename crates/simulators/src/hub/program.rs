//! The uploaded program on real MicroPython: WebAssembly under Node, found at run time.
//!
//! MicroPython's WebAssembly build has pointers of 32 bits as the hub has, so that memory use is the hub's too.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use super::instrument::{Instrumented, instrument};

/// The package and its main file.
const PACKAGE: &str = "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
/// Where to look first: the folder that has `node_modules`.
const VARIABLE: &str = "GAMEBOT_MICROPYTHON";
/// How to get it.
pub const HOW_TO_GET: &str = "MicroPython is needed to run programs of the simulated hub: install Node (Debian: \
    apt install nodejs npm), then npm install --prefix ~/.local/share/gamebot \
    @micropython/micropython-webassembly-pyscript";
const RUNNER: &str = include_str!("python/runner.mjs");
const MODULES: &str = include_str!("python/modules.py");

/// Where MicroPython is on this machine.
#[derive(Clone, Debug)]
pub struct Interpreter {
    path: PathBuf,
}

impl Interpreter {
    /// Looks for it in `$GAMEBOT_MICROPYTHON`, `~/.local/share/gamebot` and here.
    pub fn find() -> io::Result<Self> {
        let folders = [
            std::env::var_os(VARIABLE).map(PathBuf::from),
            std::env::var_os("XDG_DATA_HOME").map(|home| PathBuf::from(home).join("gamebot")),
            std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share/gamebot")),
            Some(PathBuf::from(".")),
        ];
        let found =
            folders.into_iter().flatten().map(|folder| folder.join(PACKAGE)).find(|path| path.exists());
        let path = found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, HOW_TO_GET))?;
        Ok(Self { path: std::path::absolute(path)? })
    }
}

/// A program that runs. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Program {
    child: SharedChild,
    requests: BufReader<ChildStdout>,
    replies: ChildStdin,
    source: Instrumented,
}

/// Somebody else may have to end a program that computes without end.
pub(super) type SharedChild = Arc<Mutex<Option<Child>>>;

/// Kills the program in there, if any.
pub(super) fn kill(child: &SharedChild) {
    if let Some(mut child) = child.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // It may have ended by itself; either way it is gone then.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// What a program wants from the hardware.
#[derive(Debug)]
pub(super) struct Wish {
    /// Loop passes and calls since the last one.
    pub(super) work: u64,
    /// The words of the wish.
    pub(super) line: String,
}

impl Program {
    pub(super) fn start(
        interpreter: &Interpreter,
        program: &str,
        heap: usize,
        child: &SharedChild,
    ) -> io::Result<Self> {
        let mut process = Command::new("node")
            .args(["--input-type=module", "--eval", RUNNER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C in a terminal is for us: a hub does not stop because its computer does.
            .process_group(0)
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::NotFound, HOW_TO_GET),
                _ => error,
            })?;
        let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
        let mut replies = process.stdin.take().ok_or_else(missing)?;
        let requests = BufReader::new(process.stdout.take().ok_or_else(missing)?);
        *child.lock().unwrap_or_else(PoisonError::into_inner) = Some(process);
        let source = instrument(program);
        writeln!(replies, "{}", first_line(interpreter, &source.text, heap))?;
        Ok(Self { child: Arc::clone(child), requests, replies, source })
    }

    /// What it wants next; an error if it is gone.
    pub(super) fn next_wish(&mut self) -> io::Result<Wish> {
        let mut line = String::new();
        if self.requests.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (work, line) = line.trim_end().split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
        let work = work.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Wish { work, line: line.to_owned() })
    }

    pub(super) fn reply(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.replies, "{line}")
    }

    /// What a dying program printed, with the line numbers that its author knows.
    pub(super) fn last_words(&self, traceback: &str) -> String {
        self.source.original_lines(traceback)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        kill(&self.child);
    }
}

/// What the runner must know, in one line of plain ASCII: it reads bytes.
fn first_line(interpreter: &Interpreter, program: &str, heap: usize) -> String {
    let interpreter = format!("file://{}", interpreter.path.display());
    let first =
        serde_json::json!({"interpreter": interpreter, "heap": heap, "modules": MODULES, "program": program});
    ascii(&first.to_string())
}

/// JSON whose text is escaped to ASCII.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut units = [0; 2];
    for character in json.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = fmt::Write::write_fmt(&mut out, format_args!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After Ctrl-C nobody reads from the program any more: it ends without a stack trace in the user's terminal.
    #[test]
    fn a_program_whose_hub_is_gone_ends_without_a_word() {
        let interpreter = Interpreter::find().unwrap();
        let mut process = Command::new("node")
            .args(["--input-type=module", "--eval", RUNNER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut replies = process.stdin.take().unwrap();
        drop(process.stdout.take());
        writeln!(replies, "{}", first_line(&interpreter, "import motor\nmotor.stop(0)\n", 320_000)).unwrap();
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
