//! Where keys can still bring a piece, from wherever it is in its fall (P2).
//!
//! Presses come one at a time, `period` frames apart; between them gravity pulls. All poses reached so far are in the
//! same row, so a search needs only orientation and column. The next fall is assumed to come at once: what is found
//! can be reached, whatever the timer says.

use serde::{Deserialize, Serialize};
use tetris::gameboy::Buttons;
use tetris::{Piece, Placement};

use super::choices::RulesName;
use super::field::Field;

/// One press and the pose it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Press {
    /// The row of the piece's box when the button is pressed.
    pub row: i32,
    /// The button.
    pub button: u8,
    /// Orientation after the press.
    pub orientation: usize,
    /// Column after the press.
    pub x: i32,
}

/// A resting place and the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Orientation.
    pub orientation: usize,
    /// Column of the box.
    pub x: i32,
    /// Row of the box.
    pub row: i32,
    /// Presses in order; after the last one the piece falls straight down.
    pub presses: Vec<Press>,
    /// Whether the presses may come in any row: the way leads under nothing.
    pub direct: bool,
}

impl Reached {
    /// The same as the rules' own type.
    pub fn placement(&self) -> Placement {
        Placement::new(self.orientation, self.x, self.row)
    }
}

/// Where a piece is and how fast things happen.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The piece.
    pub piece: Piece,
    /// Its orientation.
    pub orientation: usize,
    /// Column of its box.
    pub x: i32,
    /// Row of its box.
    pub row: i32,
    /// Frames from row to row.
    pub frames_per_row: u32,
    /// Frames from press to press.
    pub period: u32,
}

#[derive(Clone, Debug)]
struct Pose {
    orientation: usize,
    x: i32,
    presses: Vec<Press>,
}

/// Every resting place that can be reached, each by the fewest presses.
pub fn reachable(field: &Field, start: Start, rules: RulesName) -> Vec<Reached> {
    let mut row = start.row;
    let mut poses = vec![Pose { orientation: start.orientation % 4, x: start.x, presses: Vec::new() }];
    let mut found: Vec<Reached> = Vec::new();
    let (mut frame, mut next_fall) = (0, 1);
    loop {
        for pose in &poses {
            rest(field, start, pose, row, &mut found);
        }
        let until = frame + start.period.max(1);
        while next_fall <= until {
            next_fall += start.frames_per_row.max(1);
            row -= 1;
            poses.retain(|pose| field.is_free(start.piece.shape(pose.orientation), pose.x, row));
        }
        frame = until;
        if poses.is_empty() {
            return found;
        }
        let mut new: Vec<Pose> = Vec::new();
        for pose in &poses {
            for (button, orientation, x) in moves(pose, rules) {
                let known = |other: &Pose| (other.orientation, other.x) == (orientation, x);
                if poses.iter().chain(&new).any(known)
                    || !field.is_free(start.piece.shape(orientation), x, row)
                {
                    continue;
                }
                let mut presses = pose.presses.clone();
                presses.push(Press { row, button: button.0, orientation, x });
                new.push(Pose { orientation, x, presses });
            }
        }
        poses.extend(new);
    }
}

fn moves(pose: &Pose, rules: RulesName) -> impl Iterator<Item = (Buttons, usize, i32)> {
    let &Pose { orientation, x, .. } = pose;
    let clockwise = match rules {
        RulesName::Gameboy => Some((Buttons::A, (orientation + 3) % 4, x)),
        // Classic pieces turn one way only.
        RulesName::Classic => None,
    };
    let others = [
        (Buttons::LEFT, orientation, x - 1),
        (Buttons::RIGHT, orientation, x + 1),
        (Buttons::B, (orientation + 1) % 4, x),
    ];
    others.into_iter().chain(clockwise)
}

fn rest(field: &Field, start: Start, pose: &Pose, row: i32, found: &mut Vec<Reached>) {
    let shape = start.piece.shape(pose.orientation);
    let resting = field.rest_row(shape, pose.x, row);
    let same = |reached: &Reached| {
        let turns = start.piece.orientations();
        (reached.orientation % turns, reached.x, reached.row) == (pose.orientation % turns, pose.x, resting)
    };
    if found.iter().any(same) {
        return;
    }
    let open = |press: &Press| field.is_free(start.piece.shape(press.orientation), press.x, start.row);
    let direct = pose.presses.iter().all(open) && field.rest_row(shape, pose.x, start.row) == resting;
    let (orientation, x, presses) = (pose.orientation, pose.x, pose.presses.clone());
    found.push(Reached { orientation, x, row: resting, presses, direct });
}

#[cfg(test)]
mod tests {
    use tetris::Board;
    use tetris::gameboy::{SPAWN_ROW, SPAWN_X};
    use tetris::moves::poses;

    use super::*;

    fn start(piece: Piece, row: i32, frames_per_row: u32) -> Start {
        Start { piece, orientation: 0, x: SPAWN_X, row, frames_per_row, period: 12 }
    }

    #[test]
    fn an_empty_board_allows_every_pose() {
        let field = Field::of_board(&Board::EMPTY);
        for piece in Piece::ALL {
            let found = reachable(&field, start(piece, SPAWN_ROW, 53), RulesName::Gameboy);
            assert_eq!(found.len(), poses(piece).count(), "{piece:?}");
            assert!(found.iter().all(|reached| reached.direct));
        }
    }

    #[test]
    fn late_in_a_fast_fall_little_can_be_reached() {
        let field = Field::of_board(&Board::EMPTY);
        let found = reachable(&field, start(Piece::O, 4, 3), RulesName::Gameboy);
        let columns: Vec<_> = found.iter().map(|reached| reached.x).collect();
        assert!(columns.contains(&SPAWN_X) && columns.len() < 4, "{columns:?}");
    }

    #[test]
    fn a_piece_slides_under_an_overhang_and_waits_for_it() {
        let board = Board::parse("##........\n..........\n..........").unwrap();
        let found = reachable(&Field::of_board(&board), start(Piece::O, SPAWN_ROW, 20), RulesName::Gameboy);
        let corner = found.iter().find(|reached| (reached.x, reached.row) == (-1, 0)).unwrap();
        assert!(!corner.direct && corner.presses.last().unwrap().row < 3);
    }
}
