//! The hall: one task that owns the cabinet and everyone who is connected.
//!
//! Everything that happens reaches the hall as a [`Message`]; events leave it in one order for everyone. The task never
//! waits: storage, thinking and the robot have threads and tasks of their own.

mod connections;
mod desk;
mod outbox;

use std::sync::Arc;
use std::time::Duration;

use configuration::{Problems, Schema, Values};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

pub use connections::{Connected, ConnectionId};
pub use desk::SettingView;
pub use outbox::Outbox;

use crate::cabinets::connect_four::event::{Answer, Event, OFFERED, Refusal, State, Wish};
use crate::cabinets::connect_four::machine::Think;
use crate::cabinets::connect_four::settings::RobotSettings;
use crate::cabinets::connect_four::{Call, ConnectFour};
use crate::metrics::Metrics;
use crate::settings::ArcadeSettings;
use crate::storage::{self, Progress, Storage, StorageError, Ticket};
use crate::visitor::Token;
use desk::Desk;

/// How often the table looks at the time.
const TICK: Duration = Duration::from_millis(100);

/// What happens in the hall.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant is named after what happened")]
pub enum Message {
    Connect { reply: oneshot::Sender<Option<Connected>> },
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
    Ok((HallHandle { messages, metrics }, tokio::spawn(hall.run(inbox))))
}

struct Hall {
    cabinet: ConnectFour,
    outbox: Outbox,
    desk: Desk,
    settings: ArcadeSettings,
    storage: Storage,
    progress: watch::Receiver<Progress>,
    own_address: String,
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
        let robot = RobotSettings::from_values(desk.values());
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
                // Cannot fail: we hold the other end.
                _ = self.progress.changed() => self.storage_progressed(),
                _ = ticks.tick() => {
                    let now = self.now();
                    self.cabinet.tick(now);
                    self.outbox.let_out_overdue();
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
            Message::Connect { reply } => drop(reply.send(self.connect())),
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
    }

    fn storage_progressed(&mut self) {
        let handled = self.progress.borrow_and_update().handled;
        self.outbox.handled(handled);
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn connect(&mut self) -> Option<Connected> {
        let has_room = self.outbox.pages() < self.settings.connections as usize;
        has_room.then(|| self.outbox.connect())
    }

    fn wish(&mut self, id: ConnectionId, wish: Wish, now: Duration) {
        self.metrics.wish();
        if let Wish::Hello { token, watch } = wish {
            return self.hello(id, token.as_deref(), watch, now);
        }
        match self.outbox.token(id).cloned() {
            Some(token) => self.cabinet.wish(&token, wish, now),
            None => self.refuse(id, Refusal::Malformed),
        }
    }

    fn hello(&mut self, id: ConnectionId, token: Option<&str>, watch: bool, now: Duration) {
        let token = token.and_then(Token::parse).unwrap_or_else(Token::random);
        if !self.outbox.join(id, &token, watch) {
            return;
        }
        self.cabinet.connected(&token);
        let answer = Answer::Welcome {
            seat: self.cabinet.seat(&token),
            waiting: self.cabinet.is_waiting(&token),
            question_s: self.cabinet.question_s(&token, now),
            state: Box::new(self.state()),
            token,
        };
        self.outbox.answer(id, &answer);
        if let Some(tree) = self.cabinet.latest_tree().filter(|_| watch) {
            self.outbox.send(id, tree);
        }
    }

    fn refuse(&mut self, id: ConnectionId, refusal: Refusal) {
        self.metrics.refusal();
        self.outbox.answer(id, &refusal.answer());
    }

    fn state(&self) -> State {
        let shown = self.cabinet.shown();
        State {
            seq: self.outbox.seq(),
            table: shown.table,
            waiting: shown.waiting,
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
        let configured = &self.settings.address;
        if configured.is_empty() { self.own_address.clone() } else { configured.clone() }
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
        let robot = RobotSettings::from_values(self.desk.values());
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
