//! What time does to the table: questions, dropped players, patience with the robot, results that have been shown, demos.

use std::time::Duration;

use super::game::{Game, Seated};
use super::{Table, Token};
use crate::cabinets::connect_four::EndReason;
use crate::cabinets::connect_four::event::Answer;

impl Table {
    /// Time passes.
    pub fn tick(&mut self, now: Duration) {
        self.drop_absent(now);
        self.check_robot_patience(now);
        self.check_inactivity(now);
        self.check_line(now);
        self.play_decided(now);
        let shown = |game: &Game| game.is_over() && now >= game.ended_at + self.settings.result_for;
        if self.game.as_ref().is_some_and(shown) {
            self.free_table(now);
        }
        self.start_demo(now);
    }

    fn start_demo(&mut self, now: Duration) {
        let idle = self.game.is_none()
            && self.line.entries.is_empty()
            && now >= self.idle_since + self.settings.demo_after;
        if self.settings.demo && idle && self.robot.is_free() {
            let (red, yellow) = self.settings.demo_levels;
            self.start_game(Seated::Machine(red), Seated::Machine(yellow), now);
        }
    }

    fn check_inactivity(&mut self, now: Duration) {
        if self.robot_holds_game() && !self.robot.is_faulty() {
            return; // Nobody is asked while the arm moves.
        }
        let settings = &self.settings;
        let Some(game) = self.game.as_mut().filter(|game| !game.is_over()) else { return };
        let disc = game.to_move();
        let Some(token) = game.seated(disc).token().cloned() else { return };
        let quiet = now.saturating_sub(game.turn_since);
        let too_long = now.saturating_sub(game.turn_began) >= settings.turn_at_most;
        if too_long || quiet >= settings.question_after + settings.drop_after {
            self.win_without_four(disc.other(), EndReason::Inactive, now);
        } else if quiet >= settings.question_after && !game.asked {
            game.asked = true;
            let seconds = settings.drop_after.as_secs();
            self.tell(&token, Answer::Inactivity { seconds });
        }
    }

    /// Whoever waits in line is asked as well, and gives up the place without an answer.
    fn check_line(&mut self, now: Duration) {
        let (question, drop) = (self.settings.waiting_question_after, self.settings.drop_after);
        let mut asked: Vec<Token> = Vec::new();
        let mut silent: Vec<Token> = Vec::new();
        for entry in &mut self.line.entries {
            let quiet = now.saturating_sub(entry.heard);
            if quiet >= question + drop {
                silent.push(entry.token.clone());
            } else if quiet >= question && !entry.asked {
                entry.asked = true;
                asked.push(entry.token.clone());
            }
        }
        for token in asked {
            self.tell(&token, Answer::Inactivity { seconds: drop.as_secs() });
        }
        for token in silent {
            self.tell(&token, Answer::Dropped);
            self.leave_line(&token, now);
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
}
