//! What visitors wish, and when they come and go.

use std::time::Duration;

use connect_four::Column;

use super::Table;
use super::game::Seated;
use super::line::Entry;
use crate::cabinets::connect_four::event::{Answer, Event, Opponent, Refusal};
use crate::cabinets::connect_four::{Colour, EndReason};
use crate::visitor::{Name, Token};

/// What a visitor says to somebody who waits for a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToWaiting {
    /// Nothing yet: the visitor is asked.
    #[default]
    Ask,
    /// Plays against that person, whatever was chosen.
    Accept,
    /// Plays the machine all the same.
    Decline,
}

impl Table {
    /// A visitor wants to play (C6); whoever cannot at once waits in line.
    pub fn signup(
        &mut self,
        token: &Token,
        name: &str,
        opponent: Opponent,
        waiting: ToWaiting,
        now: Duration,
    ) {
        let Ok(name) = Name::new(name) else { return self.tell(token, Answer::NameInvalid) };
        if self.seat(token).is_some() || self.line.of(token).is_some() {
            return self.tell(token, Answer::TableBusy);
        }
        if self.name_is_taken(&name) {
            return self.tell(token, Answer::NameTaken);
        }
        if self.line.entries.len() >= self.settings.line_at_most {
            return self.tell(token, Answer::TableBusy);
        }
        let waits = self.line.waits_for_human().map(|entry| entry.name.clone());
        let opponent = match (opponent, waits, waiting) {
            (Opponent::Machine(_), Some(waiting), ToWaiting::Ask) => {
                return self.tell(token, Answer::NoVirtual { waiting });
            }
            (_, Some(_), ToWaiting::Accept) => Opponent::Human,
            (opponent, ..) => opponent,
        };
        self.tell(token, Answer::NameValid { name: name.clone() });
        let alone = opponent == Opponent::Human && self.line.waits_for_human().is_none();
        let entry = Entry { token: token.clone(), name: name.clone(), opponent, heard: now, asked: false };
        self.line.entries.push(entry);
        if alone {
            self.broadcast(Event::GameSignup { name });
        }
        self.seat_next(now);
        if self.line.of(token).is_some() {
            self.line_changed(now);
        }
    }

    /// A visitor drops a disc.
    pub fn turn(&mut self, token: &Token, column: Column, now: Duration) {
        let (held, faulty) = (self.robot_holds_game(), self.robot.is_faulty());
        let refusal = match &self.game {
            None => Some(Refusal::NoGame),
            Some(game) => match game.disc_of(token) {
                None => Some(Refusal::NotSeated),
                Some(_) if game.is_over() => Some(Refusal::NoGame),
                Some(disc) if disc != game.to_move() => Some(Refusal::NotYourTurn),
                Some(_) if held && faulty => Some(Refusal::RobotFault),
                Some(_) if held => Some(Refusal::RobotBusy),
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
        if self.line.of(token).is_some() {
            return self.leave_line(token, now);
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
        if let Some(entry) = self.line.of_mut(token) {
            entry.heard = now;
            entry.asked = false;
        }
        if let Some(game) = &mut self.game
            && !game.is_over()
            && game.disc_of(token) == Some(game.to_move())
        {
            game.turn_since = now;
            game.asked = false;
        }
    }

    /// A visitor wants another game against the same opponent; whoever waits in line comes first.
    pub fn rematch(&mut self, token: &Token, now: Duration) {
        let others_wait = self.somebody_could_play();
        let Some(game) = self.game.as_mut().filter(|game| game.is_over()) else {
            return self.tell(token, Refusal::NoGame.answer());
        };
        let Some(disc) = game.disc_of(token) else { return self.tell(token, Refusal::NotSeated.answer()) };
        if others_wait {
            return self.tell(token, Refusal::OthersWait.answer());
        }
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
                self.line_changed(now);
            }
        }
    }

    /// A visitor's page is connected (again).
    pub fn connected(&mut self, token: &Token, now: Duration) {
        if self.away.remove(token).is_some() && self.line.of(token).is_some() {
            // Perhaps the table has been free meanwhile.
            self.seat_next(now);
        }
    }

    /// A visitor's last page has lost its connection; the seat, or the place in line, is kept for a while.
    pub fn disconnected(&mut self, token: &Token, now: Duration) {
        if self.seat(token).is_some() || self.line.of(token).is_some() {
            self.away.insert(token.clone(), now);
        }
    }

    fn name_is_taken(&self, name: &Name) -> bool {
        let seated = self.game.iter().flat_map(super::Game::humans).map(|(_, _, name)| name);
        seated.chain(self.line.entries.iter().map(|entry| &entry.name)).any(|taken| taken.is_like(name))
    }
}
