//! The LEGO robot as a user runs it: the simulated hub as a program of its own on a pseudo terminal, the player as
//! another (L1–L5, X2). Its uploaded program runs on real MicroPython.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

/// Nothing here takes as long, unless it is stuck.
const STUCK: Duration = Duration::from_mins(4);
/// The hub is ten times as fast as a real one; the player is not, so that the hub must be more patient with it.
const HUB_SPEED: &str = "10";
const PATIENT_HUB: &str = "lego.watchdog_ms=30000";

/// The program, told where MicroPython is.
fn lego(arguments: &[&str]) -> Command {
    let mut command = gamebot(arguments);
    if let Some(folder) = std::env::var_os("GAMEBOT_MICROPYTHON") {
        command.env("GAMEBOT_MICROPYTHON", folder);
    }
    command
}

/// A program that runs, with its log as it comes. Ended with the test.
struct Running {
    child: Child,
    stdin: ChildStdin,
    log: Receiver<String>,
    heard: Vec<String>,
}

impl Running {
    fn start(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (tell, log) = channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let stdin = child.stdin.take().unwrap();
        Self { child, stdin, log, heard: Vec::new() }
    }

    /// Waits for a line of the log that contains these words.
    fn hear(&mut self, words: &str) {
        loop {
            let Ok(line) = self.log.recv_timeout(STUCK) else {
                panic!("never said {words:?}, only:\n{}", self.heard.join("\n"))
            };
            let is_it = line.contains(words);
            self.heard.push(line);
            if is_it {
                return;
            }
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    /// Waits for its end; what it printed.
    fn end(mut self) -> (Option<i32>, String) {
        let mut printed = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        (self.child.wait().unwrap().code(), printed)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hub(link: &Path, more: &[&str]) -> Running {
    let link = link.to_str().unwrap();
    let mut hub =
        Running::start(lego(&[&["simulate", "hub", "--link", link, "--speed", HUB_SPEED], more].concat()));
    hub.hear("the simulated hub is ready");
    hub
}

fn player(link: &Path, more: &[&str]) -> Command {
    let link = link.to_str().unwrap();
    let play = ["play", "connect-four", "--body", "lego", "--port", link, "--set", PATIENT_HUB];
    lego(&[&play, more].concat())
}

#[test]
fn a_pulled_cable_a_restart_and_a_flat_battery_are_told_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("hub");
    let mut hub = hub(&link, &["--games", "1", "--depth", "2"]);
    let mut player = Running::start(player(&link, &["--level", "perfect", "--json"]));
    player.hear("the hub is ready");

    hub.hear("person: ");
    hub.say("unplug");
    player.hear("is gone");
    hub.say("plug");
    player.hear("the hub is ready");

    hub.hear("person: ");
    hub.say("reboot");
    player.hear("lost");
    player.hear("the hub is ready");

    hub.hear("person: ");
    hub.say("battery 10");
    player.hear("battery is low");
    hub.say("battery 0");
    hub.hear("battery is flat");
    player.hear("lost");
    hub.say("battery 80");
    player.hear("the hub is ready");

    let (code, printed) = player.end();
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(code, Some(0), "{printed}");
    hub.say("state");
    hub.say("quit");
    let (_, state) = hub.end();
    let state: Value = serde_json::from_str(&state).unwrap();
    let columns = state["games"][0]["columns"].as_array().unwrap().iter();
    let really: String = columns.map(|column| (column.as_u64().unwrap() + 1).to_string()).collect();
    assert_eq!(report["games"][0]["moves"], really, "what the robot believes is what happened");
    assert_ne!(report["games"][0]["result"], "loss");
}

#[test]
fn ctrl_c_in_the_middle_of_a_turn_stops_the_motors() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("hub");
    let mut hub = hub(&link, &["--games", "1"]);
    let mut player = Running::start(player(&link, &["--show"]));
    player.hear("looking for the new disc");
    let id = player.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(player.end().0, Some(130));
    // It stands still afterwards, and somebody else can have the port.
    let place = |hub: &mut Running| {
        hub.say("state");
        let mut line = String::new();
        let stdout = hub.child.stdout.as_mut().unwrap();
        let mut byte = [0];
        while stdout.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
            line.push(char::from(byte[0]));
        }
        serde_json::from_str::<Value>(&line).unwrap()["robot_column"].as_f64().unwrap()
    };
    let first = place(&mut hub);
    let second = place(&mut hub);
    assert!((first - second).abs() < 0.01, "{first} {second}");
    let mut next = Running::start(self::player(&link, &[]));
    next.hear("the hub is ready");
}

#[test]
fn the_robot_is_drawn_with_its_place_and_its_belief() {
    let output = lego(&["play", "connect-four", "--body", "simulated-lego", "--show", "--level", "easy"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let drawn = stderr(&output);
    assert!(drawn.contains("dropping a disc") && drawn.contains("waiting for its turn"), "{drawn}");
    // The arm stands under a column while it looks, and beside the board when it waits.
    assert!(drawn.contains('▲') && drawn.contains("at its stop"), "{drawn}");
    assert!(stdout(&output).starts_with("game 1  "), "{}", stdout(&output));
}

#[test]
fn a_recorded_game_is_replayed_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mcap");
    let file = file.to_str().unwrap();
    let play = ["play", "connect-four", "--body", "simulated-lego", "--level", "easy", "--record", file];
    let output = lego(&play).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    // The player alone, without hub and MicroPython.
    let replayed = run(&["replay", file]);
    assert!(replayed.status.success(), "{}{}", stdout(&replayed), stderr(&replayed));
    assert!(run(&["inspect", file]).status.success());
}

#[test]
fn turns_are_measured_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("turns.svg");
    let measure = ["measure", "lego-turns", "--games", "1", "--json", "--plot", plot.to_str().unwrap()];
    let output = lego(&measure).output().unwrap();
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["wrong_beliefs"], 0);
    assert!(report["longest_s"].as_f64().unwrap() < 45.0, "{report}");
    assert!(std::fs::read_to_string(plot).unwrap().contains("A turn of the LEGO robot"));
}

#[test]
fn what_is_missing_is_said() {
    // No MicroPython.
    let mut command = gamebot(&["play", "connect-four", "--body", "simulated-lego"]);
    let nowhere = tempfile::tempdir().unwrap();
    let output = command
        .env("HOME", nowhere.path())
        .env_remove("XDG_DATA_HOME")
        .current_dir(nowhere.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("npm install"), "{}", stderr(&output));
    // A port that is no hub's.
    let file = nowhere.path().join("not-a-port");
    std::fs::write(&file, "").unwrap();
    let output = run(&["play", "connect-four", "--body", "lego", "--port", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("not-a-port"), "{}", stderr(&output));
    // A slot that no hub has.
    let output = run(&["play", "connect-four", "--body", "lego", "--set", "lego.slot=20"]);
    assert_eq!(output.status.code(), Some(2));
}
