//! `gamebot simulate robot` as a user runs it: a separate program, controlled on standard input.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use devices::robot::{Config, Disc, Robot, RobotStatus, Timing};
use simulators::robot::State;

use crate::gamebot::{gamebot, run, stderr};
use crate::robot::{check_won, column, drawn, play};

/// The program, and lines to and from it.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Program {
    /// Starts it and waits until its port is there.
    pub fn start(link: &Path, more: &[&str]) -> Self {
        let link = link.to_str().unwrap();
        let arguments = [&["simulate", "robot", "--link", link, "--speed", "20"], more].concat();
        let mut child = gamebot(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut program = Self { child, input, output };
        assert_eq!(program.state().phase, "ready");
        program
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    pub fn state(&mut self) -> State {
        self.say("state");
        serde_json::from_str(&self.output.next().unwrap().unwrap()).unwrap()
    }

    pub fn quit(mut self) -> Option<i32> {
        self.say("quit");
        self.child.wait().unwrap().code()
    }
}

fn timing() -> Timing {
    let timing = Timing::default().faster(20.0);
    Timing { patience: std::time::Duration::from_mins(10), ..timing }
}

#[tokio::test]
async fn a_game_with_orders_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("robot");
    let mut program = Program::start(&link, &[]);
    let robot = Robot::start(Config { timing: timing(), ..Config::serial(&link) });
    robot.drop_disc(Disc::Yellow, column(4)).await.unwrap();
    assert_eq!(program.state().board, drawn(&robot));

    // Somebody pulls the cable, empties the board and plugs it in again.
    let mut status = robot.status();
    program.say("unplug");
    status.wait_for(|status| matches!(status, RobotStatus::Lost { .. })).await.unwrap();
    assert!(!program.state().plugged && !link.exists());
    program.say("empty");
    program.say("plug");
    robot.drop_disc(Disc::Red, column(4)).await.unwrap();
    assert_eq!(program.state().board, drawn(&robot));

    // A disc gets stuck; the next line repairs it.
    program.say("fault jam");
    program.say("no such line");
    let jammed = robot.drop_disc(Disc::Red, column(5));
    status.wait_for(|status| matches!(status, RobotStatus::Error { .. })).await.unwrap();
    program.say("repair");
    jammed.await.unwrap();
    assert_eq!(program.state().board, drawn(&robot));

    play(&robot).await.unwrap();
    let state = program.state();
    check_won(&robot, &state);
    assert_eq!(state.faults, 1);
    robot.stop().await;
    assert_eq!(program.quit(), Some(0));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "the link is gone");
}

#[test]
fn the_board_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("robot");
    let link = link.to_str().unwrap();
    let mut child = gamebot(&["simulate", "robot", "--link", link, "--show"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "quit").unwrap();
    let output = child.wait_with_output().unwrap();
    let row = " . ".repeat(7);
    let board = format!("{}\n", [row.as_str(); 6].join("\n"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        format!("{board} 1  2  3  4  5  6  7 \nready   red left 21   yellow left 21   faults 0\n\n")
    );
}

#[test]
fn mistakes_in_the_call_are_explained() {
    let fire = run(&["simulate", "robot", "--link", "/no/such/folder/robot", "--fault", "fire@3"]);
    assert_eq!(fire.status.code(), Some(2));
    assert!(stderr(&fire).contains("no fault `fire`; there are no-answer"), "{}", stderr(&fire));
    let no_folder = run(&["simulate", "robot", "--link", "/no/such/folder/robot"]);
    assert_eq!(no_folder.status.code(), Some(2));
    assert!(
        stderr(&no_folder).contains("cannot make the link /no/such/folder/robot"),
        "{}",
        stderr(&no_folder)
    );
}
