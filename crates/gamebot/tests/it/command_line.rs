//! Conventions of every command: help with examples, separate data and log, exit codes.

use std::io::Read;
use std::process::Stdio;

use crate::gamebot::{gamebot, run, stderr, stdout};
use crate::terminal::Terminal;

/// The subcommands that a help page lists.
fn subcommands(help: &str) -> Vec<String> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    section
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_help_with_examples() {
    let mut open = vec![vec![]];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let arguments: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let output = run(&arguments);
        assert!(output.status.success(), "{arguments:?}");
        let below = subcommands(stdout(&output));
        let is_command = below.is_empty() && path.first().is_none_or(|verb: &String| verb != "config");
        if is_command || path.len() <= 1 && path.first().is_some_and(|verb| verb == "config") {
            assert!(stdout(&output).contains("Examples:"), "{arguments:?} has no examples");
        }
        seen += 1;
        open.extend(below.into_iter().map(|name| [path.clone(), vec![name]].concat()));
    }
    assert!(seen > 8, "{seen} help pages");
}

#[test]
fn data_goes_to_stdout_and_log_to_stderr() {
    let output = run(&["play", "catch", "--json", "-vv", "--set", "catch.lost_presses=0.3"]);
    let report: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["caught"].as_u64().unwrap() + report["missed"].as_u64().unwrap(), 20);
    assert!(stderr(&output).contains("DEBUG plan diverged"));
    // Millisecond time stamps: 2026-01-01T00:00:00.000Z
    let stamp = stderr(&output).split_whitespace().next().unwrap();
    assert_eq!((stamp.len(), stamp.find('.'), stamp.ends_with('Z')), (24, Some(19), true), "{stamp}");

    let quiet = run(&["play", "catch", "-q", "--set", "catch.lost_presses=0.3"]);
    assert_eq!(stderr(&quiet), "");
}

#[test]
fn usage_mistakes_end_with_two_and_failures_with_one() {
    assert_eq!(run(&["no-such-verb"]).status.code(), Some(2));
    assert_eq!(run(&["play", "catch", "--games", "0"]).status.code(), Some(2));
    assert_eq!(run(&["inspect", "no-such-file"]).status.code(), Some(2));
    let dead_eye = run(&["play", "catch", "--set", "catch.failed_looks=1"]);
    assert_eq!(dead_eye.status.code(), Some(1));
    assert!(stderr(&dead_eye).contains("the run was given up: eye did not answer"));
    let not_mcap = run(&["inspect", "Cargo.toml"]);
    assert_eq!(not_mcap.status.code(), Some(1));
    assert!(stderr(&not_mcap).contains("Cargo.toml: not a readable MCAP file"), "{}", stderr(&not_mcap));
}

#[test]
fn a_broken_pipe_is_silent() {
    for arguments in [["completions", "bash"].as_slice(), &["config", "explain"]] {
        let mut child = gamebot(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((errors.as_str(), child.wait().unwrap().code()), ("", Some(0)), "{arguments:?}");
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert!(stdout(&output).contains("inspect"), "{shell}");
    }
}

#[test]
fn completions_know_levels_players_and_settings() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        for word in ["adaptive", "dellacherie", "engine.repeat_limit="] {
            assert!(stdout(&output).contains(word), "{shell} does not know {word}");
        }
    }
}

/// What a shell really offers.
#[test]
fn bash_completes_levels_and_keys() {
    let script = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(script.path(), run(&["completions", "bash"]).stdout).unwrap();
    for (line, word) in [
        ("gamebot play connect-four --level ad", "adaptive"),
        ("gamebot compare tetris --players della", "dellacherie"),
        ("gamebot play catch --set engine.repeat_l", "engine.repeat_limit="),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let ask = format!(
            "source {}; COMP_WORDS=({line}); COMP_CWORD={}; _gamebot gamebot {last} {before}; echo \"${{COMPREPLY[@]}}\"",
            script.path().display(),
            words.len() - 1,
        );
        let offered = std::process::Command::new("bash").args(["-c", &ask]).output().unwrap();
        assert_eq!(stdout(&offered).trim(), word, "{line}: {}", stderr(&offered));
    }
}

/// On a terminal there are colours, unless `NO_COLOR` is set to something: in data, in the log and in mistakes.
#[test]
fn no_color_holds_for_everything() {
    let folder = tempfile::tempdir().unwrap();
    let is_coloured = |printed: &str| {
        printed.split("\x1b[").skip(1).any(|rest| {
            rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';').starts_with('m')
        })
    };
    for arguments in [
        &["solve", "samegame", "[[1,2],[1,2],[3,3]]", "--show"][..],
        &["play", "catch", "-vv", "--set", "catch.lost_presses=0.3"],
        &["play", "catch", "--games", "0"],
    ] {
        for (value, expected) in [("", true), ("1", false)] {
            let terminal = Terminal::open_with(folder.path(), 120, 40, arguments, &[("NO_COLOR", value)]);
            let (_, printed) = terminal.ends_with_colours();
            assert_eq!(is_coloured(&printed), expected, "{arguments:?}, NO_COLOR={value:?}: {printed}");
        }
    }
}
