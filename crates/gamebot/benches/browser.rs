//! The pages that visitors play on, in a real Chromium against the real `gamebot arcade`: how soon they are ready, how
//! evenly they move while machines think, and how fast the module solves Connect Four.
//!
//! Options: `--json`, `--sets FILE` (a JSON list of `{"set", "moves", "cpu_us_mean"}`, as the solver's measuring program
//! prints it), `--seconds N` (each measurement of frames, 10).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    dead_code,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod hall;
#[path = "../../arcade/tests/browser/webdriver.rs"]
mod webdriver;

use hall::{Server, number, print};
use serde_json::{Value, json};
use webdriver::{Driver, Session};

const PAGES: [&str; 3] = ["/tetris", "/samegame", "/connect-four"];
/// Browsers that open each page for the first time.
const VISITS: usize = 5;
/// The module solves for at least this long, so that a browser's coarse clock does.
const SOLVE_US: f64 = 500_000.0;
/// A frame took longer than one and a half of 60 a second: one was left out.
const LATE_MS: f64 = 25.0;

/// What plays while frames are counted: a name, and the choices on the page.
const SCENES: [(&str, &str); 4] = [
    ("nobody plays", ""),
    ("ours plays, 200 ms a key", "{ pace: 200, race: '' }"),
    ("ours plays as fast as it can", "{ pace: 0, race: '' }"),
    ("two of ours race as fast as they can", "{ pace: 0, race: 'machine' }"),
];

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("games.sqlite"), &[]).await;
    let address = format!("http://{}", server.address);
    let driver = Driver::start().await;
    let figures = json!({
        "ready": ready(&driver, &address).await,
        "frames": frames(&driver, &address).await,
        "sets": solve(&driver, &address).await,
    });
    print(&figures);
    driver.close().await;
    server.stop().await;
}

async fn open(driver: &Driver) -> Session {
    let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    let quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update"];
    let other = ["--remote-debugging-pipe", "--window-size=1440,900"];
    let arguments = [&arguments[..], &quiet, &other].concat();
    driver.open_browser(&json!({ "args": arguments })).await
}

async fn value(session: &Session, script: &str, arguments: &[Value]) -> Value {
    session.post("execute/sync", &json!({ "script": script, "args": arguments })).await.unwrap()
}

async fn go(session: &Session, url: &str) {
    session.post("url", &json!({ "url": url })).await.unwrap();
    let look = "return performance.getEntriesByName('ready')[0]?.startTime ?? null";
    while value(session, look, &[]).await.is_null() {}
}

/// Milliseconds from asking for a page to the page being ready, in browsers that see it for the first time.
async fn ready(driver: &Driver, address: &str) -> Value {
    let mut pages = serde_json::Map::new();
    for page in PAGES {
        let mut times = Vec::new();
        for _ in 0..VISITS {
            let session = open(driver).await;
            go(&session, &format!("{address}{page}")).await;
            times.push(
                value(&session, "return performance.getEntriesByName('ready')[0].startTime", &[]).await,
            );
            session.close().await;
        }
        pages.insert(page.to_owned(), json!(times));
    }
    Value::Object(pages)
}

/// Frames a second of the page itself while a machine thinks in its worker.
async fn frames(driver: &Driver, address: &str) -> Value {
    let session = open(driver).await;
    let wait = json!({ "script": 120_000 });
    session.post("timeouts", &wait).await.unwrap();
    let mut scenes = Vec::new();
    for (name, choices) in SCENES {
        go(&session, &format!("{address}/tetris")).await;
        if !choices.is_empty() {
            let start = format!(
                "const set = (id, value) => {{ const field = document.getElementById(id); field.value = value; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }};
                 for (const [id, value] of Object.entries({choices})) set(id, value);
                 set('player', 'ours'); set('start-level', '9');
                 document.getElementById('machine').click();"
            );
            value(&session, &start, &[]).await;
            let flying = "return gamebot.tables().mine.view?.pieces >= 3";
            while value(&session, flying, &[]).await != true {}
        }
        let milliseconds = json!(1000 * number("--seconds", 10));
        let look = "return new Promise((done) => {
            const times = [];
            const end = performance.now() + arguments[0];
            requestAnimationFrame(function look(now) { times.push(now); now < end ? requestAnimationFrame(look) : done(times); });
        })";
        let times = value(&session, look, &[milliseconds]).await;
        let times: Vec<f64> = times.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let pieces = value(&session, "return gamebot.tables().mine.view?.pieces ?? 0", &[]).await;
        scenes.push(json!({
            "scene": name,
            "frames_per_second": 1000.0 * gaps.len() as f64 / gaps.iter().sum::<f64>(),
            "late": gaps.iter().filter(|&&gap| gap > LATE_MS).count(),
            "frames": gaps.len(),
            "longest_ms": gaps.iter().copied().fold(0.0, f64::max),
            "pieces": pieces,
        }));
    }
    session.close().await;
    json!(scenes)
}

/// Microseconds a position in the worker of a page, without book, from an empty table each time.
async fn solve(driver: &Driver, address: &str) -> Value {
    let file = std::env::args().skip_while(|argument| argument != "--sets").nth(1);
    let Some(file) = file else { return Value::Null };
    let sets: Vec<Value> =
        serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("a list of sets");
    let session = open(driver).await;
    session.post("timeouts", &json!({ "script": 300_000 })).await.unwrap();
    go(&session, &format!("{address}/connect-four")).await;
    let mut solved = Vec::new();
    for set in sets {
        let positions = set["moves"].as_array().expect("moves").len() as f64;
        let native_us = set["cpu_us_mean"].as_f64().expect("a mean");
        let rounds = (SOLVE_US / (positions * native_us)).ceil();
        let script = "const [positions, rounds] = arguments;
            return import('/static/js/play/thinker.js').then(async ({ Thinker }) => {
              const thinker = new Thinker();
              const ask = (rounds) => thinker.ask({ ask: 'scores', positions, rounds });
              // The engine compiles while it runs; that is not part of solving.
              await ask(Math.ceil(rounds / 4));
              const start = performance.now();
              const { scores } = await ask(rounds);
              const time = performance.now() - start;
              thinker.stop();
              return { scores, us_mean: 1000 * time / (rounds * positions.length) };
            });";
        let mut found = value(&session, script, &[set["moves"].clone(), json!(rounds)]).await;
        found["set"] = set["set"].clone();
        solved.push(found);
    }
    session.close().await;
    json!(solved)
}
