//! The line: everyone who has signed up and does not play yet. First come, first served; whoever waits for a person
//! lets those pass who play the machine, until another person comes.

use std::time::Duration;

use super::Table;
use super::game::Seated;
use crate::cabinets::connect_four::event::{Answer, Event, Opponent, Place};
use crate::visitor::{Name, Token};

/// How long a game takes as long as none has been played.
const USUAL_GAME: Duration = Duration::from_mins(2);

/// Someone in line.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) token: Token,
    pub(super) name: Name,
    pub(super) opponent: Opponent,
    /// When we last knew that somebody is there.
    pub(super) heard: Duration,
    /// "Still there?" was asked.
    pub(super) asked: bool,
}

/// Everyone in line, first come first.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) entries: Vec<Entry>,
    /// What was last told to everyone: how many wait, and who waits for a person.
    told: (usize, Option<Name>),
    /// How long games took lately.
    usual_game: Option<Duration>,
}

impl Line {
    pub(super) fn of(&self, token: &Token) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.token == *token)
    }

    pub(super) fn of_mut(&mut self, token: &Token) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.token == *token)
    }

    /// The first who waits for a person.
    pub(super) fn waits_for_human(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.opponent == Opponent::Human)
    }

    pub(super) fn remove(&mut self, token: &Token) -> Option<Entry> {
        let index = self.entries.iter().position(|entry| entry.token == *token)?;
        Some(self.entries.remove(index))
    }

    /// Learns from a game how long games take.
    pub(super) fn game_took(&mut self, time: Duration) {
        let usual = self.usual_game.unwrap_or(time);
        self.usual_game = Some((usual * 3 + time) / 4);
    }

    fn usual_game(&self) -> Duration {
        self.usual_game.unwrap_or(USUAL_GAME)
    }

    /// Groups of one or two that play together, in the order in which they get the table; whoever waits for a person
    /// alone is in none.
    fn groups(&self) -> Vec<Vec<&Entry>> {
        let mut groups: Vec<Vec<&Entry>> = Vec::new();
        let mut open: Option<usize> = None;
        for entry in &self.entries {
            match (entry.opponent, open) {
                (Opponent::Machine(_), _) => groups.push(vec![entry]),
                (Opponent::Human, Some(index)) => {
                    groups[index].push(entry);
                    open = None;
                }
                (Opponent::Human, None) => {
                    open = Some(groups.len());
                    groups.push(vec![entry]);
                }
            }
        }
        groups.retain(|group| group.len() == 2 || group[0].opponent != Opponent::Human);
        groups
    }
}

impl Table {
    /// Whether somebody in line could play now.
    pub(super) fn somebody_could_play(&self) -> bool {
        self.line.groups().iter().any(|group| self.is_here(group))
    }

    /// Gives a free table to whoever is first in line and here.
    pub(super) fn seat_next(&mut self, now: Duration) {
        if self.game.as_ref().is_some_and(|game| !game.is_demo()) {
            return;
        }
        let groups = self.line.groups();
        let Some(group) = groups.into_iter().find(|group| self.is_here(group)) else { return };
        let players: Vec<_> = group.iter().map(|entry| (*entry).clone()).collect();
        for entry in &players {
            self.line.remove(&entry.token);
        }
        self.interrupt_demo(now);
        let seat = |entry: &Entry| Seated::Human { token: entry.token.clone(), name: entry.name.clone() };
        let red = seat(&players[0]);
        let yellow = match (players.get(1), players[0].opponent) {
            (Some(other), _) => seat(other),
            (None, Opponent::Machine(level)) => Seated::Machine(level),
            // Cannot happen: a person alone is no group.
            (None, Opponent::Human) => return,
        };
        self.start_game(red, yellow, now);
        self.line_changed(now);
    }

    /// Takes a visitor out of the line.
    pub(super) fn leave_line(&mut self, token: &Token, now: Duration) {
        if let Some(entry) = self.line.remove(token) {
            self.idle_since = now;
            if entry.opponent == Opponent::Human {
                self.broadcast(Event::VisitorLeft { name: entry.name });
            }
            self.line_changed(now);
        }
    }

    /// Tells everyone how long the line is, and everyone in it where they stand.
    pub(super) fn line_changed(&mut self, now: Duration) {
        let told = (self.line.entries.len(), self.waiting_name());
        if told != self.line.told {
            self.line.told = told;
            let (length, waiting) = self.line.told.clone();
            self.broadcast(Event::Queue { length, waiting });
        }
        let tokens: Vec<_> = self.line.entries.iter().map(|entry| entry.token.clone()).collect();
        for token in tokens {
            if let Some(place) = self.place(&token, now) {
                self.tell(&token, Answer::Queued { place });
            }
        }
    }

    /// Where a visitor stands in line.
    pub fn place(&self, token: &Token, now: Duration) -> Option<Place> {
        let entry = self.line.of(token)?;
        let groups = self.line.groups();
        let before = groups.iter().position(|group| group.iter().any(|other| other.token == *token));
        let wait = before.map(|games| {
            let usual = self.line.usual_game();
            let turnover = usual + self.settings.result_for / 2;
            let running = match &self.game {
                Some(game) if game.is_over() => {
                    (game.ended_at + self.settings.result_for).saturating_sub(now)
                }
                Some(game) if !game.is_demo() => {
                    turnover.saturating_sub(now.saturating_sub(game.started_at)).max(usual / 8)
                }
                Some(_) | None => Duration::ZERO,
            };
            running + turnover * games as u32
        });
        Some(Place {
            name: entry.name.clone(),
            position: before.map_or(self.line.entries.len(), |games| games + 1),
            wait_s: wait.map(|wait| wait.as_secs()),
        })
    }

    fn is_here(&self, group: &[&Entry]) -> bool {
        group.iter().all(|entry| !self.away.contains_key(&entry.token))
    }
}
