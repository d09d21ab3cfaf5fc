//! The cabinet at work: asks the table what follows from what happened, and carries it out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use configuration::Values;
use connect_four::Level;
use devices::robot::TrafficLine;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use rusqlite::Connection;
use simulators::robot::Order;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::archive::{self, PastGame};
use super::event::{
    Answer, Event, ExplainedTurn, GameView, Place, RobotStatus, Seat, Statistics, TableState, Wish,
};
use super::machine::{Think, thoughtless};
use super::records::{self, Record};
use super::robot::{RobotPicture, TableRobot};
use super::settings::{LevelSettings, RobotChoice};
use super::table::{Effect, Table, TableSettings, ThinkTask, ToWaiting};
use super::{GameNumber, figures, robot};
use crate::hall::{Message, Outbox};
use crate::metrics::Metrics;
use crate::storage::{Storage, StorageError};
use crate::visitor::{Name, Token};

/// What it takes to deliver a turn to one page: measured with 3,000 of them on two cores (`cargo xtask bench arcade`).
const PER_PAGE: Duration = Duration::from_micros(60);

/// What is asked of the cabinet from outside its pages' sockets.
#[derive(Debug)]
#[expect(missing_docs, reason = "each variant is named after what happened")]
pub enum Call {
    Decided { game: GameNumber, ply: u32, turn: Box<ExplainedTurn> },
    RobotDone,
    Statistics(Statistics),
    EndGame { reply: oneshot::Sender<bool> },
    RobotCommand { command: RobotCommand },
    RobotOrder { order: Order, reply: oneshot::Sender<bool> },
    RobotPicture { reply: oneshot::Sender<RobotPicture> },
    Traffic { reply: oneshot::Sender<Option<broadcast::Receiver<TrafficLine>>> },
}

/// What the operator lets the robot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after the robot's protocol")]
pub enum RobotCommand {
    Init,
    NewGame,
}

/// The table with its machine, its robot and its books.
pub struct ConnectFour {
    table: Table,
    robot: Box<dyn TableRobot>,
    robot_choice: RobotChoice,
    robot_changes: BoxStream<'static, ()>,
    think: Think,
    /// The last `TURN_TREE` or `COMMENT` of the game on the table, for those who begin to watch now.
    latest_tree: Option<Utf8Bytes>,
    statistics: Statistics,
    storage: Storage,
    /// The way back to the hall for what takes a while.
    messages: mpsc::WeakSender<Message>,
    metrics: Arc<Metrics>,
}

/// What the cabinet finds in the database when it opens.
struct Found {
    next_game: GameNumber,
    interrupted: Option<records::Interrupted>,
    statistics: Statistics,
}

fn find(connection: &Connection) -> rusqlite::Result<Found> {
    Ok(Found {
        next_game: records::next_game(connection)?,
        interrupted: records::interrupted(connection)?,
        statistics: figures::statistics(connection, Some(figures::start_of_today()))?,
    })
}

impl ConnectFour {
    /// Opens the cabinet: starts the robot, and goes on with the game that a restart interrupted.
    pub async fn open(
        settings: TableSettings,
        robot_choice: RobotChoice,
        think: Think,
        storage: Storage,
        messages: mpsc::WeakSender<Message>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, StorageError> {
        let found = storage.read(find).await?;
        let robot = robot::start(&robot_choice);
        let mut cabinet = Self {
            table: Table::new(settings, found.next_game, Duration::ZERO),
            robot_changes: robot.changes(),
            robot,
            robot_choice,
            think,
            latest_tree: None,
            statistics: found.statistics,
            storage,
            messages,
            metrics,
        };
        let view = cabinet.robot.view();
        cabinet.table.robot_changed(view.status, view.text.as_deref(), Duration::ZERO);
        let resumed = found.interrupted.filter(|game| {
            let (red, yellow) = (game.red.clone(), game.yellow.clone());
            cabinet.table.resume(game.game, red, yellow, &game.moves, Duration::ZERO)
        });
        let kept = resumed.as_ref().map(|game| game.game);
        if let Some(game) = kept {
            tracing::info!(%game, "continuing the game that was under way");
        }
        // Its discs still stand in the robot; if the robot was restarted too, it is rebuilt from here.
        cabinet.robot.restore(&resumed.map(|game| game.moves).unwrap_or_default());
        let now = jiff::Timestamp::now();
        cabinet.storage.keep(move |connection| records::end_all_but(connection, kept, now));
        Ok(cabinet)
    }

    /// Waits until the robot's state changes.
    pub async fn robot_change(&mut self) {
        if self.robot_changes.next().await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// The robot's state has changed.
    pub fn robot_changed(&mut self, outbox: &mut Outbox, now: Duration) {
        let view = self.robot.view();
        self.metrics.robot(view.status != RobotStatus::Error && view.status != RobotStatus::Lost);
        self.table.robot_changed(view.status, view.text.as_deref(), now);
        outbox.broadcast(&Event::Robot { robot: view });
    }

    /// A visitor wishes something; `HELLO` is the hall's.
    pub fn wish(&mut self, token: &Token, wish: Wish, now: Duration) {
        match wish {
            Wish::Hello { .. } => {}
            Wish::GameSignup { name, opponent, accept, insist } => {
                let waiting = match (accept, insist) {
                    (true, _) => ToWaiting::Accept,
                    (false, true) => ToWaiting::Decline,
                    (false, false) => ToWaiting::Ask,
                };
                self.table.signup(token, &name, opponent, waiting, now);
            }
            Wish::Turn { column } => self.table.turn(token, column, now),
            Wish::Leave {} => self.table.leave(token, now),
            Wish::Stay {} => self.table.stay(token, now),
            Wish::Rematch {} => self.table.rematch(token, now),
            Wish::WithoutRobot {} => self.table.go_on_without_robot(token, now),
        }
    }

    /// Answers a call.
    pub fn hear(&mut self, call: Call, outbox: &mut Outbox, now: Duration) {
        match call {
            Call::Decided { game, ply, turn } => self.table.decided(game, ply, turn, now),
            Call::RobotDone => self.table.robot_done(now),
            Call::Statistics(statistics) => self.set_statistics(statistics, outbox),
            // Whoever asked may have gone away: an answer that cannot be delivered is dropped.
            Call::EndGame { reply } => drop(reply.send(self.table.end_by_operator(now))),
            Call::RobotCommand { command: RobotCommand::Init } => self.robot.initialise(),
            Call::RobotCommand { command: RobotCommand::NewGame } => self.robot.restore(&[]),
            Call::RobotOrder { order, reply } => drop(reply.send(self.robot.order(order))),
            Call::RobotPicture { reply } => drop(reply.send(RobotPicture::of(&*self.robot))),
            Call::Traffic { reply } => drop(reply.send(self.robot.traffic())),
        }
    }

    /// Time passes.
    pub fn tick(&mut self, now: Duration) {
        self.table.tick(now);
    }

    /// A visitor's page is connected (again).
    pub fn connected(&mut self, token: &Token, now: Duration) {
        self.table.connected(token, now);
    }

    /// A visitor's last page has lost its connection.
    pub fn disconnected(&mut self, token: &Token, now: Duration) {
        self.table.disconnected(token, now);
    }

    /// The operator changed something. The robot is restarted if its settings changed, with the board of the game
    /// that is under way.
    pub fn set_settings(
        &mut self,
        table: TableSettings,
        robot: RobotChoice,
        outbox: &mut Outbox,
        now: Duration,
    ) {
        self.table.set_settings(table);
        if robot == self.robot_choice {
            return;
        }
        tracing::info!("the robot's settings changed: connecting again");
        self.robot = robot::start(&robot);
        self.robot_choice = robot;
        self.robot_changes = self.robot.changes();
        let moves = self.table.game_view(now).map(|game| game.moves).unwrap_or_default();
        self.robot.restore(&moves);
        self.robot_changed(outbox, now);
    }

    /// Carries out what the table decides. Records go first and together: pages hear of nothing that is not stored.
    pub fn carry_out(&mut self, values: &Values, outbox: &mut Outbox) {
        let effects = self.table.take_effects();
        self.keep(&effects, outbox);
        for effect in effects {
            match effect {
                Effect::Broadcast(event) => self.broadcast(&event, outbox),
                Effect::Tell(token, answer) => {
                    if matches!(answer, Answer::Refused { .. }) {
                        self.metrics.refusal();
                    }
                    outbox.tell(&token, &answer);
                }
                Effect::Think(task) => self.let_think(task, values, outbox.pages()),
                Effect::Robot(task) => {
                    let done = self.robot.carry_out(&task);
                    let messages = self.messages.clone();
                    tokio::spawn(async move {
                        if let Err(error) = done.await {
                            tracing::warn!(%error, ?task, "robot");
                        }
                        call(&messages, Call::RobotDone).await;
                    });
                }
                Effect::Store(_) => {}
            }
        }
    }

    /// Keeps all records among the effects as one change: a game's last turn and its result belong together.
    fn keep(&self, effects: &[Effect], outbox: &mut Outbox) {
        let records: Vec<Record> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Store(record) => Some(record.clone()),
                _ => None,
            })
            .collect();
        if records.is_empty() {
            return;
        }
        for record in &records {
            self.metrics.record(record);
        }
        let at = jiff::Timestamp::now();
        let ticket = self.storage.keep(move |connection| {
            records.iter().try_for_each(|record| records::write(connection, record, at))
        });
        outbox.hold_until(ticket);
    }

    fn broadcast(&mut self, event: &Event, outbox: &mut Outbox) {
        match event {
            Event::TurnTree { .. } | Event::Comment { .. } => {
                self.latest_tree = outbox.broadcast_to_watchers(event);
                return;
            }
            Event::GameStart { .. } | Event::TableFree => self.latest_tree = None,
            Event::GameOver { .. } | Event::GameDraw { .. } | Event::GameEnded { .. } => {
                self.refresh_statistics();
            }
            _ => {}
        }
        outbox.broadcast(event);
    }

    /// Asks for today's figures once everything that was kept so far is stored.
    fn refresh_statistics(&self) {
        let (storage, messages) = (self.storage.clone(), self.messages.clone());
        let ticket = storage.newest();
        tokio::spawn(async move {
            // If it cannot be stored now, the figures are those of what is.
            drop(storage.stored(ticket).await);
            let today = Some(figures::start_of_today());
            match storage.read(move |connection| figures::statistics(connection, today)).await {
                Ok(statistics) => call(&messages, Call::Statistics(statistics)).await,
                Err(error) => tracing::error!(%error, "statistics"),
            }
        });
    }

    fn set_statistics(&mut self, statistics: Statistics, outbox: &mut Outbox) {
        if statistics != self.statistics {
            self.statistics = statistics;
            outbox.broadcast(&Event::Statistics { statistics });
        }
    }

    fn let_think(&self, task: ThinkTask, values: &Values, pages: usize) {
        let (think, values, messages) = (Arc::clone(&self.think), values.clone(), self.messages.clone());
        let storage = self.storage.clone();
        let asked = task.clone();
        // Everyone has the turn before the machine's answer, with its large explanation, goes out to everyone.
        let pause = Duration::from_millis(LevelSettings::from_values(&values).answer_after_ms.into());
        let pause = pause.max(PER_PAGE * pages as u32);
        let earliest = tokio::time::Instant::now() + pause;
        let thinking = tokio::task::spawn_blocking(move || {
            let past = || past_games(&storage, &task);
            Box::new(think(&task, &past, &values))
        });
        tokio::spawn(async move {
            let turn = thinking.await.unwrap_or_else(|error| {
                // A panic costs the machine its thought, never a visitor the game.
                tracing::error!(%error, "the machine failed to think");
                Box::new(thoughtless(&asked))
            });
            tokio::time::sleep_until(earliest).await;
            call(&messages, Call::Decided { game: asked.game, ply: asked.ply, turn }).await;
        });
    }

    // ---- What pages show ----

    /// The last explanation, for those who begin to watch now.
    pub fn latest_tree(&self) -> Option<Utf8Bytes> {
        self.latest_tree.clone()
    }

    /// The seat of a visitor.
    pub fn seat(&self, token: &Token) -> Option<Seat> {
        self.table.seat(token)
    }

    /// Whether a visitor waits in line.
    pub fn is_waiting(&self, token: &Token) -> bool {
        self.table.is_waiting(token)
    }

    /// Where a visitor stands in line.
    pub fn place(&self, token: &Token, now: Duration) -> Option<Place> {
        self.table.place(token, now)
    }

    /// Seconds left to answer the open question, if this visitor has one.
    pub fn question_s(&self, token: &Token, now: Duration) -> Option<u64> {
        self.table.question_s(token, now)
    }

    /// What the whole state of the hall says of this cabinet.
    pub fn shown(&self, now: Duration) -> Shown {
        Shown {
            table: self.table.state(),
            waiting: self.table.waiting_name(),
            queue: self.table.line_length(),
            game: self.table.game_view(now),
            robot: self.robot.view(),
            statistics: self.statistics,
        }
    }

    /// Lets go of the robot.
    pub async fn close(self) {
        self.robot.stop().await;
    }
}

/// The cabinet's part of the state of the hall.
#[derive(Debug)]
pub struct Shown {
    pub table: TableState,
    pub waiting: Option<Name>,
    pub queue: usize,
    pub game: Option<GameView>,
    pub robot: super::event::RobotView,
    pub statistics: Statistics,
}

/// The visitor's earlier games, for the level that learns from them.
fn past_games(storage: &Storage, task: &ThinkTask) -> Vec<PastGame> {
    let Some(name) = task.visitor.clone().filter(|_| task.level == Level::Adaptive) else {
        return Vec::new();
    };
    let level = task.level;
    let past =
        storage.read_blocking(move |connection| archive::games_against(connection, name.as_str(), level));
    past.unwrap_or_else(|error| {
        tracing::error!(%error, "a visitor's earlier games");
        Vec::new()
    })
}

async fn call(messages: &mpsc::WeakSender<Message>, call: Call) {
    if let Some(messages) = messages.upgrade() {
        // The hall may be closing.
        drop(messages.send(Message::Call(call)).await);
    }
}
