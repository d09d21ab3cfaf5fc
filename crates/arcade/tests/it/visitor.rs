//! A visitor's page as the server meets it: a WebSocket, and requests. Shared with the tests of the whole program.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing in these tests takes as long, unless it is stuck.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A page.
pub struct Visitor {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub welcome: Value,
}

impl Visitor {
    /// Comes in and says hello; with a token of an earlier visit comes back.
    pub async fn arrive(address: &str, token: Option<&str>, watch: bool) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await.unwrap();
        let mut visitor = Self { socket, welcome: Value::Null };
        visitor.say(&json!({"type": "HELLO", "token": token, "watch": watch})).await;
        visitor.welcome = visitor.hear("WELCOME").await;
        visitor
    }

    pub fn token(&self) -> String {
        self.welcome["token"].as_str().unwrap().to_owned()
    }

    pub async fn say(&mut self, event: &Value) {
        self.say_text(&event.to_string()).await;
    }

    pub async fn say_text(&mut self, text: &str) {
        // A server that has let go of us says so when we listen.
        drop(self.socket.send(Message::text(text)).await);
    }

    /// The next event; none when the connection is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message =
                tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("an event in time")?;
            match message {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next event of this type; others are passed over.
    pub async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await.unwrap_or_else(|| panic!("closed while waiting for {kind}"));
            if event["type"] == kind {
                return event;
            }
        }
    }

    pub async fn signup(&mut self, name: &str, opponent: &str) {
        self.say(&json!({"type": "GAME_SIGNUP", "name": name, "opponent": opponent})).await;
    }

    pub async fn turn(&mut self, column: u64) {
        self.say(&json!({"type": "TURN", "column": column})).await;
    }
}

/// A plain HTTP request; status, headers and body.
pub async fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let headers: String = headers.iter().flat_map(|(name, value)| [*name, ": ", *value, "\r\n"]).collect();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        address,
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

/// A JSON document.
pub async fn json_at(address: &str, path: &str) -> Value {
    let (status, _, body) = request(address, "GET", path, &[], "").await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}
