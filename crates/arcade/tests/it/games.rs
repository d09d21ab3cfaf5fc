//! Games from sign-up to storage.

use serde_json::{Value, json};

use crate::server::Server;

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false"];

#[tokio::test]
async fn two_visitors_play_and_a_watcher_sees_it() {
    let server = Server::start(QUICK).await;
    let (mut ada, mut bob, mut watcher) =
        (server.visitor().await, server.visitor().await, server.visitor().await);
    ada.signup("Ada", "human").await;
    ada.hear("NAME_VALID").await;
    assert_eq!(watcher.hear("GAME_SIGNUP").await["name"], "Ada");
    bob.signup("Bob", "human").await;
    let start = bob.hear("GAME_START").await;
    assert_eq!((start["red"]["name"].as_str(), start["yellow"]["name"].as_str()), (Some("Ada"), Some("Bob")));
    for _ in 0..3 {
        ada.turn(1).await;
        bob.hear("TURN").await;
        bob.turn(2).await;
        ada.hear("TURN").await;
        ada.hear("TURN").await;
    }
    ada.turn(1).await;
    let over = watcher.hear("GAME_OVER").await;
    assert_eq!((over["winner"].as_str(), over["reason"].as_str()), (Some("red"), Some("four")));
    assert_eq!(over["cells"], json!([1, 2, 3, 4].map(|row| json!({"column": 1, "row": row}))));

    let game = server.json("/api/games/1").await;
    assert_eq!((game["moves"].as_str(), game["result"].as_str()), (Some("1212121"), Some("won")));
    assert_eq!(game["turns"].as_array().unwrap().len(), 7);
    assert_eq!(server.json("/api/statistics").await["today"]["between_visitors"], 1);
    let (_, _, csv) = server.request("GET", "/api/games.csv", &[], "").await;
    assert!(csv.contains(",Ada,,Bob,,false,won,red,four,1212121"), "{csv}");
    assert_eq!(server.json("/api/games.json").await[0]["turns"][6]["column"], 1);
    server.close().await;
}

#[tokio::test]
async fn the_machine_explains_its_turns_to_watchers_only() {
    let server = Server::start(QUICK).await;
    let mut watcher = server.visitor_with(None, true).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "medium").await;
    ada.hear("GAME_START").await;
    ada.turn(4).await;
    let tree = watcher.hear("TURN_TREE").await;
    let decision = &tree["decision"];
    assert_eq!((tree["ply"].as_u64(), decision["level"].as_str()), (Some(2), Some("medium")));
    assert_eq!(decision["columns"].as_array().unwrap().len(), 7);
    assert!(!decision["reason"]["de"].as_str().unwrap().is_empty());
    assert_eq!(decision["line"][0], decision["column"]);
    let chosen =
        decision["tree"]["children"].as_array().unwrap().iter().find(|child| child["chosen"] == true);
    assert_eq!(chosen.unwrap()["column"], decision["column"]);
    // The player's own page hears the turn, and no tree before it.
    ada.hear("TURN").await;
    loop {
        let event = ada.next().await.unwrap();
        assert_ne!(event["type"], "TURN_TREE");
        if event["type"] == "TURN" {
            assert_eq!(event["column"], decision["column"]);
            break;
        }
    }
    server.close().await;
}

#[tokio::test]
async fn a_reload_gives_the_seat_back() {
    let server = Server::start(QUICK).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    ada.turn(4).await;
    ada.hear("TURN").await;
    let token = ada.token();
    drop(ada);
    let again = server.visitor_with(Some(&token), false).await;
    assert_eq!(again.welcome["seat"], json!({"disc": "red", "name": "Ada"}));
    assert_eq!(again.welcome["state"]["game"]["moves"][0], 4);
    // Somebody with a token of his own making gets no seat, and a new token.
    let stranger = server.visitor_with(Some("ffff"), false).await;
    assert_eq!(stranger.welcome["seat"], Value::Null);
    assert_ne!(stranger.token(), "ffff");
    server.close().await;
}

#[tokio::test]
async fn a_game_goes_on_after_the_server_was_restarted() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let server = Server::start_with(QUICK, Some(database.clone())).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    ada.turn(4).await;
    ada.hear("TURN").await;
    let answer = ada.hear("TURN").await;
    let token = ada.token();
    server.close().await;

    let server = Server::start_with(QUICK, Some(database)).await;
    let mut ada = server.visitor_with(Some(&token), false).await;
    assert_eq!(ada.welcome["seat"]["disc"], "red");
    assert_eq!(ada.welcome["state"]["game"]["moves"], json!([4, answer["column"]]));
    ada.turn(1).await;
    assert_eq!(ada.hear("TURN").await["ply"], 3);
    server.close().await;
}

#[tokio::test]
async fn a_demo_plays_until_a_visitor_comes() {
    let settings = ["robot.kind=none", "arcade.demo_after_s=1", "arcade.demo_pace_ms=0"];
    let server = Server::start(&settings).await;
    let mut watcher = server.visitor_with(None, true).await;
    assert_eq!(watcher.hear("GAME_START").await["demo"], true);
    watcher.hear("TURN").await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "perfect").await;
    assert_eq!(ada.hear("GAME_START").await["demo"], false);
    server.close().await;
}
