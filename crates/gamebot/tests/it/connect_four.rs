//! Connect Four as a user runs it.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = gamebot(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_score_is_one_line() {
    let output = run(&["solve", "connect-four", "52753311433677442422121"]);
    assert_eq!(stdout(&output), "52753311433677442422121 8\n");
}

#[test]
fn all_columns_and_the_picture_are_shown_on_request() {
    let output = run(&["solve", "connect-four", "444444121212", "--all", "--board"]);
    let text = stdout(&output);
    assert!(text.starts_with("...o...\n...x...\n...o...\nxo.x...\nxo.o...\nxo.x...\n"), "{text}");
    let answer = text.lines().last().unwrap();
    let scores: Vec<&str> = answer.split(' ').skip(1).collect();
    assert_eq!((scores[0], scores[3], scores.len()), ("15", ".", 7), "{answer}");
}

#[test]
fn many_positions_are_answered_in_order_and_bad_lines_in_their_place() {
    let input = "2252576253462244111563365343671351441 -1\n44444444\n7422341735647741166133573473242566\n";
    let output = with_input(&["solve", "connect-four", "-"], input);
    assert_eq!(
        stdout(&output),
        "2252576253462244111563365343671351441 -1\n\
         44444444 error: move 7: column 4 is full\n\
         7422341735647741166133573473242566 1\n"
    );
    assert_eq!(output.status.code(), Some(1));

    let json = with_input(&["solve", "connect-four", "-", "--json", "--fresh-table", "--no-book"], input);
    let answers: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(answers[0]["score"], -1);
    assert_eq!(answers[1]["error"], "move 7: column 4 is full");
    for field in ["moves", "columns", "best", "line", "nodes", "time_us"] {
        assert!(!answers[2][field].is_null(), "{field}");
    }
}

#[test]
fn a_bad_position_is_a_usage_mistake() {
    let output = run(&["solve", "connect-four", "48"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "error: move 2: there is no column 8: columns are 1 to 7\n");
}

#[test]
fn a_game_can_be_played_line_by_line() {
    let arguments = ["play", "connect-four", "--level", "medium", "--seed", "3"];
    let output = with_input(&arguments, "4\nh\nu\nx\n9\n4\nq\n");
    let text = stdout(&output);
    for part in [
        "You are x and begin.",
        "The machine plays",
        "Hint: column",
        "Taken back.",
        "\"x\" is not a key here",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let again = with_input(&arguments, "4\nh\nu\nx\n9\n4\nq\n");
    assert_eq!(text, stdout(&again));
}

#[test]
fn the_machine_wins_when_it_is_let() {
    // The human fills column 7 and then the next ones from the right.
    let input: String = "7654321".chars().flat_map(|c| std::iter::repeat_n(format!("{c}\n"), 6)).collect();
    let arguments = ["play", "connect-four", "--level", "hard", "--second", "--json"];
    let report: Value = serde_json::from_str(stdout(&with_input(&arguments, &input))).unwrap();
    let game = &report["games"][0];
    assert_eq!((game["result"].as_str(), game["first"].as_str()), (Some("win"), Some("machine")));
    assert!(game["turns"][0]["seconds"].as_f64().is_some());
    assert!(game["faults"].as_array().unwrap().is_empty());
}

#[test]
fn levels_are_compared_in_a_cross_table() {
    let arguments =
        ["compare", "connect-four", "--players", "easy,medium,random", "--games", "10", "--seed", "1"];
    let text = stdout(&run(&arguments)).to_owned();
    assert!(text.contains("medium") && text.contains('±'), "{text}");
    let json = run(&[arguments.as_slice(), &["--json"]].concat());
    let report: Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(report["players"][1], "medium");
    let pair = &report["results"][1][2];
    let sum =
        |side: &str| ["wins", "draws", "losses"].iter().map(|f| pair[side][f].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("first"), sum("second")), (5, 5));
    assert!(pair["first"]["wins"].as_u64() > Some(3), "{pair}");
    assert_eq!(run(&["compare", "connect-four", "--players", "nobody"]).status.code(), Some(2));
}
