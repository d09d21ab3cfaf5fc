//! The simulated LEGO robot as a user runs it (L1–L5, X2). Its uploaded program runs on real MicroPython.

use std::process::Command;

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

/// The program, told where MicroPython is.
pub fn lego(arguments: &[&str]) -> Command {
    let mut command = gamebot(arguments);
    if let Some(folder) = std::env::var_os("GAMEBOT_MICROPYTHON") {
        command.env("GAMEBOT_MICROPYTHON", folder);
    }
    command
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
fn two_robots_play_each_other_at_one_board() {
    let play = [
        "play",
        "connect-four",
        "--body",
        "simulated-lego",
        "--opponent",
        "robot",
        "--level",
        "easy",
        "--json",
    ];
    let output = lego(&play).output().unwrap();
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["games"][0]["first"], "machine", "{report}");
    assert!(report["games"][0]["turns"].as_array().unwrap().len() > 3, "{report}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refused_by = |body: &str, more: &[&str]| {
        let output = run(&[&["play", "connect-four", "--body", body], more].concat());
        assert_eq!(output.status.code(), Some(2), "{body} {more:?}: {}", stderr(&output));
        stderr(&output).to_owned()
    };
    for flag in [
        ["--port", "/dev/ttyACM0"].as_slice(),
        &["--color", "yellow"],
        &["--first"],
        &["--think", "hub"],
        &["--opponent", "robot"],
        &["--record", "x.mcap"],
        &["--show"],
    ] {
        assert!(refused_by("terminal", flag).contains("is for --body lego"), "{flag:?}");
    }
    let refused = |more: &[&str]| refused_by("simulated-lego", more);
    assert!(refused(&["--second"]).contains("--first"));
    assert!(refused(&["--port", "/dev/ttyACM0"]).contains("has no port"));
    assert!(refused(&["--think", "hub", "--level", "easy"]).contains("--level is for --think host"));
    assert!(refused(&["--think", "hub", "--show"]).contains("--show"));
    assert!(refused(&["--opponent", "robot", "--record", "x.mcap"]).contains("--record"));
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
    // A port that does not belong to a hub.
    let file = nowhere.path().join("not-a-port");
    std::fs::write(&file, "").unwrap();
    let output = run(&["play", "connect-four", "--body", "lego", "--port", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("not-a-port"), "{}", stderr(&output));
    // Colours that nobody could tell apart.
    let alike = ["play", "connect-four", "--body", "simulated-lego", "--set", "lego.yellow=530 100 90"];
    let output = lego(&alike).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("too alike"), "{}", stderr(&output));
    // A slot that no hub has.
    let output = run(&["play", "connect-four", "--body", "lego", "--set", "lego.slot=20"]);
    assert_eq!(output.status.code(), Some(2));
}
