//! TBP programs: a good one, and ones that hang, flood, cheat or crash.

use std::io::Cursor;
use std::time::Duration;

use plugins::bot::serve;
use plugins::tbp::{Bot, BotError, cells_of, location_of, protocol_board};
use tetris::moves::drops;
use tetris::{Board, Piece, Placement};

const LIMIT: Duration = Duration::from_millis(300);
const INFO: &str = r#"{"type":"info","name":"test","version":"1","author":"us","features":[]}"#;

/// Starts a shell script as a bot and asks it for one move.
fn ask(script: &str) -> Result<Placement, BotError> {
    let command = ["sh".to_owned(), "-c".to_owned(), script.to_owned()];
    let mut bot = Bot::start(&command, LIMIT)?;
    let mut placements = Vec::new();
    drops(&Board::EMPTY, Piece::O, 18, &mut placements);
    bot.decide(&Board::EMPTY, Piece::O, Piece::T, &placements)
}

fn after_handshake(rest: &str) -> String {
    format!("echo '{INFO}'; read rules; echo '{{\"type\":\"ready\"}}'; read start; read suggest; {rest}")
}

fn suggestion(x: i32, y: i32) -> String {
    format!(
        r#"echo '{{"type":"suggestion","moves":[{{"location":{{"type":"O","orientation":"north","x":{x},"y":{y}}},"spin":"none"}}]}}'; sleep 5"#
    )
}

#[test]
fn a_good_bot_is_understood() {
    let placement = ask(&after_handshake(&suggestion(0, 0))).unwrap();
    assert_eq!(cells_of(Piece::O, placement), [(0, 0), (0, 1), (1, 0), (1, 1)]);
}

#[test]
fn a_bot_that_hangs_is_given_up() {
    assert!(matches!(ask("sleep 60"), Err(BotError::Silent { awaited: "info", .. })));
    let mute = after_handshake("sleep 60");
    assert!(matches!(ask(&mute), Err(BotError::Silent { awaited: "suggestion", .. })));
}

#[test]
fn a_bot_that_answers_without_listening_does_not_hold_us_up() {
    // It sends everything at once and never reads: the pipe to it fills after some moves.
    let answer = r#"{"type":"suggestion","moves":[{"location":{"type":"O","orientation":"north","x":0,"y":0},"spin":"none"}]}"#;
    let script = format!("echo '{INFO}'; echo '{{\"type\":\"ready\"}}'; yes '{answer}'");
    let mut bot = Bot::start(&["sh".to_owned(), "-c".to_owned(), script], LIMIT).unwrap();
    let mut placements = Vec::new();
    drops(&Board::EMPTY, Piece::O, 18, &mut placements);
    let mut decide = || bot.decide(&Board::EMPTY, Piece::O, Piece::T, &placements);
    assert!((0..2_000).any(|_| matches!(decide(), Err(BotError::Silent { .. }))));
}

#[test]
fn a_bot_that_floods_is_given_up() {
    let flood = after_handshake("yes '{\"type\":\"ready\"}'");
    assert!(matches!(ask(&flood), Err(BotError::Flooded { .. })));
    let one_endless_line = after_handshake("yes | tr -d '\\n'");
    assert!(matches!(ask(&one_endless_line), Err(BotError::Garbled { .. } | BotError::Silent { .. })));
    let binary = after_handshake("head -c 100000 /dev/urandom; echo; sleep 5");
    assert!(matches!(ask(&binary), Err(BotError::Garbled { .. })));
}

#[test]
fn a_bot_that_lies_is_caught() {
    for (x, y) in [(0, 5), (9, 0), (-7, 0), (i32::MAX, i32::MAX), (i32::MIN, 0)] {
        assert!(
            matches!(ask(&after_handshake(&suggestion(x, y))), Err(BotError::Lied { moves: 1 })),
            "{x} {y}"
        );
    }
    let nothing = after_handshake(r#"echo '{"type":"suggestion","moves":[]}'; sleep 5"#);
    assert!(matches!(ask(&nothing), Err(BotError::Lied { moves: 0 })));
}

#[test]
fn a_bot_that_dies_is_a_message_and_nothing_more() {
    assert!(matches!(ask("exit 3"), Err(BotError::Died { .. })));
    assert!(matches!(ask(&after_handshake("kill -9 $$")), Err(BotError::Died { .. })));
    let missing = Bot::start(&["/nowhere/bot".to_owned()], LIMIT);
    assert!(matches!(missing, Err(BotError::Start { .. })));
    let refuses =
        format!("echo '{INFO}'; read rules; echo '{{\"type\":\"error\",\"reason\":\"no\"}}'; sleep 5");
    assert!(matches!(ask(&refuses), Err(BotError::Refused { .. })));
}

#[test]
fn a_bot_ends_with_all_its_processes() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // A process of its own, which nobody waits for, holds the pipe and would write to it much later.
    let script = format!("(sleep 20; echo survived) > {} & {}", pipe.display(), after_handshake("sleep 60"));
    let reading = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    assert!(matches!(ask(&script), Err(BotError::Silent { .. })));
    assert_eq!(reading.join().unwrap(), "", "the pipe was closed because its process was ended");
}

#[test]
fn the_memory_of_a_bot_is_limited() {
    let tells = format!(
        "echo '{INFO}'; read rules; echo '{{\"type\":\"error\",\"reason\":\"'$(ulimit -d)'\"}}'; sleep 5"
    );
    let Err(BotError::Refused { reason }) = ask(&tells) else { panic!("it refuses") };
    assert!(reason.parse::<u64>().unwrap() <= 1 << 20, "{reason} KB");
}

#[test]
fn a_bot_says_no_more_than_a_screenful() {
    let talks = format!(
        "echo '{INFO}'; read rules; printf '{{\"type\":\"error\",\"reason\":\"'; yes 'no\\n' | head -n 5000 | tr -d '\\n'; \
         echo '\"}}'; sleep 5"
    );
    let Err(BotError::Refused { reason }) = ask(&talks) else { panic!("it refuses") };
    assert!(reason.lines().count() <= 25, "{} lines", reason.lines().count());
}

#[test]
fn locations_and_placements_are_inverse() {
    for piece in Piece::ALL {
        let mut placements = Vec::new();
        drops(&Board::EMPTY, piece, 18, &mut placements);
        for placement in placements {
            let location = location_of(piece, placement).unwrap();
            assert_eq!(location.cells().unwrap(), cells_of(piece, placement));
        }
    }
}

#[test]
fn our_bot_plays_a_game_through_the_protocol() {
    let mut board = Board::EMPTY;
    let mut lines = 0;
    for turn in 0..60 {
        let queue = [Piece::from_index(turn), Piece::from_index(turn + 1)];
        let start = serde_json::json!({
            "type": "start", "hold": null, "queue": queue.map(Piece::letter), "combo": 0, "back_to_back": false,
            "board": protocol_board(&board),
        });
        let input = format!(
            "{{\"type\":\"rules\"}}\n{start}\nnonsense\n{{\"type\":\"later\"}}\n{{\"type\":\"suggest\"}}\n{{\"type\":\"quit\"}}\n"
        );
        let mut output = Vec::new();
        serve(Cursor::new(input), &mut output).unwrap();
        let messages: Vec<serde_json::Value> = String::from_utf8(output)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(
            messages.iter().map(|m| m["type"].as_str().unwrap()).collect::<Vec<_>>(),
            ["info", "ready", "suggestion"]
        );
        let location: plugins::tbp::Location =
            serde_json::from_value(messages[2]["moves"][0]["location"].clone()).unwrap();
        for (x, y) in location.cells().unwrap() {
            assert!(!board.is_filled(x as usize, y as usize));
            board.fill(x as usize, y as usize);
        }
        lines += tetris::field::settle(&mut board, tetris::field::Field::classic(28));
    }
    assert!(lines >= 15, "{lines} lines of 60 pieces");
}
