//! What the measuring programs of the hall share: the real program, pages, clocks.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// A number from the command line.
pub fn number(name: &str, default: u32) -> u32 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    arguments.next().map_or(default, |value| value.parse().expect("a number"))
}

/// Prints the figures, on one line if another program reads them.
pub fn print(figures: &Value) {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{figures}");
    } else {
        println!("{figures:#}");
    }
}

/// Microseconds, to three digits.
pub fn histogram() -> Mutex<Histogram<u64>> {
    Mutex::new(Histogram::new(3).expect("three digits are allowed"))
}

pub fn record(histogram: &Mutex<Histogram<u64>>, time: Duration) {
    histogram.lock().expect("nobody panics").record(time.as_micros() as u64).expect("it grows");
}

pub fn quantiles(histogram: &Mutex<Histogram<u64>>) -> Value {
    let histogram = histogram.lock().expect("nobody panics");
    let ms = |us: u64| us as f64 / 1000.0;
    json!({
        "count": histogram.len(),
        "p50": ms(histogram.value_at_quantile(0.5)),
        "p99": ms(histogram.value_at_quantile(0.99)),
        "max": ms(histogram.max()),
    })
}

/// The program under load.
pub struct Server {
    process: Child,
    pub address: SocketAddr,
    /// What sets the operator's password, if there is none yet.
    pub code: String,
}

impl Server {
    /// Starts it on a database, without a robot and without demos.
    pub async fn start(database: &Path, settings: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamebot"));
        command.args(["arcade", "--listen", "127.0.0.1:0", "--database"]).arg(database);
        for setting in ["robot.kind=none", "arcade.demo=false"] {
            command.args(["--set", setting]);
        }
        for setting in settings {
            command.args(["--set", setting]);
        }
        let mut process =
            command.stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("piped")).lines();
        let line = lines.next_line().await.expect("readable").expect("an address");
        let address = line.trim_start_matches("http://").trim_end_matches('/').parse().expect("an address");
        let told = lines.next_line().await.expect("readable").unwrap_or_default();
        let code = told.rsplit(' ').next().unwrap_or_default().to_owned();
        Self { process, address, code }
    }

    /// A figure of its memory from the system's own books.
    pub fn memory_mb(&self, field: &str) -> f64 {
        memory_mb(self.process.id().expect("it runs"), field)
    }

    /// Sets the operator's password; returns the session's cookie.
    pub async fn set_password(&self) -> String {
        let body = json!({"code": self.code, "password": "correct horse"}).to_string();
        let answer = post(self.address, "/api/admin/setup", "", &body).await;
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.and_then(|cookie| cookie.split(';').next()).expect("a session").to_owned()
    }

    /// Ends it and waits until it is gone.
    pub async fn stop(mut self) {
        self.process.kill().await.expect("it runs");
    }

    pub fn id(&self) -> u32 {
        self.process.id().expect("it runs")
    }
}

pub fn memory_mb(process: u32, field: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
}

/// Fills a database with games as visitors play them, before the program is started on it.
pub fn fill(database: &Path, games: u32) {
    let connection = rusqlite::Connection::open(database).expect("a database");
    connection.execute_batch("PRAGMA synchronous = OFF; BEGIN").expect("writable");
    {
        let mut game = connection
            .prepare(
                "INSERT INTO games (game, started, ended, red, yellow, yellow_level, demo, result, winner, reason, moves)
                 VALUES (?1, ?2, ?2, 'Ada' || (?1 % 97), 'Gamebot easy', 'easy', 0, 'won', 'red', 'four', ?3)",
            )
            .expect("the schema");
        let mut turn = connection.prepare("INSERT INTO turns VALUES (?, ?, ?, ?, ?)").expect("the schema");
        for number in 1..=games {
            let at = format!("2026-01-{:02}T{:02}:00:00.000Z", number % 28 + 1, number % 24);
            let moves: String =
                (0..30).map(|ply| char::from(b'1' + ((number + ply * 3) % 7) as u8)).collect();
            game.execute((number, &at, &moves)).expect("a game");
            for (ply, column) in moves.bytes().enumerate() {
                turn.execute((number, ply as u32 + 1, column - b'0', &at, Option::<u32>::None))
                    .expect("a turn");
            }
        }
    }
    connection.execute_batch("COMMIT").expect("stored");
}

/// A connection from one of this machine's own addresses, 127.0.0.`last`.
pub async fn connect(server: SocketAddr, last: u8) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from(([127, 0, 0, last], 0)))?;
    socket.connect(server).await
}

/// A request; its status and how many bytes came.
pub async fn get(server: SocketAddr, last: u8, path: &str) -> std::io::Result<(u16, usize)> {
    let mut stream = connect(server, last).await?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: {server}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let status = answer.get(9..12).and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    Ok((status.unwrap_or(0), answer.len()))
}

/// A request that changes something, with the session's cookie; the whole answer.
pub async fn post(server: SocketAddr, path: &str, cookie: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(server).await.expect("the server lives");
    let request = format!(
        "POST {path} HTTP/1.0\r\nHost: {server}\r\nX-Gamebot: 1\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("the server lives");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
}

/// A page of the hall.
pub struct Page(pub WebSocketStream<TcpStream>);

impl Page {
    /// Opens a page from 127.0.0.`last` and says hello.
    pub async fn open(server: SocketAddr, last: u8, watch: bool) -> Option<Self> {
        let mut page = Self::connect(server, last).await?;
        page.say(&json!({"type": "HELLO", "token": null, "watch": watch})).await?;
        page.hear("WELCOME").await?;
        Some(page)
    }

    /// The socket alone.
    pub async fn connect(server: SocketAddr, last: u8) -> Option<Self> {
        Self::at(server, last, "/ws").await
    }

    /// A page that watches a show, with its notes.
    pub async fn watch(server: SocketAddr, last: u8, show: &str) -> Option<Self> {
        Self::at(server, last, &format!("/ws/shows/{show}?fps=10&notes=true")).await
    }

    async fn at(server: SocketAddr, last: u8, path: &str) -> Option<Self> {
        // The library clears its whole buffer for every message; with 128 KiB of it we would measure that.
        let config = WebSocketConfig::default().read_buffer_size(8 << 10);
        let stream = connect(server, last).await.ok()?;
        stream.set_nodelay(true).ok()?;
        let request = format!("ws://{server}{path}").into_client_request().ok()?;
        let connected = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
        Some(Self(connected.ok()?.0))
    }

    pub async fn say(&mut self, event: &Value) -> Option<()> {
        self.0.send(Message::text(event.to_string())).await.ok()
    }

    /// The next event; none when the server has let go of us.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            if let Message::Text(text) = self.0.next().await?.ok()? {
                return Some(text.to_string());
            }
        }
    }

    pub async fn hear(&mut self, kind: &str) -> Option<Value> {
        loop {
            let event: Value = serde_json::from_str(&self.next().await?).ok()?;
            if event["type"] == kind {
                return Some(event);
            }
            assert_ne!(event["type"], "REFUSED", "{event}");
        }
    }
}
