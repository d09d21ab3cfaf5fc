//! Scores that are proved, and questions of other programs.

use browser::tetris::{Choices, Scene, Session};
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
    // Whoever wants to race against it gets its keys.
    let game = server.json(&format!("/api/tetris/scores/{}", listed["scores"][0]["entry"])).await;
    assert_eq!((&game["keys"], &game["choices"]), (&honest["keys"], &honest["choices"]));
    assert_eq!(server.request("GET", "/api/tetris/scores/77", &[], "").await.0, 404);
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

/// A program that speaks TBP and always lays the piece flat on the floor.
const BOT: &str = include_str!("../flat_bot.sh");

#[tokio::test]
async fn players_of_the_plug_in_folder_are_lent_to_pages() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
    let flat = |piece: char| json!({ "location": { "type": piece, "orientation": "north", "x": 4, "y": 0 } });
    let moves = json!({ "type": "suggestion", "moves": "IOTLJSZ".chars().map(flat).collect::<Vec<_>>() });
    write("bot.sh", BOT.replace("MOVES", &moves.to_string()).as_bytes());
    write("flat.tbp", format!("sh {}", folder.path().join("bot.sh").display()).as_bytes());
    write("mute.tbp", b"false");
    write("broken.wasm", b"not a module");
    let plugins = format!("plugins.folder={}", folder.path().display());
    let server = Server::start(&["robot.kind=none", &plugins]).await;
    let listed = server.json("/api/tetris/players").await;
    assert_eq!(listed, json!({ "evaluators": [], "programs": ["flat", "mute"] }));
    assert_eq!(server.request("GET", "/api/tetris/players/broken", &[], "").await.0, 404);

    let think = async |name: &str, scene: &Value| {
        let headers = [("content-type", "application/json")];
        let path = format!("/api/tetris/players/{name}");
        let (status, _, body) = server.request("POST", &path, &headers, &scene.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    };
    let session = Session::new(Choices::gameboy(0, 4)).unwrap();
    let scene = json!(Scene::of(&session, 100).unwrap());
    let (status, thought) = think("flat", &scene).await;
    assert_eq!(status, 200, "{thought}");
    let cells = thought["candidates"][0]["cells"].as_array().unwrap();
    assert!(cells.iter().all(|cell| cell[1].as_i64().unwrap() < 2), "{thought}");
    // One that dies is named, a page that lies gets an answer too.
    let (status, why) = think("mute", &scene).await;
    assert_eq!(status, 502);
    assert!(why["error"].as_str().unwrap().contains("info"), "{why}");
    for (field, wrong) in [("row", json!(i32::MAX)), ("x", json!(i32::MIN)), ("columns", json!([1, 2]))] {
        let mut mutated = scene.clone();
        mutated[field] = wrong;
        assert_eq!(think("flat", &mutated).await.0, 502, "{field}");
    }
    assert_eq!(think("flat", &json!({ "rules": "gameboy" })).await.0, 422);
    assert_eq!(think("nobody", &scene).await.0, 404);
    server.close().await;
}
