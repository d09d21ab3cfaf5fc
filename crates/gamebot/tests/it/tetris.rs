//! Tetris as a user runs it: on the emulated Game Boy, in comparisons, tuning, and for other front ends.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

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

const COMPARE: [&str; 10] =
    ["compare", "tetris", "--players", "clever,lee", "--games", "3", "--lines", "4", "--seed", "7"];

#[test]
fn players_are_compared_on_the_same_pieces_and_again_alike() {
    let output = run(&[COMPARE.as_slice(), &["--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["rules"], &report["seed"]), (&"gameboy".into(), &7.into()));
    let players = report["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for player in players {
        assert_eq!(player["games"], 3);
        assert!(player["lines_mean"].as_f64().unwrap() >= 4.0, "{player}");
    }
    let text = run(&COMPARE);
    assert!(stdout(&text).contains("clever") && stdout(&text).contains("lee"), "{}", stdout(&text));
}

#[test]
fn a_comparison_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let resume = ["--resume", file.to_str().unwrap(), "--json"];
    let whole: Value = serde_json::from_str(stdout(&run(&[COMPARE.as_slice(), &resume].concat()))).unwrap();
    let games = std::fs::read_to_string(&file).unwrap();
    assert_eq!(games.lines().count(), 6);
    // Killed in the middle of the fourth line.
    let half = games.match_indices('\n').nth(2).unwrap().0 + 40;
    std::fs::write(&file, &games[..half]).unwrap();
    let output = run(&[COMPARE.as_slice(), &resume].concat());
    assert!(stderr(&output).contains("games.jsonl:4: half a game, played again"), "{}", stderr(&output));
    let again: Value = serde_json::from_str(stdout(&output)).unwrap();
    for player in 0..2 {
        for field in ["games", "score_mean", "score_sd", "pieces"] {
            let (whole, again) = (&whole["players"][player][field], &again["players"][player][field]);
            assert!(whole.is_number() && whole == again, "{field}: {whole} and {again}");
        }
    }
    // The half line stays on its own; the three games after it are complete.
    let games = std::fs::read_to_string(&file).unwrap();
    assert_eq!(games.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(), 6);
}

#[test]
fn plug_ins_take_part_and_unknown_players_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(
        crate::gamebot::workspace().join("fixtures/tetris/plugins/low.wat"),
        folder.path().join("low.wat"),
    )
    .unwrap();
    std::fs::write(folder.path().join("broken.wasm"), "nonsense").unwrap();
    let plugins =
        ["compare", "tetris", "--games", "1", "--lines", "2", "--plugins", folder.path().to_str().unwrap()];
    let output = run(&[plugins.as_slice(), &["--players", "low"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("low"));
    assert!(stderr(&output).contains("broken.wasm: skipped"), "{}", stderr(&output));
    let output = run(&[plugins.as_slice(), &["--players", "nobody"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no player is named “nobody”"), "{}", stderr(&output));
}

#[test]
fn weights_are_bred_and_a_run_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let plot = folder.path().join("run.svg");
    for method in ["cma-es", "genetic"] {
        let tune = |generations: &str| {
            let output = run(&[
                "tune",
                "tetris",
                "--objective",
                "robot-lines",
                "--method",
                method,
                "--population",
                "4",
                "--games",
                "1",
                "--pieces",
                "10",
                "--generations",
                generations,
                "--checkpoint",
                file.to_str().unwrap(),
                "--plot",
                plot.to_str().unwrap(),
                "--json",
            ]);
            assert!(output.status.success(), "{}", stderr(&output));
            serde_json::from_str::<Value>(stdout(&output)).unwrap()
        };
        let first = tune("1");
        let both = tune("2");
        assert_eq!((&first["generations"], &both["generations"]), (&1.into(), &2.into()));
        assert_eq!(first["history"][0], both["history"][0]);
        assert!(std::fs::read_to_string(&plot).unwrap().contains("<svg"));
        std::fs::remove_file(&file).unwrap();
    }
    std::fs::write(&file, "{}").unwrap();
    let output = run(&["tune", "tetris", "--objective", "lines", "--checkpoint", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("is not a checkpoint of this kind of run"), "{}", stderr(&output));
}

#[test]
fn our_player_serves_front_ends_that_speak_tbp() {
    let mut bot = gamebot(&["tbp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let board = vec![vec![Value::Null; 10]; 40];
    let start = serde_json::json!({
        "type": "start", "hold": null, "queue": ["I", "O"], "combo": 0, "back_to_back": false, "board": board,
    });
    let asked = format!("{{\"type\":\"rules\"}}\n{start}\n{{\"type\":\"suggest\"}}\n{{\"type\":\"quit\"}}\n");
    bot.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = bot.wait_with_output().unwrap();
    assert!(output.status.success());
    let types: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].take())
        .collect();
    assert_eq!(types, ["info", "ready", "suggestion"]);
}
