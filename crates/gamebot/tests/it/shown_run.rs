//! A run that is watched in a terminal (G17): the keys of appendix E.2, what is sent, and a terminal left as it was found.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use engine::notes::Topic;
use engine::replay::Tape;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::terminal::Terminal;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";

fn open(folder: &Path, arguments: &[&str]) -> Terminal {
    let shown = ["play", "tetris", "--show", "--speed", "real", "--set", "tetris.idle_periods=60"];
    Terminal::open(folder, 170, 80, &[shown.as_slice(), arguments].concat())
}

/// The orders that a recording holds, of a run that may still be on.
fn orders(recording: &Path) -> Vec<Value> {
    let Ok(tape) = Tape::open(BufReader::new(File::open(recording).unwrap())) else { return Vec::new() };
    let notes = tape.filter(|note| note.topic == Topic::Order);
    let notes = notes.map(|note| serde_json::from_slice::<Value>(&note.bytes).unwrap());
    notes.map(|mut note| note["order"].take()).collect()
}

#[test]
fn a_person_presses_the_documents_keys_while_it_plays() {
    let folder = TempDir::new().unwrap();
    let recording = folder.path().join("run.mcap");
    let record = recording.to_str().unwrap();
    let mut terminal = open(folder.path(), &["--graphics", "characters", "--level", "0", "--record", record]);
    terminal.reads("p plays · s stops");
    terminal.reads("score 0  lines 0  level 0");
    terminal.types("s");
    for key in [LEFT, RIGHT, UP, DOWN, "y", "x", "\r", BACKSPACE, "\r"] {
        terminal.types(key);
    }
    terminal.types("lhmgrkp");
    // Clicks on the corners, as terminals report them.
    for (column, row) in [(3, 4), (60, 4), (60, 40), (3, 40)] {
        terminal.types(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }
    // The game goes on in the picture until the run has heard all of it.
    while orders(&recording).len() < 18 {
        terminal.waits("an order");
    }
    terminal.types("\x1b");
    let (status, last) = terminal.ends();
    assert_eq!(status.code(), Some(130), "{last}");
    assert!(last.contains("game (interrupted)  score "), "{last}");
    let given = orders(&recording);
    let player = |order: Value| json!({"player": order});
    let buttons = ["left", "right", "up", "down", "a", "b", "start", "select", "start"];
    let mut expected = vec![player(json!("stop"))];
    expected.extend(buttons.map(|button| player(json!({"press": button}))));
    expected.extend([json!({"level": 0}), json!({"initials": "BOT"}), json!({"heart": true})].map(player));
    expected.extend([json!("new_game"), json!("reset")].map(player));
    expected.extend([json!("forget_corners"), player(json!("start"))]);
    assert_eq!(given[..expected.len()], expected);
    let corners: Vec<(f64, f64)> = serde_json::from_value(given[17]["set_corners"].clone()).unwrap();
    assert_eq!(corners.len(), 4);
    assert!(corners[0].0 < corners[1].0 && corners[1].1 < corners[2].1, "{corners:?}");
}

#[test]
fn a_shown_run_that_is_ended_from_outside_gives_the_terminal_back() {
    let folder = TempDir::new().unwrap();
    for graphics in ["kitty", "iterm2", "sixel"] {
        let mut terminal = open(folder.path(), &["--graphics", graphics]);
        terminal.reads("p plays · s stops");
        let program = Pid::from_raw(i32::try_from(terminal.program.id()).unwrap()).unwrap();
        kill_process(program, Signal::TERM).unwrap();
        assert_eq!(terminal.ends().0.code(), Some(130), "{graphics}");
    }
}
