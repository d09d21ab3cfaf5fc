//! The table: who sits, who waits, whose turn it is, and when it ends. Pure: it reads no clock and does no input or
//! output; it turns what happened into [`Effect`]s, which the [cabinet](super::ConnectFour) carries out (C1, C2, C6, C8).

mod clock;
mod effect;
mod game;
mod line;
mod play;
mod robot;
mod view;
mod wishes;

use std::collections::BTreeMap;
use std::time::Duration;

use connect_four::{Column, Level, Position};

use self::game::Game;
use self::line::Line;
use self::robot::Hold;
use super::GameNumber;
use super::event::{Answer, Event};
use crate::visitor::Token;

pub use effect::{Effect, Purpose, RobotTask, ThinkTask};
pub use game::Seated;
pub use wishes::ToWaiting;

/// What the table is told to do differently; the operator may change it at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSettings {
    /// A player who does not move is asked after this time …
    pub question_after: Duration,
    /// … and loses the seat after this further time.
    pub drop_after: Duration,
    /// Time between two questions to whoever waits in line.
    pub waiting_question_after: Duration,
    /// The longest a turn may take, however often the player says that he is still there.
    pub turn_at_most: Duration,
    /// How many may wait in line.
    pub line_at_most: usize,
    /// How long a seat is kept without a connection.
    pub reconnect_within: Duration,
    /// How long a result stays on the table.
    pub result_for: Duration,
    /// How long a disc may take the robot, faults and rebuilding included.
    pub robot_patience: Duration,
    /// Faults of the robot in one game after which the game goes on without it.
    pub robot_faults_at_most: u32,
    /// Whether machines play when nobody does.
    pub demo: bool,
    /// After how much quiet a demo begins.
    pub demo_after: Duration,
    /// Time between two turns of a demo.
    pub demo_pace: Duration,
    /// Who plays red and yellow in a demo.
    pub demo_levels: (Level, Level),
}

/// One table, one robot, one game at a time.
#[derive(Debug)]
pub struct Table {
    settings: TableSettings,
    /// Everyone who has signed up and does not play yet, first come first.
    line: Line,
    game: Option<Game>,
    next_game: GameNumber,
    /// Since when nothing has happened at a free table.
    idle_since: Duration,
    /// Visitors with a seat or in line who have no connection, and since when.
    away: BTreeMap<Token, Duration>,
    robot: Hold,
    effects: Vec<Effect>,
}

impl Table {
    /// A free table; games are numbered from `next_game`.
    pub fn new(settings: TableSettings, next_game: GameNumber, now: Duration) -> Self {
        Self {
            settings,
            line: Line::default(),
            game: None,
            next_game,
            idle_since: now,
            away: BTreeMap::new(),
            robot: Hold::default(),
            effects: Vec::new(),
        }
    }

    /// Puts a game back that a restart interrupted; its players have the usual time to come back. False if nobody can go
    /// on with it: it is over, or it was never played by the rules.
    pub fn resume(
        &mut self,
        number: GameNumber,
        red: Seated,
        yellow: Seated,
        moves: &[Column],
        now: Duration,
    ) -> bool {
        let played = moves.iter().try_fold(Position::EMPTY, |position, column| position.play(*column));
        let Some(position) = played.ok().filter(|position| !position.is_over()) else { return false };
        let game = Game { moves: moves.to_vec(), position, ..Game::new(number, red, yellow, now) };
        for (_, token, _) in game.humans() {
            self.away.insert(token.clone(), now);
        }
        self.next_game = self.next_game.max(number.next());
        self.game = Some(game);
        self.let_machine_think();
        true
    }

    /// What must be done now; empties the list.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The operator changed something.
    pub fn set_settings(&mut self, settings: TableSettings) {
        self.settings = settings;
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
