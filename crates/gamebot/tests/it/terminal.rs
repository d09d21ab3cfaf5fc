//! A pseudo terminal with the program on it, and the person before it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::gamebot::{gamebot, workspace};

/// Long enough for a busy machine; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(3);

/// The program on a pseudo terminal, and the person before it.
pub struct Terminal {
    pub program: Child,
    pub keyboard: File,
    /// The terminal's other end: its settings can be asked for after the program has gone.
    line: OwnedFd,
    settings_before: Termios,
    shown: Receiver<Vec<u8>>,
    reading: JoinHandle<()>,
    output: String,
    /// How much of it has been read.
    read: usize,
}

impl Terminal {
    /// Starts the program on a terminal of this size; its settings are kept in that folder.
    pub fn open(settings: &Path, columns: u16, rows: u16, arguments: &[&str]) -> Self {
        Self::open_with(settings, columns, rows, arguments, &[])
    }

    /// The same with these variables in its environment.
    pub fn open_with(
        settings: &Path,
        columns: u16,
        rows: u16,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let keyboard = File::from(keyboard);
        tcsetwinsize(&keyboard, size(columns, rows)).unwrap();
        let line = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let settings_before = tcgetattr(&line).unwrap();
        let stdio = || Stdio::from(line.try_clone().unwrap());
        let program = gamebot(arguments);
        // A session of its own, so that the terminal of whoever runs the tests is out of reach.
        let program = Command::new("setsid")
            .arg("--ctty")
            .arg(program.get_program())
            .args(program.get_args())
            .current_dir(workspace())
            .env("XDG_CONFIG_HOME", settings)
            .env("TERM", "xterm-256color")
            .envs(variables.iter().copied())
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .unwrap();
        let (sender, shown) = mpsc::channel();
        let mut screen = keyboard.try_clone().unwrap();
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            program,
            keyboard,
            line: line.into(),
            settings_before,
            shown,
            reading,
            output: String::new(),
            read: 0,
        }
    }

    /// Presses keys.
    pub fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a whole picture holds this; returns its lines without colours.
    pub fn sees(&mut self, what: &str) -> Vec<String> {
        self.sees_that(what, |lines| lines.iter().any(|line| line.contains(what)))
    }

    /// Waits until a whole picture is so.
    pub fn sees_that(&mut self, what: &str, holds: impl Fn(&[String]) -> bool) -> Vec<String> {
        loop {
            self.waits(what);
            let picture = self.picture();
            if holds(&picture) {
                return picture;
            }
        }
    }

    /// Waits until these words have come since the last call; pictures that are drawn bit by bit need not be whole.
    pub fn reads(&mut self, words: &str) {
        while !self.output[self.read..].contains(words) {
            self.waits(words);
        }
        self.read = self.output.len();
    }

    /// Waits for more of what is shown.
    pub fn waits(&mut self, what: &str) {
        let bytes = self.shown.recv_timeout(PATIENCE);
        let bytes = bytes.unwrap_or_else(|_| panic!("never: {what}\n{:?}", self.picture()));
        self.output.push_str(&String::from_utf8_lossy(&bytes));
    }

    /// The last whole picture.
    fn picture(&self) -> Vec<String> {
        let whole = self.output.rfind("\x1b[J").map_or("", |end| &self.output[..end]);
        let start = whole.rfind("\x1b[H").unwrap_or(0);
        without_colours(&whole[start..]).lines().map(str::to_owned).collect()
    }

    /// Waits for the program's end; returns what it printed and checks that the terminal is as it was.
    pub fn ends(self) -> (ExitStatus, String) {
        let (status, output) = self.ends_with_colours();
        let last = output.rsplit("\x1b[?25h").next().unwrap_or_default();
        (status, without_colours(last))
    }

    /// The same with all that it ever printed, as it came.
    pub fn ends_with_colours(mut self) -> (ExitStatus, String) {
        let status = self.program.wait().unwrap();
        let after = tcgetattr(&self.line).unwrap();
        let before = &self.settings_before;
        assert_eq!(
            (after.local_modes, after.input_modes, after.output_modes),
            (before.local_modes, before.input_modes, before.output_modes)
        );
        // Closing the last descriptor of the line ends the reading.
        drop((self.line, self.keyboard));
        self.reading.join().unwrap();
        for bytes in self.shown.try_iter() {
            self.output.push_str(&String::from_utf8_lossy(&bytes));
        }
        let entered = self.output.contains("\x1b[?1049h");
        assert_eq!(self.output.contains("\x1b[?1049l") && self.output.contains("\x1b[?25h"), entered);
        (status, self.output)
    }
}

/// Of a terminal.
pub fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Text without escape sequences.
fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            // A sequence ends with a letter; the bracket before it is none.
            for next in letters.by_ref() {
                if next.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            plain.push(letter);
        }
    }
    plain
}
