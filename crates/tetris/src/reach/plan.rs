//! The keys that bring a piece to a reachable placement.

use super::{COLUMN_OFFSET, Reach};
use crate::gameboy::Buttons;
use crate::moves::Placement;

/// One press of a [`KeyPlan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Frames since the piece came under control.
    pub frame: u32,
    /// The buttons pressed.
    pub buttons: Buttons,
}

/// The keys that bring a piece to a placement, as early as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlan {
    /// Presses in order; each turns, shifts or both.
    pub presses: Vec<Press>,
    /// Frame from which Down is held until the piece locks.
    pub down_from: u32,
    /// Rows the piece falls while Down is held: its soft-drop points.
    pub soft_drop_rows: u32,
}

impl KeyPlan {
    /// The buttons held in a frame of control when every press lasts `hold` frames.
    pub fn buttons_at(&self, frame: u32, hold: u32) -> Buttons {
        if frame >= self.down_from {
            return Buttons::DOWN;
        }
        let pressed = self.presses.iter().find(|p| (p.frame..p.frame + hold).contains(&frame));
        pressed.map_or(Buttons::NONE, |p| p.buttons)
    }
}

impl Reach {
    /// The keys for one of the placements found; `None` for any other.
    pub fn plan(&self, target: Placement) -> Option<KeyPlan> {
        let last = self.log.iter().find(|&&(frame, ref new)| {
            new[target.orientation()] >> (target.x() + COLUMN_OFFSET) & 1 == 1
                && self.rests_at(target, self.row_at(frame))
        })?;
        let mut state = (last.0, target.orientation(), target.x());
        let mut presses = Vec::new();
        while state.0 > 0 || (state.1, state.2) != (self.start.orientation, self.start.x) {
            let (before, buttons) = self.before(state)?;
            presses.push(Press { frame: state.0, buttons });
            state = before;
        }
        presses.reverse();
        let down_from = presses.last().map_or(self.reaction, |press| press.frame + self.timing.period);
        let down_row = self.row_at(down_from).max(target.row());
        Some(KeyPlan { presses, down_from, soft_drop_rows: (down_row - target.row()) as u32 })
    }

    /// The earliest state from which one press at `state`'s frame leads to it.
    fn before(&self, state: (u32, usize, i32)) -> Option<((u32, usize, i32), Buttons)> {
        let (frame, orientation, x) = state;
        let turns = self.piece.orientations();
        // Counter-clockwise is the next orientation, so B came from the previous one.
        let turned_from = [
            (orientation, Buttons::NONE),
            ((orientation + turns - 1) % turns, Buttons::B),
            ((orientation + 1) % turns, Buttons::A),
        ];
        let shifted_from = [(x, Buttons::NONE), (x - 1, Buttons::RIGHT), (x + 1, Buttons::LEFT)];
        let mut best: Option<((u32, usize, i32), Buttons)> = None;
        for (from, turn) in turned_from {
            for (from_x, shift) in shifted_from {
                let both = turn != Buttons::NONE && shift != Buttons::NONE;
                if turn | shift == Buttons::NONE || (both && !self.timing.parallel) {
                    continue;
                }
                // The turn comes before the shift and must be possible without it.
                let row = self.row_at(frame);
                if turn != Buttons::NONE && (turns == 1 || !self.is_free(orientation, from_x, row)) {
                    continue;
                }
                if let Some(since) = self.ready_since(from, from_x, frame)
                    && best.is_none_or(|(b, _)| since < b.0)
                {
                    best = Some(((since, from, from_x), turn | shift));
                }
            }
        }
        best
    }

    /// The first frame of a state that is still in the air and may press at `frame`.
    fn ready_since(&self, orientation: usize, x: i32, frame: u32) -> Option<u32> {
        let bit = u32::try_from(x + COLUMN_OFFSET).ok().filter(|&bit| bit < 16)?;
        let entry = self.log.iter().find(|&&(since, ref new)| {
            let spawned = since == 0 && (orientation, x) == (self.start.orientation, self.start.x);
            (spawned || since + self.timing.period <= frame)
                && since < frame.max(1)
                && new[orientation] >> bit & 1 == 1
                && (self.row_at(frame)..self.row_at(since)).all(|row| self.is_free(orientation, x, row))
        })?;
        Some(entry.0)
    }

    fn rests_at(&self, target: Placement, from_row: i32) -> bool {
        let (o, x) = (target.orientation(), target.x());
        target.row() <= from_row
            && (target.row()..from_row).all(|row| self.is_free(o, x, row))
            && !self.is_free(o, x, target.row() - 1)
    }
}
