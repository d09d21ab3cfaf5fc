//! The fault matrix: every mishap in every phase, and robots with bad habits, simulated inside the hall and as a program
//! of its own on a serial line. How long is a player kept without a turn?
//!
//! The robot is twenty times as fast as the real one; the hall's patience with it is ten seconds. A player must get a turn,
//! or the end of the game, within patience and one rebuild of a full board.
//!
//! Options: `--json`, `--at-once N` (games at the same time, 4).

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    dead_code,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod hall;

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use hall::{Page, Server, number, post};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

const SPEED: f64 = 20.0;
const PATIENCE: Duration = Duration::from_secs(10);
/// Emptying and 42 discs, at the simulator's own times.
const REBUILD: Duration = Duration::from_millis(((8.0 + 42.0 * 4.8) / SPEED * 1000.0) as u64);
const MISHAPS: [&str; 7] = ["no-answer", "wrong-byte", "deaf", "stuck-busy", "error", "jam", "unplug"];
const HABITS: [&str; 4] = ["jams-at-third", "answers-twice", "never-ready", "never-drops"];

/// When a mishap strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// While the board is emptied.
    Emptying,
    /// The disc is chosen, the arm stands.
    Loading,
    /// The arm moves.
    Moving,
    /// Nothing is going on.
    Ready,
}

#[derive(Clone, Copy, Debug)]
enum Trouble {
    Mishap(&'static str, Phase),
    Habit(&'static str),
}

#[tokio::main]
async fn main() {
    let at_once = Arc::new(Semaphore::new(number("--at-once", 4) as usize));
    let mut troubles: Vec<Trouble> = HABITS.map(Trouble::Habit).to_vec();
    for mishap in MISHAPS {
        for phase in [Phase::Emptying, Phase::Loading, Phase::Moving, Phase::Ready] {
            troubles.push(Trouble::Mishap(mishap, phase));
        }
    }
    let mut runs = JoinSet::new();
    for trouble in troubles {
        for outside in [false, true] {
            let at_once = Arc::clone(&at_once);
            runs.spawn(async move {
                let _permit = at_once.acquire().await.expect("never closed");
                let row = run(trouble, outside).await;
                eprintln!("{row}");
                row
            });
        }
    }
    let mut rows: Vec<Value> = runs.join_all().await;
    rows.sort_by_key(Value::to_string);
    let longest = rows.iter().filter_map(|row| row["longest_s"].as_f64()).fold(0.0, f64::max);
    hall::print(&json!({
        "speed": SPEED,
        "patience_s": PATIENCE.as_secs(),
        "limit_s": (PATIENCE + REBUILD).as_secs_f64(),
        "longest_s": longest,
        "runs": rows,
    }));
}

/// The robot as a program of its own.
struct Outside {
    _process: Child,
    orders: ChildStdin,
}

impl Outside {
    async fn start(link: &Path, habit: Option<&str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamebot"));
        command.args(["simulate", "robot", "--speed", &SPEED.to_string(), "--link"]).arg(link);
        if let Some(habit) = habit {
            command.args(["--habit", habit]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn().expect("the program starts");
        let orders = process.stdin.take().expect("piped");
        while !link.exists() {
            sleep(Duration::from_millis(20)).await;
        }
        Self { _process: process, orders }
    }
}

/// Plays one game with one trouble.
async fn run(trouble: Trouble, outside: bool) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let habit = match trouble {
        Trouble::Habit(habit) => Some(habit),
        Trouble::Mishap(..) => None,
    };
    let mut settings = vec![
        format!("arcade.robot_patience_s={}", PATIENCE.as_secs()),
        "arcade.question_after_s=3600".to_owned(),
        "arcade.turn_at_most_s=36000".to_owned(),
        "operator.password_hash=".to_owned(),
    ];
    let link = folder.path().join("robot");
    let mut robot = None;
    if outside {
        robot = Some(Outside::start(&link, habit).await);
        settings.push("robot.kind=serial".to_owned());
        settings.push(format!("robot.line={}", link.display()));
        for setting in [
            "poll_ms=20",
            "shortest_movement_ms=150",
            "heartbeat_ms=50",
            "start_deadline_ms=1000",
            "busy_deadline_s=3",
            "reopen_first_ms=10",
            "reopen_limit_ms=250",
        ] {
            settings.push(format!("robot.{setting}"));
        }
    } else {
        settings.push("robot.kind=simulated".to_owned());
        settings.push(format!("robot.simulated_speed={SPEED}"));
        settings.push(format!("robot.simulated_habit={}", habit.unwrap_or("none")));
    }
    let server = Server::start(&folder.path().join("games.sqlite"), &settings).await;
    let mut strike = Strike { robot, operator: Operator::open(&server).await, trouble, done: false };
    let (longest, end) = timeout(Duration::from_mins(5), play(&server, &mut strike)).await.expect("an end");
    json!({
        "trouble": format!("{trouble:?}"),
        "robot": if outside { "a program of its own" } else { "inside" },
        "longest_s": longest.as_secs_f64(),
        "end": end,
    })
}

/// The operator's session, for mishaps of the robot inside.
struct Operator {
    address: std::net::SocketAddr,
    cookie: String,
}

impl Operator {
    async fn open(server: &Server) -> Self {
        Self { address: server.address, cookie: server.set_password().await }
    }
}

/// Brings the mishap about when its phase has come.
struct Strike {
    robot: Option<Outside>,
    operator: Operator,
    trouble: Trouble,
    done: bool,
}

impl Strike {
    /// The robot is in this phase now.
    async fn in_phase(&mut self, now: Phase) {
        let Trouble::Mishap(mishap, phase) = self.trouble else { return };
        if phase != now || self.done {
            return;
        }
        self.done = true;
        if let Some(robot) = &mut self.robot {
            robot.orders.write_all(format!("fault {mishap}\n").as_bytes()).await.expect("it listens");
        } else {
            let body = json!({ "fault": mishap.replace('-', "_") }).to_string();
            let answer =
                post(self.operator.address, "/api/admin/robot/fault", &self.operator.cookie, &body).await;
            assert!(answer.starts_with("HTTP/1.0 204"), "{answer}");
        }
    }
}

/// Plays a game as a page does; returns the longest time without a turn, and how it ended.
async fn play(server: &Server, strike: &mut Strike) -> (Duration, Value) {
    let mut page = Page::open(server.address, 1, false).await.expect("a page");
    page.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "easy"}))
        .await
        .expect("the server lives");
    let mut last = Instant::now();
    let mut longest = Duration::ZERO;
    let (mut started, mut turns, mut my_turn, mut ready, mut step) = (false, 0, true, false, 0_u64);
    let mut heights = [0; 7];
    loop {
        let event: Value = match timeout(Duration::from_millis(200), page.next()).await {
            Ok(text) => serde_json::from_str(&text.expect("the server lives")).expect("JSON"),
            Err(_) => json!({"type": "NOTHING"}),
        };
        let mut busy = false;
        match event["type"].as_str().expect("a type") {
            "GAME_START" => (started, last) = (true, Instant::now()),
            "TURN" => {
                longest = longest.max(last.elapsed());
                last = Instant::now();
                turns += 1;
                heights[event["column"].as_u64().expect("a column") as usize - 1] += 1;
                (my_turn, ready) = (event["next"] == "red", false);
                if turns == 3 {
                    strike.in_phase(Phase::Loading).await;
                }
            }
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => {
                longest = longest.max(last.elapsed());
                return (longest, event["reason"].clone());
            }
            "ROBOT" => {
                ready = event["robot"]["status"] == "ready";
                busy = event["robot"]["status"] == "busy";
            }
            "REFUSED" => {
                my_turn = true;
                ready = event["code"] == "column_full";
                sleep(Duration::from_millis(100)).await;
                ready |= event["code"] == "robot_busy" || event["code"] == "too_fast";
            }
            _ => {}
        }
        match (started, turns) {
            (true, 0) => strike.in_phase(Phase::Emptying).await,
            (true, 3..) if busy => strike.in_phase(Phase::Moving).await,
            (true, 3..) if ready => strike.in_phase(Phase::Ready).await,
            _ => {}
        }
        if started && my_turn && (ready || event["type"] == "NOTHING") {
            my_turn = false;
            let column = (0..7).map(|add| (step * 3 + add) % 7).find(|column| heights[*column as usize] < 6);
            step += 1;
            page.say(&json!({"type": "TURN", "column": column.expect("room") + 1}))
                .await
                .expect("the server lives");
        }
    }
}
