//! Shows: pages watch what Gamebot plays by itself; nobody who is slow or gone hurts the others (X1, X3).

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::server::Server;
use crate::visitor::{PATIENCE, json_at, request};

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false", "arcade.tetris_body=emulator"];

async fn watch(server: &Server, how: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
    let address = format!("ws://{}/ws/shows/{how}", server.address);
    tokio_tungstenite::connect_async(address).await.unwrap().0
}

/// The next message; nothing when the server is gone.
async fn next(page: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Option<Message> {
    tokio::time::timeout(PATIENCE, page.next()).await.expect("a message in time")?.ok()
}

/// What an address tells once this holds for it; asked at a pace that the server answers.
async fn told(server: &Server, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let asking = async {
        loop {
            let (_, _, body) = request(&server.address, "GET", path, &[], "").await;
            let told: Value = serde_json::from_str(&body).unwrap_or_default();
            if holds(&told) {
                return told;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("it holds in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_gets_pictures_and_notes_of_the_same_run() {
    let server = Server::start(QUICK).await;
    let mut page = watch(&server, "tetris?notes=true").await;
    let (mut frames, mut observations, mut run) = (0, 0, Value::Null);
    while frames < 3 || observations < 3 {
        match next(&mut page).await.expect("the server lives") {
            Message::Text(text) => {
                let event: Value = serde_json::from_str(&text).unwrap();
                match event["type"].as_str().unwrap() {
                    "RUN" => run = event,
                    "NOTE" if event["topic"] == "observation" => observations += 1,
                    _ => {}
                }
            }
            Message::Binary(frame) => {
                assert_eq!(frame[8..12], *b"\x89PNG", "8 bytes of time, then a picture");
                frames += 1;
            }
            _ => {}
        }
    }
    assert_eq!((&run["game"], &run["body"]), (&"tetris".into(), &"emulator".into()));
    let shows = json_at(&server.address, "/api/shows").await;
    assert_eq!(shows["shows"][0]["watching"], 1);
    server.close().await;
}

/// A page that never reads is let go, one that goes is forgotten, and a name that is none of ours is a page of its own.
#[tokio::test(flavor = "multi_thread")]
async fn pages_without_manners_hurt_nobody() {
    let server = Server::start(QUICK).await;
    let deaf = watch(&server, "tetris?notes=true").await;
    let mut page = watch(&server, "tetris?fps=1000000000").await;
    for _ in 0..20 {
        next(&mut page).await.expect("the other page does not disturb it");
    }
    drop(page);
    let wanted = Duration::from_millis(50);
    while json_at(&server.address, "/api/shows").await["shows"][0]["watching"] != 1 {
        tokio::time::sleep(wanted).await;
    }
    drop(deaf);
    while json_at(&server.address, "/api/shows").await["shows"][0]["watching"] != 0 {
        tokio::time::sleep(wanted).await;
    }
    let (status, ..) = request(&server.address, "GET", "/ws/shows/nonsense", &[], "").await;
    assert!((400..500).contains(&status), "{status}");
    server.close().await;
}

/// An exhibitor with one robot wants its table and nothing else.
#[tokio::test]
async fn the_table_can_be_alone() {
    let server = Server::start(&["robot.kind=none", "arcade.shows=false"]).await;
    assert_eq!(json_at(&server.address, "/api/shows").await["shows"], serde_json::json!([]));
    for path in ["/hall", "/shows/tetris", "/runs", "/screen", "/about", "/screenshot"] {
        let (status, ..) = request(&server.address, "GET", path, &[], "").await;
        assert_eq!(status, 404, "{path}");
    }
    assert!(
        server.request("GET", "/", &[], "").await.2.contains("data-page=\"lobby\""),
        "the lobby is first"
    );
    server.close().await;
}

/// The hall is first and the lobby beside it; where the settings want it, the lobby is first.
#[tokio::test]
async fn the_first_page_is_the_hall_or_the_lobby() {
    for (front, first) in [("hall", "hall"), ("lobby", "lobby")] {
        let server = Server::start(&["robot.kind=none", &format!("arcade.front={front}")]).await;
        let page = |path| request(&server.address, "GET", path, &[], "");
        let is = |html: &str, page: &str| html.contains(&format!("data-page=\"{page}\""));
        assert!(is(&page("/").await.2, first), "{front}");
        assert!(is(&page("/lobby").await.2, "lobby"), "always there");
        let (status, head, hall) = page("/hall").await;
        if front == "hall" {
            assert!(status == 303 && head.contains("location: /\r\n"), "{head}");
        } else {
            assert!(is(&hall, "hall"));
        }
        server.close().await;
    }
}

/// G17: the operator's commands reach the run and are told to all who watch; visitors may push nothing unless they may.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_operator_commands_the_robot() {
    let server = Server::start(&[QUICK, &["arcade.visitors_may_disturb=true"]].concat()).await;
    let mut page = watch(&server, "tetris?notes=true").await;
    let level = r#"{"level": 3}"#;
    let ask = async |headers: &[(&str, &str)], path: &str, body: &str| {
        request(&server.address, "POST", path, headers, body).await.0
    };
    assert_eq!(ask(&[("X-Gamebot", "1")], "/api/admin/shows/tetris", level).await, 401);
    assert_eq!(
        ask(&[], "/api/shows/tetris/faults", r#"{"faults": {"dark": true}}"#).await,
        404,
        "no such device"
    );
    let setup = serde_json::json!({ "code": server.setup_code, "password": "correct horse" }).to_string();
    let (_, head, _) =
        request(&server.address, "POST", "/api/admin/setup", &[("X-Gamebot", "1")], &setup).await;
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let operator = [("X-Gamebot", "1"), ("Cookie", cookie.split(';').next().unwrap())];
    loop {
        // The run's first note says that it is on.
        if let Some(Message::Text(text)) = next(&mut page).await
            && text.contains("NOTE")
        {
            break;
        }
    }
    assert_eq!(ask(&operator, "/api/admin/shows/tetris", r#"{"levle": 3}"#).await, 422);
    assert_eq!(ask(&operator, "/api/admin/shows/lago", level).await, 404);
    assert_eq!(ask(&operator, "/api/admin/shows/tetris", level).await, 204);
    loop {
        let Some(Message::Text(text)) = next(&mut page).await else { continue };
        let event: Value = serde_json::from_str(&text).unwrap();
        if event["topic"] == "order" {
            assert_eq!(event["note"]["order"]["player"]["level"], 3, "{event}");
            break;
        }
    }
    server.close().await;
}

/// The switches of the simulated robot: only where the operator lets visitors push them.
#[tokio::test(flavor = "multi_thread")]
async fn visitors_push_fault_switches_when_they_may() {
    let dark = r#"{"faults": {"dark": true, "shake_px": 4.0}}"#;
    for (may, expected) in [(false, 403), (true, 204)] {
        let setting = format!("arcade.visitors_may_disturb={may}");
        let server = Server::start(&["robot.kind=none", "arcade.demo=false", &setting]).await;
        let mut page = watch(&server, "tetris").await;
        // The first message says that a run begins.
        next(&mut page).await.unwrap();
        while json_at(&server.address, "/api/shows/tetris").await["faults"].is_null() {
            next(&mut page).await.unwrap();
        }
        let (status, ..) = request(&server.address, "POST", "/api/shows/tetris/faults", &[], dark).await;
        assert_eq!(status, expected);
        assert_eq!(json_at(&server.address, "/api/shows/tetris").await["faults"]["dark"], may);
        let (status, ..) =
            request(&server.address, "POST", "/api/shows/tetris/faults", &[], "\"stop\"").await;
        assert_eq!(status, 403, "nothing but faults");
        server.close().await;
    }
}

/// X1: whoever races the robot gets its pieces from the first on, whenever they come; no other show has any.
#[tokio::test(flavor = "multi_thread")]
async fn the_robots_pieces_are_told_from_the_first_on() {
    let server = Server::start(&[QUICK, &["tetris.idle_periods=60", "arcade.hurry=true"]].concat()).await;
    let pieces =
        async |query: &str| json_at(&server.address, &format!("/api/shows/tetris/pieces{query}")).await;
    assert_eq!(server.request("GET", "/api/shows/tetris/pieces", &[], "").await.0, 404, "nothing was played");
    let page = watch(&server, "tetris?fps=1").await;
    let enough = |told: &Value| told["pieces"].as_str().is_some_and(|pieces| pieces.len() >= 5);
    let first = told(&server, "/api/shows/tetris/pieces", enough).await;
    let known = first["pieces"].as_str().unwrap();
    assert!(known.chars().all(|letter| "LJIOZST".contains(letter)), "{first}");
    assert_eq!(first["scores"].as_array().unwrap().len(), known.len());
    let again = pieces(&format!("?run={}", first["run"])).await;
    assert!(again["pieces"].as_str().unwrap().starts_with(known), "{again}");
    let rest = pieces(&format!("?run={}&from=3", first["run"])).await;
    assert!(rest["pieces"].as_str().unwrap().starts_with(&known[3..]), "{rest}");
    for path in ["/api/shows/tetris/pieces?run=99999", "/api/shows/samegame/pieces", "/api/shows/none/pieces"]
    {
        assert_eq!(server.request("GET", path, &[], "").await.0, 404, "{path}");
    }
    drop(page);
    server.close().await;
}

/// A visitor takes the person's seat at the LEGO robot's table, drops a disc and leaves; nobody else can drop it.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_drops_discs_for_the_lego_robot() {
    let server = Server::start(&[QUICK, &["lego.beginner=other", "recordings.shows=none"]].concat()).await;
    let ask = async |path: &str, body: Value| {
        let headers = [("Content-Type", "application/json")];
        let path = format!("/api/shows/lego/seat{path}");
        let (status, _, answer) = request(&server.address, "POST", &path, &headers, &body.to_string()).await;
        (status, serde_json::from_str(&answer).unwrap_or(Value::Null))
    };
    assert_eq!(ask("", json!({})).await.0, 409, "nothing is played");
    assert_eq!(request(&server.address, "POST", "/api/shows/tetris/seat", &[], "").await.0, 404);
    let page = watch(&server, "lego?fps=1").await;
    let table =
        async |what: fn(&Value) -> bool| told(&server, "/api/shows/lego", |show| what(&show["seat"])).await;
    table(Value::is_object).await;
    let (status, answer) = ask("", json!({})).await;
    assert_eq!(status, 201, "{answer}");
    let seat = answer["seat"].as_str().unwrap().to_owned();
    assert_eq!(ask("", json!({})).await.0, 409, "one at a time");
    assert_eq!(ask("/drop", json!({ "seat": "0", "column": 3 })).await.0, 403);
    assert_eq!(ask("/drop", json!({ "seat": "nonsense", "column": 3 })).await.0, 403);
    table(|seat| seat["table"]["persons_turn"] == true).await;
    assert_eq!(ask("/drop", json!({ "seat": seat, "column": 7 })).await.0, 409);
    assert_eq!(ask("/drop", json!({ "seat": seat })).await.0, 422);
    assert_eq!(ask("/drop", json!({ "seat": seat, "column": 6 })).await.0, 204);
    table(|seat| seat["table"]["columns"] == json!([6])).await;
    assert_eq!(ask("/leave", json!({ "seat": seat })).await.0, 204);
    table(|seat| seat["taken"] == false).await;
    assert_eq!(ask("/drop", json!({ "seat": seat, "column": 1 })).await.0, 403, "gone is gone");
    drop(page);
    server.close().await;
}
