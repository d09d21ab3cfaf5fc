//! Playing: games begin, discs fall, the machine is asked, games end.

use std::time::Duration;

use connect_four::{Column, Level};

use super::Table;
use super::effect::{Effect, Purpose, RobotTask, ThinkTask};
use super::game::{Game, Seated};
use crate::cabinets::connect_four::event::{Event, ExplainedTurn, Why};
use crate::cabinets::connect_four::records::Record;
use crate::cabinets::connect_four::{Colour, EndReason, GameNumber, Outcome};

impl Table {
    /// The machine has decided.
    pub fn decided(&mut self, number: GameNumber, ply: u32, turn: Box<ExplainedTurn>, now: Duration) {
        let Some(game) = self.game.as_mut().filter(|game| game.number == number && !game.is_over()) else {
            return; // The game ended while the machine was thinking.
        };
        if game.moves.len() as u32 + 1 != ply {
            return;
        }
        if game.is_between_people() {
            return self.broadcast(Event::Comment { game: number, ply, decision: turn });
        }
        // Shown before the robot moves, so that people can follow the thought (UC5).
        let event = Event::TurnTree { game: number, ply, decision: turn.clone() };
        game.decided = Some(turn);
        self.broadcast(event);
        self.play_decided(now);
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

    pub(super) fn start_game(&mut self, red: Seated, yellow: Seated, now: Duration) {
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
        self.empty_robot_board(now);
        self.let_machine_think();
    }

    pub(super) fn play(&mut self, column: Column, thought: Option<&ExplainedTurn>, now: Duration) {
        let think_ms = thought.map(|turn| turn.think_ms);
        let reason = thought.map(|turn| turn.reason.clone());
        let Some(game) = &mut self.game else { return };
        let (Some(cell), Ok(position)) = (game.position.landing(column), game.position.play(column)) else {
            return;
        };
        let disc = game.to_move();
        game.position = position;
        game.moves.push(column);
        game.begin_turn(now);
        if let Some(reason) = reason.clone() {
            game.why = Some(Why { disc, column, reason });
        }
        let (number, ply) = (game.number, game.moves.len() as u32);
        let next = (!position.is_over()).then(|| disc.other());
        // Stored before anyone hears of it: a turn that was seen is never lost.
        self.effects.push(Effect::Store(Record::Turn { game: number, ply, column, think_ms }));
        let row = cell.row;
        self.broadcast(Event::Turn { game: number, ply, disc, column, row, next, think_ms, reason });
        self.robot_task(RobotTask::Drop { disc, column }, now);
        match position.outcome() {
            connect_four::Outcome::Open => self.let_machine_think(),
            connect_four::Outcome::Draw => {
                self.finish(Outcome::Draw, now);
                self.robot_task(RobotTask::ShowDraw, now);
            }
            connect_four::Outcome::Won { winner, cells } => {
                let winner = Colour::from(winner);
                self.finish(Outcome::Won { winner, cells: cells.clone(), reason: EndReason::Four }, now);
                self.robot_task(RobotTask::ShowWin { disc: winner, cells }, now);
            }
        }
    }

    /// Plays the machine's turn once the robot is free and its time has come.
    pub(super) fn play_decided(&mut self, now: Duration) {
        if self.robot_holds_game() {
            return;
        }
        let pace = self.settings.demo_pace;
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) else { return };
        let paced = !game.is_demo() || now >= game.turn_since + pace;
        if paced && let Some(turn) = game.decided.take() {
            self.play(turn.column, Some(&turn), now);
        }
    }

    pub(super) fn let_machine_think(&mut self) {
        let Some(game) = &self.game else { return };
        let (level, purpose) = match *game.seated(game.to_move()) {
            Seated::Machine(level) => (level, Purpose::Play),
            // People hear what the machine, at its best, thinks of their game.
            _ if game.is_between_people() => (Level::Perfect, Purpose::Comment),
            Seated::Human { .. } | Seated::Left(_) => return,
        };
        let visitor = game.humans().next().map(|(_, _, name)| name.clone());
        self.effects.push(Effect::Think(ThinkTask {
            game: game.number,
            ply: game.moves.len() as u32 + 1,
            level,
            purpose,
            moves: game.moves.clone(),
            visitor,
        }));
    }

    pub(super) fn finish(&mut self, result: Outcome, now: Duration) {
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
        let free_in_s = self.settings.result_for.as_secs();
        let event = match result {
            Outcome::Draw => Event::GameDraw { game: number, free_in_s },
            Outcome::Won { winner, cells, reason } => {
                let name = game.seated(winner).side().name;
                Event::GameOver { game: number, winner, name, cells, reason, free_in_s }
            }
            Outcome::Ended(reason) => Event::GameEnded { game: number, reason, free_in_s },
        };
        if !game.is_demo() {
            let took = now.saturating_sub(game.started_at);
            self.line.game_took(took);
        }
        self.effects.push(Effect::Store(record));
        self.broadcast(event);
    }

    pub(super) fn win_without_four(&mut self, winner: Colour, reason: EndReason, now: Duration) {
        self.finish(Outcome::Won { winner, cells: Vec::new(), reason }, now);
    }

    pub(super) fn end_without_result(&mut self, reason: EndReason, now: Duration) {
        self.finish(Outcome::Ended(reason), now);
    }

    /// Clears the table and gives it to whoever is next.
    pub(super) fn free_table(&mut self, now: Duration) {
        if let Some(game) = self.game.take() {
            for (_, token, _) in game.humans() {
                self.away.remove(token);
            }
        }
        self.idle_since = now;
        self.broadcast(Event::TableFree);
        self.empty_robot_board(now);
        self.seat_next(now);
    }

    pub(super) fn interrupt_demo(&mut self, now: Duration) {
        let Some(game) = self.game.take() else { return };
        let over = game.is_over();
        self.game = Some(game);
        if !over {
            self.end_without_result(EndReason::Interrupted, now);
        }
        self.game = None;
        self.idle_since = now;
        self.broadcast(Event::TableFree);
        self.empty_robot_board(now);
    }

    pub(super) fn restart_turn_clock(&mut self, now: Duration) {
        if let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) {
            game.begin_turn(now);
        }
    }
}
