//! Tetris for people on a real pseudo terminal (P1, P2, P4): keys, take-over, settings that are kept, sizes that are
//! refused, a terminal that is left as it was found.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use tempfile::TempDir;

use crate::gamebot::{gamebot, workspace};

/// Long enough for a busy machine; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(1);
const LEFT: &str = "\x1b[D";

/// The program on a pseudo terminal, and the person before it.
struct Terminal {
    program: Child,
    keyboard: File,
    /// The terminal's other end: its settings can be asked for after the program has gone.
    line: OwnedFd,
    settings_before: Termios,
    shown: Receiver<Vec<u8>>,
    reading: JoinHandle<()>,
    output: String,
}

impl Terminal {
    fn open(settings: &Path, columns: u16, rows: u16, arguments: &[&str]) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let keyboard = File::from(keyboard);
        tcsetwinsize(&keyboard, size(columns, rows)).unwrap();
        let line = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let settings_before = tcgetattr(&line).unwrap();
        let stdio = || Stdio::from(line.try_clone().unwrap());
        let program = gamebot(&[&["play", "tetris", "--body", "terminal"], arguments].concat());
        // A session of its own, so that the terminal of whoever runs the tests is out of reach.
        let program = Command::new("setsid")
            .arg("--ctty")
            .arg(program.get_program())
            .args(program.get_args())
            .current_dir(workspace())
            .env("XDG_CONFIG_HOME", settings)
            .env("TERM", "xterm-256color")
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
        Self { program, keyboard, line: line.into(), settings_before, shown, reading, output: String::new() }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a whole picture holds this; returns its lines without colours.
    fn sees(&mut self, what: &str) -> Vec<String> {
        self.sees_that(what, |lines| lines.iter().any(|line| line.contains(what)))
    }

    fn sees_that(&mut self, what: &str, holds: impl Fn(&[String]) -> bool) -> Vec<String> {
        loop {
            let bytes = self.shown.recv_timeout(PATIENCE);
            let bytes = bytes.unwrap_or_else(|_| panic!("never: {what}\n{:?}", self.picture()));
            self.output.push_str(&String::from_utf8_lossy(&bytes));
            let picture = self.picture();
            if holds(&picture) {
                return picture;
            }
        }
    }

    /// The last whole picture.
    fn picture(&self) -> Vec<String> {
        let whole = self.output.rfind("\x1b[J").map_or("", |end| &self.output[..end]);
        let start = whole.rfind("\x1b[H").unwrap_or(0);
        without_colours(&whole[start..]).lines().map(str::to_owned).collect()
    }

    /// Waits for the program's end; returns what it printed and checks that the terminal is as it was.
    fn ends(mut self) -> (ExitStatus, String) {
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
        let last = self.output.rsplit("\x1b[?25h").next().unwrap_or_default();
        (status, without_colours(last))
    }
}

fn size(columns: u16, rows: u16) -> Winsize {
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

/// Cells of the field that are filled in this line.
fn filled(line: &str) -> usize {
    line.matches("██").count()
}

#[test]
fn a_person_plays_and_a_machine_takes_over_and_gives_back() {
    let settings = TempDir::new().unwrap();
    let mut terminal = Terminal::open(settings.path(), 80, 24, &["--size", "6x12", "--seed", "7"]);
    let picture = terminal.sees("you play");
    assert_eq!(picture.len(), 16);
    assert!(picture[0].ends_with("│  score  0"), "{picture:#?}");
    assert!(picture[4].starts_with("  │            │  next   "), "{picture:#?}");
    // Against the wall and down: the piece lies in the left corner.
    terminal.types(&LEFT.repeat(6));
    terminal.types(" ");
    terminal.sees_that("a piece in the corner", |lines| {
        lines.get(11).is_some_and(|line| line.starts_with("  │██"))
    });
    terminal.types("m");
    terminal.sees("ours plays");
    terminal
        .sees_that("the machine's pieces", |lines| lines.iter().map(|line| filled(line)).sum::<usize>() > 8);
    terminal.types(LEFT);
    terminal.sees("you play");
    terminal.types("p");
    terminal.sees("paused");
    terminal.types("p");
    terminal.sees("you play");
    terminal.types("q");
    let (status, last) = terminal.ends();
    assert!(status.success(), "{status}: {last}");
    assert!(last.contains("score ") && last.contains("pieces "), "{last}");
}

#[test]
fn settings_are_kept_for_the_next_time() {
    let settings = TempDir::new().unwrap();
    let mut first = Terminal::open(
        settings.path(),
        80,
        24,
        &["--size", "7x9", "--player", "bergmark", "--pace-ms", "40"],
    );
    first.sees("bergmark plays");
    first.types("\x03");
    assert!(first.ends().0.success());
    let mut second = Terminal::open(settings.path(), 80, 24, &[]);
    let picture = second.sees("you play");
    assert!(picture[9].starts_with(&format!("  └{}┘", "──".repeat(7))), "{picture:#?}");
    second.types("m");
    second.sees("bergmark plays");
    second.types("q");
    assert!(second.ends().0.success());
    let kept = std::fs::read_to_string(settings.path().join("gamebot/terminal-tetris.json")).unwrap();
    assert!(kept.contains("\"pace_ms\": 40"), "{kept}");
}

#[test]
fn sizes_and_small_terminals_are_refused_in_clear_words() {
    let settings = TempDir::new().unwrap();
    let (status, why) = Terminal::open(settings.path(), 80, 24, &["--size", "33x20"]).ends();
    assert_eq!(status.code(), Some(2));
    assert!(why.contains("33 columns") || why.contains("4 to 32"), "{why}");
    let (status, why) = Terminal::open(settings.path(), 40, 20, &["--size", "10x20"]).ends();
    assert_eq!(status.code(), Some(2));
    assert!(why.contains("10 × 20 needs a terminal of 48 × 21 characters; this one has 40 × 20"), "{why}");
}

#[test]
fn a_terminal_that_shrinks_stops_the_game_and_an_end_from_outside_gives_it_back() {
    let settings = TempDir::new().unwrap();
    let mut terminal = Terminal::open(settings.path(), 80, 24, &["--rules", "gameboy", "--player", "lee"]);
    terminal.sees("lee plays");
    tcsetwinsize(&terminal.keyboard, size(30, 24)).unwrap();
    terminal.sees("this one has 30 × 24");
    tcsetwinsize(&terminal.keyboard, size(80, 24)).unwrap();
    terminal.sees("paused");
    terminal.types("p");
    terminal.sees("lee plays");
    let program = Pid::from_raw(i32::try_from(terminal.program.id()).unwrap()).unwrap();
    kill_process(program, Signal::TERM).unwrap();
    assert_eq!(terminal.ends().0.code(), Some(130));
}
