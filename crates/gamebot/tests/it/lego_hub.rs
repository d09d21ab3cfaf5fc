//! `gamebot simulate hub` and `gamebot play connect-four --body lego` as two programs on a serial port (L1, X2).

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use engine::{Cancel, Clock, RealClock};
use serde_json::Value;

use crate::lego::lego;

/// The hub is ten times as fast as a real one; the player is not, so that the hub must be more patient with it.
const SPEED: &str = "10";
const PATIENT_HUB: &str = "lego.watchdog_ms=30000";

/// A hub at a table, and lines to and from it.
struct Hub {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    link: PathBuf,
    _folder: tempfile::TempDir,
}

impl Hub {
    /// Starts it and waits until its port is there; a person plays against its robot.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("hub");
        let arguments =
            ["simulate", "hub", "--speed", SPEED, "--games", "1", "--link", link.to_str().unwrap()];
        let mut child = lego(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut hub = Self { child, input, output, link, _folder: folder };
        assert!(hub.robot_column() < 0.0);
        hub
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn state(&mut self) -> Value {
        self.say("state");
        serde_json::from_str(&self.output.next().unwrap().unwrap()).unwrap()
    }

    fn robot_column(&mut self) -> f64 {
        self.state()["robot_column"].as_f64().unwrap()
    }

    /// Waits until the robot stands in front of the board.
    fn robot_drives(&mut self) {
        let clock = RealClock::start(Cancel::new());
        for _ in 0..6000 {
            if self.robot_column() > 0.5 {
                return;
            }
            clock.sleep(Duration::from_millis(10));
        }
        panic!("the robot stays at its stop: {}", self.state());
    }

    /// Lets the program play with it.
    fn play(&self) -> Child {
        let port = self.link.to_str().unwrap();
        let arguments = ["play", "connect-four", "--body", "lego", "--port", port, "--set", PATIENT_HUB];
        lego(&arguments).stderr(Stdio::piped()).spawn().unwrap()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn two_robots_at_once_leave_their_boards_when_they_are_interrupted_in_the_middle_of_a_turn() {
    let mut hubs = [Hub::start(), Hub::start()];
    let playing = hubs.each_ref().map(Hub::play);
    for (hub, child) in hubs.iter_mut().zip(playing) {
        hub.robot_drives();
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(!said.contains("could not"), "{said}");
        // At its stop, 1.7 columns beside the board, with its motors still.
        let [first, second] = [hub.robot_column(), hub.robot_column()];
        assert!(first < -1.5 && (first - second).abs() < f64::EPSILON, "{first} {second}");
    }
    // The hub was given back: somebody else can begin at once.
    let mut again = hubs[0].play();
    hubs[0].robot_drives();
    again.kill().unwrap();
    again.wait().unwrap();
}

#[test]
fn a_hub_that_thinks_is_only_listened_to() {
    let mut hub = Hub::start();
    let port = hub.link.to_str().unwrap().to_owned();
    let arguments =
        ["play", "connect-four", "--body", "lego", "--think", "hub", "--port", &port, "--color", "yellow"];
    let mut child = lego(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "colour Y begins ?");
    hub.robot_drives();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// However it is ended, its port is gone with it, so that nobody opens a terminal that belongs to somebody else.
#[test]
fn a_hub_that_was_ended_leaves_no_port_behind() {
    for signal in [None, Some("-INT")] {
        let mut hub = Hub::start();
        assert!(hub.link.is_symlink());
        match signal {
            None => hub.say("quit"),
            Some(signal) => {
                let id = hub.child.id().to_string();
                assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            }
        }
        hub.child.wait().unwrap();
        assert!(!hub.link.is_symlink(), "{signal:?}");
    }
}
