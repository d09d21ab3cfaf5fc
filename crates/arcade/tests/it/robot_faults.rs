//! The robot fails in the middle of games: pages are told, the server lives,
//! games go on or end cleanly (C11, X2).

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Server;
use crate::visitor::{PATIENCE, Visitor};

/// A robot that moves in milliseconds on its real protocol: all its times and the driver's are divided by 120. On a busy
/// machine answers may take long and movements may be noticed late, so the driver is told how long movements really are.
const FAST: &[&str] = &[
    "robot.kind=simulated",
    "robot.simulated_speed=120",
    "robot.shortest_movement_ms=3900",
    "robot.reply_deadline_ms=20000",
    "robot.start_deadline_ms=60000",
    "robot.poll_ms=500",
    "arcade.demo=false",
    "arcade.question_after_s=3600",
];

/// Plays a game as a page does: a turn is wished when the robot is ready, and again if it was not.
async fn play(visitor: &mut Visitor, opponent: &str, mut dice: u64) -> Value {
    visitor.signup("Ada", opponent).await;
    visitor.hear("GAME_START").await;
    let mut wanted = 4;
    visitor.turn(wanted).await;
    // The first turn is refused until the board is empty; afterwards both must be true before another is wished. A turn that
    // a slow disk holds back may be told after the robot has finished it, so a turn says nothing about the robot.
    let (mut my_turn, mut ready) = (false, false);
    loop {
        let event = visitor.next().await.expect("the server lives");
        match event["type"].as_str().unwrap() {
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => return event,
            "TURN" => {
                my_turn = event["next"] == "red";
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                wanted = (dice >> 33) % 7 + 1;
            }
            "ROBOT" => ready = event["robot"]["status"] == "ready",
            "REFUSED" => {
                my_turn = true;
                match event["code"].as_str().unwrap() {
                    "column_full" => (ready, wanted) = (true, wanted % 7 + 1),
                    // It may be ready before its last task is booked, or about to say that it is busy.
                    "robot_busy" if ready => tokio::time::sleep(Duration::from_millis(100)).await,
                    "robot_busy" | "robot_fault" => ready = false,
                    other => panic!("refused: {other}"),
                }
            }
            _ => {}
        }
        if my_turn && ready {
            my_turn = false;
            visitor.turn(wanted).await;
        }
    }
}

/// Waits until the simulated robot's own board holds this many discs and this many of its lights are on.
async fn robot_shows(server: &Server, discs: usize, lights: usize) {
    let looking = async {
        loop {
            let robot = server.json("/api/robot").await;
            let board = robot["board"].to_string();
            if board.matches(['r', 'y']).count() == discs && robot["leds"].as_array().unwrap().len() == lights
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("the robot shows it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_the_simulated_robot_leaves_its_discs_on_the_board() {
    // Slow enough that the lights, which go out after a while, are seen.
    let server = Server::start(&[FAST, &["robot.simulated_speed=20"]].concat()).await;
    let mut ada = server.visitor().await;
    play(&mut ada, "easy", 7).await;
    let game = server.json("/api/games/1").await;
    let discs = game["moves"].as_str().unwrap().len();
    let lights = if game["result"] == "won" { 4 } else { 0 };
    robot_shows(&server, discs, lights).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_games_in_a_row_with_random_faults() {
    let settings = [FAST, &["robot.simulated_fault_rate=0.03"]].concat();
    let server = Server::start(&settings).await;
    for game in 0..50 {
        // A page of its own for every game, as visitors have: nobody plays fifty games in a minute on one.
        let mut ada = server.visitor().await;
        play(&mut ada, if game % 2 == 0 { "easy" } else { "medium" }, game).await;
        ada.say(&json!({"type": "LEAVE"})).await;
        ada.hear("TABLE_FREE").await;
    }
    let games = server.json("/api/games.json").await;
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 50);
    for game in games {
        let position: Result<connect_four::Position, _> = game["moves"].as_str().unwrap().parse();
        let position = position.unwrap_or_else(|error| panic!("{error}: {game}"));
        let (result, reason) = (game["result"].as_str(), game["reason"].as_str());
        match (result, reason) {
            (Some("won"), Some("four")) => assert!(position.is_won(), "{game}"),
            (Some("draw"), Some("full")) => assert!(position.is_over() && !position.is_won(), "{game}"),
            other => panic!("{other:?}: {game}"),
        }
        assert_eq!(game["turns"].as_array().unwrap().len(), position.discs() as usize, "{game}");
    }
    // The simulator's dice always fall the same way: some twenty faults of every kind.
    let faults: usize = games.iter().map(|game| game["faults"].as_array().unwrap().len()).sum();
    assert!(faults >= 10, "only {faults} faults");
    assert_eq!(server.visitor().await.welcome["state"]["table"], "free");
    robot_shows(&server, 0, 0).await;
    server.close().await;
}

/// Whatever a robot does wrong every time, a game has an end: it is played without trouble, or ended for the robot's
/// sake, or goes on without it.
#[tokio::test(flavor = "multi_thread")]
async fn no_bad_habit_keeps_a_game_for_ever() {
    for (habit, plays) in
        [("jams-at-third", false), ("answers-twice", true), ("never-ready", false), ("never-drops", false)]
    {
        let habit_setting = format!("robot.simulated_habit={habit}");
        let settings =
            [FAST, &[habit_setting.as_str(), "arcade.robot_patience_s=2", "robot.start_deadline_ms=20000"]];
        let server = Server::start(&settings.concat()).await;
        let mut ada = server.visitor().await;
        let end = tokio::time::timeout(PATIENCE, play(&mut ada, "easy", 3)).await.expect("an end");
        if plays {
            assert_eq!(end["type"], "GAME_OVER", "{habit}: {end}");
        } else {
            assert_eq!(
                (end["type"].as_str(), end["reason"].as_str()),
                (Some("GAME_ENDED"), Some("robot")),
                "{habit}: {end}"
            );
        }
        server.close().await;
    }
}

/// Phones hear at once that the robot is lost, and the game goes on without it.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_plays_on_without_a_lost_robot() {
    let server =
        Server::start(&[FAST, &["robot.simulated_habit=never-ready", "robot.busy_deadline_s=60"]].concat())
            .await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    loop {
        let event = ada.hear("ROBOT").await;
        if event["robot"]["status"] == "error" {
            break;
        }
    }
    ada.turn(4).await;
    assert_eq!(ada.hear("REFUSED").await["code"], "robot_fault");
    ada.say(&json!({"type": "WITHOUT_ROBOT"})).await;
    ada.hear("WITHOUT_ROBOT").await;
    ada.turn(4).await;
    assert_eq!(ada.hear("TURN").await["ply"], 1);
    assert_eq!(ada.hear("TURN").await["ply"], 2, "and the machine answers");
    server.close().await;
}
