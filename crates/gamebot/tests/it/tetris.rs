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
    // A game of 800 s has at most 8 MB.
    let summary: Value = serde_json::from_str(stdout(&run(&["inspect", record, "--json"]))).unwrap();
    let bytes = std::fs::metadata(record).unwrap().len() as f64;
    assert!(bytes < 10_000.0 * summary["duration_s"].as_f64().unwrap(), "{bytes} bytes: {summary}");
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
        assert_eq!(both["weight_names"], serde_json::json!(["height", "lines", "holes", "bumpiness"]));
        let drawn = std::fs::read_to_string(&plot).unwrap();
        assert!(
            drawn.contains("Tuning Tetris for lines from 10 pieces") && drawn.contains("mean lines"),
            "{drawn}"
        );
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

/// The image of our cartridge with every letter and digit mirrored: a font that nobody here knows.
fn mirrored_font() -> Vec<u8> {
    let mut image = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rom/stackfall.gb")).unwrap();
    // The first tile is the digit 0; two bytes a row, one for each bit of a shade.
    let zero = [0x38, 0x44, 0x4C, 0x54, 0x64, 0x44, 0x38, 0x00].map(|row| [row, row]).concat();
    let font = image.windows(16).position(|window| window == zero).unwrap();
    for byte in &mut image[font..font + 0x60 * 16] {
        *byte = byte.reverse_bits();
    }
    image
}

/// An image that does nothing but jump to where it is.
fn endless_loop() -> Vec<u8> {
    let mut image = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rom/stackfall.gb")).unwrap();
    image[0x100..0x102].copy_from_slice(&[0x18, 0xFE]);
    image
}

/// A foreign cartridge ends the run with its reason within 30 s of game time (G5).
#[test]
fn a_cartridge_that_cannot_be_read_ends_the_run_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (name, image, reason) in [
        ("mirrored", mirrored_font(), "letters and digits are not those of Stackfall"),
        ("endless", endless_loop(), "nothing on the screen could be read"),
    ] {
        let (rom, record) = (folder.path().join(name), folder.path().join(format!("{name}.mcap")));
        std::fs::write(&rom, image).unwrap();
        let (rom, record) = (rom.to_str().unwrap(), record.to_str().unwrap());
        let played = run(&["play", "tetris", "--rom", rom, "--record", record]);
        assert_eq!(played.status.code(), Some(1), "{}", stderr(&played));
        assert!(stderr(&played).contains(reason), "{}", stderr(&played));
        let summary: Value = serde_json::from_str(stdout(&run(&["inspect", record, "--json"]))).unwrap();
        let seconds = summary["duration_s"].as_f64().unwrap();
        assert!((20.0..=30.0).contains(&seconds), "{summary}");
    }
}

/// Another player, a plug-in and a program choose the places (G22).
#[test]
fn other_players_play_on_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let low = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tetris/plugins/low.wat");
    std::fs::copy(low, folder.path().join("low.wat")).unwrap();
    let folder = folder.path().to_str().unwrap();
    let program = format!("tbp:{} tbp", env!("CARGO_BIN_EXE_gamebot"));
    let play = |arguments: &[&str]| {
        let fixed = ["play", "tetris", "--set", "tetris.pieces=12", "--level", "0", "--json"];
        let output = run(&[fixed.as_slice(), arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        let game = &report["games"][0];
        assert_eq!(
            (&game["pieces"], &game["diverged_plans"]),
            (&13.into(), &0.into()),
            "{arguments:?}: {report}"
        );
        game["presses"].clone()
    };
    let ours = play(&[]);
    for other in
        [["--player", "bcts"].as_slice(), &["--player", "low", "--plugins", folder], &["--player", &program]]
    {
        assert_ne!(play(other), ours, "{other:?}");
    }
    let unknown = run(&["play", "tetris", "--player", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("bcts"), "{}", stderr(&unknown));
    let robot = run(&["play", "tetris", "--player", "bcts", "--body", "simulated-robot"]);
    assert_eq!(robot.status.code(), Some(2), "{}", stderr(&robot));
}

/// A recording may be anybody's: what it names is not started.
#[test]
fn a_recording_starts_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.mcap");
    let record = record.to_str().unwrap();
    let program = format!("tbp:{} tbp", env!("CARGO_BIN_EXE_gamebot"));
    let fixed = ["play", "tetris", "--set", "tetris.pieces=1", "--player", &program, "--record", record];
    let played = run(&fixed);
    assert!(played.status.success(), "{}", stderr(&played));
    let replayed = run(&["replay", record]);
    assert!(!replayed.status.success());
    assert!(
        stderr(&replayed).contains("programs are started when the command line names them"),
        "{}",
        stderr(&replayed)
    );
}

/// Without a terminal `--show` prints plain lines.
#[test]
fn a_shown_game_is_plain_lines_where_there_is_no_terminal() {
    let output = run(&["play", "tetris", "--set", "tetris.pieces=40", "--level", "0", "--show"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.lines().any(|line| line.starts_with("score ") && line.contains("  lines ")), "{text}");
}

/// Pessimistic verification looks after every press (G14).
#[test]
fn every_press_is_verified_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.mcap");
    let play = |verification: &str| {
        let fixed = ["play", "tetris", "--set", "tetris.pieces=20", "--press-ms", "67", "--json"];
        let rest = ["--set", verification, "--record", record.to_str().unwrap()];
        let output = run(&[fixed.as_slice(), &rest].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(
            (&report["counts"]["diverged"], &report["games"][0]["pieces"]),
            (&0.into(), &21.into()),
            "{report}"
        );
        report["counts"]["confirmed"].as_u64().unwrap()
    };
    let (plans, presses) = (play("engine.verification=optimistic"), play("engine.verification=pessimistic"));
    assert!(presses > plans + 20, "{presses} steps in as many plans as {plans}");
    let replayed = run(&["replay", record.to_str().unwrap()]);
    assert!(replayed.status.success(), "{}", stdout(&replayed));
}

/// A B-type game from the menu to its account (G17).
#[test]
fn a_b_type_game_is_played_to_its_end() {
    let fixed = ["play", "tetris", "--type", "b", "--height", "2", "--level", "4", "--json", "--games", "2"];
    let output = run(&fixed);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    for game in report["games"].as_array().unwrap() {
        assert_eq!(
            (&game["completed"], &game["lines"], &game["level"]),
            (&true.into(), &0.into(), &4.into()),
            "{report}"
        );
        assert!(game["score"].as_u64().unwrap() > 1_000, "{report}");
    }
    assert_eq!(report["games"].as_array().unwrap().len(), 2);
}
