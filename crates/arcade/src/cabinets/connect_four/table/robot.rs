//! The table and the robot: what it still has to do, how long it may take, and how a game goes on without it (C11).

use std::time::Duration;

use super::Table;
use super::effect::{Effect, RobotTask};
use crate::cabinets::connect_four::EndReason;
use crate::cabinets::connect_four::event::{Event, Refusal, RobotStatus};
use crate::cabinets::connect_four::records::Record;
use crate::visitor::Token;

/// What the robot keeps the table waiting for.
#[derive(Debug)]
pub(super) struct Hold {
    status: RobotStatus,
    fault: bool,
    /// Tasks that are not done yet.
    tasks: usize,
    /// Since when it has kept the table waiting without finishing what it was given. A fault that comes and goes, or a
    /// board that is rebuilt again and again, does not restart it.
    since: Option<Duration>,
    board_empty: bool,
}

impl Default for Hold {
    fn default() -> Self {
        Self { status: RobotStatus::Off, fault: false, tasks: 0, since: None, board_empty: false }
    }
}

impl Hold {
    /// Whether it works and has nothing to do.
    pub(super) fn is_free(&self) -> bool {
        self.tasks == 0 && !self.fault
    }

    /// Whether it cannot go on by itself.
    pub(super) fn is_faulty(&self) -> bool {
        self.fault
    }

    fn update(&mut self, now: Duration) {
        if self.is_free() {
            self.since = None;
        } else {
            self.since.get_or_insert(now);
        }
    }
}

impl Table {
    /// The robot's state has changed.
    pub fn robot_changed(&mut self, status: RobotStatus, text: Option<&str>, now: Duration) {
        let was_faulty = self.robot.fault;
        self.robot.status = status;
        self.robot.fault = matches!(status, RobotStatus::Error | RobotStatus::Lost);
        self.robot.update(now);
        match (was_faulty, self.robot.fault) {
            (false, true) => self.robot_failed(text.unwrap_or("fault"), now),
            (true, false) => self.restart_turn_clock(now),
            (true, true) | (false, false) => {}
        }
        self.play_decided(now);
    }

    /// The robot has done a task, or it was given up.
    pub fn robot_done(&mut self, now: Duration) {
        self.robot.tasks = self.robot.tasks.saturating_sub(1);
        // One disc is done: what comes next has its own time.
        self.robot.since = None;
        self.robot.update(now);
        if self.robot.tasks == 0 {
            self.restart_turn_clock(now);
            self.play_decided(now);
        }
    }

    /// A player does not want to wait for a robot that has failed.
    pub fn go_on_without_robot(&mut self, token: &Token, now: Duration) {
        let Some(game) = self.game.as_ref().filter(|game| !game.is_over()) else {
            return self.tell(token, Refusal::NoGame.answer());
        };
        if game.disc_of(token).is_none() {
            return self.tell(token, Refusal::NotSeated.answer());
        }
        if !self.robot.fault {
            return self.tell(token, Refusal::RobotWorks.answer());
        }
        self.leave_robot_out(now);
    }

    /// Whether the game on the table waits for the robot.
    pub(super) fn robot_holds_game(&self) -> bool {
        !self.robot.is_free() && !self.game.as_ref().is_some_and(|game| game.without_robot)
    }

    pub(super) fn check_robot_patience(&mut self, now: Duration) {
        let (Some(since), Some(game)) = (self.robot.since, &self.game) else { return };
        let since = since.max(game.started_at);
        if !game.is_over() && !game.without_robot && now >= since + self.settings.robot_patience {
            self.end_without_result(EndReason::Robot, now);
        }
    }

    pub(super) fn empty_robot_board(&mut self, now: Duration) {
        if !self.robot.board_empty {
            self.robot.board_empty = true;
            self.robot_task(RobotTask::NewGame, now);
        }
    }

    /// Gives the robot something to do, unless there is none or the game goes on without it.
    pub(super) fn robot_task(&mut self, task: RobotTask, now: Duration) {
        let left_out =
            task != RobotTask::NewGame && self.game.as_ref().is_some_and(|game| game.without_robot);
        if self.robot.status == RobotStatus::Off || left_out {
            return;
        }
        self.robot.board_empty = task == RobotTask::NewGame;
        self.robot.tasks += 1;
        self.robot.update(now);
        self.effects.push(Effect::Robot(task));
    }

    fn robot_failed(&mut self, text: &str, now: Duration) {
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over() && !game.without_robot) else {
            return;
        };
        game.robot_faults += 1;
        let (number, faults) = (game.number, game.robot_faults);
        self.effects.push(Effect::Store(Record::Fault { game: number, text: text.to_owned() }));
        if faults > self.settings.robot_faults_at_most {
            self.leave_robot_out(now);
        }
    }

    fn leave_robot_out(&mut self, now: Duration) {
        let Some(game) = &mut self.game else { return };
        game.without_robot = true;
        let number = game.number;
        self.broadcast(Event::WithoutRobot { game: number });
        self.restart_turn_clock(now);
        self.play_decided(now);
    }
}
