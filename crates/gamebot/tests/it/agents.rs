//! Programs of the user's own as players: `play gameboy --player program:…` (G22).

use serde_json::Value;

use crate::gamebot::{run, stderr, stdout};

fn play(player: &str, more: &[&str]) -> std::process::Output {
    run(&[&["play", "gameboy", "--player", player], more].concat())
}

#[test]
fn the_example_walks_the_menus_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("walk.mcap");
    let record = record.to_str().unwrap();
    let output = play("program:python3 examples/menu_walker.py 7 3", &["--json", "--record", record]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["agent"], &report["counts"]["games"]), (&"menu walker".into(), &1.into()));
    // Start, Right, Start, Down, Right twice, A, Right three times, Start.
    assert_eq!(report["counts"]["commands"], 2 * 11);
    assert!(report["game_s"].as_f64().unwrap() < 10.0, "{report}");
    let replay = run(&["replay", record]);
    assert_eq!(replay.status.code(), Some(0), "{}{}", stdout(&replay), stderr(&replay));
}

/// Whatever an agent does, the run ends with what it did.
#[test]
fn agents_that_misbehave_are_reported() {
    for (agent, words) in [
        ("program:no-such-agent-here", "cannot start “no-such-agent-here”"),
        ("program:false", "the program ended"),
        ("program:yes", "it answered `y`"),
        ("program:sleep 60", "did not answer in time"),
    ] {
        let output = play(agent, &["--set", "agent.answer_within_ms=50", "--set", "engine.pause_limit=1"]);
        assert_eq!(output.status.code(), Some(1), "{agent}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{agent}: {}", stderr(&output));
    }
}

#[test]
fn a_player_must_be_named_rightly() {
    let output = play("menu_walker.py", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("program:COMMAND"), "{}", stderr(&output));
    let output = run(&["play", "gameboy"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agent.command is empty"), "{}", stderr(&output));
}
