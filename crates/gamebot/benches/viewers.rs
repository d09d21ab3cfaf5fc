//! The hall with viewers: the real `gamebot arcade` as a separate program, what an idle hall costs, how soon the robot
//! plays, what 50 viewers of whom some are very slow do to its ticks, what hours of attract mode do to its memory, and what
//! mutated recordings do to it that strangers bring. Server and viewers run on the same machine.
//!
//! Options: `--json`, `--viewers N` (50), `--slow N` (5 of them), `--seconds N` of each part (20), `--hours N` of attract
//! mode on simulated time (8), but at most `--endure N` seconds (60), `--uploads N` mutated recordings (1,000), `--only
//! WORD` (one part: `first`, `watched`, `endured` or `uploads`).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    dead_code,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod hall;
#[path = "../../engine/benches/mutate/mod.rs"]
mod mutate;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt;
use hall::{Server, get, memory_mb, number};
use mutate::{Random, mutated};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Page = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long a very slow viewer takes for a message.
const SLOW: Duration = Duration::from_secs(2);
const SHOWS: [&str; 3] = ["tetris", "samegame", "lego"];

#[tokio::main]
async fn main() {
    let seconds = Duration::from_secs(u64::from(number("--seconds", 20)));
    let (viewers, slow) = (number("--viewers", 50), number("--slow", 5));
    let folder = tempfile::tempdir().expect("a folder");
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    let is_wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let mut figures = serde_json::Map::new();
    if is_wanted("first") {
        let (first, idle) = first_picture(folder.path(), seconds).await;
        figures.insert("first_picture_ms".to_owned(), json!(first.as_millis()));
        figures.insert("idle_core_share".to_owned(), json!(idle));
    }
    if is_wanted("watched") {
        let (without, with) = watched(folder.path(), viewers, slow, seconds).await;
        figures.insert("without_viewers".to_owned(), without);
        figures.insert("with_viewers".to_owned(), with);
    }
    if is_wanted("endured") {
        let at_most = Duration::from_secs(u64::from(number("--endure", 60)));
        let hours = f64::from(number("--hours", 8));
        figures.insert("endured".to_owned(), endure(folder.path(), hours, at_most).await);
    }
    if is_wanted("uploads") {
        figures.insert("uploads".to_owned(), uploads(folder.path(), number("--uploads", 1000)).await);
    }
    hall::print(&Value::Object(figures));
}

/// Mutated recordings brought to the arcade: how many it shows and refuses, and the most memory that it takes beyond what it
/// took before. Those that it shows are looked at as a page does. Visitors come from many addresses: from a single one, the
/// arcade accepts a limited number of connections a second.
async fn uploads(folder: &Path, variants: u32) -> Value {
    let server = start(
        folder,
        "uploads",
        &["recordings.limit_mb=20".to_owned(), "arcade.requests_per_second=100000".to_owned()],
    )
    .await;
    let (mut shown, mut refused, mut other) = (0u32, 0u32, 0u32);
    let mut random = Random(1);
    // What the first one needs is needed once.
    bring(server.address, 1, &mutated(0, &mut random)).await;
    let before = server.memory_mb("VmRSS:");
    let mut most = before;
    for variant in 1..=variants {
        let last = (variant % 200) as u8 + 1;
        let (status, answer) = bring(server.address, last, &mutated(variant.into(), &mut random)).await;
        match status {
            201 => {
                shown += 1;
                let run = &answer["run"];
                let (id, frames) =
                    (run["id"].as_str().unwrap_or_default(), run["frames"].as_u64().unwrap_or(1));
                for path in [
                    String::new(),
                    format!("/moment?frame={}", frames / 2),
                    format!("/frames/{}.png", frames - 1),
                ] {
                    let (status, _) = get(server.address, last, &format!("/api/runs/{id}{path}"))
                        .await
                        .expect("the server lives");
                    other += u32::from(status != 200 && status != 422);
                }
            }
            422 => refused += 1,
            _ => other += 1,
        }
        most = most.max(server.memory_mb("VmRSS:"));
    }
    most = most.max(memory_mb(server.id(), "VmHWM:"));
    server.stop().await;
    json!({ "variants": variants, "shown": shown, "refused": refused, "other": other, "before_mb": before, "most_mb": most })
}

/// Brings a recording; the status and the answer.
async fn bring(server: SocketAddr, last: u8, recording: &[u8]) -> (u16, Value) {
    let mut stream = hall::connect(server, last).await.expect("the server lives");
    let head = format!(
        "POST /api/runs HTTP/1.0\r\nHost: {server}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        recording.len()
    );
    stream.write_all(head.as_bytes()).await.expect("the server lives");
    stream.write_all(recording).await.expect("the server reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

/// From the program's start to the page and the robot's first frame; then what the hall costs when everybody is gone.
async fn first_picture(folder: &Path, seconds: Duration) -> (Duration, f64) {
    let begun = Instant::now();
    let server = start(folder, "first", &[]).await;
    let (status, _) = get(server.address, 1, "/").await.expect("an answer");
    assert_eq!(status, 200, "the hall");
    let mut watching = watch(server.address, "tetris?notes=true").await;
    while !matches!(next(&mut watching).await, Message::Binary(_)) {}
    let first = begun.elapsed();
    drop(watching);
    // Shows end some seconds after the last page has gone.
    sleep(Duration::from_secs(8)).await;
    let before = processor_time(server.id());
    sleep(seconds).await;
    let idle = (processor_time(server.id()) - before) / seconds.as_secs_f64();
    server.stop().await;
    (first, idle)
}

/// The robot's ticks with one page that watches, and with many.
async fn watched(folder: &Path, viewers: u32, slow: u32, seconds: Duration) -> (Value, Value) {
    let server = start(folder, "watched", &[]).await;
    let mut observer = watch(server.address, "tetris?notes=true&fps=1").await;
    // The game begins: menus are over after some seconds.
    times_after(&mut observer, Duration::from_secs(10)).await;
    let without = ticks(&mut observer, seconds).await;
    let crowd: Vec<_> =
        (0..viewers).map(|number| tokio::spawn(look(server.address, number < slow))).collect();
    sleep(Duration::from_secs(2)).await;
    let with = ticks(&mut observer, seconds).await;
    for viewer in crowd {
        viewer.abort();
    }
    server.stop().await;
    (without, with)
}

async fn look(server: SocketAddr, is_slow: bool) {
    let mut page = watch(server, "tetris?notes=true&fps=30").await;
    while let Some(Ok(_)) = page.next().await {
        if is_slow {
            sleep(SLOW).await;
        }
    }
}

/// Ticks a second, and the mean time of the steps in which the machine works.
async fn ticks(page: &mut Page, seconds: Duration) -> Value {
    let (begin, end) = (times_after(page, Duration::ZERO).await, times_after(page, seconds).await);
    let work = |(_, steps): &(f64, Value)| {
        let total =
            |step: &Value| step["mean_us"].as_f64().unwrap_or(0.0) * step["count"].as_f64().unwrap_or(0.0);
        let working = |step: &&Value| !matches!(step["step"].as_str(), Some("look" | "act"));
        steps.as_array().into_iter().flatten().filter(working).map(total).sum::<f64>()
    };
    let looks = |(_, steps): &(f64, Value)| steps[0]["count"].as_f64().unwrap_or(0.0);
    let counted = looks(&end) - looks(&begin);
    json!({
        "ticks_per_s": counted / (end.0 - begin.0),
        "work_us": (work(&end) - work(&begin)) / counted,
        "ticks": counted,
    })
}

/// The first note of step times after some time: seconds of the run, and the steps.
async fn times_after(page: &mut Page, wait: Duration) -> (f64, Value) {
    let begun = Instant::now();
    loop {
        let Message::Text(text) = next(page).await else { continue };
        let event: Value = serde_json::from_str(&text).expect("an event");
        if event["topic"] == "times" && begun.elapsed() >= wait {
            return (event["time_ms"].as_f64().unwrap_or(0.0) / 1000.0, event["note"].clone());
        }
    }
}

/// Attract mode on simulated time until every show has played so many hours: memory when the slowest has played a quarter of
/// them, and at the end.
async fn endure(folder: &Path, hours: f64, at_most: Duration) -> Value {
    let server =
        start(folder, "endured", &["arcade.hurry=true".to_owned(), "recordings.shows=none".to_owned()]).await;
    let address = server.address;
    // Who has played enough goes on, so that nobody's memory is gone at the end.
    let (ended, end) = watch::channel(false);
    let mut played = Vec::new();
    let mut watching = Vec::new();
    for name in SHOWS {
        let (tell, hears) = watch::channel(0.0);
        played.push(hears);
        watching.push(tokio::spawn(count_hours(address, name, tell, end.clone())));
    }
    let begun = Instant::now();
    let mut warm = None;
    loop {
        sleep(Duration::from_secs(1)).await;
        let slowest = played.iter().map(|hours| *hours.borrow()).fold(f64::INFINITY, f64::min);
        // Caches, tables and pools are filled by then.
        if warm.is_none() && slowest >= hours / 4.0 {
            warm = Some(server.memory_mb("VmRSS:"));
        }
        if slowest >= hours || begun.elapsed() >= at_most {
            break;
        }
    }
    let last = server.memory_mb("VmRSS:");
    ended.send_replace(true);
    let mut shows = serde_json::Map::new();
    for (name, watcher) in SHOWS.iter().zip(watching) {
        shows.insert((*name).to_owned(), watcher.await.expect("a watcher"));
    }
    server.stop().await;
    let growth = warm.map(|warm| last - warm);
    json!({
        "shows": shows, "seconds": begun.elapsed().as_secs(),
        "warm_mb": warm, "end_mb": last, "growth_mb": growth,
    })
}

/// Simulated hours, games and failures of one show.
async fn count_hours(
    server: SocketAddr,
    name: &str,
    tell: watch::Sender<f64>,
    end: watch::Receiver<bool>,
) -> Value {
    let mut page = watch(server, &format!("{name}?notes=true&fps=5")).await;
    let (mut before, mut now, mut games, mut failures) = (0.0, 0.0, 0, 0);
    while !*end.borrow() {
        let Ok(message) = timeout(Duration::from_secs(1), page.next()).await else { continue };
        let Some(Ok(Message::Text(text))) = message else { continue };
        let event: Value = serde_json::from_str(&text).expect("an event");
        match event["type"].as_str() {
            Some("RUN") => {
                before += now;
                now = 0.0;
                games += 1;
            }
            Some("NOTE") => {
                now = f64::max(now, event["time_ms"].as_f64().unwrap_or(0.0) / 3_600_000.0);
                tell.send_replace(before + now);
            }
            Some("FAILED") => failures += 1,
            _ => {}
        }
    }
    json!({ "hours": before + now, "games": games, "failures": failures })
}

async fn start(folder: &Path, name: &str, settings: &[String]) -> Server {
    let recordings = format!("recordings.folder={}", folder.join(name).display());
    let settings: Vec<_> = settings.iter().cloned().chain([recordings]).collect();
    Server::start(&folder.join(format!("{name}.sqlite")), &settings).await
}

async fn watch(server: SocketAddr, how: &str) -> Page {
    let address = format!("ws://{server}/ws/shows/{how}");
    tokio_tungstenite::connect_async(address).await.expect("a page").0
}

async fn next(page: &mut Page) -> Message {
    let message = timeout(Duration::from_mins(1), page.next()).await.expect("a message in a minute");
    message.expect("the server lives").expect("a message")
}

/// Seconds of processor time, in user and system.
fn processor_time(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    // Fields 14 and 15 of proc(5), counted after the name; a tick is a hundredth of a second everywhere.
    (ticks(11) + ticks(12)) / 100.0
}
