//! A full house: the real `gamebot arcade` as a separate program, many pages that watch one game, and the time a turn
//! takes from the player's page to each of them. Server and load run on the same machine.
//!
//! A delivery starts when the player's page sends its `TURN` and ends when a watcher's page has read the event: the way
//! to the server, the turn itself, its storage and the way to every page. The machine's answer and its search tree
//! (`TURN_TREE`) go to all watchers as well, `levels.answer_after_ms` later.
//!
//! Options: `--json`, `--watchers N` (1,000), `--turns N` (200), `--pace-ms N` (150), `--games N` (stored games before it
//! begins, 0), `--lists N` (requests for the list of games a second, 0).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    dead_code,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod hall;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hall::{Page, Server, fill, get, histogram, number, quantiles, record};
use hdrhistogram::Histogram;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep_until};

/// How often pages read stored games and figures while the game runs.
const READ_EVERY: Duration = Duration::from_millis(50);
/// Turns stored to measure what storing costs.
const STORED: u32 = 500;
const READ: [&str; 4] = ["/healthz", "/", "/api/games", "/metrics"];

#[tokio::main]
async fn main() {
    let (watchers, turns) = (number("--watchers", 1_000), number("--turns", 200));
    let pace = Duration::from_millis(u64::from(number("--pace-ms", 150)));
    let (games, lists) = (number("--games", 0), number("--lists", 0));
    arcade::files::allow_many();
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("games.sqlite");
    // The limits for single addresses are lifted: everyone here has the same one.
    let settings: Vec<String> = [
        "arcade.connections=10000",
        "arcade.connections_per_address=20000",
        "arcade.games_per_minute=10000",
        "arcade.requests_per_second=10000",
    ]
    .map(str::to_owned)
    .to_vec();
    if games > 0 {
        // The program makes the tables.
        Server::start(&database, &settings).await.stop().await;
        fill(&database, games);
    }
    let stored = ["NORMAL", "FULL"].map(|synchronous| store(folder.path(), synchronous));
    let server = Server::start(&database, &settings).await;
    let idle_mb = server.memory_mb("VmRSS:");

    let clock = Arc::new(Clock::new());
    let mut watching = JoinSet::new();
    for _ in 0..watchers {
        let page = Page::open(server.address, 1, true).await.expect("a page");
        watching.spawn(watch(page, turns, Arc::clone(&clock)));
    }
    let (requests, listed) = (Arc::new(histogram()), Arc::new(histogram()));
    let reading = tokio::spawn(read(server.address, Arc::clone(&requests)));
    let listing = tokio::spawn(list(server.address, lists, Arc::clone(&listed)));
    play(server.address, turns, pace, &clock).await;
    // Everyone is still connected when the memory is read.
    let (full_mb, peak_mb) = (server.memory_mb("VmRSS:"), server.memory_mb("VmHWM:"));
    while let Some(seen) = watching.join_next().await {
        seen.expect("every turn reached every watcher");
    }
    reading.abort();
    listing.abort();

    hall::print(&json!({
        "watchers": watchers,
        "turns": turns,
        "pace_ms": pace.as_millis() as u64,
        "games": games,
        "lists_per_second": lists,
        "delivery_ms": quantiles(&clock.deliveries),
        "http_ms": quantiles(&requests),
        "list_ms": quantiles(&listed),
        "store_normal_ms": quantiles(&stored[0]),
        "store_full_ms": quantiles(&stored[1]),
        "resident_idle_mb": idle_mb,
        "resident_mb": full_mb,
        "resident_peak_mb": peak_mb,
    }));
}

/// What it costs to store one turn, as the server does, when it is only written (`NORMAL`) or also waited for until the
/// disk has it (`FULL`).
fn store(folder: &Path, synchronous: &str) -> Mutex<Histogram<u64>> {
    let connection = rusqlite::Connection::open(folder.join(synchronous)).expect("a database");
    connection.pragma_update(None, "journal_mode", "WAL").expect("a setting");
    connection.pragma_update(None, "synchronous", synchronous).expect("a setting");
    connection.execute_batch("CREATE TABLE turns (game, ply, column, at, think_ms)").expect("a table");
    let times = histogram();
    for ply in 0..STORED {
        let begun = Instant::now();
        connection.execute("INSERT INTO turns VALUES (1, ?, 4, 'now', NULL)", [ply]).expect("stored");
        record(&times, begun.elapsed());
    }
    times
}

/// When the player's turns were sent, and how long they took to reach each watcher.
struct Clock {
    sent: Mutex<Vec<Instant>>,
    deliveries: Mutex<Histogram<u64>>,
}

impl Clock {
    fn new() -> Self {
        Self { sent: Mutex::default(), deliveries: histogram() }
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

/// Reads until all of the player's turns have arrived.
async fn watch(mut page: Page, turns: u32, clock: Arc<Clock>) {
    let mut seen = 0;
    while seen < turns as usize {
        let event = page.next().await.expect("the server keeps us");
        // Only people's turns have no time to think. Reading them as JSON would measure the load, not the server.
        if event.contains("\"type\":\"TURN\"") && event.contains("\"think_ms\":null") {
            clock.arrived(seen);
            seen += 1;
        }
    }
}

/// Plays against EASY, game after game, a turn at most every `pace`.
async fn play(address: SocketAddr, turns: u32, pace: Duration, clock: &Clock) {
    let mut page = Page::open(address, 1, false).await.expect("a page");
    let mut made = 0;
    while made < turns {
        page.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "easy"}))
            .await
            .expect("the server lives");
        page.hear("GAME_START").await.expect("the server lives");
        let mut heights = [0; 7];
        let mut over = false;
        while !over && made < turns {
            let earliest = Instant::now() + pace;
            let column =
                (0..7).map(|step| (made as usize * 3 + step) % 7).find(|column| heights[*column] < 6);
            clock.sent();
            page.say(&json!({"type": "TURN", "column": column.expect("a game with room") + 1}))
                .await
                .expect("the server lives");
            made += 1;
            // The turn, and the machine's answer unless it was the last.
            loop {
                let turn = page.hear("TURN").await.expect("the server lives");
                heights[turn["column"].as_u64().expect("a column") as usize - 1] += 1;
                over = turn["next"].is_null();
                if over || turn["next"] == "red" {
                    break;
                }
            }
            sleep_until(earliest).await;
        }
        page.say(&json!({"type": "LEAVE"})).await.expect("the server lives");
        page.hear("TABLE_FREE").await.expect("the server lives");
    }
}

/// Asks for pages and stored games all the time, as visitors do who look around.
async fn read(address: SocketAddr, times: Arc<Mutex<Histogram<u64>>>) {
    let mut ticks = interval(READ_EVERY);
    for path in READ.iter().cycle() {
        ticks.tick().await;
        let begun = Instant::now();
        let (status, _) = get(address, 1, path).await.expect("the server lives");
        assert_eq!(status, 200, "{path}");
        record(&times, begun.elapsed());
    }
}

/// A client that asks for the list of games this many times a second.
async fn list(address: SocketAddr, per_second: u32, times: Arc<Mutex<Histogram<u64>>>) {
    if per_second == 0 {
        return;
    }
    let mut ticks = interval(Duration::from_secs(1) / per_second);
    for page in 0.. {
        ticks.tick().await;
        let times = Arc::clone(&times);
        tokio::spawn(async move {
            let begun = Instant::now();
            let path = format!("/api/games?before={}", 20_000 - page * 50 % 20_000);
            if let Ok((200, _)) = get(address, 1, &path).await {
                record(&times, begun.elapsed());
            }
        });
    }
}
