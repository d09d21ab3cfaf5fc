//! The robot fails in the middle of games: pages are told, the server lives,
//! games go on or end cleanly (C11, X2).

use serde_json::{Value, json};

use crate::server::{Server, Visitor};

/// A robot that moves in milliseconds on its real protocol.
const FAST: &[&str] = &[
    "robot.kind=simulated",
    "robot.simulated_speed=500",
    "robot.reply_deadline_ms=40",
    "robot.poll_ms=5",
    "robot.busy_deadline_s=1",
    "arcade.demo=false",
    "arcade.result_for_s=1",
];

/// Plays a game against EASY with fixed columns; `before_turn` is called before each turn.
async fn play(server: &Server, visitor: &mut Visitor, mut dice: u64) -> Value {
    visitor.signup("Ada", "easy").await;
    loop {
        match visitor.next().await.expect("the server lives")["type"].as_str().unwrap() {
            "GAME_START" => break,
            "TABLE_BUSY" => {
                visitor.hear("TABLE_FREE").await;
                visitor.signup("Ada", "easy").await;
            }
            _ => {}
        }
    }
    let mut wanted = 4;
    visitor.turn(wanted).await;
    loop {
        let event = visitor.next().await.expect("the server lives");
        match event["type"].as_str().unwrap() {
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => return event,
            "TURN" if event["next"] == "red" => {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                wanted = dice >> 33;
                wanted = wanted % 7 + 1;
                visitor.turn(wanted).await;
            }
            "REFUSED" => match event["code"].as_str().unwrap() {
                "column_full" => {
                    wanted = wanted % 7 + 1;
                    visitor.turn(wanted).await;
                }
                // As a page does: the turn again when the robot is ready.
                "robot_busy" | "robot_fault" => {
                    while server.json("/api/robot").await["status"] != "ready" {
                        tokio::task::yield_now().await;
                    }
                    visitor.turn(wanted).await;
                }
                "not_your_turn" | "no_game" | "too_fast" => {}
                other => panic!("refused: {other}"),
            },
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_the_simulated_robot_leaves_its_discs_on_the_board() {
    let server = Server::start(FAST).await;
    let mut ada = server.visitor().await;
    play(&server, &mut ada, 7).await;
    let game = server.json("/api/games/1").await;
    let discs = game["moves"].as_str().unwrap().len();
    let mut robot = server.json("/api/robot").await;
    while robot["status"] != "ready" {
        robot = server.json("/api/robot").await;
    }
    let board: String = robot["board"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    assert_eq!(board.chars().filter(|cell| *cell != '.').count(), discs, "{board}");
    if game["result"] == "won" {
        assert_eq!(robot["leds"].as_array().unwrap().len(), 4);
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_games_with_random_faults() {
    let settings = [FAST, &["robot.simulated_fault_rate=0.01"]].concat();
    let server = Server::start(&settings).await;
    let mut ada = server.visitor().await;
    for game in 0..50 {
        play(&server, &mut ada, game).await;
        // Ends the look at the result at once.
        ada.say(&json!({"type": "LEAVE"})).await;
        ada.hear("TABLE_FREE").await;
    }
    let games = server.json("/api/games.json").await;
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 50);
    for game in games {
        assert!(game["result"].is_string(), "complete: {game}");
        let position: Result<connect_four::Position, _> = game["moves"].as_str().unwrap().parse();
        let position = position.unwrap_or_else(|error| panic!("{error}: {game}"));
        match game["reason"].as_str().unwrap() {
            "four" => assert!(position.is_won(), "{game}"),
            "full" => assert!(position.is_over() && !position.is_won(), "{game}"),
            "robot" => assert!(!position.is_over(), "{game}"),
            other => panic!("{other}: {game}"),
        }
    }
    let metrics = server.request("GET", "/metrics", &[], "").await.2;
    let faults = metrics.lines().find_map(|line| line.strip_prefix("gamebot_robot_faults_total ")).unwrap();
    assert!(faults.parse::<u32>().unwrap() > 0, "the dice brought no fault: {metrics}");
    server.close().await;
}
