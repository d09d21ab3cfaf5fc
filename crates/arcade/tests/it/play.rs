//! Scores that are proved, and questions of other programs.

use browser::tetris::{Choices, Session};
use serde_json::{Value, json};
use tetris::gameboy::Buttons;

use crate::server::Server;

/// A short real game: soft drops until it is over.
fn real_game() -> (Choices, Session) {
    let choices = Choices::gameboy(9, 4);
    let mut session = Session::new(choices).unwrap();
    let mut frame = 0;
    while !session.is_over() {
        // Down is let go now and then, or it would work for the first piece only.
        session.step(if frame % 16 == 0 { Buttons::NONE } else { Buttons::DOWN });
        frame += 1;
    }
    (choices, session)
}

async fn post(server: &Server, entry: &Value) -> (u16, String) {
    let headers = [("content-type", "application/json")];
    let (status, _, body) = server.request("POST", "/api/tetris/scores", &headers, &entry.to_string()).await;
    (status, body)
}

#[tokio::test]
async fn a_score_is_believed_only_with_its_keys() {
    let server = Server::start(&["robot.kind=none"]).await;
    let (choices, session) = real_game();
    assert!(session.score() > 0);
    let honest = json!({
        "name": "Ada", "choices": choices, "keys": session.keys().to_text(), "score": session.score(),
        "lines": session.lines(), "level": session.level(), "player": null,
    });
    let mut forged = honest.clone();
    forged["score"] = json!(999_999);
    let (status, why) = post(&server, &forged).await;
    assert_eq!(status, 422);
    assert!(why.contains("these keys give") && why.contains("999999 points"), "{why}");
    let mut wide = honest.clone();
    wide["choices"] = json!({ "rules": "classic", "width": 33, "height": 20, "seed": 1 });
    assert!(post(&server, &wide).await.1.contains("choose 4 to 32"));
    let mut nameless = honest.clone();
    nameless["name"] = json!("<b>");
    assert_eq!(post(&server, &nameless).await.0, 422);
    assert_eq!(post(&server, &json!({ "name": "Ada" })).await.0, 422);

    assert_eq!(post(&server, &honest).await.0, 201);
    // Entered again, it is the same game.
    assert_eq!(post(&server, &honest).await.0, 201);
    let listed = server.json("/api/tetris/scores?rules=gameboy").await;
    assert_eq!(listed["scores"].as_array().unwrap().len(), 1);
    assert_eq!(listed["scores"][0]["score"], session.score());
    assert_eq!(server.json("/api/tetris/scores?rules=classic").await["scores"], json!([]));
    server.close().await;
}

#[tokio::test]
async fn other_programs_get_exact_answers_and_not_too_many() {
    let server = Server::start(&["robot.kind=none"]).await;
    let four = server.json("/api/solve?game=connect-four&moves=6146").await;
    assert_eq!((four["score"].clone(), four["columns"].as_array().unwrap().len()), (json!(18), 7));
    let same = server.json("/api/solve?game=samegame&board=%5B%5B1,2%5D,%5B1,2%5D,%5B1,1%5D%5D").await;
    assert_eq!((same["cleared"].clone(), same["proof"].clone()), (json!(true), json!("cleared")));
    let (status, _, why) = server.request("GET", "/api/solve?game=connect-four&moves=48", &[], "").await;
    assert_eq!(status, 400);
    assert!(why.contains("no column 8"), "{why}");
    let mut refused = 0;
    for _ in 0..12 {
        refused += u32::from(server.request("GET", "/api/solve?game=chess", &[], "").await.0 == 400);
        let (status, ..) = server.request("GET", "/api/solve?game=connect-four&moves=4", &[], "").await;
        refused += u32::from(status == 429) * 100;
    }
    assert!(refused > 100, "an address gets ten answers at once: {refused}");
    server.close().await;
}
