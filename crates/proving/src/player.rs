//! The player of Catch: it sees the screen and nothing else.

use std::time::Duration;

use budget::Budget;
use engine::{Choice, Picture, Plan, Player, Step, Time, TimedAction, Verdict};
use serde::Serialize;
use thiserror::Error;

use crate::body::{BALL_LUMA, CELL, MARK_WIDTH, OVER_LUMA, PADDLE_LUMA, SCREEN_HEIGHT, SCREEN_WIDTH};
use crate::rules::{Button, COLUMNS, ROWS};

/// What one screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// A game under way.
    Playing {
        /// The ball's column.
        ball: u8,
        /// The paddle's column.
        paddle: u8,
    },
    /// The end of a game.
    Over,
}

/// Why a screen cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// Not a screen of this game.
    #[error("the screen is {width} × {height} pixels; Catch has {SCREEN_WIDTH} × {SCREEN_HEIGHT}")]
    WrongSize {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Two moments on one frame.
    #[error("the frame is torn: its beat mark is {top} at the top and {bottom} at the bottom")]
    Torn {
        /// Luma of the upper mark.
        top: u8,
        /// Luma of the lower mark.
        bottom: u8,
    },
    /// No cell of the bottom row is as light as the paddle.
    #[error("no paddle on the bottom row")]
    NoPaddle,
    /// No cell is as light as the ball.
    #[error("no ball on the field")]
    NoBall,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Bring the paddle under the ball.
    Move {
        /// From this column …
        from: u8,
        /// … to this one.
        to: u8,
    },
    /// Begin another game.
    Restart,
}

/// What will be seen if a step works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The paddle has moved.
    PaddleAt {
        /// Where the plan began.
        from: u8,
        /// Where it will be.
        to: u8,
    },
    /// A game is under way.
    Playing,
}

/// Moves the paddle under the ball, one press a column.
#[derive(Clone, Debug)]
pub struct CatchPlayer {
    press: Duration,
    pause: Duration,
    /// Whether the end of this game was already announced.
    announced_over: bool,
}

impl CatchPlayer {
    /// A player that holds a button for `press` and leaves it up for `pause`.
    pub fn new(press: Duration, pause: Duration) -> Self {
        Self { press, pause, announced_over: false }
    }

    fn press_step(&self, button: Button, expectation: Expectation) -> Step<Button, Expectation> {
        let action = TimedAction { start: Duration::ZERO, hold: self.press, action: button };
        Step { actions: vec![action], rest: self.pause, expectation }
    }
}

impl Player for CatchPlayer {
    type Observation = Observation;
    type Unclear = Unclear;
    type Decision = Decision;
    type Action = Button;
    type Expectation = Expectation;

    fn see(&mut self, screen: &Picture, _captured: Time) -> Result<Observation, Unclear> {
        let (width, height) = (screen.width, screen.height);
        if (width, height) != (SCREEN_WIDTH, SCREEN_HEIGHT) {
            return Err(Unclear::WrongSize { width, height });
        }
        let mark = |row: u32| screen.row(row)[MARK_WIDTH as usize / 2];
        let (top, bottom) = (mark(0), mark(SCREEN_HEIGHT - 1));
        if top != bottom {
            return Err(Unclear::Torn { top, bottom });
        }
        if luma_at(screen, 0, 0) == OVER_LUMA {
            return Ok(Observation::Over);
        }
        let column_with =
            |luma: u8, row: u8| (0..COLUMNS).find(|&column| luma_at(screen, column, row) == luma);
        let paddle = column_with(PADDLE_LUMA, 0).ok_or(Unclear::NoPaddle)?;
        let ball = (1..ROWS).find_map(|row| column_with(BALL_LUMA, row)).ok_or(Unclear::NoBall)?;
        Ok(Observation::Playing { ball, paddle })
    }

    fn verify(&self, expectation: &Expectation, observation: &Observation) -> Verdict {
        match (*expectation, *observation) {
            (Expectation::Playing, Observation::Playing { .. }) => Verdict::Confirmed,
            (Expectation::Playing, Observation::Over) => Verdict::Pending,
            // The game ended before the paddle arrived: nothing to repeat.
            (Expectation::PaddleAt { .. }, Observation::Over) => Verdict::Confirmed,
            (Expectation::PaddleAt { from, to }, Observation::Playing { paddle, .. }) => {
                if paddle == to {
                    Verdict::Confirmed
                } else if (from.min(to)..=from.max(to)).contains(&paddle) {
                    Verdict::Pending
                } else {
                    Verdict::Diverged {
                        why: format!("the paddle is in column {paddle}, not on its way from {from} to {to}"),
                    }
                }
            }
        }
    }

    fn decide(&mut self, observation: &Observation, _budget: &Budget) -> Choice<Decision> {
        match *observation {
            Observation::Over if self.announced_over => Choice::Act(Decision::Restart),
            Observation::Over => {
                self.announced_over = true;
                Choice::GameOver
            }
            Observation::Playing { ball, paddle } => {
                self.announced_over = false;
                if ball == paddle {
                    Choice::Wait
                } else {
                    Choice::Act(Decision::Move { from: paddle, to: ball })
                }
            }
        }
    }

    fn plan(&mut self, decision: &Decision) -> Plan<Button, Expectation> {
        let steps = match *decision {
            Decision::Restart => vec![self.press_step(Button::Start, Expectation::Playing)],
            Decision::Move { from, to } if to < from => (to..from)
                .rev()
                .map(|column| self.press_step(Button::Left, Expectation::PaddleAt { from, to: column }))
                .collect(),
            Decision::Move { from, to } => (from + 1..=to)
                .map(|column| self.press_step(Button::Right, Expectation::PaddleAt { from, to: column }))
                .collect(),
        };
        Plan { steps }
    }

    fn resynchronise(&mut self) {}
}

/// Luma in the middle of a cell. Rows count from the bottom in the game, from the top in pixels.
fn luma_at(screen: &Picture, column: u8, row: u8) -> u8 {
    let x = u32::from(column) * CELL + CELL / 2;
    let y = u32::from(ROWS - 1 - row) * CELL + CELL / 2;
    screen.row(y)[x as usize]
}
