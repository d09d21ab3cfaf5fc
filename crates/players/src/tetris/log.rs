//! What a player has seen of its games.

use serde::Serialize;
use tetris::Piece;
use tetris::gameboy::MAX_SCORE;

use super::see::{Figures, TableLine};

/// One game as it was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameLog {
    /// Points shown last.
    pub score: u32,
    /// Lines shown last.
    pub lines: u32,
    /// Level shown last.
    pub level: u8,
    /// Whether the heart was shown.
    pub heart: bool,
    /// Pieces that came while it played; those it let fall at the end are not counted.
    pub pieces: Vec<Piece>,
    /// Buttons pressed.
    pub presses: u32,
    /// Lines when 999,999 points were seen with a new piece, or led to letting go.
    pub lines_to_max_out: Option<u32>,
    /// Display period of the first piece.
    pub first_period: u64,
    /// Display period in which the end was seen.
    pub last_period: u64,
    /// Screens that could not be read.
    pub unclear_looks: u32,
    /// Pieces that did not lead to what was expected.
    pub diverged_plans: u32,
    /// Presses that were noticed to have had no effect; only bodies that see late look for them.
    pub missed_presses: u32,
    /// Whether the name was read in the table afterwards.
    pub name_seen: bool,
    /// Rounds won and lost in a match of two.
    pub rounds: Option<(u8, u8)>,
    /// Whether all lines of a B-type game were cleared.
    pub completed: bool,
    let_go: bool,
    over: bool,
    closed: bool,
}

impl GameLog {
    fn read(&mut self, figures: &Figures) {
        self.score = figures.score.unwrap_or(self.score);
        self.lines = figures.lines.unwrap_or(self.lines);
        self.level = figures.level.unwrap_or(self.level);
        self.heart = figures.heart;
    }

    fn see_max_out(&mut self) {
        if self.score == MAX_SCORE && self.lines_to_max_out.is_none() {
            self.lines_to_max_out = Some(self.lines);
        }
    }
}

/// All games, the last one under way.
#[derive(Clone, Debug, Default)]
pub struct GameLogs {
    games: Vec<GameLog>,
    unclear: u32,
}

impl GameLogs {
    pub fn all(&self) -> &[GameLog] {
        &self.games
    }

    /// Whether a game has begun that has not ended.
    pub fn is_under_way(&self) -> bool {
        self.games.last().is_some_and(|game| !game.closed && !game.over)
    }

    /// A game is seen: a new one if the last has ended.
    pub fn playing(&mut self, period: u64, figures: &Figures) {
        let is_new = self.games.last().is_none_or(|game| game.closed || (game.over && game.rounds.is_none()));
        if is_new {
            self.games.push(GameLog { first_period: period, ..GameLog::default() });
        }
        if let Some(game) = self.games.last_mut() {
            game.last_period = period;
            game.unclear_looks += std::mem::take(&mut self.unclear);
            game.read(figures);
        }
    }

    /// A new piece is there.
    pub fn piece(&mut self, piece: Piece, surprise: bool) {
        let Some(game) = self.games.last_mut().filter(|game| !game.let_go) else { return };
        game.pieces.push(piece);
        game.diverged_plans += u32::from(surprise);
        game.see_max_out();
    }

    /// From now on pieces fall where they will.
    pub fn let_go(&mut self) {
        if let Some(game) = self.games.last_mut() {
            game.let_go = true;
            game.see_max_out();
        }
    }

    /// Pieces of the game under way.
    pub fn pieces(&self) -> u32 {
        self.games.last().map_or(0, |game| game.pieces.len() as u32)
    }

    pub fn presses(&mut self, count: u32) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.presses += count;
        }
    }

    /// Presses were noticed to have had no effect.
    pub fn missed(&mut self, count: u32) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.missed_presses += count;
        }
    }

    /// What was believed of the game turned out wrong.
    pub fn diverged(&mut self, count: u32) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.diverged_plans += count;
        }
    }

    pub fn unclear(&mut self) {
        self.unclear += 1;
    }

    /// The last figures of a game are seen.
    pub fn figures(&mut self, figures: &Figures) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.read(figures);
        }
    }

    /// The end of the game is seen.
    pub fn over(&mut self, period: u64) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.over) {
            game.over = true;
            game.last_period = period;
        }
    }

    /// A round of a two-player match has ended; the match is closed when one side has won four.
    pub fn round(&mut self, period: u64, wins: u8, losses: u8) {
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.rounds = Some((wins, losses));
            game.last_period = period;
            game.closed = wins.max(losses) >= 4;
        }
    }

    /// The account of a B-type game is seen: all lines are cleared.
    pub fn account(&mut self, period: u64, total: Option<u32>) {
        self.over(period);
        if let Some(game) = self.games.last_mut().filter(|game| !game.closed) {
            game.completed = true;
            game.lines = 0;
            game.score = total.unwrap_or(game.score);
        }
    }

    /// The menu of the B-type is seen; whether that closes a game.
    pub fn close_b_type(&mut self) -> bool {
        let Some(game) = self.games.last_mut().filter(|game| !game.closed && game.over) else { return false };
        game.closed = true;
        true
    }

    /// The table after the game is seen; whether that closes a game.
    pub fn close(&mut self, table: &[TableLine; 3], name: &str) -> bool {
        let Some(game) = self.games.last_mut().filter(|game| !game.closed) else { return false };
        let padded = format!("{name:-<6}");
        game.name_seen = table.iter().any(|line| line.name == padded && line.score == Some(game.score));
        game.closed = true;
        true
    }
}
