//! Power cuts and full disks: `gamebot arcade` is killed at any moment and started again, its disk fills up and empties
//! again, while somebody plays. No turn that was shown is lost, and no position that never was is resumed (C12).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use connect_four::Position;
use futures_util::{SinkExt, StreamExt};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing here takes as long, unless it is stuck.
const PATIENCE: Duration = Duration::from_mins(1);

/// What was shown while everything was recorded, by game.
#[derive(Debug, Default)]
pub struct Shown {
    games: BTreeMap<u64, Acknowledged>,
    pub turns: u64,
    pub resumed: u64,
    pub warned: u64,
}

#[derive(Debug, Default)]
struct Acknowledged {
    moves: Vec<u64>,
    ended: bool,
    /// Turns after these were shown with the warning that they are not recorded.
    unrecorded: bool,
}

/// A hall that runs.
struct Hall {
    process: Child,
    address: String,
}

impl Hall {
    async fn open(database: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamebot"));
        command.args(["arcade", "--listen", "127.0.0.1:0", "--database"]).arg(database);
        for setting in [
            "robot.kind=none",
            "arcade.demo=false",
            "arcade.reconnect_within_s=600",
            "arcade.games_per_minute=100000",
            "arcade.result_for_s=600",
            "levels.answer_after_ms=0",
        ] {
            command.args(["--set", setting]);
        }
        let mut process =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
        let address = address.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { process, address }
    }

    async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    /// Whether it lives, and what it says of itself.
    async fn condition(&mut self) -> String {
        if let Ok(Some(status)) = self.process.try_wait() {
            return format!("the hall has ended: {status}");
        }
        let (status, _, body) = crate::visitor::request(&self.address, "GET", "/healthz", &[], "").await;
        format!("{status}, {body}")
    }

    /// Fills the disk, or empties it: files may grow no further than this.
    fn limit_files(&self, bytes: Option<u64>) {
        let process = self.process.id().and_then(|id| Pid::from_raw(id as i32)).unwrap();
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(Some(process), Resource::Fsize, limit).unwrap();
    }
}

/// Somebody who plays as fast as the server answers.
struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    game: Option<u64>,
    moves: Vec<u64>,
    my_turn: bool,
    recorded: bool,
    /// The server asked for a pause.
    too_fast: bool,
    /// The server let go of this page.
    closed: bool,
    /// Games that this hall has shown; what an earlier one showed with a warning may be gone for good.
    here: BTreeSet<u64>,
}

impl Player {
    /// Comes back to the seat, if there is one; checks that the position is one that was shown.
    async fn arrive(address: &str, token: &mut Option<String>, shown: &mut Shown) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await.unwrap();
        let mut player = Self {
            socket,
            game: None,
            moves: Vec::new(),
            my_turn: false,
            recorded: true,
            too_fast: false,
            closed: false,
            here: BTreeSet::new(),
        };
        player.say(&json!({"type": "HELLO", "token": token})).await;
        let deadline = Instant::now() + PATIENCE;
        let welcome = loop {
            let event = player.next(deadline).await.expect("a welcome");
            if event["type"] == "WELCOME" {
                break event;
            }
        };
        *token = welcome["token"].as_str().map(str::to_owned);
        player.recorded = welcome["state"]["recorded"] == true;
        player.here.extend(welcome["state"]["game"]["game"].as_u64());
        let game = &welcome["state"]["game"];
        if !welcome["seat"].is_null() {
            let number = game["game"].as_u64().unwrap();
            player.moves =
                game["moves"].as_array().unwrap().iter().map(|column| column.as_u64().unwrap()).collect();
            let known = shown.games.entry(number).or_default();
            let over = !game["result"].is_null();
            // An end that was shown with a warning may be gone as well.
            assert!(
                over || !known.ended || known.unrecorded,
                "game {number} had ended, and goes on: {known:?}"
            );
            known.ended = over;
            if known.unrecorded {
                // What was shown with a warning may be gone; what is left was shown.
                assert!(
                    known.moves.starts_with(&player.moves) || player.moves.starts_with(&known.moves),
                    "game {number}: {known:?}, {:?}",
                    player.moves
                );
            } else {
                assert!(
                    player.moves.starts_with(&known.moves),
                    "game {number}: shown {known:?}, resumed {:?}",
                    player.moves
                );
            }
            known.moves.clone_from(&player.moves);
            known.unrecorded = !player.recorded;
            player.game = (!over).then_some(number);
            player.my_turn = game["next"] == "red";
            if over {
                player.say(&json!({"type": "LEAVE"})).await;
            }
        }
        player
    }

    /// Opens the page again, at the same hall.
    async fn reload(&mut self, address: &str, token: &mut Option<String>, shown: &mut Shown) {
        let before = std::mem::replace(self, Self::arrive(address, token, shown).await);
        self.here.extend(before.here);
        self.told(self.recorded, shown);
    }

    /// The server says whether everything that it has shown so far is stored.
    fn told(&mut self, recorded: bool, shown: &mut Shown) {
        self.recorded = recorded;
        if recorded {
            for (_, known) in shown.games.iter_mut().filter(|(game, _)| self.here.contains(game)) {
                known.unrecorded = false;
            }
        }
    }

    async fn say(&mut self, event: &Value) {
        // A killed server hears nothing; that is the point.
        drop(self.socket.send(Message::text(event.to_string())).await);
    }

    async fn next(&mut self, deadline: Instant) -> Option<Value> {
        loop {
            match timeout_at(deadline, self.socket.next()).await.ok()?? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => {
                    self.closed = true;
                    return None;
                }
                Ok(_) => {}
            }
        }
    }

    /// Plays until the moment comes, and writes down what is shown.
    async fn play(&mut self, until: Instant, shown: &mut Shown, dice: &mut Xoshiro256PlusPlus) {
        loop {
            if std::mem::take(&mut self.too_fast) {
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
            if self.game.is_none() {
                self.say(&json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "easy"})).await;
                self.game = Some(0);
            } else if self.my_turn {
                self.my_turn = false;
                let room: Vec<u64> = (1..=7)
                    .filter(|column| self.moves.iter().filter(|other| *other == column).count() < 6)
                    .collect();
                let column = room[dice.random_range(0..room.len())];
                self.say(&json!({"type": "TURN", "column": column})).await;
            }
            let Some(event) = self.next(until).await else { return };
            self.hear(&event, shown);
            if matches!(event["type"].as_str(), Some("GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" | "TABLE_BUSY"))
            {
                self.say(&json!({"type": "LEAVE"})).await;
            }
        }
    }

    fn hear(&mut self, event: &Value, shown: &mut Shown) {
        let number = event["game"].as_u64().unwrap_or(0);
        self.here.insert(number);
        match event["type"].as_str().unwrap() {
            "GAME_START" => {
                (self.game, self.my_turn) = (Some(number), true);
                self.moves.clear();
                // A game that was never stored leaves its number to the next.
                let before = shown
                    .games
                    .insert(number, Acknowledged { unrecorded: !self.recorded, ..Acknowledged::default() });
                assert!(
                    before.as_ref().is_none_or(|before| before.unrecorded),
                    "two games have the number {number}: {before:?}"
                );
            }
            "TURN" => {
                let column = event["column"].as_u64().unwrap();
                self.moves.push(column);
                assert_eq!(event["ply"].as_u64().unwrap() as usize, self.moves.len());
                let known = shown.games.entry(number).or_default();
                known.moves.push(column);
                known.unrecorded |= !self.recorded;
                shown.turns += 1;
                self.my_turn = event["next"] == "red";
            }
            "GAME_OVER" | "GAME_DRAW" | "GAME_ENDED" => {
                let known = shown.games.entry(number).or_default();
                known.ended = true;
                known.unrecorded |= !self.recorded;
                self.game = None;
            }
            "RECORDING" => {
                self.told(event["recorded"] == true, shown);
                shown.warned += u64::from(!self.recorded);
            }
            // Still seated from the game before: tried again.
            "TABLE_BUSY" => self.game = None,
            "REFUSED" => match event["code"].as_str().unwrap() {
                "too_fast" => {
                    self.too_fast = true;
                    match self.game {
                        Some(0) => self.game = None,
                        // The machine has the other colour.
                        Some(_) => self.my_turn = self.moves.len().is_multiple_of(2),
                        None => {}
                    }
                }
                // What was said before a pause, or on an earlier page, may come too late, or have filled a column.
                "column_full" => self.my_turn = self.moves.len().is_multiple_of(2),
                "no_game" | "not_seated" | "not_your_turn" => {}
                other => panic!("refused: {other}"),
            },
            _ => {}
        }
    }
}

/// Comes back after the hall was killed.
async fn come_back(hall: &Hall, token: &mut Option<String>, shown: &mut Shown) -> Player {
    let player = Player::arrive(&hall.address, token, shown).await;
    shown.resumed += u64::from(player.game.is_some());
    player
}

/// Kills the hall `kills` times, each at a random moment of a game; before each kill the disk is full for a while if
/// so wanted, and empties again or not.
pub async fn survive(database: &Path, kills: u32, full_disks: u32, seed: u64) -> Shown {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut shown = Shown::default();
    let mut token = None;
    for _ in 0..kills {
        let hall = Hall::open(database).await;
        let mut player = come_back(&hall, &mut token, &mut shown).await;
        let spell = Duration::from_micros(dice.random_range(0..200_000));
        player.play(Instant::now() + spell, &mut shown, &mut dice).await;
        hall.kill().await;
        // What was on its way when the server died was shown as well.
        player.play(Instant::now() + Duration::from_secs(1), &mut shown, &mut dice).await;
    }
    let mut hall = Hall::open(database).await;
    let mut player = come_back(&hall, &mut token, &mut shown).await;
    for spell in 0..full_disks {
        player.play(Instant::now() + Duration::from_millis(50), &mut shown, &mut dice).await;
        hall.limit_files(Some(dice.random_range(0..40_000)));
        let full_for = Duration::from_micros(dice.random_range(50_000..300_000));
        player.play(Instant::now() + full_for, &mut shown, &mut dice).await;
        if spell % 10 == 9 {
            // The power fails while the disk is full.
            hall.kill().await;
            player.play(Instant::now() + Duration::from_secs(1), &mut shown, &mut dice).await;
            hall = Hall::open(database).await;
            player = come_back(&hall, &mut token, &mut shown).await;
            continue;
        }
        hall.limit_files(None);
        if spell % 3 == 2 {
            // The page is opened again just when what has waited is stored.
            let moment = Duration::from_micros(dice.random_range(0..20_000));
            player.play(Instant::now() + moment, &mut shown, &mut dice).await;
            player.reload(&hall.address, &mut token, &mut shown).await;
        }
        let deadline = Instant::now() + PATIENCE;
        while !player.recorded || hall.condition().await != "200, ok\n" {
            assert!(Instant::now() < deadline, "it is never stored again: {}", hall.condition().await);
            player.play(Instant::now() + Duration::from_millis(100), &mut shown, &mut dice).await;
            if player.closed {
                // Whoever asks too often is let go, and may come again.
                player.reload(&hall.address, &mut token, &mut shown).await;
            }
        }
    }
    let games = timeout(PATIENCE, stored(&hall.address)).await.unwrap();
    hall.kill().await;
    check(&shown, &games);
    shown
}

async fn stored(address: &str) -> Vec<Value> {
    let games = crate::visitor::json_at(address, "/api/games.json").await;
    games.as_array().unwrap().clone()
}

/// Everything that was shown is stored, and everything that is stored was played by the rules.
fn check(shown: &Shown, games: &[Value]) {
    let by_number: BTreeMap<u64, &Value> =
        games.iter().map(|game| (game["game"].as_u64().unwrap(), game)).collect();
    for (number, known) in &shown.games {
        let Some(game) = by_number.get(number) else {
            assert!(known.unrecorded, "game {number} is lost: {known:?}");
            continue;
        };
        let moves: String = known.moves.iter().map(u64::to_string).collect();
        let stored = game["moves"].as_str().unwrap();
        assert!(
            known.unrecorded || stored.starts_with(&moves),
            "game {number}: shown {moves}, stored {stored}"
        );
        assert!(
            known.unrecorded || !known.ended || !game["result"].is_null(),
            "the end of game {number} is lost"
        );
    }
    for game in games {
        let position: Position = game["moves"].as_str().unwrap().parse().expect("a legal game");
        assert_eq!(game["turns"].as_array().unwrap().len(), position.discs() as usize, "a gap: {game}");
        // The last turn and the result are stored together.
        assert!(!position.is_over() || !game["result"].is_null(), "an end without a result: {game}");
    }
}

/// Small here; `cargo xtask bench siege` does it 1,000 and 200 times.
#[tokio::test(flavor = "multi_thread")]
async fn no_turn_that_was_shown_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let shown = survive(&folder.path().join("games.sqlite"), 8, 6, 1).await;
    assert!(shown.turns > 20 && shown.resumed > 0 && shown.warned > 0, "{shown:?}");
}
