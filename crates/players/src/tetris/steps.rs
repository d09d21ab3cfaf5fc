//! A flight in steps that can be verified one by one: after each press the piece is looked at (G14).
//!
//! What a frame does is seen two display periods later, so presses must be some frames apart to be looked at in
//! between; those that are closer belong to one step.

use engine::{Step, TimedAction, Verdict};
use gameboy::Button;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use tetris::Board;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, ROWS};

use super::Expectation;
use super::see::Playing;
use super::track::{Flight, PATIENCE};

/// Frames from one press to the next with which every press can be looked at.
pub const PRESS_FRAMES: u32 = 4;
/// Display periods after a frame in which its effect is seen.
const SEEN_AFTER: usize = 2;
/// Rows by which a piece may be seen elsewhere.
const ROWS_ASTRAY: i32 = 2;

/// What will be seen after a press: the piece in its new column or position.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Moved {
    /// What stands, by column.
    pub columns: [u32; WIDTH],
    /// Where the piece will be.
    #[serde(skip)]
    pub pose: Active,
    /// The display period in which it will be seen first.
    pub period: u64,
}

impl Moved {
    /// What the next look says about the press.
    pub fn verdict(&self, period: u64, playing: &Playing) -> Verdict {
        if period >= self.period && self.is_shown(playing) {
            Verdict::Confirmed
        } else if period < self.period + PATIENCE {
            Verdict::Pending
        } else {
            Verdict::Diverged {
                why: format!("period {period}: the press did not move the piece as expected"),
            }
        }
    }

    /// Whether the piece is in its column and position. The first piece of a game may fall some frames earlier or later
    /// than believed, so that it is seen in another row.
    fn is_shown(&self, playing: &Playing) -> bool {
        let board = Board::from_columns(self.columns);
        let (shape, x) = (self.pose.shape(), self.pose.x);
        let visible = (1 << ROWS) - 1;
        let mut rows = self.pose.row - ROWS_ASTRAY..=self.pose.row + ROWS_ASTRAY;
        rows.any(|row| {
            if board.collides(shape, x, row) {
                return false;
            }
            let mut drawn = board;
            drawn.place(shape, x, row);
            (0..WIDTH).all(|x| drawn.column(x) & visible == playing.cells[x])
        })
    }
}

impl Flight {
    /// The presses, each with what should be seen after it; the last one with what should be seen when the piece has
    /// landed.
    pub fn steps(&self) -> Vec<Step<Button, Expectation>> {
        let presses = self.presses();
        let mut steps = Vec::new();
        let (mut begun, mut next) = (0, 0);
        while let Some(first) = presses.get(next) {
            let looked_after = |press: &(usize, usize, Button)| press.1.max(press.0 + SEEN_AFTER);
            let mut looked = looked_after(first);
            let mut end = next + 1;
            while let Some(press) = presses.get(end).filter(|press| press.0 < looked) {
                looked = looked.max(looked_after(press));
                end += 1;
            }
            let action = |&(from, until, button): &(usize, usize, Button)| {
                let start = self.moment(from - begun);
                TimedAction::held(start, self.moment(until - begun).saturating_sub(start), button)
            };
            let actions = presses[next..end].iter().map(action).collect();
            let moved = self.moved(looked).filter(|_| end < presses.len());
            let expectation =
                moved.map_or_else(|| Expectation::Placed(self.placed.clone()), Expectation::Moved);
            steps.push(Step { actions, rest: Duration::ZERO, expectation });
            (begun, next) = (looked, end);
        }
        if steps.is_empty() {
            let expectation = Expectation::Placed(self.placed.clone());
            steps.push(Step { actions: Vec::new(), rest: Duration::ZERO, expectation });
        }
        steps
    }

    /// What a look this many periods after the decision will show.
    fn moved(&self, looked: usize) -> Option<Moved> {
        let pose = *self.poses.get(looked.checked_sub(SEEN_AFTER)?)?;
        Some(Moved { columns: self.board.columns(), pose, period: self.decided + looked as u64 })
    }
}
