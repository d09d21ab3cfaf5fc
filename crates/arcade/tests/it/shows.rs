//! Shows: pages watch what Gamebot plays by itself; nobody who is slow or gone hurts the others (X1, X3).

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::server::Server;
use crate::visitor::{PATIENCE, json_at, request};

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false"];

async fn watch(server: &Server, how: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
    let address = format!("ws://{}/ws/shows/{how}", server.address);
    tokio_tungstenite::connect_async(address).await.unwrap().0
}

/// The next message; nothing when the server is gone.
async fn next(page: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Option<Message> {
    tokio::time::timeout(PATIENCE, page.next()).await.expect("a message in time")?.ok()
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
    for path in ["/hall", "/shows/tetris"] {
        let (status, ..) = request(&server.address, "GET", path, &[], "").await;
        assert_eq!(status, 404, "{path}");
    }
    server.close().await;
}
