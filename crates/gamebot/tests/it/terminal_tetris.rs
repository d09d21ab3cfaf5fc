//! Tetris for people on a real pseudo terminal (P1, P2, P4): keys, take-over, settings that are kept, sizes that are
//! refused, a terminal that is left as it was found.

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::tcsetwinsize;
use tempfile::TempDir;

use crate::terminal::{Terminal, size};

const LEFT: &str = "\x1b[D";

fn open(settings: &Path, columns: u16, rows: u16, arguments: &[&str]) -> Terminal {
    let arguments = [&["play", "tetris", "--body", "terminal"], arguments].concat();
    Terminal::open(settings, columns, rows, &arguments)
}

/// Cells of the field that are filled in this line.
fn filled(line: &str) -> usize {
    line.matches("██").count()
}

#[test]
fn a_person_plays_and_a_machine_takes_over_and_gives_back() {
    let settings = TempDir::new().unwrap();
    let mut terminal = open(settings.path(), 80, 24, &["--size", "6x12", "--seed", "7"]);
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
    let mut first =
        open(settings.path(), 80, 24, &["--size", "7x9", "--player", "bergmark", "--pace-ms", "40"]);
    first.sees("bergmark plays");
    first.types("\x03");
    assert!(first.ends().0.success());
    let mut second = open(settings.path(), 80, 24, &[]);
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
    let (status, why) = open(settings.path(), 80, 24, &["--size", "33x20"]).ends();
    assert_eq!(status.code(), Some(2));
    assert!(why.contains("33 columns") || why.contains("4 to 32"), "{why}");
    let (status, why) = open(settings.path(), 40, 20, &["--size", "10x20"]).ends();
    assert_eq!(status.code(), Some(2));
    assert!(why.contains("10 × 20 needs a terminal of 48 × 21 characters; this one has 40 × 20"), "{why}");
}

#[test]
fn a_terminal_that_shrinks_stops_the_game_and_an_end_from_outside_gives_it_back() {
    let settings = TempDir::new().unwrap();
    let mut terminal = open(settings.path(), 80, 24, &["--rules", "gameboy", "--player", "lee"]);
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
