//! The robot fails in the middle of games: pages are told, the server lives,
//! games go on or end cleanly (C11, X2).

use std::time::Duration;

use serde_json::Value;

use crate::server::{Server, Visitor};

/// A robot that moves in milliseconds on its real protocol: its times are divided by 100, and so are the driver's pauses.
const FAST: &[&str] = &[
    "robot.kind=simulated",
    "robot.simulated_speed=100",
    "robot.reply_deadline_ms=50",
    "robot.poll_ms=500",
    "arcade.demo=false",
    "arcade.question_after_s=3600",
];

/// Plays a game against EASY as a page does: a turn that the robot keeps waiting is wished again.
async fn play(visitor: &mut Visitor, mut dice: u64) -> Value {
    visitor.signup("Ada", "easy").await;
    visitor.hear("GAME_START").await;
    let mut wanted = 4;
    visitor.turn(wanted).await;
    loop {
        let event = visitor.next().await.expect("the server lives");
        match event["type"].as_str().unwrap() {
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => return event,
            "TURN" if event["next"] == "red" => {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                wanted = (dice >> 33) % 7 + 1;
                visitor.turn(wanted).await;
            }
            "REFUSED" => {
                match event["code"].as_str().unwrap() {
                    "column_full" => wanted = wanted % 7 + 1,
                    "robot_busy" | "robot_fault" => tokio::time::sleep(Duration::from_millis(100)).await,
                    "too_fast" => tokio::time::sleep(Duration::from_secs(1)).await,
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
