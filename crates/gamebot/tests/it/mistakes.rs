//! What strangers typed, and what becomes of their results: clear errors before the work begins, and nothing lost.

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

/// The mistake is named on standard error, nothing is printed, and the exit code is that of usage.
fn refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert!(stderr(output).contains(message), "{}", stderr(output));
    assert_eq!(stdout(output), "");
}

#[test]
fn a_plot_without_a_folder_is_refused_before_the_work_begins() {
    let plot = ["--plot", "no-such-folder/lines.svg"];
    refused(&run(&[["compare", "tetris"], plot].concat()), "there is no folder no-such-folder");
    refused(&run(&[["measure", "pieces"], plot].concat()), "there is no folder no-such-folder");
}

#[test]
fn plug_ins_are_found_and_have_names_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = |folder: &str| run(&["compare", "tetris", "--games", "1", "--plugins", folder]);
    refused(&plugins("no-such-folder"), "--plugins no-such-folder: there is no such folder");
    fs::write(folder.path().join("lee.tbp"), "true").unwrap();
    let path = folder.path().to_str().unwrap();
    refused(&plugins(path), "plug-in lee: a built-in player has this name");
    fs::rename(folder.path().join("lee.tbp"), folder.path().join("mine.tbp")).unwrap();
    let table = format!("{}/../tetris/values/score.values", env!("CARGO_MANIFEST_DIR"));
    fs::copy(table, folder.path().join("mine.values")).unwrap();
    refused(&plugins(path), "plug-in mine: two files have this name");
}

#[test]
fn numbers_and_rules_that_mean_nothing_are_refused() {
    let compare = |more: &[&str]| run(&[["compare", "tetris", "--games", "1"].as_slice(), more].concat());
    refused(&compare(&["--press-ms", "NaN"]), "choose 0 to 1000");
    refused(&compare(&["--press-ms", "0"]), "shorter than a frame");
    refused(&compare(&["--rules", "classic", "--heart"]), "--heart: only with --rules gameboy");
    for flag in ["--sigma", "--crossover", "--mutation"] {
        refused(
            &run(&["tune", "tetris", "--objective", "lines", flag, "NaN"]),
            "choose a number from 0 to 1",
        );
    }
    refused(&run(&["tune", "tetris", "--death", "inf"]), "choose a number from 0 to 1000");
    refused(&run(&["solve", "samegame", "[[1,1]]", "--time", "10"]), "such as 500ms, 10s or 2m");
}

/// A database that cannot be there is a mistake in the call, and its message names the file once.
#[test]
fn a_database_in_no_folder_is_refused() {
    let nowhere = ["arcade", "--listen", "127.0.0.1:0", "--database", "no-such-folder/games.sqlite"];
    refused(&run(&nowhere), "database no-such-folder/games.sqlite: cannot open");
}

/// A negative number is a wrong value, not an unknown flag; a mistake names its file once.
#[test]
fn what_is_wrong_is_said_of_the_value_and_once() {
    for (arguments, message) in [
        (["compare", "tetris", "--press-ms", "-5"].as_slice(), "--press-ms -5: choose 0 to 1000"),
        (&["play", "tetris", "--seed", "-1"], "invalid value '-1' for '--seed <SEED>'"),
        (&["play", "tetris", "--two-player", "--type", "b"], "'--two-player' cannot be used with '--type"),
        (&["replay", "no.mcap"], "error: cannot open no.mcap: "),
        (&["inspect", "no.mcap"], "error: cannot open no.mcap: "),
    ] {
        let output = run(arguments);
        refused(&output, message);
        assert_eq!(stderr(&output).matches("no.mcap").count(), message.matches("no.mcap").count());
    }
}

#[test]
fn only_files_of_finished_games_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    let resume =
        ["compare", "tetris", "--players", "height", "--games", "2", "--lines", "5", "--json", "--resume"];
    let resume = [resume.as_slice(), &[path.to_str().unwrap()]].concat();
    fs::write(&path, "Dear Ada,\n").unwrap();
    refused(&run(&resume), "letter.txt: line 1 is not a finished game");
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear Ada,\n", "nothing is added to it");

    fs::remove_file(&path).unwrap();
    let whole: Value = serde_json::from_str(stdout(&run(&resume))).unwrap();
    let written = fs::read_to_string(&path).unwrap();
    let game: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
    assert_eq!((&game["contest"]["rules"], &game["contest"]["seed"]), (&"gameboy".into(), &1.into()));
    // A killed run leaves half a line.
    fs::write(&path, &written[..written.len() - 20]).unwrap();
    let again: Value = serde_json::from_str(stdout(&run(&resume))).unwrap();
    assert_eq!(whole["players"][0]["lines_mean"], again["players"][0]["lines_mean"]);
}

/// Another program can click the moves: the cells of each group, on the board before it.
#[test]
fn samegame_moves_come_with_their_cells_and_points_with_the_score() {
    let board = "[[1,1],[2,1],[2,1]]";
    let output = run(&["solve", "samegame", board, "--json"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), report["moves"].as_array().unwrap().len());
    let all: usize = cells.iter().map(|group| group.as_array().unwrap().len()).sum();
    assert_eq!(all, 6);
    let output = run(&["solve", "samegame", board, "--goal", "points", "--nodes", "1000"]);
    assert!(stdout(&output).trim_end().ends_with("1004 points"), "{}", stdout(&output));
}

#[test]
fn json_has_every_key_once() {
    let output = run(&["play", "catch", "--games", "2", "--json"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["games"], 2);
    assert_eq!(stdout(&output).matches("\"games\"").count(), 1, "{}", stdout(&output));
}

#[test]
fn only_near_words_are_suggested() {
    let near = run(&["config", "explain", "engine.repeat_limt"]);
    assert!(stderr(&near).contains("did you mean `engine.repeat_limit`?"), "{}", stderr(&near));
    let far = run(&["play", "catch", "--set", "engine.bananas=1"]);
    assert!(!stderr(&far).contains("did you mean"), "{}", stderr(&far));
}

fn begin(arguments: &[&str]) -> Child {
    gamebot(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Lets it work for a while, interrupts it, and returns its data.
#[expect(clippy::disallowed_methods, reason = "a person would wait as well; nothing depends on how long")]
fn interrupt(mut child: Child) -> String {
    std::thread::sleep(Duration::from_secs(2));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    text
}

#[test]
fn an_interrupted_comparison_prints_what_it_has() {
    let players = "random,easy,random";
    let compare = begin(&["compare", "connect-four", "--players", players, "--games", "1000000", "--json"]);
    let report: Value = serde_json::from_str(&interrupt(compare)).unwrap();
    assert!(report["results"][0][1]["points"].is_number(), "{report}");
    assert!(report["results"][1][2].is_null(), "never begun: {report}");
}

#[test]
fn a_comparison_is_interrupted_inside_a_game() {
    let flags = ["--until", "death", "--lines", "100000000", "--games", "2", "--json"];
    let compare = begin(&[&["compare", "tetris", "--players", "bcts"], flags.as_slice()].concat());
    let report: Value = serde_json::from_str(&interrupt(compare)).unwrap();
    assert_eq!(report["players"][0]["games"], 0, "no game had ended: {report}");
}

#[test]
fn an_interrupted_measurement_prints_what_it_has() {
    let interrupted = |arguments: &[&str]| -> Value {
        serde_json::from_str(&interrupt(begin(&[arguments, &["--json"]].concat()))).unwrap()
    };
    // Games of Lee's player last for seconds.
    let strength = interrupted(&["measure", "strength", "--games", "100000"]);
    assert!(strength.as_array().unwrap().iter().all(|row| row["games"].is_number()), "{strength}");
    let robot = interrupted(&["measure", "robot", "--games", "100"]);
    assert_eq!(robot["max_outs"], 0, "no game had ended: {robot}");
    let fingers = interrupted(&["measure", "actuator-reliability", "--series", "100", "--runs", "10000"]);
    assert!(fingers["series"].as_array().unwrap().len() < 100, "{fingers}");
    let images = interrupted(&["measure", "image-processing", "--frames", "100000000"]);
    assert_eq!(images.as_array().unwrap().len(), 5, "{images}");
    let versus = interrupted(&["play", "tetris", "--two-player", "--games", "10000", "--speed", "real"]);
    assert_eq!(versus["games"], serde_json::json!([]), "no match had ended: {versus}");
    let tuning = ["tune", "tetris", "--objective", "lines", "--games", "10000"];
    assert_eq!(interrupted(&tuning)["generations"], 0);
}

#[test]
fn an_interrupted_solver_ends_at_once() {
    assert_eq!(interrupt(begin(&["solve", "connect-four", "", "--no-book"])), "");
}

#[test]
fn an_interrupted_game_reports_what_it_measured() {
    let play = begin(&["play", "tetris", "--games", "1000", "--speed", "real", "--json"]);
    let report: Value = serde_json::from_str(&interrupt(play)).unwrap();
    let frames = report["frames_per_s"].as_f64().unwrap();
    assert!((1.0..200.0).contains(&frames), "real time has 60: {report}");
}
