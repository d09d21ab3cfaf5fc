//! What time does to the table: questions, dropped players, patience with the robot, results that have been shown, demos.

use std::time::Duration;

use super::{Game, Seated, Table};
use crate::cabinets::connect_four::EndReason;
use crate::cabinets::connect_four::event::Answer;

impl Table {
    /// Time passes: questions, dropped players, results that have been shown, demos.
    pub fn tick(&mut self, now: Duration) {
        self.drop_absent(now);
        self.check_robot_patience(now);
        self.check_inactivity(now);
        self.play_decided(now);
        let shown = |game: &Game| game.is_over() && now >= game.ended_at + self.settings.result_for;
        if self.game.as_ref().is_some_and(shown) {
            self.free_table(now);
        }
        self.start_demo(now);
    }

    fn start_demo(&mut self, now: Duration) {
        let idle = self.game.is_none()
            && self.waiting.is_none()
            && now >= self.idle_since + self.settings.demo_after;
        if self.settings.demo && idle && self.robot_is_free() && self.robot_fault_since.is_none() {
            let (red, yellow) = self.settings.demo_levels;
            self.start_game(Seated::Machine(red), Seated::Machine(yellow), now);
        }
    }

    fn check_inactivity(&mut self, now: Duration) {
        if !self.robot_is_free() || self.robot_fault_since.is_some() {
            return; // Nobody is asked while the robot keeps them waiting.
        }
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) else { return };
        let disc = game.to_move();
        let Some(token) = game.seated(disc).token().cloned() else { return };
        let quiet = now.saturating_sub(game.turn_since);
        if quiet >= self.settings.question_after + self.settings.drop_after {
            self.win_without_four(disc.other(), EndReason::Inactive, now);
        } else if quiet >= self.settings.question_after && !game.asked {
            game.asked = true;
            self.tell(&token, Answer::Inactivity { seconds: self.settings.drop_after.as_secs() });
        }
    }

    fn drop_absent(&mut self, now: Duration) {
        let limit = self.settings.reconnect_within;
        let gone: Vec<_> = self
            .away
            .iter()
            .filter(|(_, since)| now >= **since + limit)
            .map(|(token, _)| token.clone())
            .collect();
        for token in gone {
            self.leave(&token, now);
        }
    }

    fn check_robot_patience(&mut self, now: Duration) {
        let (Some(fault), Some(game)) = (self.robot_fault_since, &self.game) else { return };
        let since = fault.max(game.started_at);
        if !game.is_over() && now >= since + self.settings.robot_patience {
            self.end_without_result(EndReason::Robot, now);
        }
    }
}
