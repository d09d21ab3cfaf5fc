//! The player of Catch: it sees what the eye shows and nothing else.

use std::time::Duration;

use budget::Budget;
use engine::{BodyPace, Choice, Focus, Picture, Plan, Player, Step, Time, TimedAction, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::action::Action;
use crate::rules::{Button, COLUMNS, ROWS};
use crate::screen::{BALL_LUMA, CELL, MARK_SIZE, OVER_LUMA, PADDLE_LUMA, SCREEN_HEIGHT, SCREEN_WIDTH};

/// What one screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// Neither a screen nor a scan of this game.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CatchDecision {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
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

/// What the player acts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// Buttons: one press a column.
    Buttons {
        /// How long a button is held.
        press: Duration,
        /// How long it is left alone afterwards.
        pause: Duration,
    },
    /// A motor that carries the paddle and says when it is there.
    Motor {
        /// A drive that takes longer is a fault.
        at_most: Duration,
        /// How long Start is held.
        press: Duration,
    },
}

/// Moves the paddle under the ball.
#[derive(Clone, Debug)]
pub struct CatchPlayer {
    hands: Hands,
    /// From a command to the frame that shows its effect, at most.
    unseen: Duration,
    /// Where ball and paddle are believed to be, while it is a scan that shows them.
    scanned: Option<(u8, u8)>,
    /// Whether the end of this game was already announced.
    announced_over: bool,
}

impl CatchPlayer {
    /// A player with these hands.
    pub fn new(hands: Hands) -> Self {
        Self { hands, unseen: Duration::ZERO, scanned: None, announced_over: false }
    }

    fn read_screen(screen: &Picture) -> Result<Observation, Unclear> {
        let mark = |row: u32| screen.row(row)[MARK_SIZE as usize / 2];
        let (top, bottom) = (mark(0), mark(SCREEN_HEIGHT - 1));
        if top != bottom {
            return Err(Unclear::Torn { top, bottom });
        }
        // Rows count from the bottom in the game, from the top in pixels.
        read_cells(|column, row| {
            let x = u32::from(column) * CELL + CELL / 2;
            let y = u32::from(ROWS - 1 - row) * CELL + CELL / 2;
            screen.row(y)[x as usize]
        })
    }

    /// A scan has one pixel a cell; those that were not looked at are of no luma of the game.
    fn read_scan(&mut self, scan: &Picture) -> Result<Observation, Unclear> {
        let seen = read_cells(|column, row| scan.row(u32::from(ROWS - 1 - row))[usize::from(column)]);
        self.scanned = match seen {
            Ok(Observation::Playing { ball, paddle }) => Some((ball, paddle)),
            Ok(Observation::Over) | Err(_) => None,
        };
        seen
    }

    fn step(&self, action: TimedAction<Action>, expectation: Expectation) -> Step<Action, Expectation> {
        let pause = match self.hands {
            Hands::Buttons { pause, .. } => pause,
            Hands::Motor { .. } => Duration::ZERO,
        };
        Step { actions: vec![action], rest: pause, expectation }
    }

    fn press(&self, button: Button) -> TimedAction<Action> {
        let (Hands::Buttons { press, .. } | Hands::Motor { press, .. }) = self.hands;
        TimedAction::held(Duration::ZERO, press, Action::Press(button))
    }

    /// The steps that bring the paddle to a column.
    fn steps(&self, from: u8, to: u8) -> Vec<Step<Action, Expectation>> {
        let press =
            |button, column| self.step(self.press(button), Expectation::PaddleAt { from, to: column });
        match self.hands {
            Hands::Motor { at_most, .. } => {
                let drive = TimedAction::until_done(at_most, Action::DriveTo { column: to });
                vec![self.step(drive, Expectation::PaddleAt { from, to })]
            }
            Hands::Buttons { .. } if to < from => {
                (to..from).rev().map(|column| press(Button::Left, column)).collect()
            }
            Hands::Buttons { .. } => (from + 1..=to).map(|column| press(Button::Right, column)).collect(),
        }
    }
}

impl Player for CatchPlayer {
    type Observation = Observation;
    type Unclear = Unclear;
    type Decision = CatchDecision;
    type Action = Action;
    type Expectation = Expectation;

    fn meet(&mut self, body: &BodyPace) {
        self.unseen = body.commanded_to_done.most() + body.shown_to_captured.most();
    }

    /// While ball and paddle are known, the ball's column upwards and the paddle's cell are enough.
    fn focus(&self) -> Focus {
        let Some((ball, paddle)) = self.scanned else { return Focus::Everything };
        let column = (1..ROWS).map(|row| (u32::from(ball), u32::from(ROWS - 1 - row)));
        Focus::Cells(column.chain([(u32::from(paddle), u32::from(ROWS - 1))]).collect())
    }

    fn see(&mut self, screen: &Picture, _captured: Time) -> Result<Observation, Unclear> {
        match (screen.width, screen.height) {
            (SCREEN_WIDTH, SCREEN_HEIGHT) => Self::read_screen(screen),
            (columns, rows) if (columns, rows) == (COLUMNS.into(), ROWS.into()) => self.read_scan(screen),
            (width, height) => Err(Unclear::WrongSize { width, height }),
        }
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

    fn decide(&mut self, observation: &Observation, _budget: &Budget) -> Choice<CatchDecision> {
        match *observation {
            Observation::Over if self.announced_over => Choice::Act(CatchDecision::Restart),
            Observation::Over => {
                self.announced_over = true;
                Choice::GameOver
            }
            Observation::Playing { ball, paddle } => {
                self.announced_over = false;
                if ball == paddle {
                    Choice::Wait
                } else {
                    Choice::Act(CatchDecision::Move { from: paddle, to: ball })
                }
            }
        }
    }

    fn plan(&mut self, decision: &CatchDecision) -> Plan<Action, Expectation> {
        let mut steps = match *decision {
            CatchDecision::Restart => vec![self.step(self.press(Button::Start), Expectation::Playing)],
            CatchDecision::Move { from, to } => {
                // The next scan looks for the paddle where it will be.
                self.scanned = self.scanned.map(|(ball, _)| (ball, to));
                self.steps(from, to)
            }
        };
        if let Some(last) = steps.last_mut() {
            // What cannot be seen yet is not worth a look.
            last.rest = last.rest.max(self.unseen);
        }
        Plan { steps }
    }

    fn resynchronise(&mut self) {
        self.scanned = None;
    }
}

/// What cells of these lumas show; rows count from the bottom.
fn read_cells(luma_at: impl Fn(u8, u8) -> u8) -> Result<Observation, Unclear> {
    let column_with = |luma: u8, row: u8| (0..COLUMNS).find(|&column| luma_at(column, row) == luma);
    if column_with(OVER_LUMA, 0).is_some() {
        return Ok(Observation::Over);
    }
    let paddle = column_with(PADDLE_LUMA, 0).ok_or(Unclear::NoPaddle)?;
    let ball = (1..ROWS).find_map(|row| column_with(BALL_LUMA, row)).ok_or(Unclear::NoBall)?;
    Ok(Observation::Playing { ball, paddle })
}
