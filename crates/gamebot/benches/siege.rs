//! A siege: the real `gamebot arcade` while strangers do their worst, and what a normal player notices of it.
//!
//! One player plays against EASY from an address of his own; his big screen is a page that watches. A tap counts from
//! the player's page sending `TURN` until the screen's page has read it. Attackers come from other addresses of this
//! machine (127.0.0.2 and on). All cabinets are open: two pages watch each show. Each attack lasts some seconds; the taps
//! during it, the shows' pictures in its time, the most memory, and the taps from five seconds after its end on are
//! reported.
//!
//! Options: `--json`, `--seconds N` (each attack, 10), `--only WORD` (attacks whose name holds this word).

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
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hall::{Page, Server, connect, fill, get, histogram, memory_mb, number, quantiles, record};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{Bytes, Message};

/// Between two taps.
const PACE: Duration = Duration::from_millis(250);
/// How long everything may take to be normal again.
const RECOVERY: Duration = Duration::from_secs(5);
/// Taps afterwards.
const AFTER: Duration = Duration::from_secs(4);

type Attack = fn(SocketAddr, &mut JoinSet<()>);

const ATTACKS: [(&str, Attack); 11] = [
    ("nothing", |_, _| {}),
    ("4 clients loop over the list of 20,000 games", lists),
    ("4 clients loop over the export of 20,000 games, 20 read it slowly", exports),
    ("200 pages that ask and never read", deaf_pages),
    ("18,000 idle connections from 40 addresses", idle),
    ("500 requests that never end", half_requests),
    ("20 sockets that send pings and junk as fast as they can", frames),
    ("20 wrong log-ins a second", logins),
    ("30 pages that sign up and leave", hogs),
    ("8 clients that connect and go", comers_and_goers),
    ("60 pages that watch the robot and never read", deaf_viewers),
];
const SHOWS: [&str; 3] = ["tetris", "samegame", "lego"];
/// Pages that watch each show.
const VIEWERS: usize = 2;

#[tokio::main]
async fn main() {
    let seconds = Duration::from_secs(u64::from(number("--seconds", 10)));
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1).unwrap_or_default();
    arcade::files::allow_many();
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("games.sqlite");
    // The attackers' addresses are believed as a proxy on this machine tells them: log-ins from here are never refused.
    let settings = ["arcade.behind_proxy=true", "arcade.games_per_minute=60"].map(str::to_owned).to_vec();
    Server::start(&database, &settings).await.stop().await;
    fill(&database, 20_000);
    let server = Server::start(&database, &settings).await;

    // Without a password there would be nothing to guess.
    server.set_password().await;
    let taps = Taps::default();
    tokio::spawn(play(server.address, taps.clone()));
    let pictures = SHOWS.map(|_| Arc::new(AtomicU64::new(0)));
    for (show, pictures) in SHOWS.iter().zip(&pictures) {
        for _ in 0..VIEWERS {
            tokio::spawn(watch_show(server.address, show, Arc::clone(pictures)));
        }
    }
    // Bodies are built and menus walked through.
    sleep(RECOVERY).await;
    let memory = Arc::new(AtomicU64::new(0));
    tokio::spawn(watch_memory(server.id(), Arc::clone(&memory)));
    let mut rows = Vec::new();
    for (name, attack) in ATTACKS {
        if !name.contains(&only) {
            continue;
        }
        taps.forget();
        memory.store(0, Relaxed);
        for shown in &pictures {
            shown.store(0, Relaxed);
        }
        let mut attackers = JoinSet::new();
        attack(server.address, &mut attackers);
        sleep(seconds).await;
        let during = taps.take();
        let shown = pictures.each_ref().map(|shown| shown.load(Relaxed));
        attackers.shutdown().await;
        sleep(RECOVERY).await;
        taps.forget();
        sleep(AFTER).await;
        rows.push(json!({
            "attack": name,
            "during_ms": during,
            "pictures": { SHOWS[0]: shown[0], SHOWS[1]: shown[1], SHOWS[2]: shown[2] },
            "after_ms": taps.take(),
            "memory_mb": memory.load(Relaxed) as f64 / 1024.0,
        }));
        eprintln!("{}", rows[rows.len() - 1]);
    }
    let thinking_ms = longest_thought(&folder.path().join("thinking.sqlite")).await;
    hall::print(&json!({ "seconds": seconds.as_secs(), "attacks": rows, "longest_thought_ms": thinking_ms }));
}

/// The longest turn of a machine that may look twelve discs ahead, and think for one second.
async fn longest_thought(database: &Path) -> u64 {
    let settings = ["levels.hard_depth=12", "levels.think_at_most_s=1"].map(str::to_owned).to_vec();
    let server = Server::start(database, &settings).await;
    let mut page = Page::open(server.address, 1, false).await.expect("a page");
    page.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "hard"}))
        .await
        .expect("the server lives");
    page.hear("GAME_START").await.expect("the server lives");
    let mut longest = Duration::ZERO;
    for step in 0..6 {
        let asked = Instant::now();
        page.say(&json!({"type": "TURN", "column": step % 7 + 1})).await.expect("the server lives");
        page.hear("TURN").await.expect("the server lives");
        let answer = page.hear("TURN").await.expect("the server lives");
        longest = longest.max(asked.elapsed());
        if answer["next"].is_null() {
            break;
        }
    }
    longest.as_millis() as u64
}

/// The player's taps.
#[derive(Clone)]
struct Taps(Arc<Mutex<Histogram<u64>>>);

impl Default for Taps {
    fn default() -> Self {
        Self(Arc::new(histogram()))
    }
}

impl Taps {
    fn forget(&self) {
        self.0.lock().expect("nobody panics").reset();
    }

    fn take(&self) -> Value {
        let figures = quantiles(&self.0);
        self.forget();
        figures
    }
}

/// Plays against EASY, game after game, and watches the big screen.
async fn play(server: SocketAddr, taps: Taps) {
    let mut screen = Page::open(server, 1, true).await.expect("a screen");
    let (shown, mut turns) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(event) = screen.next().await {
            if event.contains("\"type\":\"TURN\"") && event.contains("\"think_ms\":null") {
                shown.send(Instant::now()).expect("the player lives");
            }
        }
    });
    let mut page = Page::open(server, 1, false).await.expect("a page");
    loop {
        page.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "easy"}))
            .await
            .expect("the server lives");
        page.hear("GAME_START").await.expect("the server lives");
        let mut heights = [0; 7];
        let mut step = 0;
        loop {
            let earliest = Instant::now() + PACE;
            // Widely spread, so that games last.
            let column =
                (0..7).map(|add| (step * 3 + add) % 7).find(|column| heights[*column] < 6).expect("room");
            step += 1;
            let tapped = Instant::now();
            page.say(&json!({"type": "TURN", "column": column + 1})).await.expect("the server lives");
            let seen = turns.recv().await.expect("the screen lives");
            record(&taps.0, seen.saturating_duration_since(tapped));
            let over = loop {
                let turn = page.hear("TURN").await.expect("the server lives");
                heights[turn["column"].as_u64().expect("a column") as usize - 1] += 1;
                if turn["next"].is_null() {
                    break true;
                }
                if turn["next"] == "red" {
                    break false;
                }
            };
            sleep_until(earliest).await;
            if over {
                break;
            }
        }
        page.say(&json!({"type": "LEAVE"})).await.expect("the server lives");
        page.hear("TABLE_FREE").await.expect("the server lives");
    }
}

/// Watches a show from an address of its own and counts its pictures; comes again if it is sent away.
async fn watch_show(server: SocketAddr, show: &'static str, pictures: Arc<AtomicU64>) {
    loop {
        if let Some(mut page) = Page::watch(server, 100, show).await {
            while let Some(Ok(message)) = page.0.next().await {
                pictures.fetch_add(u64::from(message.is_binary()), Relaxed);
            }
        }
        sleep(Duration::from_millis(500)).await;
    }
}

/// The most memory since it was last forgotten, in kilobytes.
async fn watch_memory(process: u32, most: Arc<AtomicU64>) {
    loop {
        most.fetch_max((memory_mb(process, "VmRSS:") * 1024.0) as u64, Relaxed);
        sleep(Duration::from_millis(50)).await;
    }
}

// ---- Attacks; each goes on until it is stopped ----

fn lists(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for _ in 0..4 {
        attackers.spawn(async move {
            loop {
                // Refused or not: at once again.
                drop(get(server, 2, "/api/games?limit=500").await);
                drop(get(server, 2, "/api/statistics").await);
            }
        });
    }
}

fn exports(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for _ in 0..4 {
        attackers.spawn(async move {
            loop {
                drop(get(server, 2, "/api/games.json").await);
            }
        });
    }
    for _ in 0..20 {
        attackers.spawn(async move {
            let Ok(mut stream) = connect(server, 3).await else { return };
            let request = format!("GET /api/games.json HTTP/1.1\r\nHost: {server}\r\n\r\n");
            drop(stream.write_all(request.as_bytes()).await);
            let mut little = [0; 256];
            while stream.read(&mut little).await.is_ok_and(|count| count > 0) {
                sleep(Duration::from_millis(200)).await;
            }
        });
    }
}

fn deaf_pages(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..200 {
        attackers.spawn(async move {
            loop {
                let Some(mut page) = Page::connect(server, 2 + number % 4).await else {
                    sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let hello = json!({"type": "HELLO", "token": null, "watch": true});
                while let Ok(Some(())) = timeout(Duration::from_secs(2), page.say(&hello)).await {
                    sleep(Duration::from_millis(100)).await;
                }
            }
        });
    }
}

fn idle(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for address in 0..40 {
        attackers.spawn(async move {
            let mut open = Vec::new();
            for _ in 0..450 {
                if let Ok(stream) = connect(server, 2 + address).await {
                    open.push(stream);
                }
            }
            sleep(Duration::from_hours(1)).await;
            drop(open);
        });
    }
}

fn half_requests(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..500 {
        attackers.spawn(async move {
            loop {
                let Ok(mut stream) = connect(server, 2 + (number % 4) as u8).await else { continue };
                let begun = stream.write_all(b"POST /api/admin/login HTTP/1.1\r\nHost: 127.0.0.1\r\n").await;
                let mut alive = begun.is_ok();
                while alive {
                    sleep(Duration::from_millis(500)).await;
                    alive = stream.write_all(b"X: y\r\n").await.is_ok();
                }
            }
        });
    }
}

fn frames(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..20 {
        attackers.spawn(async move {
            loop {
                let Some(mut page) = Page::connect(server, 2).await else {
                    sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let frame = if number % 2 == 0 {
                    Message::Ping(Bytes::new())
                } else {
                    Message::Binary(Bytes::from_static(&[0; 1000]))
                };
                while page.0.send(frame.clone()).await.is_ok() {}
            }
        });
    }
}

fn logins(server: SocketAddr, attackers: &mut JoinSet<()>) {
    attackers.spawn(async move {
        let body = r#"{"password":"is it this one?"}"#;
        for number in 0_u32.. {
            tokio::spawn(async move {
                let Ok(mut stream) = connect(server, 2).await else { return };
                let request = format!(
                    "POST /api/admin/login HTTP/1.0\r\nHost: {server}\r\nX-Gamebot: 1\r\nX-Forwarded-For: 203.0.113.{}\r\n\
                     Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    number % 8,
                    body.len()
                );
                drop(stream.write_all(request.as_bytes()).await);
                drop(stream.read_to_end(&mut Vec::new()).await);
            });
            sleep(Duration::from_millis(50)).await;
        }
    });
}

fn hogs(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..30 {
        attackers.spawn(async move {
            loop {
                let Some(mut page) = Page::open(server, 2, false).await else {
                    sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let signup = json!({"type": "GAME_SIGNUP", "name": format!("Hog{number}"), "opponent": "easy", "insist": true});
                loop {
                    let said = page.say(&signup).await.is_some() && page.say(&json!({"type": "LEAVE"})).await.is_some();
                    if !said || timeout(Duration::from_millis(200), page.next()).await.is_ok_and(|event| event.is_none()) {
                        break;
                    }
                }
            }
        });
    }
}

fn comers_and_goers(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..8 {
        attackers.spawn(async move {
            loop {
                if Page::open(server, 2 + number, true).await.is_none() {
                    sleep(Duration::from_millis(10)).await;
                }
            }
        });
    }
}

fn deaf_viewers(server: SocketAddr, attackers: &mut JoinSet<()>) {
    for number in 0..60 {
        attackers.spawn(async move {
            loop {
                // The server lets go of whoever takes nothing for some seconds.
                let page = Page::watch(server, 2 + number % 4, "tetris").await;
                sleep(Duration::from_secs(7)).await;
                drop(page);
            }
        });
    }
}
