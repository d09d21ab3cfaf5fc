//! Tetris on the emulated Game Boy, as a user runs it.

use serde_json::Value;

use crate::gamebot::{run, stderr, stdout};

#[test]
fn a_game_is_played_recorded_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.mcap");
    let record = record.to_str().unwrap();
    let output = run(&[
        "play",
        "tetris",
        "--level",
        "3",
        "--heart",
        "--set",
        "tetris.pieces=6",
        "--initials",
        "me",
        "--json",
        "--record",
        record,
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let game = &report["games"][0];
    assert_eq!((&report["level"], &report["heart"], &game["level"]), (&3.into(), &true.into(), &3.into()));
    assert_eq!(game["pieces"], 7, "six, and the one with which it lets go");
    assert_eq!(game["name_in_table"], true);
    assert_eq!((&game["unclear_looks"], &game["diverged_plans"]), (&0.into(), &0.into()));
    for field in ["seed", "score", "lines", "presses", "max_out", "lines_to_max_out", "game_s", "wall_s"] {
        assert!(game.get(field).is_some(), "{field}");
    }
    let replayed = run(&["replay", record]);
    assert!(replayed.status.success(), "{}", stdout(&replayed));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = |seed| {
        let output = run(&["play", "tetris", "--set", "tetris.pieces=3", "--seed", seed, "--json"]);
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        (report["counts"].clone(), report["games"][0]["score"].clone(), report["games"][0]["game_s"].clone())
    };
    assert_eq!(play("5"), play("5"));
    assert_ne!(play("5"), play("6"));
}

#[test]
fn cartridges_and_names_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.gb");
    std::fs::write(&file, vec![7; 0x8000]).unwrap();
    let check = |arguments: &[&str], message: &str| {
        let output = run(&[["play", "tetris"].as_slice(), arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    };
    check(&["--rom", file.to_str().unwrap()], "the header's sum is 0x07 and should be");
    check(&["--rom", "no-such-file.gb"], "cannot read no-such-file.gb");
    check(&["--initials", "TOOLONG"], "up to six letters A to Z");
    check(&["--level", "10"], "10 is not in 0..=9");
}

#[test]
fn pieces_are_measured_by_playing() {
    let output = run(&["measure", "pieces", "--count", "120", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["count"], 120);
    assert_eq!(report["pieces"].as_array().unwrap().len(), 7);
    assert_eq!(report["after_two"].as_array().unwrap().len(), 49);
}
