//! A server and its visitors.

use std::path::PathBuf;
use std::time::Duration;

use arcade::admin::RecentLog;
use arcade::{Arcade, Options, SECTIONS};
use configuration::{Layers, Schema};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing in these tests takes as long, unless it is stuck.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A running arcade.
pub struct Server {
    pub address: String,
    pub setup_code: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Opens an arcade that forgets everything.
    pub async fn start(settings: &[&str]) -> Self {
        Self::start_with(settings, None).await
    }

    /// Opens an arcade on a database file.
    pub async fn start_with(settings: &[&str], database: Option<PathBuf>) -> Self {
        let schema = Schema::new(SECTIONS);
        let mut layers = Layers::new(&schema);
        for setting in settings {
            layers.flag(setting);
        }
        let options = Options {
            listen: "127.0.0.1:0".parse().unwrap(),
            database,
            seed: 1,
            values: layers.finish().unwrap(),
            log: RecentLog::default(),
        };
        let arcade = Arcade::open(options).await.unwrap();
        let address = arcade.local_address().unwrap().to_string();
        let setup_code = arcade.setup_code();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            arcade.serve(async move { drop(stopped.await) }).await.unwrap();
        });
        Self { address, setup_code, stop: Some(stop), task: Some(task) }
    }

    /// Closes it and waits until everything is closed.
    pub async fn close(mut self) {
        drop(self.stop.take());
        tokio::time::timeout(PATIENCE, self.task.take().unwrap()).await.unwrap().unwrap();
    }

    /// A visitor who has said hello.
    pub async fn visitor(&self) -> Visitor {
        self.visitor_with(None, false).await
    }

    /// A visitor who comes back, or watches.
    pub async fn visitor_with(&self, token: Option<&str>, watch: bool) -> Visitor {
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{}/ws", self.address)).await.unwrap();
        let mut visitor = Visitor { socket, welcome: Value::Null };
        visitor.say(&json!({"type": "HELLO", "token": token, "watch": watch})).await;
        visitor.welcome = visitor.hear("WELCOME").await;
        visitor
    }

    /// A plain HTTP request; status line, headers and body.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let headers: String =
            headers.iter().flat_map(|(name, value)| [*name, ": ", *value, "\r\n"]).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
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
    pub async fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.request("GET", path, &[], "").await;
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }
}

/// A page.
pub struct Visitor {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub welcome: Value,
}

impl Visitor {
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
