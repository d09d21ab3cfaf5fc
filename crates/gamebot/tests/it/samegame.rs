//! `gamebot solve samegame` (S4, S5).

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

const EXAMPLE: &str = "[[1,3,2,2],[3,1,1,2],[1,3,2,3],[1,2,3,2],[1,2,3,2]]";

fn solve(arguments: &[&str]) -> std::process::Output {
    run(&[&["solve", "samegame"], arguments].concat())
}

#[test]
fn exhaustive_search_prints_the_documents_moves() {
    let output = solve(&[EXAMPLE, "--solver", "exhaustive"]);
    assert_eq!((stdout(&output), output.status.code()), ("[6,5,4,3,2,1,2,2,1]\n", Some(0)));
}

#[test]
fn every_solver_clears_the_documents_example() {
    for solver in ["auto", "exhaustive", "evolutionary", "nrpa", "beam"] {
        let output = solve(&[EXAMPLE, "--solver", solver, "--nodes", "200000", "--json"]);
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(report["proof"], "cleared", "{solver}");
        assert_eq!((&report["cleared"], &report["remaining"]), (&Value::Bool(true), &0.into()));
        assert!(report["score"].as_i64().unwrap() > 1000);
        assert!(report["nodes"].is_u64() && report["time_ms"].is_f64() && report["moves"].is_array());
    }
}

#[test]
fn a_board_that_cannot_be_cleared_is_a_negative_answer() {
    let output = solve(&["[[1,2],[2,1]]", "--json"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["proof"], output.status.code()), (&"impossible".into(), Some(1)));
    assert_eq!(report["remaining"], 4);
    let text = solve(&["[[1,2],[2,1]]"]);
    assert_eq!(stdout(&text), "[]\n");
    assert!(stderr(&text).contains("the board cannot be cleared"));
}

#[test]
fn many_boards_come_a_line_and_a_bad_one_does_not_stop_the_others() {
    let mut child = gamebot(&["solve", "samegame", "-", "--nodes", "10000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = "[[1,1]]\n\n[[1,0,1]]\n[[2,2],[2,2]]\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let expected = "[1]\nerror: line 3: column 1, row 3: colour 1 is above an empty cell\n[1]\n";
    assert_eq!((stdout(&output), output.status.code()), (expected, Some(1)));
}

#[test]
fn bad_input_is_refused_with_place_and_reason() {
    for (arguments, reason) in [
        (["[[1,2],[1]]", "--seed=1"], "column 2 has 1 cells but column 1 has 2"),
        (["[[0,1]]", "--seed=1"], "column 1, row 2: colour 1 is above an empty cell"),
        (["[[10]]", "--seed=1"], "column 1, row 1: colour 10; colours are 1 to 9"),
        (["[[1,a]]", "--seed=1"], "character 5: found 'a', expected a colour number"),
        (["[[1,1]]", "--min-group=1"], "minimum group size is 1; it must be 2 to 255"),
        (["no-such-file", "--seed=1"], "no-such-file: No such file or directory"),
        (["--random=99x1x1", "--seed=1"], "at most 50x50x9"),
        (["[[1,1]]", "--time=soon"], "soon"),
    ] {
        let output = solve(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(reason), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn points_are_reproducible_with_seed_and_nodes() {
    let board = "[[1,2,3,1,2],[2,1,3,3,1],[1,1,2,3,2],[3,2,1,1,2],[2,3,3,1,1]]";
    let points = || {
        let output = solve(&[board, "--goal", "points", "--nodes", "30000", "--seed", "5", "--threads", "2"]);
        assert_eq!(output.status.code(), Some(0));
        stdout(&output).to_owned()
    };
    assert_eq!(points(), points());
}

#[test]
fn the_board_is_shown_after_each_move() {
    let output =
        solve(&["[[1,2],[1,2],[3,3]]", "--show", "--solver", "exhaustive", "--orientation", "right"]);
    let expected = "\
2 2 3
1 1 3

move 1: group 3, 2 cells
  2 2
  1 1

move 2: group 2, 2 cells

  1 1

move 3: group 1, 2 cells



[3,2,1]
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn random_boards_give_statistics_with_a_plot() {
    let arguments = ["--random", "8x8x3", "--seed", "7", "--count", "20", "--solvable"];
    let output = solve(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("time, ms") && stdout(&output).contains('█'), "{}", stdout(&output));
    let json = solve(&[&arguments[..], &["--json"]].concat());
    let summary: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!((&summary["cleared"], summary["boards"].as_array().unwrap().len()), (&20.into(), 20));
    assert!(summary["time_ms_median"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_window_can_be_annotated_and_printed_as_json() {
    // Without a display the command still gets as far as looking for one: its flags go together.
    for more in [["--json", "--screen"], ["--annotate", "read.png"]] {
        let window = if more.contains(&"--screen") { vec![] } else { vec!["--window", "Same Game"] };
        let arguments = [&["see", "samegame"], more.as_slice(), &window].concat();
        let output = gamebot(&arguments).env_remove("DISPLAY").output().unwrap();
        assert!(stderr(&output).contains("no X11 display"), "{}", stderr(&output));
    }
    let both = run(&["see", "samegame", "--screen", "--window", "a"]);
    assert!(stderr(&both).contains("cannot be used with"), "one source only");
}

/// S3, S8: what the first run finds out, the second begins with.
#[test]
fn what_was_learned_goes_into_a_profile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned.toml");
    let profile = path.to_str().unwrap();
    let game = ["samegame_window.clicks=2", "samegame_window.min_group=3", "samegame_window.columns=8"];
    let game = game.iter().flat_map(|setting| ["--set", setting]);
    let play = ["play", "samegame", "--body", "simulated-window", "--json"];
    let first: Vec<&str> = play.into_iter().chain(game).chain(["--seed", "3", "--learn", profile]).collect();
    let first = run(&first);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let written = std::fs::read_to_string(&path).unwrap();
    for learned in ["[samegame]", "clicks = 2", "min_group = 3", "supply = \"nothing\""] {
        assert!(written.contains(learned), "{learned}: {written}");
    }
    // The same game again, described by the profile alone: nothing is tried out any more.
    let second: Vec<&str> = play.into_iter().chain(["--seed", "3", "--profile", profile]).collect();
    let second = run(&second);
    assert_eq!(second.status.code(), Some(0), "{}", stderr(&second));
    let lost = |output: &std::process::Output| -> u64 {
        let report: Value = serde_json::from_str(stdout(output)).unwrap();
        assert_eq!(report["learned"]["min_group"], 3);
        report["rounds"][0]["lost_clicks"].as_u64().unwrap()
    };
    assert!(lost(&first) > 0, "moves were tried that the game does not allow");
    assert_eq!(lost(&second), 0);
    let nowhere = run(&["play", "samegame", "--learn", "/nowhere/at/all.toml"]);
    assert!(stderr(&nowhere).contains("no folder /nowhere/at"), "{}", stderr(&nowhere));
}
