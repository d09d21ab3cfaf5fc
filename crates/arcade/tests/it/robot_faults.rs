//! The robot fails in the middle of games: pages are told, the server lives,
//! games go on or end cleanly (C11, X2).

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{Server, Visitor};

/// A robot that moves in milliseconds on its real protocol; its times, and with them the driver's, are divided by 100.
const FAST: &[&str] = &[
    "robot.kind=simulated",
    "robot.simulated_speed=100",
    "robot.reply_deadline_ms=3000",
    "robot.poll_ms=500",
    "arcade.demo=false",
    "arcade.question_after_s=3600",
];

/// Plays a game against EASY as a page does: a turn is wished when the robot is ready, and again if it was not.
async fn play(visitor: &mut Visitor, mut dice: u64) -> Value {
    visitor.signup("Ada", "easy").await;
    visitor.hear("GAME_START").await;
    let (mut wanted, mut my_turn, mut asked) = (4, true, false);
    visitor.turn(wanted).await;
    loop {
        let event = visitor.next().await.expect("the server lives");
        match event["type"].as_str().unwrap() {
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => return event,
            "TURN" => {
                my_turn = event["next"] == "red";
                asked = false;
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                wanted = (dice >> 33) % 7 + 1;
            }
            "ROBOT" if event["robot"]["status"] == "ready" && my_turn && !asked => {
                asked = true;
                visitor.turn(wanted).await;
            }
            "REFUSED" => {
                match event["code"].as_str().unwrap() {
                    "column_full" => wanted = wanted % 7 + 1,
                    "robot_busy" | "robot_fault" => tokio::time::sleep(Duration::from_millis(100)).await,
                    other => panic!("refused: {other}"),
                }
                visitor.turn(wanted).await;
            }
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_the_simulated_robot_leaves_its_discs_on_the_board() {
    let server = Server::start(FAST).await;
    let mut ada = server.visitor().await;
    play(&mut ada, 7).await;
    let game = server.json("/api/games/1").await;
    let discs = game["moves"].as_str().unwrap().len();
    let mut robot = server.json("/api/robot").await;
    while robot["status"] != "ready" {
        tokio::time::sleep(Duration::from_millis(20)).await;
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
        play(&mut ada, game).await;
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
