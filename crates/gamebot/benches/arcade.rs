//! A full house: the real `gamebot arcade` as a separate program, many pages that watch one game, and the time a turn
//! takes from the player's page to each of them. Server and load run on the same machine.
//!
//! A delivery starts when the player's page sends its `TURN` and ends when a watcher's page has read the event: the way
//! to the server, the turn itself, its storage and the way to every page. The machine answers at once, so its search
//! tree (`TURN_TREE`) and its turns go to all watchers at the same time.
//!
//! Options: `--json`, `--watchers N` (1,000), `--turns N` (200), `--pace-ms N` (150).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep_until};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How often pages read stored games and figures while the game runs.
const READ_EVERY: Duration = Duration::from_millis(50);
const READ: [&str; 4] = ["/healthz", "/", "/api/games", "/metrics"];

#[tokio::main]
async fn main() {
    let number = |name: &str, default: u32| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
        arguments.next().map_or(default, |value| value.parse().expect("a number"))
    };
    let (watchers, turns) = (number("--watchers", 1_000), number("--turns", 200));
    let pace = Duration::from_millis(u64::from(number("--pace-ms", 150)));
    arcade::files::allow_many();
    let server = Server::start().await;
    let idle_mb = server.memory_mb("VmRSS:");

    let clock = Arc::new(Clock::new());
    let mut watching = JoinSet::new();
    for _ in 0..watchers {
        let page = Page::open(&server.address, true).await;
        watching.spawn(watch(page, turns, Arc::clone(&clock)));
    }
    let requests = Arc::new(Mutex::new(histogram()));
    let reading = tokio::spawn(read(server.address.clone(), Arc::clone(&requests)));
    play(&server.address, turns, pace, &clock).await;
    // All pages are still connected when the memory is read.
    let (full_mb, peak_mb) = (server.memory_mb("VmRSS:"), server.memory_mb("VmHWM:"));
    while let Some(seen) = watching.join_next().await {
        seen.expect("every turn reached every watcher");
    }
    reading.abort();

    let figures = json!({
        "watchers": watchers,
        "turns": turns,
        "pace_ms": pace.as_millis() as u64,
        "delivery_ms": quantiles(&clock.deliveries),
        "http_ms": quantiles(&requests),
        "resident_idle_mb": idle_mb,
        "resident_mb": full_mb,
        "resident_peak_mb": peak_mb,
    });
    if std::env::args().any(|argument| argument == "--json") {
        println!("{figures}");
    } else {
        println!("{figures:#}");
    }
}

/// When the player's turns were sent, and how long they took to reach each watcher.
struct Clock {
    sent: Mutex<Vec<Instant>>,
    deliveries: Mutex<Histogram<u64>>,
}

impl Clock {
    fn new() -> Self {
        Self { sent: Mutex::default(), deliveries: Mutex::new(histogram()) }
    }

    fn sent(&self) {
        self.sent.lock().expect("nobody panics").push(Instant::now());
    }

    fn arrived(&self, turn: usize) {
        let now = Instant::now();
        let sent = self.sent.lock().expect("nobody panics")[turn];
        record(&self.deliveries, now - sent);
    }
}

/// Microseconds, to three digits.
fn histogram() -> Histogram<u64> {
    Histogram::new(3).expect("three digits are allowed")
}

fn record(histogram: &Mutex<Histogram<u64>>, time: Duration) {
    histogram.lock().expect("nobody panics").record(time.as_micros() as u64).expect("it grows");
}

fn quantiles(histogram: &Mutex<Histogram<u64>>) -> Value {
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
struct Server {
    process: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Server {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Command::new(env!("CARGO_BIN_EXE_gamebot"))
            .args(["arcade", "--listen", "127.0.0.1:0", "--database"])
            .arg(folder.path().join("games.sqlite"))
            .args(["--set", "robot.kind=none", "--set", "arcade.demo=false"])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let output = process.stdout.take().expect("piped");
        let line = BufReader::new(output).lines().next_line().await.expect("readable").expect("an address");
        let address = line.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self { process, address, _folder: folder }
    }

    /// A figure of its memory use, as reported by the system.
    fn memory_mb(&self, field: &str) -> f64 {
        let process = self.process.id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
        line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
    }
}

/// A page of the hall.
struct Page(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Page {
    async fn open(address: &str, watch: bool) -> Self {
        // The library clears its whole buffer for every message; with 128 KiB we would measure that.
        let config = WebSocketConfig::default().read_buffer_size(8 << 10);
        let url = format!("ws://{address}/ws");
        let connected = tokio_tungstenite::connect_async_with_config(url, Some(config), false).await;
        let (socket, _) = connected.expect("a connection");
        let mut page = Self(socket);
        page.say(&json!({"type": "HELLO", "token": null, "watch": watch})).await;
        page.hear("WELCOME").await;
        page
    }

    async fn say(&mut self, event: &Value) {
        self.0.send(Message::text(event.to_string())).await.expect("the server lives");
    }

    async fn next(&mut self) -> String {
        loop {
            let message = self.0.next().await.expect("the server keeps us").expect("the server lives");
            if let Message::Text(text) = message {
                return text.to_string();
            }
        }
    }

    async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let event: Value = serde_json::from_str(&self.next().await).expect("JSON");
            if event["type"] == kind {
                return event;
            }
            assert_ne!(event["type"], "REFUSED", "{event}");
        }
    }
}

/// Reads until all of the player's turns have arrived.
async fn watch(mut page: Page, turns: u32, clock: Arc<Clock>) {
    let mut seen = 0;
    while seen < turns as usize {
        let event = page.next().await;
        // Only people's turns have no thinking time. Parsing them as JSON would measure the load, not the server.
        if event.contains("\"type\":\"TURN\"") && event.contains("\"think_ms\":null") {
            clock.arrived(seen);
            seen += 1;
        }
    }
}

/// Plays against EASY, game after game, a turn at most every `pace`.
async fn play(address: &str, turns: u32, pace: Duration, clock: &Clock) {
    let mut page = Page::open(address, false).await;
    let mut made = 0;
    while made < turns {
        page.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "easy"})).await;
        page.hear("GAME_START").await;
        let mut heights = [0; 7];
        let mut over = false;
        while !over && made < turns {
            let earliest = Instant::now() + pace;
            let column =
                (0..7).map(|step| (made as usize * 3 + step) % 7).find(|column| heights[*column] < 6);
            clock.sent();
            page.say(&json!({"type": "TURN", "column": column.expect("a game with room") + 1})).await;
            made += 1;
            // The turn, and the machine's answer unless it was the last.
            loop {
                let turn = page.hear("TURN").await;
                heights[turn["column"].as_u64().expect("a column") as usize - 1] += 1;
                over = turn["next"].is_null();
                if over || turn["next"] == "red" {
                    break;
                }
            }
            sleep_until(earliest).await;
        }
        page.say(&json!({"type": "LEAVE"})).await;
        page.hear("TABLE_FREE").await;
    }
}

/// Requests pages and stored games all the time, like visitors who look around.
async fn read(address: String, times: Arc<Mutex<Histogram<u64>>>) {
    let mut ticks = interval(READ_EVERY);
    for path in READ.iter().cycle() {
        ticks.tick().await;
        let begun = Instant::now();
        let mut stream = TcpStream::connect(&address).await.expect("a connection");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("the server lives");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("the server lives");
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{path}");
        record(&times, begun.elapsed());
    }
}
