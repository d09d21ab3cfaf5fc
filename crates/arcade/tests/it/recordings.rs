//! Recordings: those of the hall's own games, and those that strangers bring (X3).

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::Server;
use crate::visitor::{json_at, request};

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false"];
/// A recording of Catch that an earlier version made.
const CATCH: &[u8] = include_bytes!("../../../../fixtures/recordings/catch-0.1.0.mcap");

/// Sends bytes as a recording; the status and the answer.
async fn bring(server: &Server, bytes: &[u8]) -> (u16, Value) {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let head = format!(
        "POST /api/runs HTTP/1.0\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        server.address,
        bytes.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses may close before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap_or(Value::Null))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_is_brought_is_shown_frame_by_frame() {
    let server = Server::start(QUICK).await;
    let (status, answer) = bring(&server, CATCH).await;
    assert_eq!(status, 201, "{answer}");
    let run = &answer["run"];
    assert_eq!((&run["game"], &run["uploaded"]), (&json!("catch"), &json!(true)));
    let id = run["id"].as_str().unwrap();
    let described = json_at(&server.address, &format!("/api/runs/{id}")).await;
    assert_eq!(described["run"]["frames"], run["frames"]);
    let last = run["frames"].as_u64().unwrap() - 1;
    let moment = json_at(&server.address, &format!("/api/runs/{id}/moment?frame={last}")).await;
    let topics: Vec<_> =
        moment["notes"].as_array().unwrap().iter().map(|note| note["topic"].as_str().unwrap()).collect();
    assert!(topics.contains(&"observation") && topics.contains(&"command"), "{topics:?}");
    let at = moment["time_ms"].as_u64().unwrap();
    let same = json_at(&server.address, &format!("/api/runs/{id}/moment?time_ms={}", at + 1)).await;
    assert_eq!(same["frame"], moment["frame"], "a link by time leads there too");
    let (status, head, _) = server.request("GET", &format!("/api/runs/{id}/frames/0.png"), &[], "").await;
    assert!(status == 200 && head.contains("image/png"), "{head}");
    let (status, head, _) = server.request("GET", &format!("/api/runs/{id}/file"), &[], "").await;
    assert!(status == 200 && head.contains(&format!("{}", CATCH.len())), "{head}");
    for (path, expected) in [
        (format!("/runs/{id}"), 200),
        ("/runs/nothing-of-ours".to_owned(), 404),
        ("/api/runs/..%2f..%2fetc%2fpasswd".to_owned(), 404),
        (format!("/api/runs/{id}/frames/99999999.png"), 422),
        (format!("/api/runs/{id}/frames/-1.png"), 404),
    ] {
        assert_eq!(server.request("GET", &path, &[], "").await.0, expected, "{path}");
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_recording_is_refused_and_does_not_stay() {
    let server = Server::start(&[QUICK, &["recordings.upload_mb=1"]].concat()).await;
    let (status, answer) = bring(&server, b"hello, world").await;
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("MCAP"), "{status} {answer}");
    // A wrong length looks like a file that was cut off and is shown as far as it goes; a wrong checksum is refused.
    let mut refused = 0;
    for place in (1..9).map(|part| part * CATCH.len() / 9) {
        let mut mutated = CATCH.to_vec();
        mutated[place] ^= 0x55;
        let (status, answer) = bring(&server, &mutated).await;
        assert!(status == 201 || (status == 422 && answer["error"].is_string()), "{status} {answer}");
        refused += usize::from(status == 422);
    }
    assert!(refused > 0, "checksums are looked at");
    assert_eq!(bring(&server, &vec![0; 3 << 20]).await.0, 413);
    let list = json_at(&server.address, "/api/runs").await;
    assert_eq!(list["runs"].as_array().unwrap().len(), 8 - refused, "what was refused is gone");
    server.close().await;
    let closed = Server::start(&[QUICK, &["recordings.uploads=false"]].concat()).await;
    assert_eq!(bring(&closed, CATCH).await.0, 403);
    closed.close().await;
}

/// The operator keeps, names and deletes; nobody else does.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_operator_names_and_deletes() {
    let server = Server::start(QUICK).await;
    let id = bring(&server, CATCH).await.1["run"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/runs/{id}");
    let wish = json!({ "name": "A fine game", "kept": true }).to_string();
    assert_eq!(server.request("POST", &path, &[("X-Gamebot", "1")], &wish).await.0, 401);
    let setup =
        json!({ "code": server.setup_code.clone().unwrap(), "password": "correct horse" }).to_string();
    let (status, head, _) = server.request("POST", "/api/admin/setup", &[("X-Gamebot", "1")], &setup).await;
    assert_eq!(status, 204);
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let headers = [("X-Gamebot", "1"), ("Cookie", cookie)];
    assert_eq!(server.request("POST", &path, &headers, &wish).await.0, 200);
    let listed = json_at(&server.address, "/api/runs").await["runs"][0].clone();
    assert_eq!((&listed["name"], &listed["kept"]), (&json!("A fine game"), &json!(true)));
    let long = json!({ "name": "x".repeat(100) }).to_string();
    assert_eq!(server.request("POST", &path, &headers, &long).await.0, 422);
    assert_eq!(server.request("DELETE", &path, &headers, "").await.0, 204);
    assert_eq!(request(&server.address, "GET", &format!("/api/runs/{id}"), &[], "").await.0, 404);
    server.close().await;
}

/// Games of the hall are recorded, and the oldest goes when there is no more room.
#[tokio::test(flavor = "multi_thread")]
async fn recordings_never_take_more_than_their_room() {
    let server = Server::start(&[QUICK, &["recordings.limit_mb=1"]].concat()).await;
    let fit = (1 << 20) / CATCH.len();
    let mut brought = Vec::new();
    for _ in 0..fit + 2 {
        let (status, answer) = bring(&server, CATCH).await;
        assert_eq!(status, 201, "{answer}");
        brought.push(answer["run"]["id"].clone());
    }
    let list = json_at(&server.address, "/api/runs").await;
    assert!(list["used_bytes"].as_u64().unwrap() <= list["limit_bytes"].as_u64().unwrap());
    assert!(list["runs"].as_array().unwrap().iter().any(|run| run["id"] == brought[brought.len() - 1]));
    assert!(list["runs"].as_array().unwrap().iter().all(|run| run["id"] != brought[0]), "the oldest is gone");
    server.close().await;
}
