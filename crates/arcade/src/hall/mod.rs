//! The hall: one task that owns the cabinet and everyone who is connected.
//!
//! Everything that happens reaches the hall as a [`Message`]; events leave it in one order for everyone. The task never
//! waits: storage, thinking and the robot have threads and tasks of their own.

mod connections;
mod desk;
mod outbox;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use configuration::{Problems, Schema, Values};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

pub use connections::{Connected, ConnectionId};
pub use desk::SettingView;
pub use outbox::Outbox;

use crate::cabinets::connect_four::event::{Event, OFFERED, Refusal, State, Welcome, Wish};
use crate::cabinets::connect_four::machine::Think;
use crate::cabinets::connect_four::settings::RobotChoice;
use crate::cabinets::connect_four::{Call, ConnectFour, records};
use crate::limits::Allowances;
use crate::metrics::Metrics;
use crate::settings::ArcadeSettings;
use crate::storage::{self, Progress, Storage, StorageError, Ticket};
use crate::visitor::Token;
use desk::Desk;

/// How often the table looks at the time.
const TICK: Duration = Duration::from_millis(100);
/// How often old demos are forgotten.
const FORGET_EVERY: Duration = Duration::from_hours(1);
/// How often at most the number of visitors is told.
const WATCHERS_EVERY: Duration = Duration::from_secs(1);

/// What happens in the hall.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant is named after what happened")]
pub enum Message {
    Connect { address: IpAddr, reply: oneshot::Sender<Option<Connected>> },
    Wish { connection: ConnectionId, wish: Wish },
    Refuse { connection: ConnectionId, refusal: Refusal },
    Disconnect { connection: ConnectionId },
    Call(Call),
    Address { reply: oneshot::Sender<String> },
    ListSettings { reply: oneshot::Sender<Vec<SettingView>> },
    ChangeSetting { key: String, value: Option<String>, reply: oneshot::Sender<Result<Ticket, Problems>> },
    Stop,
}

/// What a hall is made of.
pub struct Parts {
    /// The database.
    pub storage: Storage,
    /// The machine.
    pub think: Think,
    /// Settings that the operator may change.
    pub schema: Schema,
    /// Defaults, profile, environment and flags.
    pub values: Values,
    /// Where this server is, unless the settings say otherwise.
    pub own_address: String,
}

/// The way to talk to the hall.
#[derive(Clone, Debug)]
pub struct HallHandle {
    messages: mpsc::Sender<Message>,
    settings: watch::Receiver<ArcadeSettings>,
    metrics: Arc<Metrics>,
}

impl HallHandle {
    /// The settings as they are now.
    pub fn settings(&self) -> watch::Ref<'_, ArcadeSettings> {
        self.settings.borrow()
    }

    /// Says something; false when the hall is closed.
    pub async fn say(&self, message: Message) -> bool {
        self.messages.send(message).await.is_ok()
    }

    /// Says something and waits for the answer; none when the hall is closed.
    pub async fn ask<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> Message) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        self.messages.send(message(reply)).await.ok()?;
        answer.await.ok()
    }

    /// Whether the hall is closed.
    pub fn is_closed(&self) -> bool {
        self.messages.is_closed()
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }
}

/// Opens the hall; its task ends with [`Message::Stop`] or when the last handle is gone.
pub async fn open(parts: Parts) -> Result<(HallHandle, tokio::task::JoinHandle<()>), StorageError> {
    let (messages, inbox) = mpsc::channel(1024);
    let metrics = Arc::new(Metrics::default());
    let hall = Hall::open(parts, messages.downgrade(), Arc::clone(&metrics)).await?;
    let settings = hall.shared_settings.subscribe();
    Ok((HallHandle { messages, settings, metrics }, tokio::spawn(hall.run(inbox))))
}

struct Hall {
    cabinet: ConnectFour,
    outbox: Outbox,
    desk: Desk,
    settings: ArcadeSettings,
    storage: Storage,
    progress: watch::Receiver<Progress>,
    own_address: String,
    /// Sign-ups and rematches of each address.
    games_begun: Allowances,
    /// How many visitors were last said to be here.
    watchers: usize,
    watchers_told: Instant,
    demos_forgotten: Option<Instant>,
    shared_settings: watch::Sender<ArcadeSettings>,
    started: Instant,
    metrics: Arc<Metrics>,
}

impl Hall {
    async fn open(
        parts: Parts,
        messages: mpsc::WeakSender<Message>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StorageError> {
        let Parts { storage, think, schema, values, own_address } = parts;
        let desk = Desk::new(schema, values, storage.read(storage::settings).await?);
        let settings = ArcadeSettings::from_values(desk.values());
        let robot = RobotChoice::from_values(desk.values());
        let shared_settings = watch::Sender::new(settings.clone());
        let cabinet = ConnectFour::open(
            settings.table(),
            robot,
            think,
            storage.clone(),
            messages,
            Arc::clone(&metrics),
        )
        .await?;
        Ok(Self {
            cabinet,
            outbox: Outbox::default(),
            desk,
            settings,
            progress: storage.progress(),
            storage,
            own_address,
            games_begun: Allowances::default(),
            watchers: 0,
            watchers_told: Instant::now(),
            demos_forgotten: None,
            shared_settings,
            started: Instant::now(),
            metrics,
        })
    }

    async fn run(mut self, mut inbox: mpsc::Receiver<Message>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.carry_out();
            tokio::select! {
                message = inbox.recv() => match message {
                    None | Some(Message::Stop) => break,
                    Some(message) => self.hear(message),
                },
                () = self.cabinet.robot_change() => {
                    let now = self.now();
                    self.cabinet.robot_changed(&mut self.outbox, now);
                }
                () = changed(&mut self.progress) => {
                    let progress = self.progress.borrow_and_update().clone();
                    self.outbox.progressed(&progress);
                }
                _ = ticks.tick() => {
                    let now = self.now();
                    self.cabinet.tick(now);
                    self.outbox.let_out_overdue();
                    self.tell_watchers();
                    self.forget_old_demos();
                }
            }
        }
        self.carry_out();
        self.cabinet.close().await;
    }

    fn hear(&mut self, message: Message) {
        let now = self.now();
        match message {
            // Whoever asked may have gone away: an answer that cannot be delivered is dropped.
            Message::Connect { address, reply } => drop(reply.send(self.connect(address))),
            Message::Wish { connection, wish } => self.wish(connection, wish, now),
            Message::Refuse { connection, refusal } => self.refuse(connection, refusal),
            Message::Disconnect { connection } => self.outbox.disconnect(connection),
            Message::Call(call) => self.cabinet.hear(call, &mut self.outbox, now),
            Message::Address { reply } => drop(reply.send(self.address())),
            Message::ListSettings { reply } => drop(reply.send(self.desk.list())),
            Message::ChangeSetting { key, value, reply } => {
                drop(reply.send(self.change_setting(key, value, now)));
            }
            Message::Stop => {}
        }
    }

    /// Carries out what follows from what happened.
    fn carry_out(&mut self) {
        let now = self.now();
        // Telling pages may lose some of them, which has consequences of its own.
        loop {
            self.cabinet.carry_out(self.desk.values(), &mut self.outbox);
            let gone = self.outbox.take_gone();
            if gone.is_empty() {
                break;
            }
            for token in gone {
                self.cabinet.disconnected(&token, now);
            }
        }
        self.metrics.connections(self.outbox.pages());
        self.metrics.recorded(self.outbox.is_recorded());
    }

    /// Forgets old demos, once an hour.
    fn forget_old_demos(&mut self) {
        let due = self.demos_forgotten.is_none_or(|at| at.elapsed() >= FORGET_EVERY);
        let days = self.settings.keep_demos_days;
        if !due || days == 0 {
            return;
        }
        self.demos_forgotten = Some(Instant::now());
        let before = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * i64::from(days));
        self.storage.keep(move |connection| records::forget_demos(connection, before));
    }

    /// Tells how many are here, at most once a second.
    fn tell_watchers(&mut self) {
        if self.watchers_told.elapsed() < WATCHERS_EVERY {
            return;
        }
        self.watchers_told = Instant::now();
        let watchers = self.outbox.visitors();
        if watchers != self.watchers {
            self.watchers = watchers;
            self.outbox.broadcast(&Event::Watching { watchers });
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn connect(&mut self, address: IpAddr) -> Option<Connected> {
        let has_room = self.outbox.pages() < self.settings.connections as usize
            && self.outbox.pages_of(address) < self.settings.connections_per_address as usize;
        has_room.then(|| self.outbox.connect(address))
    }

    fn wish(&mut self, id: ConnectionId, wish: Wish, now: Duration) {
        self.metrics.wish();
        if let Wish::Hello { token, watch } = wish {
            return self.hello(id, token.as_deref(), watch, now);
        }
        let Some(token) = self.outbox.token(id).cloned() else { return self.refuse(id, Refusal::Malformed) };
        if matches!(wish, Wish::GameSignup { .. } | Wish::Rematch {}) && !self.may_begin_game(id) {
            return self.refuse(id, Refusal::TooManyGames);
        }
        self.cabinet.wish(&token, wish, now);
    }

    /// Nobody fills the table with games that are not played.
    fn may_begin_game(&mut self, id: ConnectionId) -> bool {
        let per_minute = f64::from(self.settings.games_per_minute);
        let address = self.outbox.address(id);
        address.is_some_and(|address| self.games_begun.take(address, per_minute, per_minute / 60.0))
    }

    fn hello(&mut self, id: ConnectionId, token: Option<&str>, watch: bool, now: Duration) {
        let token = token.and_then(Token::parse).unwrap_or_else(Token::random);
        if !self.outbox.join(id, &token, watch) {
            return;
        }
        self.cabinet.connected(&token, now);
        let welcome = Welcome {
            seat: self.cabinet.seat(&token),
            waiting: self.cabinet.is_waiting(&token),
            place: self.cabinet.place(&token, now),
            question_s: self.cabinet.question_s(&token, now),
            state: self.state(now),
            token,
        };
        self.outbox.welcome(id, welcome);
        if let Some(tree) = self.cabinet.latest_tree().filter(|_| watch) {
            self.outbox.send(id, tree);
        }
    }

    fn refuse(&mut self, id: ConnectionId, refusal: Refusal) {
        self.metrics.refusal();
        self.outbox.answer(id, &refusal.answer());
    }

    fn state(&self, now: Duration) -> State {
        let shown = self.cabinet.shown(now);
        State {
            seq: self.outbox.seq(),
            table: shown.table,
            waiting: shown.waiting,
            queue: shown.queue,
            watchers: self.watchers,
            recorded: self.outbox.is_recorded(),
            game: shown.game,
            robot: shown.robot,
            levels: OFFERED.to_vec(),
            language: self.settings.language.word().to_owned(),
            demo: self.settings.demo,
            statistics: shown.statistics,
            address: self.address(),
        }
    }

    /// Where visitors find the lobby.
    fn address(&self) -> String {
        self.settings.lobby_address(&self.own_address)
    }

    /// Changes a setting at once; the ticket tells when it is stored.
    fn change_setting(
        &mut self,
        key: String,
        value: Option<String>,
        now: Duration,
    ) -> Result<Ticket, Problems> {
        self.desk.change(&key, value.as_deref())?;
        let ticket =
            self.storage.keep(move |connection| storage::keep_setting(connection, &key, value.as_deref()));
        self.settings = ArcadeSettings::from_values(self.desk.values());
        self.shared_settings.send_replace(self.settings.clone());
        let robot = RobotChoice::from_values(self.desk.values());
        self.cabinet.set_settings(self.settings.table(), robot, &mut self.outbox, now);
        self.outbox.broadcast(&Event::Settings {
            demo: self.settings.demo,
            levels: OFFERED.to_vec(),
            language: self.settings.language.word().to_owned(),
            address: self.address(),
        });
        Ok(ticket)
    }
}

/// Waits until storage has come further. A writer that has ended, for whatever reason, never does.
async fn changed(progress: &mut watch::Receiver<Progress>) {
    if progress.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use configuration::Layers;
    use serde_json::{Value, json};

    use super::*;
    use crate::SECTIONS;

    /// A panic while the machine thinks costs it the thought, and nobody the game.
    #[tokio::test]
    async fn a_machine_that_fails_plays_on() {
        let schema = Schema::new(SECTIONS);
        let mut layers = Layers::new(&schema);
        for setting in ["robot.kind=none", "arcade.demo=false", "levels.answer_after_ms=0"] {
            layers.flag(setting);
        }
        let parts = Parts {
            storage: Storage::in_memory().unwrap(),
            think: Arc::new(|_, _, _| panic!("a test")),
            values: layers.finish().unwrap(),
            schema,
            own_address: "http://127.0.0.1/".to_owned(),
        };
        let (hall, task) = open(parts).await.unwrap();
        let address = IpAddr::from([127, 0, 0, 1]);
        let connected = hall.ask(|reply| Message::Connect { address, reply }).await.flatten().unwrap();
        let Connected { id, mut events } = connected;
        let say = async |wish: Value| {
            let wish = serde_json::from_value(wish).unwrap();
            assert!(hall.say(Message::Wish { connection: id, wish }).await);
        };
        say(json!({"type": "HELLO"})).await;
        say(json!({"type": "GAME_SIGNUP", "name": "Ada", "opponent": "hard"})).await;
        say(json!({"type": "TURN", "column": 4})).await;
        let answer = loop {
            let event: Value = serde_json::from_str(&events.recv().await.unwrap()).unwrap();
            if event["ply"] == 2 && event["type"] == "TURN" {
                break event;
            }
        };
        assert_eq!((&answer["column"], &answer["next"]), (&json!(1), &json!("red")));
        hall.say(Message::Stop).await;
        task.await.unwrap();
    }
}
