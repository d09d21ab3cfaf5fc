//! The hall: one task that owns the table and everyone who is connected. It
//! carries out what the table decides: tells pages, keeps games, lets the
//! machine think and the robot move.
//!
//! Everything that happens reaches the hall as a [`Message`]; events leave it
//! in one order for everyone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use configuration::{Layers, Problems, Raw, Schema, Source, Values};
use devices::robot::TrafficLine;
use serde::Serialize;
use simulators::robot::Order;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::event::{
    Answer, Decision, Event, Numbered, OFFERED, Refusal, RobotStatus, RobotView, State, Statistics, Wish,
};
use crate::metrics::Metrics;
use crate::robot::{Changes, Robot, RobotPicture};
use crate::settings::{ArcadeSettings, RobotSettings};
use crate::store::{PastGame, Store, StoreError};
use crate::table::{Effect, Table, Thought, Token};

/// How often the table looks at the time.
const TICK: Duration = Duration::from_millis(100);
/// Events that may wait for one slow page before it is let go; it reconnects and gets the whole state.
const QUEUE: usize = 256;

/// Names one connection.
pub type ConnectionId = u64;

/// What happens in the hall.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant is named after what happened")]
pub enum Message {
    Connect { reply: oneshot::Sender<Option<Connected>> },
    Wish { connection: ConnectionId, wish: Wish },
    Refuse { connection: ConnectionId, refusal: Refusal },
    Disconnect { connection: ConnectionId },
    Decided { game: u64, ply: u32, decision: Box<Decision> },
    RobotDone,
    EndGame { reply: oneshot::Sender<bool> },
    RobotCommand { command: RobotCommand },
    RobotFault { order: Order, reply: oneshot::Sender<bool> },
    RobotPicture { reply: oneshot::Sender<RobotPicture> },
    Address { reply: oneshot::Sender<String> },
    Traffic { reply: oneshot::Sender<broadcast::Receiver<TrafficLine>> },
    ListSettings { reply: oneshot::Sender<Vec<SettingView>> },
    ChangeSetting { key: String, value: Option<String>, reply: oneshot::Sender<Result<(), ChangeError>> },
    Ask { question: Box<dyn Question> },
    Stop,
}

/// Something that is asked of the storage.
pub trait Question: Send {
    /// Answers it.
    fn answer(self: Box<Self>, store: &Store);
}

impl std::fmt::Debug for dyn Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Question")
    }
}

/// What the operator lets the robot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after the robot's protocol")]
pub enum RobotCommand {
    Init,
    NewGame,
}

/// Why a setting was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// It is wrong; the same words as for a profile.
    #[error("{0}")]
    Wrong(#[from] Problems),
    /// It could not be kept.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// A setting as the operator's page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct SettingView {
    pub key: String,
    pub doc: String,
    pub unit: Option<&'static str>,
    pub allowed: String,
    pub default: String,
    pub value: String,
    pub source: String,
}

/// A connection's way in and out.
#[derive(Debug)]
#[expect(missing_docs, reason = "two fields")]
pub struct Connected {
    pub id: ConnectionId,
    pub events: mpsc::Receiver<Utf8Bytes>,
}

/// How the machine thinks: asked with the visitor's earlier games against this level, on a thread of its own.
pub type Think = Arc<dyn Fn(&Thought, &[PastGame], &Values) -> Decision + Send + Sync>;

/// What a hall is made of.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The robot.
    pub robot: Robot,
    /// The machine.
    pub think: Think,
    /// Settings that the operator may change, and their values so far.
    pub schema: Schema,
    /// Defaults, profile, environment and flags.
    pub values: Values,
    /// Where the lobby is, unless the settings say otherwise.
    pub own_address: String,
}

/// The way to talk to the hall.
#[derive(Clone, Debug)]
pub struct HallHandle {
    messages: mpsc::Sender<Message>,
    metrics: Arc<Metrics>,
}

impl HallHandle {
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

    /// Asks the storage something; none when the hall is closed.
    pub async fn query<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Store) -> T + Send + 'static,
    ) -> Option<T> {
        struct Closure<F, T>(F, oneshot::Sender<T>);
        impl<F: FnOnce(&Store) -> T + Send, T: Send> Question for Closure<F, T> {
            fn answer(self: Box<Self>, store: &Store) {
                // Whoever asked may have gone away.
                drop(self.1.send(self.0(store)));
            }
        }
        self.ask(|reply| Message::Ask { question: Box::new(Closure(question, reply)) }).await
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }
}

/// Opens the hall; its task ends with [`Message::Stop`] or when the last handle is gone.
pub fn open(parts: Parts) -> Result<(HallHandle, tokio::task::JoinHandle<()>), StoreError> {
    let (messages, inbox) = mpsc::channel(1024);
    let metrics = Arc::new(Metrics::default());
    let hall = Hall::new(parts, messages.downgrade(), Arc::clone(&metrics))?;
    Ok((HallHandle { messages, metrics }, tokio::spawn(hall.run(inbox))))
}

struct Connection {
    token: Option<Token>,
    watches: bool,
    events: mpsc::Sender<Utf8Bytes>,
}

struct Hall {
    table: Table,
    store: Store,
    robot: Robot,
    robot_changes: Changes,
    think: Think,
    schema: Schema,
    /// Without the operator's changes.
    base_values: Values,
    /// With them.
    values: Values,
    settings: ArcadeSettings,
    own_address: String,
    connections: BTreeMap<ConnectionId, Connection>,
    next_connection: ConnectionId,
    seq: u64,
    /// The last `TURN_TREE` of the game on the table, for those who begin to watch now.
    latest_thought: Option<Utf8Bytes>,
    statistics: Statistics,
    started: Instant,
    messages: mpsc::WeakSender<Message>,
    metrics: Arc<Metrics>,
}

impl Hall {
    fn new(
        parts: Parts,
        messages: mpsc::WeakSender<Message>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StoreError> {
        let Parts { mut store, robot, think, schema, values, own_address } = parts;
        let settings = ArcadeSettings::from_values(&values);
        let mut table = Table::new(settings.table(), store.next_game()?, Duration::ZERO);
        let interrupted = store.take_interrupted(jiff::Timestamp::now())?;
        let statistics = store.statistics(Some(start_of_today()))?;
        let view = robot.view();
        table.robot_changed(view.status, view.text.as_deref(), Duration::ZERO);
        let mut hall = Self {
            table,
            store,
            robot_changes: robot.changes(),
            robot,
            think,
            schema,
            base_values: values.clone(),
            values,
            settings,
            own_address,
            connections: BTreeMap::new(),
            next_connection: 0,
            seq: 0,
            latest_thought: None,
            statistics,
            started: Instant::now(),
            messages,
            metrics,
        };
        hall.apply_operator_settings();
        match interrupted {
            Some(game) => {
                tracing::info!(game = game.game, "continuing the game that was under way");
                // Its discs still stand in the robot; if the robot was restarted too, it is rebuilt from here.
                hall.robot.restore(&game.moves);
                hall.table.resume(game.game, game.red, game.yellow, &game.moves, Duration::ZERO);
            }
            None => hall.robot.start_clean(),
        }
        Ok(hall)
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
                () = self.robot_changes.changed() => self.robot_changed(),
                _ = ticks.tick() => {
                    let now = self.now();
                    self.table.tick(now);
                }
            }
        }
        self.carry_out();
        self.robot.stop().await;
    }

    fn hear(&mut self, message: Message) {
        let now = self.now();
        match message {
            // Whoever asked may have gone away: an answer that cannot be delivered is dropped.
            Message::Connect { reply } => drop(reply.send(self.connect())),
            Message::Wish { connection, wish } => self.wish(connection, wish, now),
            Message::Refuse { connection, refusal } => self.answer_connection(connection, &refusal.answer()),
            Message::Disconnect { connection } => self.disconnect(connection, now),
            Message::Decided { game, ply, decision } => self.table.decided(game, ply, decision, now),
            Message::RobotDone => self.table.robot_done(now),
            Message::EndGame { reply } => drop(reply.send(self.table.end_by_operator(now))),
            Message::RobotCommand { command } => self.robot.command(command),
            Message::RobotFault { order, reply } => drop(reply.send(self.robot.order(order))),
            Message::RobotPicture { reply } => drop(reply.send(self.robot.picture())),
            Message::Address { reply } => drop(reply.send(self.address())),
            Message::Traffic { reply } => drop(reply.send(self.robot.traffic())),
            Message::ListSettings { reply } => drop(reply.send(self.list_settings())),
            Message::ChangeSetting { key, value, reply } => {
                drop(reply.send(self.change_setting(&key, value.as_deref())));
            }
            Message::Ask { question } => question.answer(&self.store),
            Message::Stop => {}
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    // ---- Connections ----

    fn connect(&mut self) -> Option<Connected> {
        if self.connections.len() >= self.settings.connections as usize {
            return None;
        }
        let id = self.next_connection;
        self.next_connection += 1;
        let (sender, events) = mpsc::channel(QUEUE);
        self.connections.insert(id, Connection { token: None, watches: false, events: sender });
        self.metrics.connections(self.connections.len());
        Some(Connected { id, events })
    }

    fn disconnect(&mut self, id: ConnectionId, now: Duration) {
        let Some(connection) = self.connections.remove(&id) else { return };
        self.metrics.connections(self.connections.len());
        if let Some(token) = connection.token
            && !self.connections.values().any(|other| other.token.as_ref() == Some(&token))
        {
            self.table.disconnected(&token, now);
        }
    }

    fn wish(&mut self, id: ConnectionId, wish: Wish, now: Duration) {
        self.metrics.wish();
        if let Wish::Hello { token, watch } = wish {
            return self.hello(id, token, watch, now);
        }
        let Some(token) = self.connections.get(&id).and_then(|connection| connection.token.clone()) else {
            return self.answer_connection(id, &Refusal::Malformed.answer());
        };
        match wish {
            Wish::Hello { .. } => {}
            Wish::GameSignup { name, opponent, accept } => {
                self.table.signup(&token, &name, opponent, accept, now);
            }
            Wish::Turn { column } => self.table.turn(&token, column, now),
            Wish::Leave {} => self.table.leave(&token, now),
            Wish::Stay {} => self.table.stay(&token, now),
            Wish::Rematch {} => self.table.rematch(&token, now),
        }
    }

    fn hello(&mut self, id: ConnectionId, token: Option<String>, watch: bool, now: Duration) {
        // Only a token that we could have made is taken; it is as hard to guess as a password.
        let token = token.filter(|token| is_token(token)).unwrap_or_else(new_token);
        let Some(connection) = self.connections.get_mut(&id) else { return };
        connection.token = Some(token.clone());
        connection.watches = watch;
        self.table.connected(&token);
        let answer = Answer::Welcome {
            seat: self.table.seat(&token),
            waiting: self.table.is_waiting(&token),
            question_s: self.table.question_s(&token, now),
            state: Box::new(self.state()),
            token,
        };
        self.answer_connection(id, &answer);
        if let Some(thought) = self.latest_thought.clone().filter(|_| watch) {
            self.send(id, thought);
        }
    }

    fn state(&self) -> State {
        State {
            seq: self.seq,
            table: self.table.word(),
            waiting: self.table.waiting_name(),
            game: self.table.game_view(),
            robot: self.robot.view(),
            levels: OFFERED.to_vec(),
            language: self.settings.language.word().to_owned(),
            demo: self.settings.demo,
            statistics: self.statistics,
            address: self.address(),
        }
    }

    /// Where visitors find the lobby.
    fn address(&self) -> String {
        let configured = &self.settings.address;
        if configured.is_empty() { self.own_address.clone() } else { configured.clone() }
    }

    // ---- Carrying out what the table decides ----

    fn carry_out(&mut self) {
        for effect in self.table.take_effects() {
            match effect {
                Effect::Broadcast(event) => self.broadcast(&event),
                Effect::Tell(token, answer) => self.tell(&token, &answer),
                Effect::Think(thought) => self.let_think(thought),
                Effect::Robot(task) => {
                    let done = self.robot.carry_out(&task);
                    let messages = self.messages.clone();
                    tokio::spawn(async move {
                        if let Err(error) = done.await {
                            tracing::warn!(%error, ?task, "robot");
                        }
                        if let Some(messages) = messages.upgrade() {
                            // The hall may be closing.
                            drop(messages.send(Message::RobotDone).await);
                        }
                    });
                }
                Effect::Store(record) => {
                    self.metrics.record(&record);
                    if let Err(error) = self.store.keep(&record, jiff::Timestamp::now()) {
                        // A full disk must not stop a game; the operator sees it on every page of the log.
                        tracing::error!(%error, "a game could not be stored");
                        self.metrics.store_error();
                    }
                }
            }
        }
    }

    fn broadcast(&mut self, event: &Event) {
        let for_watchers = matches!(event, Event::TurnTree { .. });
        let text = if for_watchers {
            // Without a number: pages that do not watch must not see a gap.
            serde_json::to_string(event)
        } else {
            self.seq += 1;
            serde_json::to_string(&Numbered { seq: self.seq, event })
        };
        let Ok(text) = text.map(Utf8Bytes::from) else { return };
        if for_watchers {
            self.latest_thought = Some(text.clone());
        } else if matches!(event, Event::GameStart { .. } | Event::TableFree) {
            self.latest_thought = None;
        }
        let mut slow = Vec::new();
        for (id, connection) in &self.connections {
            let wanted = connection.token.is_some() && (connection.watches || !for_watchers);
            if wanted && connection.events.try_send(text.clone()).is_err() {
                slow.push(*id);
            }
        }
        self.let_go(&slow);
        if matches!(event, Event::GameOver { .. } | Event::GameDraw { .. } | Event::GameEnded { .. }) {
            self.refresh_statistics();
        }
    }

    fn refresh_statistics(&mut self) {
        match self.store.statistics(Some(start_of_today())) {
            Ok(statistics) if statistics != self.statistics => {
                self.statistics = statistics;
                self.broadcast(&Event::Statistics { statistics });
            }
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "statistics"),
        }
    }

    fn tell(&mut self, token: &Token, answer: &Answer) {
        let of_visitor = |(id, connection): (&ConnectionId, &Connection)| {
            (connection.token.as_ref() == Some(token)).then_some(*id)
        };
        let ids: Vec<_> = self.connections.iter().filter_map(of_visitor).collect();
        for id in ids {
            self.answer_connection(id, answer);
        }
    }

    fn answer_connection(&mut self, id: ConnectionId, answer: &Answer) {
        let Ok(text) = serde_json::to_string(answer) else { return };
        if matches!(answer, Answer::Refused { .. }) {
            self.metrics.refusal();
        }
        self.send(id, text.into());
    }

    fn send(&mut self, id: ConnectionId, text: Utf8Bytes) {
        let Some(connection) = self.connections.get(&id) else { return };
        if connection.events.try_send(text).is_err() {
            self.let_go(&[id]);
        }
    }

    /// Lets go of connections that do not read: dropping the queue closes them.
    fn let_go(&mut self, ids: &[ConnectionId]) {
        let now = self.now();
        for id in ids {
            tracing::info!(connection = id, "a page is too slow; it may come back");
            self.disconnect(*id, now);
        }
    }

    fn let_think(&self, thought: Thought) {
        let past =
            thought.visitor.as_ref().map(|name| self.store.games_against(name.as_str(), thought.level));
        let past = past.and_then(Result::ok).unwrap_or_default();
        let (think, values, messages) = (Arc::clone(&self.think), self.values.clone(), self.messages.clone());
        tokio::task::spawn_blocking(move || {
            let decision = Box::new(think(&thought, &past, &values));
            if let Some(messages) = messages.upgrade() {
                // The hall may be closing.
                drop(messages.blocking_send(Message::Decided {
                    game: thought.game,
                    ply: thought.ply,
                    decision,
                }));
            }
        });
    }

    fn robot_changed(&mut self) {
        self.robot.note_change();
        let view: RobotView = self.robot.view();
        let now = self.now();
        self.metrics.robot(view.status != RobotStatus::Error && view.status != RobotStatus::Lost);
        self.table.robot_changed(view.status, view.text.as_deref(), now);
        self.broadcast(&Event::Robot { robot: view });
    }

    // ---- The operator ----

    /// Starts the robot anew if its settings changed, with the board of the game that is under way.
    fn change_robot(&mut self) {
        let Some(robot) = self.robot.changed_to(&RobotSettings::from_values(&self.values)) else { return };
        tracing::info!("the robot's settings changed: connecting again");
        self.robot = robot;
        self.robot_changes = self.robot.changes();
        let moves = self.table.game_view().map(|game| game.moves).unwrap_or_default();
        self.robot.restore(&moves);
        self.robot_changed();
    }

    fn list_settings(&self) -> Vec<SettingView> {
        let sections = self.schema.sections().iter();
        let keys = sections.flat_map(|section| section.keys.iter().map(move |key| (section, key)));
        keys.map(|(section, key)| SettingView {
            key: section.path(key),
            doc: key.doc.trim().to_owned(),
            unit: key.unit,
            allowed: (key.allowed)(),
            default: (key.default)().plain(),
            value: self
                .values
                .get(section.name, key.name)
                .map_or_else(|| (key.default)().plain(), Raw::plain),
            source: self
                .values
                .source(section.name, key.name)
                .map_or("default".to_owned(), Source::to_string),
        })
        .collect()
    }

    fn change_setting(&mut self, key: &str, value: Option<&str>) -> Result<(), ChangeError> {
        if let Some(value) = value {
            let mut layers = Layers::over(&self.schema, self.base_values.clone());
            layers.page(key, value);
            layers.finish()?;
        }
        self.store.keep_setting(key, value)?;
        self.apply_operator_settings();
        self.broadcast(&Event::Settings {
            demo: self.settings.demo,
            levels: OFFERED.to_vec(),
            language: self.settings.language.word().to_owned(),
            address: self.address(),
        });
        Ok(())
    }

    /// Lays the operator's stored changes over everything else; one that no longer fits is passed over.
    fn apply_operator_settings(&mut self) {
        self.values = self.base_values.clone();
        for (key, value) in self.store.settings().unwrap_or_default() {
            let mut layers = Layers::over(&self.schema, self.values.clone());
            layers.page(&key, &value);
            match layers.finish() {
                Ok(values) => self.values = values,
                Err(problem) => tracing::warn!(%problem, "a stored setting is ignored"),
            }
        }
        self.settings = ArcadeSettings::from_values(&self.values);
        self.table.set_settings(self.settings.table());
        self.change_robot();
    }
}

pub(crate) fn start_of_today() -> jiff::Timestamp {
    let now = jiff::Zoned::now();
    now.start_of_day().map_or_else(|_| now.timestamp(), |day| day.timestamp())
}

const TOKEN_LENGTH: usize = 32;

fn new_token() -> Token {
    hex(&rand::random::<[u8; TOKEN_LENGTH / 2]>())
}

/// Bytes as text that is safe in cookies and JSON.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
