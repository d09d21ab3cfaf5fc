//! The rules of Catch. Rows count from the bottom; the paddle is on row 0.

use std::time::Duration;

use engine::Time;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Columns of the field.
pub const COLUMNS: u8 = 10;
/// Rows of the field.
pub const ROWS: u8 = 9;

/// What a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Balls a game.
    pub balls: u32,
    /// Time in which a ball falls one row.
    pub fall: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Self { balls: 20, fall: Duration::from_millis(250) }
    }
}

/// The console's buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// A new game after the last one is over.
    Start,
}

/// A game under way: a pure function of its seed and the presses with their times.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    random: Xoshiro256PlusPlus,
    /// Where the ball is: column and row.
    ball: (u8, u8),
    paddle: u8,
    next_fall: Time,
    balls_left: u32,
    /// Games that are over.
    games: u32,
    caught: u32,
    missed: u32,
    /// Counts visible changes.
    beat: u32,
}

impl Game {
    /// A first game that begins at once.
    pub fn new(rules: Rules, seed: u64) -> Self {
        let mut game = Self {
            rules,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            ball: (0, 0),
            paddle: COLUMNS / 2,
            next_fall: Time::START,
            balls_left: rules.balls,
            games: 0,
            caught: 0,
            missed: 0,
            beat: 0,
        };
        game.new_ball(Time::START);
        game
    }

    /// Lets the ball fall until `now`.
    pub fn advance_to(&mut self, now: Time) {
        while !self.is_over() && self.next_fall <= now {
            let moment = self.next_fall;
            self.beat += 1;
            self.ball.1 -= 1;
            self.next_fall = moment + self.rules.fall;
            if self.ball.1 == 0 {
                self.land(moment);
            }
        }
    }

    fn land(&mut self, now: Time) {
        if self.ball.0 == self.paddle {
            self.caught += 1;
        } else {
            self.missed += 1;
        }
        self.balls_left -= 1;
        if self.is_over() {
            self.games += 1;
        } else {
            self.new_ball(now);
        }
    }

    fn new_ball(&mut self, now: Time) {
        self.ball = (self.random.random_range(0..COLUMNS), ROWS - 1);
        self.next_fall = now + self.rules.fall;
    }

    /// A button goes down at `now`; holding it does nothing more.
    pub fn press(&mut self, button: Button, now: Time) {
        self.advance_to(now);
        match (button, self.is_over()) {
            (Button::Left, false) => self.paddle = self.paddle.saturating_sub(1),
            (Button::Right, false) => self.paddle = (self.paddle + 1).min(COLUMNS - 1),
            (Button::Start, true) => {
                self.balls_left = self.rules.balls;
                self.new_ball(now);
            }
            (Button::Left | Button::Right, true) | (Button::Start, false) => return,
        }
        self.beat += 1;
    }

    /// Whether the last ball has landed.
    pub fn is_over(&self) -> bool {
        self.balls_left == 0
    }

    /// Where the ball is: column and row.
    pub fn ball(&self) -> (u8, u8) {
        self.ball
    }

    /// The paddle's column.
    pub fn paddle(&self) -> u8 {
        self.paddle
    }

    /// Games that are over.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Balls caught in all games.
    pub fn caught(&self) -> u32 {
        self.caught
    }

    /// Balls missed in all games.
    pub fn missed(&self) -> u32 {
        self.missed
    }

    /// Counts visible changes.
    pub fn beat(&self) -> u32 {
        self.beat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_falls_eight_rows_and_is_caught_or_missed() {
        let mut game = Game::new(Rules { balls: 1, fall: Duration::from_secs(1) }, 1);
        let column = game.ball().0;
        while game.paddle() > column {
            game.press(Button::Left, Time::START);
        }
        while game.paddle() < column {
            game.press(Button::Right, Time::START);
        }
        game.advance_to(Time::START + Duration::from_millis(7_999));
        assert_eq!((game.ball(), game.is_over()), ((column, 1), false));
        game.advance_to(Time::START + Duration::from_secs(8));
        assert_eq!((game.caught(), game.missed(), game.is_over()), (1, 0, true));

        game.press(Button::Start, Time::START + Duration::from_secs(9));
        game.press(
            if column == 0 { Button::Right } else { Button::Left },
            Time::START + Duration::from_secs(9),
        );
        game.advance_to(Time::START + Duration::from_secs(100));
        assert_eq!(game.games(), 2, "Start begins another game");
    }
}
