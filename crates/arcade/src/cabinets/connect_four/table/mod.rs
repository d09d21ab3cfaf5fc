//! The table: who sits, who waits, whose turn it is, and when it ends. Pure:
//! it reads no clock and does no input or output; it turns what happened into
//! [`Effect`]s, which the [cabinet](super::ConnectFour) carries out (C1, C2, C6, C8).

mod clock;
mod effect;
mod game;
mod view;

use std::collections::BTreeMap;
use std::time::Duration;

use connect_four::{Column, Level, Position};

use self::game::Game;
use super::event::{Answer, Event, ExplainedTurn, Opponent, Refusal, RobotStatus};
use super::records::Record;
use super::{Colour, EndReason, GameNumber, Outcome};
use crate::visitor::{Name, Token};

pub use effect::{Effect, RobotTask, ThinkTask};
pub use game::Seated;

/// What the table is told to do differently; the operator may change it at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSettings {
    /// A player who does not move is asked after this time …
    pub question_after: Duration,
    /// … and loses the seat after this further time.
    pub drop_after: Duration,
    /// How long a seat is kept without a connection.
    pub reconnect_within: Duration,
    /// How long a result stays on the table.
    pub result_for: Duration,
    /// How long a broken robot is waited for in a game.
    pub robot_patience: Duration,
    /// Whether machines play when nobody does.
    pub demo: bool,
    /// After how much quiet a demo begins.
    pub demo_after: Duration,
    /// Time between two turns of a demo.
    pub demo_pace: Duration,
    /// Who plays red and yellow in a demo.
    pub demo_levels: (Level, Level),
}

/// Someone who waits for a human opponent.
#[derive(Clone, Debug)]
struct Waiting {
    token: Token,
    name: Name,
}

/// One table, one robot, one game at a time.
#[derive(Debug)]
pub struct Table {
    settings: TableSettings,
    waiting: Option<Waiting>,
    game: Option<Game>,
    next_game: GameNumber,
    /// Since when nothing has happened at a free table.
    idle_since: Duration,
    /// Visitors with a seat or waiting who have no connection, and since when.
    away: BTreeMap<Token, Duration>,
    robot: RobotStatus,
    robot_fault_since: Option<Duration>,
    /// Robot tasks that are not done yet.
    robot_tasks: usize,
    robot_board_empty: bool,
    effects: Vec<Effect>,
}

impl Table {
    /// A free table; games are numbered from `next_game`.
    pub fn new(settings: TableSettings, next_game: GameNumber, now: Duration) -> Self {
        Self {
            settings,
            waiting: None,
            game: None,
            next_game,
            idle_since: now,
            away: BTreeMap::new(),
            robot: RobotStatus::Off,
            robot_fault_since: None,
            robot_tasks: 0,
            robot_board_empty: false,
            effects: Vec::new(),
        }
    }

    /// Puts a game back that a restart interrupted; its players have the usual time to come back.
    pub fn resume(
        &mut self,
        number: GameNumber,
        red: Seated,
        yellow: Seated,
        moves: &[Column],
        now: Duration,
    ) {
        let mut position = Position::EMPTY;
        for column in moves {
            let Ok(next) = position.play(*column) else { return };
            position = next;
        }
        if position.is_over() {
            return;
        }
        let game = Game { moves: moves.to_vec(), position, ..Game::new(number, red, yellow, now) };
        for (_, token, _) in game.humans() {
            self.away.insert(token.clone(), now);
        }
        self.next_game = self.next_game.max(number.next());
        self.game = Some(game);
        self.let_machine_think();
    }

    /// What must be done now; empties the list.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    // ---- What visitors wish ----

    /// A visitor wants to play (C6).
    pub fn signup(&mut self, token: &Token, name: &str, opponent: Opponent, accept: bool, now: Duration) {
        let Ok(name) = Name::new(name) else { return self.tell(token, Answer::NameInvalid) };
        if self.seat(token).is_some() || self.is_waiting(token) {
            return self.tell(token, Answer::TableBusy);
        }
        if self.name_is_taken(&name) {
            return self.tell(token, Answer::NameTaken);
        }
        if self.game.as_ref().is_some_and(|game| !game.is_demo()) {
            return self.tell(token, Answer::TableBusy);
        }
        self.interrupt_demo(now);
        match (opponent, self.waiting.take()) {
            (Opponent::Machine(_), Some(waiting)) if !accept => {
                let name = waiting.name.clone();
                self.waiting = Some(waiting);
                self.tell(token, Answer::NoVirtual { waiting: name });
            }
            (_, Some(waiting)) => {
                self.tell(token, Answer::NameValid { name: name.clone() });
                let red = Seated::Human { token: waiting.token, name: waiting.name };
                self.start_game(red, Seated::Human { token: token.clone(), name }, now);
            }
            (Opponent::Machine(level), None) => {
                self.tell(token, Answer::NameValid { name: name.clone() });
                self.start_game(Seated::Human { token: token.clone(), name }, Seated::Machine(level), now);
            }
            (Opponent::Human, None) => {
                self.tell(token, Answer::NameValid { name: name.clone() });
                self.waiting = Some(Waiting { token: token.clone(), name: name.clone() });
                self.broadcast(Event::GameSignup { name });
            }
        }
    }

    /// A visitor drops a disc.
    pub fn turn(&mut self, token: &Token, column: Column, now: Duration) {
        let robot_free = self.robot_is_free();
        let faulty = self.robot_fault_since.is_some();
        let refusal = match &mut self.game {
            None => Some(Refusal::NoGame),
            Some(game) => match game.disc_of(token) {
                None => Some(Refusal::NotSeated),
                Some(_) if game.is_over() => Some(Refusal::NoGame),
                Some(disc) if disc != game.to_move() => Some(Refusal::NotYourTurn),
                Some(_) if faulty => Some(Refusal::RobotFault),
                Some(_) if !robot_free => Some(Refusal::RobotBusy),
                Some(_) if !game.position.has_room(column) => Some(Refusal::ColumnFull),
                Some(_) => None,
            },
        };
        match refusal {
            Some(refusal) => self.tell(token, refusal.answer()),
            None => self.play(column, None, now),
        }
    }

    /// A visitor gives up seat, game or waiting.
    pub fn leave(&mut self, token: &Token, now: Duration) {
        self.away.remove(token);
        if self.is_waiting(token) {
            return self.stop_waiting(now);
        }
        let Some(game) = &self.game else { return self.tell(token, Refusal::NotSeated.answer()) };
        let Some(disc) = game.disc_of(token) else { return self.tell(token, Refusal::NotSeated.answer()) };
        if !game.is_over() {
            self.win_without_four(disc.other(), EndReason::Left, now);
        }
        // The leaver's seat is free at once; the table when nobody is left to look at the result.
        let Some(game) = &mut self.game else { return };
        let seat = match disc {
            Colour::Red => &mut game.red,
            Colour::Yellow => &mut game.yellow,
        };
        if let Seated::Human { name, .. } = seat {
            *seat = Seated::Left(name.clone());
        }
        if game.humans().next().is_none() {
            self.free_table(now);
        }
    }

    /// A visitor is still there (C8).
    pub fn stay(&mut self, token: &Token, now: Duration) {
        if let Some(game) = &mut self.game
            && !game.is_over()
            && game.disc_of(token) == Some(game.to_move())
        {
            game.turn_since = now;
            game.asked = false;
        }
    }

    /// A visitor wants another game against the same opponent.
    pub fn rematch(&mut self, token: &Token, now: Duration) {
        let Some(game) = self.game.as_mut().filter(|game| game.is_over()) else {
            return self.tell(token, Refusal::NoGame.answer());
        };
        let Some(disc) = game.disc_of(token) else { return self.tell(token, Refusal::NotSeated.answer()) };
        if !game.rematch_wanted.contains(token) {
            game.rematch_wanted.push(token.clone());
        }
        match game.seated(disc.other()) {
            Seated::Left(_) => self.tell(token, Refusal::NoGame.answer()),
            Seated::Human { token: other, .. } if !game.rematch_wanted.contains(other) => {
                let (other, name) = (other.clone(), game.seated(disc).side().name);
                self.tell(&other, Answer::RematchOffer { name });
            }
            Seated::Human { .. } | Seated::Machine(_) => {
                // Colours are exchanged: whoever was second begins.
                let (red, yellow) = (game.yellow.clone(), game.red.clone());
                self.game = None;
                self.start_game(red, yellow, now);
            }
        }
    }

    /// A visitor's page is connected (again).
    pub fn connected(&mut self, token: &Token) {
        self.away.remove(token);
    }

    /// A visitor's last page has lost its connection; the seat is kept for a while.
    pub fn disconnected(&mut self, token: &Token, now: Duration) {
        if self.seat(token).is_some() || self.is_waiting(token) {
            self.away.insert(token.clone(), now);
        }
    }

    // ---- What the machine, the robot, the operator and time do ----

    /// The machine has decided.
    pub fn decided(
        &mut self,
        game_number: GameNumber,
        ply: u32,
        decision: Box<ExplainedTurn>,
        now: Duration,
    ) {
        let Some(game) = self.game.as_mut().filter(|game| game.number == game_number && !game.is_over())
        else {
            return; // The game ended while the machine was thinking.
        };
        if game.moves.len() as u32 + 1 != ply {
            return;
        }
        // Shown before the robot moves, so that people can follow the thought (UC5).
        let event = Event::TurnTree { game: game_number, ply, decision: decision.clone() };
        game.decided = Some(decision);
        self.broadcast(event);
        self.play_decided(now);
    }

    /// The robot's state has changed.
    pub fn robot_changed(&mut self, status: RobotStatus, text: Option<&str>, now: Duration) {
        let was_faulty = self.robot_fault_since.is_some();
        self.robot = status;
        match status {
            RobotStatus::Error | RobotStatus::Lost => {
                self.robot_fault_since.get_or_insert(now);
                if !was_faulty && let Some(game) = self.game.as_ref().filter(|game| !game.is_over()) {
                    let record =
                        Record::Fault { game: game.number, text: text.unwrap_or("fault").to_owned() };
                    self.effects.push(Effect::Store(record));
                }
            }
            RobotStatus::Off | RobotStatus::Ready | RobotStatus::Busy => {
                if was_faulty {
                    self.robot_fault_since = None;
                    self.restart_turn_clock(now);
                }
            }
        }
        self.play_decided(now);
    }

    /// The robot has done a task, or it was given up.
    pub fn robot_done(&mut self, now: Duration) {
        self.robot_tasks = self.robot_tasks.saturating_sub(1);
        if self.robot_tasks == 0 {
            self.restart_turn_clock(now);
            self.play_decided(now);
        }
    }

    /// The operator ends the game; false if there is none.
    pub fn end_by_operator(&mut self, now: Duration) -> bool {
        let running = self.game.as_ref().is_some_and(|game| !game.is_over());
        if running {
            self.end_without_result(EndReason::Operator, now);
            self.free_table(now);
        }
        running
    }

    /// The operator changed something.
    pub fn set_settings(&mut self, settings: TableSettings) {
        self.settings = settings;
    }

    // ---- Inner workings ----

    fn start_game(&mut self, red: Seated, yellow: Seated, now: Duration) {
        let number = self.next_game;
        self.next_game = number.next();
        let game = Game::new(number, red, yellow, now);
        let (red, yellow, demo) = (game.red.side(), game.yellow.side(), game.is_demo());
        self.effects.push(Effect::Store(Record::Started {
            game: number,
            red: red.clone(),
            yellow: yellow.clone(),
            red_token: game.red.token().cloned(),
            yellow_token: game.yellow.token().cloned(),
            demo,
        }));
        self.game = Some(game);
        self.broadcast(Event::GameStart { game: number, red, yellow, demo });
        self.empty_robot_board();
        self.let_machine_think();
    }

    fn play(&mut self, column: Column, think_ms: Option<u64>, now: Duration) {
        let Some(game) = &mut self.game else { return };
        let (Some(cell), Ok(position)) = (game.position.landing(column), game.position.play(column)) else {
            return;
        };
        let disc = game.to_move();
        game.position = position;
        game.moves.push(column);
        game.turn_since = now;
        game.asked = false;
        let (number, ply) = (game.number, game.moves.len() as u32);
        let next = (!position.is_over()).then(|| disc.other());
        // Stored before anyone hears of it: a turn that was seen is never lost.
        self.effects.push(Effect::Store(Record::Turn { game: number, ply, column, think_ms }));
        self.broadcast(Event::Turn { game: number, ply, disc, column, row: cell.row, next, think_ms });
        self.robot_board_empty = false;
        self.robot_task(RobotTask::Drop { disc, column });
        match position.outcome() {
            connect_four::Outcome::Open => self.let_machine_think(),
            connect_four::Outcome::Draw => {
                self.finish(Outcome::Draw, now);
                self.robot_task(RobotTask::ShowDraw);
            }
            connect_four::Outcome::Won { winner, cells } => {
                let winner = Colour::from(winner);
                self.finish(Outcome::Won { winner, cells: cells.clone(), reason: EndReason::Four }, now);
                self.robot_task(RobotTask::ShowWin { disc: winner, cells });
            }
        }
    }

    fn play_decided(&mut self, now: Duration) {
        let robot_free = self.robot_is_free() && self.robot_fault_since.is_none();
        let pace = self.settings.demo_pace;
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) else { return };
        let paced = !game.is_demo() || now >= game.turn_since + pace;
        if robot_free
            && paced
            && let Some(decision) = game.decided.take()
        {
            self.play(decision.column, Some(decision.think_ms), now);
        }
    }

    fn let_machine_think(&mut self) {
        let Some(game) = &self.game else { return };
        let Seated::Machine(level) = *game.seated(game.to_move()) else { return };
        let visitor = game.humans().next().map(|(_, _, name)| name.clone());
        self.effects.push(Effect::Think(ThinkTask {
            game: game.number,
            ply: game.moves.len() as u32 + 1,
            level,
            moves: game.moves.clone(),
            visitor,
        }));
    }

    fn finish(&mut self, result: Outcome, now: Duration) {
        let Some(game) = &mut self.game else { return };
        game.result = Some(result.clone());
        game.ended_at = now;
        game.decided = None;
        let number = game.number;
        let record = Record::Ended {
            game: number,
            result: result.kind(),
            winner: result.winner(),
            reason: result.reason(),
        };
        let event = match result {
            Outcome::Draw => Event::GameDraw { game: number },
            Outcome::Won { winner, cells, reason } => {
                let name = game.seated(winner).side().name;
                Event::GameOver { game: number, winner, name, cells, reason }
            }
            Outcome::Ended(reason) => Event::GameEnded { game: number, reason },
        };
        self.effects.push(Effect::Store(record));
        self.broadcast(event);
    }

    fn win_without_four(&mut self, winner: Colour, reason: EndReason, now: Duration) {
        self.finish(Outcome::Won { winner, cells: Vec::new(), reason }, now);
    }

    fn end_without_result(&mut self, reason: EndReason, now: Duration) {
        self.finish(Outcome::Ended(reason), now);
    }

    fn free_table(&mut self, now: Duration) {
        if let Some(game) = self.game.take() {
            for (_, token, _) in game.humans() {
                self.away.remove(token);
            }
        }
        self.idle_since = now;
        self.broadcast(Event::TableFree);
        self.empty_robot_board();
    }

    fn stop_waiting(&mut self, now: Duration) {
        if let Some(waiting) = self.waiting.take() {
            self.idle_since = now;
            self.broadcast(Event::VisitorLeft { name: waiting.name });
        }
    }

    fn interrupt_demo(&mut self, now: Duration) {
        let Some(game) = &self.game else { return };
        if !game.is_over() {
            self.end_without_result(EndReason::Interrupted, now);
        }
        self.free_table(now);
    }

    fn restart_turn_clock(&mut self, now: Duration) {
        if let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) {
            game.turn_since = now;
            game.asked = false;
        }
    }

    fn robot_is_free(&self) -> bool {
        self.robot_tasks == 0
    }

    fn empty_robot_board(&mut self) {
        if !self.robot_board_empty {
            self.robot_board_empty = true;
            self.robot_task(RobotTask::NewGame);
        }
    }

    fn robot_task(&mut self, task: RobotTask) {
        if self.robot != RobotStatus::Off {
            self.robot_tasks += 1;
            self.effects.push(Effect::Robot(task));
        }
    }

    fn name_is_taken(&self, name: &Name) -> bool {
        let seated = self.game.iter().flat_map(Game::humans).map(|(_, _, name)| name);
        seated.chain(self.waiting.iter().map(|waiting| &waiting.name)).any(|taken| taken.is_like(name))
    }

    fn broadcast(&mut self, event: Event) {
        self.effects.push(Effect::Broadcast(event));
    }

    fn tell(&mut self, token: &Token, answer: Answer) {
        self.effects.push(Effect::Tell(token.clone(), answer));
    }
}

#[cfg(test)]
mod tests;
