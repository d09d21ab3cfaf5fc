//! `gamebot arcade` as a separate program: killed in the middle of a game, then restarted (C12).

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use connect_four::Position;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::gamebot::gamebot;
use crate::simulate_robot::Program;
use crate::visitor::{PATIENCE, Visitor, json_at};

struct Hall {
    process: Child,
    address: String,
}

impl Hall {
    /// Starts the program and waits until it listens.
    async fn open(database: &Path, settings: &[&str]) -> Self {
        let mut command = Command::from(gamebot(&["arcade", "--listen", "127.0.0.1:0", "--database"]));
        command.arg(database).args(["--set", "arcade.demo=false"]);
        for setting in settings {
            command.args(["--set", setting]);
        }
        let mut process = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.next_line().await.unwrap().unwrap();
        let address = address.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { process, address }
    }

    /// Kills it like a power cut, without a signal that it could handle.
    async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }
}

/// The columns of a game, and whose turn it is.
fn moves_of(game: &Value) -> Vec<u64> {
    game["moves"].as_array().unwrap().iter().map(|column| column.as_u64().unwrap()).collect()
}

/// Drops a disc once the server accepts it, then reads turns until the visitor is to move or the game is over.
async fn turn(visitor: &mut Visitor, moves: &mut Vec<u64>) -> bool {
    let room = |moves: &[u64], column: u64| moves.iter().filter(|other| **other == column).count() < 6;
    let column = (1..=7).find(|column| room(moves, *column)).unwrap();
    visitor.turn(column).await;
    loop {
        let event = visitor.next().await.unwrap();
        match event["type"].as_str().unwrap() {
            "TURN" => {
                moves.push(event["column"].as_u64().unwrap());
                if event["next"] == "red" {
                    return false;
                }
            }
            "GAME_OVER" | "GAME_DRAW" => return true,
            "REFUSED" => {
                // The robot is still building the board.
                assert!(event["code"].as_str().unwrap().starts_with("robot_"), "{event}");
                tokio::time::sleep(Duration::from_millis(350)).await;
                visitor.turn(column).await;
            }
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hall_that_kill_in_mid_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (link, database) = (folder.path().join("robot"), folder.path().join("games.sqlite"));
    let mut robot = Program::start(&link, &[]);
    // The robot is twenty times as fast as the real one.
    let line = format!("robot.line={}", link.display());
    let settings = [
        "robot.kind=serial",
        &line,
        "robot.poll_ms=20",
        "robot.shortest_movement_ms=150",
        "robot.heartbeat_ms=50",
    ];

    let mut hall = Hall::open(&database, &settings).await;
    let mut ada = Visitor::arrive(&hall.address, None, false).await;
    let token = ada.token();
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    let mut moves = Vec::new();
    for _ in 0..2 {
        assert!(!turn(&mut ada, &mut moves).await, "too short a game: {moves:?}");
        hall.kill().await;
        hall = Hall::open(&database, &settings).await;
        ada = Visitor::arrive(&hall.address, Some(&token), false).await;
        assert_eq!(ada.welcome["seat"], json!({"disc": "red", "name": "Ada"}));
        assert_eq!(moves_of(&ada.welcome["state"]["game"]), moves, "no turn that was seen is lost");
    }
    while !turn(&mut ada, &mut moves).await {}

    let games = json_at(&hall.address, "/api/games.json").await;
    assert_eq!(games.as_array().unwrap().len(), 1);
    let played: String = moves.iter().map(u64::to_string).collect();
    assert_eq!(
        (games[0]["moves"].as_str(), games[0]["result"].as_str()),
        (Some(played.as_str()), Some("won"))
    );
    assert!(played.parse::<Position>().unwrap().is_won());
    // The robot kept its discs while the server was down; now they match the game again.
    let shown = async {
        while robot.state().board.concat().matches(['R', 'Y']).count() != moves.len() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, shown).await.expect("the robot shows the whole game");
    hall.kill().await;
    assert_eq!(robot.quit(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_hall_is_free_again_when_nobody_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let settings = ["robot.kind=none", "arcade.reconnect_within_s=1"];
    let hall = Hall::open(&database, &settings).await;
    let mut ada = Visitor::arrive(&hall.address, None, false).await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    let mut moves = Vec::new();
    assert!(!turn(&mut ada, &mut moves).await);
    hall.kill().await;

    let hall = Hall::open(&database, &settings).await;
    let mut ben = Visitor::arrive(&hall.address, None, false).await;
    assert_eq!(ben.welcome["state"]["table"], "playing", "the seat is kept for a second");
    let over = ben.hear("GAME_OVER").await;
    assert_eq!((over["winner"].as_str(), over["reason"].as_str()), (Some("yellow"), Some("left")));
    ben.hear("TABLE_FREE").await;
    ben.signup("Ben", "easy").await;
    ben.hear("GAME_START").await;
    let mut his = Vec::new();
    while !turn(&mut ben, &mut his).await {}

    let games = json_at(&hall.address, "/api/games.json").await;
    let stored = |index: usize| {
        let played: Position = games[index]["moves"].as_str().unwrap().parse().unwrap();
        (played, games[index]["result"].as_str().unwrap().to_owned())
    };
    let (first, second) = (stored(0), stored(1));
    assert_eq!((first.0.discs() as usize, first.1.as_str()), (moves.len(), "won"));
    assert_eq!((second.0.discs() as usize, second.0.is_over()), (his.len(), true));
    hall.kill().await;
}
