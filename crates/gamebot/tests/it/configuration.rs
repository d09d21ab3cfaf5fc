//! Configuration mistakes and their messages (G18, C11).

use std::fs;

use crate::gamebot::{gamebot, run, stderr, stdout, workspace};
use crate::golden;

#[test]
fn each_mistake_has_its_message() {
    let folder = workspace().join("fixtures/configuration");
    let mut checked = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let output = run(&["config", "check", &format!("fixtures/configuration/{name}")]);
        assert_eq!(stdout(&output), "", "{name}: messages are not data");
        golden::check(&path.with_extension("stderr"), stderr(&output));
        assert_eq!(output.status.code(), Some(if name == "good.toml" { 0 } else { 2 }), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 12);
}

#[test]
fn a_mistake_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.mcap");
    let profile = "fixtures/configuration/wrong-key.toml";
    let output = run(&["play", "catch", "--record", record.to_str().unwrap(), "--profile", profile]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("wrong-key.toml:3: unknown key `engine.repeat_limt` (= 5)"));
    assert!(!record.exists());
}

#[test]
fn later_layers_win() {
    let now = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = gamebot(&["config", "explain", "engine.repeat_limit"]);
        let output = command.args(arguments).envs(variables.iter().copied()).output().unwrap();
        stdout(&output)
            .lines()
            .find_map(|line| line.trim().strip_prefix("now:"))
            .map(|now| now.trim().to_owned())
    };
    let profile = ["--profile", "fixtures/configuration/good.toml"];
    let variable = [("GAMEBOT_ENGINE__REPEAT_LIMIT", "6")];
    assert_eq!(now(&[], &[]), None);
    assert_eq!(now(&profile, &[]).unwrap(), "5 (fixtures/configuration/good.toml:3)");
    assert_eq!(now(&profile, &variable).unwrap(), "6 (environment variable GAMEBOT_ENGINE__REPEAT_LIMIT)");
    let all = [profile.as_slice(), &["--set", "engine.repeat_limit=7"]].concat();
    assert_eq!(now(&all, &variable).unwrap(), "7 (flag --set engine.repeat_limit=7)");
}

#[test]
fn mistakes_outside_of_files_are_named_too() {
    let check = |command: &mut std::process::Command, expected: &str| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{expected}");
        assert_eq!(stderr(&output), format!("error: {expected}\n"));
    };
    check(
        gamebot(&["config", "explain"]).env("GAMEBOT_ENGINE__REPEAT_LIMT", "6"),
        "environment variable GAMEBOT_ENGINE__REPEAT_LIMT: unknown key `engine.repeat_limt` (= 6); did you mean `engine.repeat_limit`?",
    );
    check(
        &mut gamebot(&["play", "catch", "--set", "engine.repeat_limit=1.5"]),
        "flag --set engine.repeat_limit=1.5: `engine.repeat_limit` is 1.5, which has the wrong type: it must be a whole number from 0 to 100",
    );
    check(
        &mut gamebot(&["play", "catch", "--set", "engine.repeat_limit"]),
        "flag --set engine.repeat_limit: a setting is given as section.key=value",
    );
    check(
        &mut gamebot(&["config", "explain", "catch.pres_ms"]),
        "unknown key `catch.pres_ms`; did you mean `catch.press_ms`?",
    );
    check(
        &mut gamebot(&["config", "check", "no-such-file.toml"]),
        "cannot read no-such-file.toml: No such file or directory (os error 2)",
    );
}

#[test]
fn init_explains_every_key_and_is_a_valid_profile() {
    let profile = run(&["config", "init"]);
    let explained = run(&["config", "explain"]);
    let keys = stdout(&explained).lines().filter(|line| !line.starts_with([' ', '[']) && line.contains('.'));
    let mut count = 0;
    for key in keys {
        let name = key.split_once('.').unwrap().1;
        assert!(stdout(&profile).contains(&format!("\n#{name} = ")), "{key}");
        count += 1;
    }
    assert!(count > 15, "{count} keys");

    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), stdout(&profile)).unwrap();
    assert!(run(&["config", "check", file.path().to_str().unwrap()]).status.success());
}

/// A profile is found by itself: beside the user first, then in the user's configuration folder.
#[test]
fn a_profile_is_found_without_being_named() {
    let (here, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let value = || {
        let mut command = gamebot(&["config", "explain", "--json"]);
        let output = command.current_dir(here.path()).env("XDG_CONFIG_HOME", own.path()).output().unwrap();
        let keys: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
        let mut keys = keys.as_array().unwrap().iter();
        let found = keys.find(|key| key["key"] == "engine.repeat_limit").unwrap();
        (found["value"].as_u64().unwrap(), found["source"].as_str().unwrap().to_owned())
    };
    let (default, source) = value();
    assert_eq!(source, "default");
    fs::create_dir(own.path().join("gamebot")).unwrap();
    fs::write(own.path().join("gamebot/gamebot.toml"), "[engine]\nrepeat_limit = 7\n").unwrap();
    assert_eq!(value().0, 7);
    fs::write(here.path().join("gamebot.toml"), "[engine]\nrepeat_limit = 8\n").unwrap();
    let (found, source) = value();
    assert_eq!(found, 8);
    assert!(source.contains("gamebot.toml"), "{source}");
    assert_ne!(default, 8);
}

#[test]
fn the_schema_for_editors_names_every_key() {
    let output = run(&["config", "schema"]);
    let schema: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    let limit = &schema["properties"]["engine"]["properties"]["repeat_limit"];
    assert_eq!(limit["type"], "integer", "{limit}");
    assert!(limit["description"].as_str().unwrap().contains("Allowed: a whole number"), "{limit}");
    assert_eq!(schema["additionalProperties"], false);
}
